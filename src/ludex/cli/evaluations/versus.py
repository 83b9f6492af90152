"""The evaluation of one agent against opponents, in a game for two."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.table import Table

from ludex.arena.duel import duel
from ludex.arena.statistics import MoveTimes, interval95
from ludex.arena.terms import Terms
from ludex.cli.output import progress
from ludex.core.errors import BadOption
from ludex.core.registry import spec
from ludex.lab.services import DATABASE_SERVICES

if TYPE_CHECKING:
    from ludex.arena.duel import Duel
    from ludex.cli.evaluations.setting import Setting


def measure(setting: "Setting", opponents: list[str], opening_plies: int) -> dict[str, Any] | None:
    """The evaluation against each opponent; None if no pair of games was finished."""
    if not opponents:
        game = spec(setting.board.info.id)
        known = ", ".join(dict.fromkeys([*game.agents, *game.levels]))
        raise BadOption(f"a game for two needs --opponent, one or more of: {known}")
    duels: list[Duel] = []
    interrupted = False
    terms = Terms.of(
        setting.board,
        (setting.agent, opponents[0]),
        seed=setting.seed,
        limit=setting.limit,
        opening_plies=opening_plies,
        services=DATABASE_SERVICES,
    )
    with progress(setting.agent, setting.games * len(opponents)) as advance:
        for other in opponents:
            against = replace(terms, agents=(setting.agent, other))
            result = duel(against, games=setting.games, executor=setting.executor, advance=advance)
            if result.fault is not None:
                raise result.fault
            if result.pairs:
                duels.append(result)
            interrupted = result.interrupted
            if interrupted:
                break
    return _document(duels, interrupted) if duels else None


def _document(duels: "list[Duel]", interrupted: bool) -> dict[str, Any]:
    terms = duels[0].terms
    played = [game for duel in duels for game in duel.played]
    won = [[game.points > 0.5 for game in pair] for duel in duels for pair in duel.pairs]
    return {
        "game": terms.game,
        "preset": terms.preset,
        "agent": terms.agents[0],
        "games": len(played),
        "seed": terms.seed,
        "win_rate": sum(map(sum, won)) / len(played),
        "ci95": list(interval95([sum(pair) / 2 for pair in won])),
        "ms_per_move": MoveTimes.of([micros for game in played for micros in game.micros[0]]).mean,
        "draw_rate": sum(duel.draws for duel in duels) / len(played),
        "loss_rate": sum(duel.wins[1] for duel in duels) / len(played),
        "opponents": [
            {
                "agent": duel.terms.agents[1],
                "win_rate": duel.win_rate,
                "ci95": list(duel.win_rate_ci95),
                "games": len(duel.played),
                "draws": duel.draws,
                "losses": duel.wins[1],
            }
            for duel in duels
        ],
        "interrupted": interrupted,
    }


def render(document: dict[str, Any]) -> Table:
    """An evaluation as a table, one row per opponent."""
    table = Table("opponent", "games", "win rate", "95 %", "drawn", "lost", box=None, header_style="bold")
    for row in document["opponents"]:
        low, high = row["ci95"]
        shown = (f"{row['win_rate']:.1%}", f"{low:.1%} - {high:.1%}", str(row["draws"]), str(row["losses"]))
        table.add_row(row["agent"], str(row["games"]), *shown)
    table.title = f"{document['agent']} on {document['game']} {document['preset']}"
    table.caption = f"seed {document['seed']}, {document['ms_per_move']:.3f} ms per move"
    if document["interrupted"]:
        table.caption += "; interrupted"
    return table
