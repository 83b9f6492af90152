"""What is shown of a match wherever it is shown: the board as its slice draws it, and how it ended."""

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from ludex.core.errors import LudexError
from ludex.core.match import AGREEMENT
from ludex.core.record import PERSON
from ludex.core.registry import entry_of, resolve, spec

if TYPE_CHECKING:
    from ludex.core.decision import Decision
    from ludex.core.game import AnyGame, Outcome

WIDEST: Final = 400
"""Columns of a plain picture: no shipped board needs as many."""


def board_picture(board: "AnyGame", state: Any, player: int, decision: "Decision | None" = None) -> Any:
    """The board as one player may see it, drawn by the game's own slice for a terminal."""
    return view_picture(board, board.view(state, player), decision)


def view_picture(board: "AnyGame", view: Any, decision: "Decision | None" = None) -> Any:
    """The same of a view at hand."""
    return resolve(spec(board.info.id).screen.terminal)(board, view, decision)


def plain_picture(board: "AnyGame", state: Any, player: int) -> str:
    """The same board as text without colours."""
    return plain_view(board, board.view(state, player))


def plain_view(board: "AnyGame", view: Any) -> str:
    """The same of a view at hand."""
    from rich.console import Console

    page = StringIO()
    console = Console(file=page, width=WIDEST, color_system=None, force_terminal=False, legacy_windows=False)
    console.print(view_picture(board, view), markup=False, highlight=False)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()).strip("\n")


def ending(
    game: str,
    outcome: "Outcome | None",
    aborted: str | None,
    plies: int,
    names: Sequence[str],
    message: str | None = None,
) -> str:
    """How a match of a game ended, in one line; the name `you` is the reader's own.

    `message` is what an abort says of its position, where that is at hand.
    """
    if aborted is not None:
        return f"The match was aborted: {aborted}." if message is None else f"The match was aborted: {message}."
    if outcome is None:
        return f"Unfinished after {plies} {'ply' if plies == 1 else 'plies'}."
    reason = _reason_text(game, outcome.reason)
    if len(outcome.scores) == 1:
        score = outcome.scores[0]
        return f"{'Won' if score > 0 else 'Lost' if score < 0 else 'Undecided'}: {reason}."
    winners = [player for player, score in enumerate(outcome.scores) if score > 0]
    if not winners:
        return "Draw by agreement." if outcome.reason == AGREEMENT else f"No winner: {reason}."
    name = names[winners[0]]
    return f"{'You win' if name == PERSON else f'{name} wins'}: {reason}."


def _reason_text(game: str, reason: str) -> str:
    """A reason in the words of the game's catalogue, `reason_REASON`; its own where the catalogue has none."""
    try:
        words = entry_of(game, f"reason_{reason.replace(' ', '_')}")
    except LudexError:
        # The package of a stored match's game may be gone, or broken.
        return reason
    return reason if words is None else words.text()
