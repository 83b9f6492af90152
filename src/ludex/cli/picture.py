"""What a terminal shows of a match: the board, the candidates, how it ended."""

from typing import TYPE_CHECKING, Any

from rich.table import Table

from ludex.core.registry import resolve, spec

if TYPE_CHECKING:
    from ludex.core.agent import Decision
    from ludex.core.game import AnyGame
    from ludex.core.match import Match


def board_picture(board: "AnyGame", state: Any, player: int, decision: "Decision | None" = None) -> Any:
    """The board as one player may see it, drawn by the game's own slice."""
    return resolve(spec(board.info.id).draw)(board, board.view(state, player), decision)


def candidates_table(board: "AnyGame", state: Any, decision: "Decision", most: int = 8) -> Table:
    """The moves an agent considered, best first."""
    terms = list(dict.fromkeys(name for candidate in decision.candidates for name in candidate.terms))
    table = Table("move", "score", "chance", *terms, box=None, padding=(0, 2, 0, 0), header_style="bold")
    for candidate in decision.candidates[:most]:
        table.add_row(
            board.action_text(state, candidate.action),
            "" if candidate.score is None else f"{candidate.score:+.3f}",
            "" if candidate.prob is None else f"{candidate.prob:.1%}",
            *(f"{candidate.terms[name]:g}" if name in candidate.terms else "" for name in terms),
        )
    hidden = len(decision.candidates) - most
    if hidden > 0:
        table.caption = f"and {hidden} more"
    return table


def ending(match: "Match[Any, Any]", agents: tuple[str, ...]) -> str:
    """How a match ended, in one line."""
    if match.aborted is not None:
        return f"The match was aborted: {match.aborted}."
    outcome = match.outcome
    if outcome is None:
        return f"Unfinished after {match.ply} plies."
    winners = [agents[player] for player, score in enumerate(outcome.scores) if score > 0]
    return f"{winners[0]} wins by {outcome.reason}." if winners else f"No winner: {outcome.reason}."
