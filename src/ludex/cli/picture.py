"""What a terminal shows of a match: the board, the candidates, how it ended."""

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from ludex.core.agent import line_texts
from ludex.core.registry import resolve, spec

if TYPE_CHECKING:
    from ludex.core.agent import Candidate, Decision
    from ludex.core.game import AnyGame
    from ludex.core.match import Match


SEARCHED = ("depth", "nodes")
"""What a search tells of itself, where there was one."""
PERSON = "you"
"""The name of a person's seat."""


def board_picture(board: "AnyGame", state: Any, player: int, decision: "Decision | None" = None) -> Any:
    """The board as one player may see it, drawn by the game's own slice."""
    return resolve(spec(board.info.id).draw)(board, board.view(state, player), decision)


def told_of(board: "AnyGame", state: Any) -> Text:
    """What the last ply brought, a line each; nothing for games whose moves say it all."""
    tell = spec(board.info.id).tell
    return Text("\n", "dim").join(Text(line, "dim") for line in resolve(tell)(board, state)) if tell else Text()


def candidates_table(board: "AnyGame", state: Any, decision: "Decision", most: int = 9) -> Table:
    """The moves an agent considered, best first."""
    rows = [(board.action_text(state, candidate.action), _figures(candidate)) for candidate in decision.candidates]
    names = list(dict.fromkeys(name for _, figures in rows for name in figures))
    lines = [line_texts(board, state, candidate.line) for candidate in decision.candidates[:most]]
    table = Table("move", *names, box=None, padding=(0, 2, 0, 0), header_style="bold")
    long = any(len(line) > 1 for line in lines)
    if long:
        table.add_column("line", overflow="fold")
    for (text, figures), line in zip(rows, lines, strict=False):
        table.add_row(text, *(figures.get(name, "") for name in names), *([" ".join(line)] if long else []))
    hidden = len(decision.candidates) - most
    searched = [f"{name} {decision.stats[name]:,}" for name in SEARCHED if isinstance(decision.stats.get(name), int)]
    table.caption = ", ".join([*([f"and {hidden} more"] if hidden > 0 else []), *searched]) or None
    return table


def _figures(candidate: "Candidate") -> dict[str, str]:
    """Whatever is known of a candidate, by name."""
    known = {} if candidate.score is None else {"score": f"{candidate.score:+.3f}".rstrip("0").rstrip(".")}
    if candidate.prob is not None:
        known["chance"] = f"{candidate.prob:.1%}"
    return known | {name: f"{value:g}" for name, value in candidate.terms.items()}


def ending(match: "Match[Any, Any]", agents: tuple[str, ...]) -> str:
    """How a match ended, in one line."""
    if match.aborted is not None:
        return f"The match was aborted: {match.aborted}."
    outcome = match.outcome
    if outcome is None:
        return f"Unfinished after {match.ply} {'ply' if match.ply == 1 else 'plies'}."
    if len(outcome.scores) == 1:
        score = outcome.scores[0]
        return f"{'Won' if score > 0 else 'Lost' if score < 0 else 'Undecided'}: {outcome.reason}."
    winners = [player for player, score in enumerate(outcome.scores) if score > 0]
    if not winners:
        return f"No winner: {outcome.reason}."
    name = agents[winners[0]]
    if name == PERSON and agents.count(PERSON) == 1:
        return f"You win by {outcome.reason}."
    return f"{f'Player {winners[0] + 1}' if name == PERSON else name} wins by {outcome.reason}."
