"""`ludex tournament`: the ratings of many agents."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import board_verb

if TYPE_CHECKING:
    from ludex.arena.standings import Standings


def tournament(
    board: Any,
    *,
    agents: Annotated[
        str,
        typer.Option(
            help='the players, A,B,C with options A:key=value; an engine is ugi:"command", a class py:MODULE:CLASS',
            autocompletion=completion.agents,
        ),
    ],
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="round-robin|gauntlet|swiss",
            help="how agents are paired; in a gauntlet the first agent meets each of the others",
            show_default="round-robin; in a game for one player a league on the same seeds",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(help="games per meeting, an even number: seats are swapped; in a league games per agent")
    ] = 100,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="of a Swiss tournament", show_default="as many as a knock-out would have"),
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
    journal: parameters.Journal = None,
    name: Annotated[
        str | None,
        typer.Option(
            help="save it under this name in LUDEX_TOURNAMENTS, where `ludex serve` shows it live, or resume it"
        ),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Let many agents play each other with swapped seats, and rate them. An agent at fault loses the game, no more."""
    from ludex.arena.entrants import split_entrants
    from ludex.arena.holding import TournamentSetup, hold_tournament
    from ludex.arena.standings import Standings
    from ludex.cli.executors import executor_of
    from ludex.cli.output import emit, note, progress
    from ludex.core.clock import Clock
    from ludex.core.limit import Limit
    from ludex.lab.services import DATABASE_SERVICES

    setup = TournamentSetup(
        board=board,
        agents=tuple(split_entrants(agents)),
        services=DATABASE_SERVICES,
        format=format_,
        games=games,
        rounds=rounds,
        seed=seed,
        limit=Limit(time_ms=movetime, depth=depth, nodes=nodes),
        clock=None if clock is None else Clock.parse(clock),
        opening_plies=opening_plies,
        name=name,
        journal=journal,
    )
    plan = setup.plan
    # An agent may end its process, so none runs in this one.
    task_executor = executor_of(executor, workers, address, apart=True)
    with progress(plan.name, setup.planned) as advance:
        held = hold_tournament(setup, task_executor, advance)
    if not held.pairs:
        note("interrupted before the first pair was finished: nothing to report")
        raise typer.Exit(exits.INTERRUPTED)
    standings = Standings.of(held)
    emit(standings.to_json(), as_json, lambda: _render(standings))
    if held.interrupted:
        raise typer.Exit(exits.INTERRUPTED)


def _render(standings: "Standings") -> Any:
    from rich.table import Table

    document: Any = standings.to_json()
    rated = standings.ratings is not None
    strength = ("Elo", "95 %") if rated else ("95 %",)
    heads = ("", "player", "won", "drawn", "lost", "score", *strength, "LOS", "ms/move")
    table = Table(*heads, box=None, header_style="bold")
    for row in document["standings"]:
        counts = (str(row[key]) for key in ("wins", "draws", "losses"))
        superiority = "-" if row["superiority"] is None else f"{row['superiority']:.1%}"
        shown = (f"{row['score']:.1%}", *_strength(row, rated), superiority, f"{row['ms_per_move']:.2f}")
        table.add_row(str(row["rank"]), row["agent"], *counts, *shown)
    table.caption = (
        f"{document['format']}, {document['games']} games on {document['game']} {document['preset']}, "
        f"seed {document['seed']}; LOS: likelihood of superiority over the next"
    )
    for row in document["standings"]:
        if row["forfeits"] or row["time_forfeits"]:
            table.caption += f"\n{row['agent']}: {row['forfeits']} forfeited, {row['time_forfeits']} lost on time"
    if document["prior_pairs"]:
        table.caption += (
            "\nan agent won or lost every game: ratings exist only with one imaginary drawn pair in each meeting"
        )
    if document["interrupted"]:
        table.caption += "\ninterrupted"
    return table


def _strength(row: dict[str, Any], rated: bool) -> tuple[str, ...]:
    if not rated:
        return ("{:.1%} - {:.1%}".format(*row["ci95"]),)
    if row["elo"] is None:
        return "-", "-"
    return f"{row['elo']:+.0f}", "{:+.0f} .. {:+.0f}".format(*row["elo_ci95"])


command = board_verb(tournament)
