"""`ludex match`: two agents against each other."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import exits, parameters
from ludex.cli.gameverb import board_verb

if TYPE_CHECKING:
    from ludex.arena.duel import Duel

DATABASE_SERVICES = "ludex.store.services:lazy_services"
"""Opened in each worker, and only if an agent asks for what the database holds."""


def match(
    board: Any,
    *,
    agents: Annotated[str, typer.Option(help='two players, A,B with options A:key=value; an engine is ugi:"command"')],
    games: Annotated[int, typer.Option(help="how many, an even number: seats are swapped")] = 100,
    seed: parameters.Seed = 0,
    workers: parameters.Workers = 1,
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    opening_plies: Annotated[int, typer.Option(min=0, help="random moves at the start of both games of a pair")] = 0,
    save: Annotated[bool, typer.Option("--save", help="keep every game in the database")] = False,
    as_json: parameters.Json = False,
) -> None:
    """Let two agents play many games with swapped seats, and say how sure the result is."""
    from ludex.arena.duel import duel
    from ludex.arena.entrants import split_entrants
    from ludex.cli.log import in_workers
    from ludex.cli.output import emit, note, progress
    from ludex.core.errors import BadOption
    from ludex.core.executor import executor_for
    from ludex.core.limit import Limit
    from ludex.store.database import Database

    if save:
        # A database that cannot be used is known before hours are spent on games for it.
        Database.open().close()
    entrants = split_entrants(agents)
    if len(entrants) != 2:
        raise BadOption(f"--agents needs two players, A,B, found {len(entrants)}: {agents!r}")
    with progress(f"{entrants[0]} - {entrants[1]}", games) as advance:
        result = duel(
            board,
            (entrants[0], entrants[1]),
            games=games,
            seed=seed,
            executor=executor_for(workers, in_workers()),
            limit=Limit(time_ms=movetime, depth=depth, nodes=nodes),
            opening_plies=opening_plies,
            services=DATABASE_SERVICES,
            advance=advance,
        )
    if not result.pairs:
        note("interrupted before the first pair was finished: nothing to report")
        raise typer.Exit(exits.INTERRUPTED)
    emit(result.to_json(), as_json, lambda: _told(result))
    if save:
        _save(board, result)
    if result.interrupted:
        raise typer.Exit(exits.INTERRUPTED)


def _save(board: Any, result: "Duel") -> None:
    from ludex.arena.pairs import record_of
    from ludex.store.database import Database

    with Database.open() as database:
        for played in result.played:
            database.matches.create(record_of(board, result.agents, played))


def _told(result: "Duel") -> Any:
    from rich.table import Table

    table = Table("player", "won", "drawn", "lost", "score", "95 %", "Elo", "ms/move", box=None, header_style="bold")
    low, high = result.ci95
    won, lost = result.wins
    _row(table, result.agents[0], (won, result.draws, lost), result.score, (low, high), result.ms_per_move(0))
    _row(
        table, result.agents[1], (lost, result.draws, won), 1 - result.score, (1 - high, 1 - low), result.ms_per_move(1)
    )
    games = len(result.played)
    table.caption = (
        f"{games} games on {result.game} {result.preset}, seed {result.seed}, {result.distinct_games} different"
    )
    if result.interrupted:
        table.caption += "; interrupted"
    return table


def _row(
    table: Any, agent: str, results: tuple[int, int, int], score: float, interval: tuple[float, float], ms: float
) -> None:
    from ludex.arena.statistics import elo

    rating = elo(score)
    shown = "-" if rating is None else f"{rating:+.0f}"
    low, high = interval
    table.add_row(agent, *map(str, results), f"{score:.1%}", f"{low:.1%} - {high:.1%}", shown, f"{ms:.2f}")


command = board_verb(match)
