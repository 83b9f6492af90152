"""The terminal's rendering of a decision, and of the events of a ply."""

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from ludex.core.decision import line_texts
from ludex.core.registry import resolve, spec

if TYPE_CHECKING:
    from ludex.core.decision import Candidate, Decision
    from ludex.core.game import AnyGame


SEARCHED = ("depth", "nodes")
"""The statistics of a search, where there was one."""


def events_text(board: "AnyGame", state: Any) -> Text:
    """The events of the last ply, one line each; empty for games without events."""
    describe = spec(board.info.id).screen.describe_ply
    return Text("\n", "dim").join(Text(line, "dim") for line in resolve(describe)(board, state)) if describe else Text()


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
    """The figures of a candidate, by name."""
    known = {} if candidate.score is None else {"score": f"{candidate.score:+.3f}".rstrip("0").rstrip(".")}
    if candidate.prob is not None:
        known["chance"] = f"{candidate.prob:.1%}"
    return known | {name: f"{value:g}" for name, value in candidate.terms.items()}
