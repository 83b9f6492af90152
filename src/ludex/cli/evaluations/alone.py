"""The evaluation of one agent in a game for one; the game defines the metrics."""

from typing import TYPE_CHECKING, Any

from rich.table import Table

from ludex.cli.output import progress
from ludex.core.errors import BadOption, Unsupported
from ludex.core.registry import resolve, spec
from ludex.lab.services import DATABASE_SERVICES

if TYPE_CHECKING:
    from ludex.cli.evaluations.setting import Setting
    from ludex.core.evaluation import Evaluate

PROMISED = ("win_rate", "ci95", "ms_per_move")
"""The metrics of every evaluation, after the games and the seed."""
_SHOWN_APART = ("game", "preset", "agent", "games", "seed", "win_rate", "ci95", "interrupted")


def measure(setting: "Setting", opponents: list[str], opening_plies: int) -> dict[str, Any] | None:
    """The evaluation of the agent; None if no game was finished."""
    info = setting.board.info
    if opponents:
        raise BadOption(f"{info.id} is a game for one: it takes no --opponent, found {', '.join(opponents)}")
    if opening_plies:
        raise BadOption(f"{info.id} is a game for one: it takes no --opening-plies, found {opening_plies}")
    if setting.games < 1:
        raise BadOption(f"games must be at least 1, found {setting.games}")
    named = spec(info.id).tools.evaluate
    if named is None:
        raise Unsupported(f"{info.id} does not say how its agents are measured: its GameSpec names no `evaluate`")
    evaluate: Evaluate = resolve(named)
    with progress(setting.agent, setting.games) as advance:
        found = evaluate(
            setting.board,
            setting.agent,
            games=setting.games,
            seed=setting.seed,
            limit=setting.limit,
            services=DATABASE_SERVICES,
            executor=setting.executor,
            advance=advance,
        )
    if not found["games"]:
        return None
    return {
        "game": info.id,
        "preset": info.preset,
        "agent": setting.agent,
        "games": found["games"],
        "seed": setting.seed,
        **{name: found[name] for name in PROMISED},
        **found,
    }


def render(document: dict[str, Any]) -> Table:
    """An evaluation as a table, one row per metric."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    low, high = document["ci95"]
    table.add_row("win rate", f"{document['win_rate']:.2%}  ({low:.2%} - {high:.2%})")
    for name, value in document.items():
        if name not in _SHOWN_APART:
            table.add_row(name.replace("_", " "), _figure(value))
    table.title = f"{document['agent']} on {document['game']} {document['preset']}"
    table.caption = f"{document['games']} games, seed {document['seed']}"
    if document["interrupted"]:
        table.caption += "; interrupted"
    return table


def _figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_figure(one)}" for name, one in value.items())
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
