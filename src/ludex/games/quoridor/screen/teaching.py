"""The rules of a board in words and pictures, what can be done now, and a tutorial."""

from ludex.core.game import Mask, legal_actions
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook, RuleSection
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.position import Position

_SMALL = "5x5"
_MOVES_PER_SQUARE = 4
"""A game ends as a draw after so many plies per square."""


def rulebook(game: Quoridor) -> Rulebook:
    """The goal on this board; steps, jumps and walls in pictures of 5x5."""
    size = game.size
    sizes = {"size": size, "count": game.walls, "plies": _MOVES_PER_SQUARE * size * size}
    goal = tuple(range(size * (size - 1), size * size))

    def section(name: str, picture: PositionSpec | None) -> RuleSection:
        title, text = (Message(f"quoridor.rules_{name}_{part}", sizes) for part in ("title", "text"))
        return RuleSection(title=title, text=text, picture=picture)

    return Rulebook(
        sections=(
            section("goal", PositionSpec(board=game.info.preset, cells=goal)),
            section("step", _small("c2 b4v", "c1 b2 d2 c3")),
            section("wall", _small("c2 c4 b3h")),
            section("path", _small("c2 b5 d2 b4 d3 b3 a1h b2 c1h a2 d1v", "e2 e1")),
            section("jump", _small("c2 c4 d3v c3", "c4")),
            section("aside", _small("c2 c4 a1v c3 c3h a4v", "b3 d3")),
            section("draw", None),
            section("notation", _small("b2h d2v")),
        )
    )


def _small(moves: str, marked: str = "") -> PositionSpec:
    """A picture of 5x5 from blue's side, with squares marked."""
    cells = tuple("abcde".index(name[0]) + 5 * (int(name[1]) - 1) for name in marked.split())
    return PositionSpec(board=_SMALL, moves=tuple(moves.split()), cells=cells, viewer=0)


def coach(game: Quoridor, view: Position, legal: Mask) -> Message:
    """Whether the mover may step, jump and put a wall, without advice on which."""
    pawn, left = view.pawns[view.turn], view.left[view.turn]
    reached = [action for action in legal_actions(legal) if action < game.squares]
    jumps = any(abs(square - pawn) not in (1, game.size) for square in reached)
    name = f"coach_{'jump' if jumps else 'step'}"
    return Message(f"quoridor.{name}" if left else f"quoridor.{name}_only", {"count": left})


def _step(name: str, moves: str, *turns: TurnSpec, cells: tuple[int, ...] = ()) -> StepSpec:
    position = PositionSpec(board="5x5", moves=tuple(moves.split()), cells=cells)
    return StepSpec(name=name, position=position, turns=turns)


_WALLS = "*[hv]"
_GOAL = (20, 21, 22, 23, 24)

TUTORIAL = Tutorial(
    steps=(
        _step("walk", "", TurnSpec(accept=("c2",), refuse={"[bd]1": "aside"}), cells=_GOAL),
        _step("jump", "c2 c4 d3v c3", TurnSpec(accept=("c4",), refuse={_WALLS: "walled"})),
        _step("aside", "c2 c4 a1v c3 c3h a4v", TurnSpec(accept=("b3", "d3"), refuse={_WALLS: "walled"})),
        _step("wall", "c2 b5 d2 b4 d3 b3 d1v b2", TurnSpec(accept=("a1h", "b1h"), refuse={_WALLS: "elsewhere"})),
        _step(
            "path",
            "c2 b5 d2 b4 d3 b3 a1h b2 c1h a2 d1v b2",
            TurnSpec(accept=("b2v", "c2v", "d3v"), refuse={_WALLS: "elsewhere"}),
        ),
        _step(
            "race",
            "c2 b5 d2 b4 d3 a4",
            TurnSpec(accept=("d4",), refuse={_WALLS: "walled"}, reply=("a3",)),
            TurnSpec(accept=("d5",)),
        ),
    )
)
