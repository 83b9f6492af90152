"""`ludex match`: two agents against each other."""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import board_verb

if TYPE_CHECKING:
    from ludex.arena.duel import Duel
    from ludex.arena.sprt import Evidence
    from ludex.arena.statistics import MoveTimes

GAMES = 100
SPRT_GAMES = 20_000
"""A sequential test of 10 Elo is decided within these, nearly always."""


def match(
    board: Any,
    *,
    agents: Annotated[
        str,
        typer.Option(
            help='two players, A,B with options A:key=value; an engine is ugi:"command", a class py:MODULE:CLASS',
            autocompletion=completion.agents,
        ),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            help="number of games, even: seats are swapped; the maximum with --sprt",
            show_default=f"{GAMES}; with --sprt {SPRT_GAMES}",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="stop once the test accepts one of the two Elo leads of the first agent"
        ),
    ] = None,
    seed: parameters.MatchSeed = None,
    executor: parameters.Executor = "local",
    workers: parameters.Workers = 1,
    address: parameters.Address = "auto",
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    clock: parameters.Clock = None,
    opening_plies: parameters.OpeningPlies = 0,
    save: Annotated[bool, typer.Option("--save", help="store every game in the database")] = False,
    journal: parameters.Journal = None,
    as_json: parameters.Json = False,
) -> None:
    """Let two agents play many games with swapped seats, and say how sure the result is."""
    from ludex.arena.duel import duel
    from ludex.arena.entrants import split_entrants
    from ludex.arena.journal import opened
    from ludex.arena.seeds import seed_for
    from ludex.arena.sprt import Sprt
    from ludex.arena.terms import Terms
    from ludex.cli.executors import executor_of
    from ludex.cli.output import emit, note, progress
    from ludex.core.clock import Clock
    from ludex.core.errors import BadOption
    from ludex.core.limit import Limit
    from ludex.lab.services import DATABASE_SERVICES

    if save and journal is not None:
        raise BadOption("--save and --journal do not go together: a match that goes on would be saved twice")
    if save:
        from ludex.store.database import Database

        # Fail before hours of games if the database cannot be used.
        Database.open().close()
    entrants = split_entrants(agents)
    if len(entrants) != 2:
        raise BadOption(f"--agents needs two players, A,B, found {len(entrants)}: {agents!r}")
    test = None if sprt is None else Sprt.parse(sprt)
    most = games if games is not None else GAMES if test is None else SPRT_GAMES
    terms = Terms.of(
        board,
        (entrants[0], entrants[1]),
        seed=seed_for(board, entrants, seed, journal),
        limit=Limit(time_ms=movetime, depth=depth, nodes=nodes),
        clock=None if clock is None else Clock.parse(clock),
        opening_plies=opening_plies,
        services=DATABASE_SERVICES,
    )
    task_executor = executor_of(executor, workers, address)
    with (
        nullcontext() if journal is None else opened(journal, terms) as kept,
        progress(" - ".join(entrants), most) as advance,
    ):
        result = duel(terms, games=most, executor=task_executor, sprt=test, journal=kept, advance=advance)
    if not result.pairs:
        if result.fault is not None:
            raise result.fault
        note("interrupted before the first pair was finished: nothing to report")
        raise typer.Exit(exits.INTERRUPTED)
    emit(result.to_json(), as_json, lambda: render_duel(result))
    if save:
        _save(result)
    if result.fault is not None:
        raise result.fault
    if result.interrupted:
        raise typer.Exit(exits.INTERRUPTED)


def _save(result: "Duel") -> None:
    from ludex.arena.duel import SEATS
    from ludex.arena.pairs import record_of
    from ludex.store.database import Database

    with Database.open() as database:
        for played in result.played:
            database.matches.create(record_of(result.terms, SEATS, played))


def render_duel(result: "Duel") -> Any:
    """The result of a duel as a table."""
    from rich.table import Table

    columns = ("player", "won", "drawn", "lost", "score", "95 %", "Elo", "ms/move", "p99")
    table = Table(*columns, box=None, header_style="bold")
    terms, (low, high), (won, lost) = result.terms, result.ci95, result.wins
    first, second = result.move_times(0), result.move_times(1)
    _row(table, terms.agents[0], (won, result.draws, lost), result.score, (low, high), first)
    _row(table, terms.agents[1], (lost, result.draws, won), 1 - result.score, (1 - high, 1 - low), second)
    table.caption = (
        f"{len(result.played)} games on {terms.game} {terms.preset}, seed {terms.seed}, "
        f"{result.distinct_games} different"
    )
    if any(result.time_forfeits):
        table.caption += ", {} : {} lost on time".format(*result.time_forfeits)
    if result.sprt is not None:
        table.caption += f"\n{_judged(result.sprt)}"
    if result.interrupted:
        table.caption += "; interrupted"
    if result.fault is not None:
        table.caption += "; ended by a fault"
    return table


def _judged(evidence: "Evidence") -> str:
    test = evidence.test
    meaning = {
        "H0": f"H0 accepted: {test.elo0:g} Elo rather than {test.elo1:g}",
        "H1": f"H1 accepted: {test.elo1:g} Elo rather than {test.elo0:g}",
        "undecided": f"undecided between {test.elo0:g} and {test.elo1:g} Elo",
    }
    bounds = f"{test.lower:.2f} .. {test.upper:.2f}"
    return f"{meaning[evidence.verdict]}; LLR {evidence.llr:.2f} in {bounds}"


def _row(
    table: Any,
    agent: str,
    results: tuple[int, int, int],
    score: float,
    interval: tuple[float, float],
    move_times: "MoveTimes",
) -> None:
    from ludex.arena.statistics import elo

    rating = elo(score)
    shown = "-" if rating is None else f"{rating:+.0f}"
    low, high = interval
    times = (f"{move_times.mean:.2f}", f"{move_times.p99:.2f}")
    table.add_row(agent, *map(str, results), f"{score:.1%}", f"{low:.1%} - {high:.1%}", shown, *times)


command = board_verb(match)
