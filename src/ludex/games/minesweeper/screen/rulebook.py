"""The rules of a board in words and pictures, and what can be done now."""

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook, RuleSection, Term
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.position import View
from ludex.games.minesweeper.screen.drawn_boards import drawn

_TERMS = ("mines_left", "chord", "bbbv", "luck")


def rulebook(game: Minesweeper) -> Rulebook:
    """The goal and the first reveal of this board; numbers, flags and the end in pictures of small ones."""
    start = game.options.start
    sizes = {"rows": game.rows, "cols": game.cols, "count": game.mines, "safe": game.safe}

    def section(name: str, picture: PositionSpec | None, title: str | None = None) -> RuleSection:
        return RuleSection(
            title=Message(f"minesweeper.rules_{title or name}_title"),
            text=Message(f"minesweeper.rules_{name}_text", sizes),
            picture=picture,
        )

    return Rulebook(
        sections=(
            section("goal", None),
            section("numbers", drawn("* o o o / o o o * / o o o . / o o o *", marked="b2")),
            section(f"start_{start}", None, title="start"),
            section("flags", drawn("F o . . / o o . * / . . . .", marked="a1")),
            section("chord", drawn("F o . . / o o . * / . . . .", marked="b2")),
            section("proof", drawn("* . . * . / o o o o o / o o o o o", marked="a2 b2 c1")),
            section("end", drawn("* o o / o o o / o o *")),
        ),
        terms=tuple(
            Term(
                name=name,
                title=Message(f"minesweeper.word_{name}"),
                meaning=Message(f"minesweeper.word_{name}_meaning"),
            )
            for name in _TERMS
        ),
    )


def coach(game: Minesweeper, view: View, legal: Mask) -> Message:
    """What can be done before the first reveal and after it, without advice on which cell."""
    hidden = int((view.numbers == HIDDEN).sum())
    if hidden == game.cells:
        return Message(f"minesweeper.coach_{game.options.start}")
    return Message("minesweeper.coach_reveal", {"count": hidden - game.mines})
