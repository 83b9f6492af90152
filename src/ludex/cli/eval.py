"""`ludex eval`: how strong one agent is."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import exits, parameters
from ludex.cli.gameverb import board_verb
from ludex.cli.match import DATABASE_SERVICES

if TYPE_CHECKING:
    from ludex.arena.duel import Duel


def eval_(
    board: Any,
    *,
    agent: Annotated[
        str | None, typer.Option(help="the player to measure; the game's default if none is named")
    ] = None,
    opponent: Annotated[list[str] | None, typer.Option(help="whom it meets; may be repeated")] = None,
    games: Annotated[int, typer.Option(help="games against each opponent, an even number")] = 100,
    seed: parameters.Seed = 0,
    workers: parameters.Workers = 1,
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    opening_plies: parameters.OpeningPlies = 0,
    as_json: parameters.Json = False,
) -> None:
    """Measure one agent against others, with intervals and time per move."""
    from ludex.arena.duel import duel
    from ludex.arena.terms import Terms
    from ludex.cli.log import in_workers
    from ludex.cli.output import emit, note, progress
    from ludex.core.errors import BadOption
    from ludex.core.executor import executor_for
    from ludex.core.limit import Limit
    from ludex.core.registry import spec

    if not opponent:
        known = ", ".join(spec(board.info.id).agents)
        raise BadOption(f"a game for two needs --opponent, one or more of: {known}")
    name = spec(board.info.id).default_agent if agent is None else agent
    duels: list[Duel] = []
    interrupted = False
    terms = Terms.of(
        board,
        (name, opponent[0]),
        seed=seed,
        limit=Limit(time_ms=movetime, depth=depth, nodes=nodes),
        opening_plies=opening_plies,
        services=DATABASE_SERVICES,
    )
    executor = executor_for(workers, in_workers())
    with progress(name, games * len(opponent)) as advance:
        for other in opponent:
            against = replace(terms, agents=(name, other))
            result = duel(against, games=games, executor=executor, advance=advance)
            if result.pairs:
                duels.append(result)
            interrupted = result.interrupted
            if interrupted:
                break
    if not duels:
        note("interrupted before the first pair was finished: nothing to report")
        raise typer.Exit(exits.INTERRUPTED)
    document = _document(duels, interrupted)
    emit(document, as_json, lambda: _told(document))
    if interrupted:
        raise typer.Exit(exits.INTERRUPTED)


def _document(duels: "list[Duel]", interrupted: bool) -> dict[str, Any]:
    from ludex.arena.statistics import interval95
    from ludex.arena.thinking import Thinking

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
        "ms_per_move": Thinking.of([micros for game in played for micros in game.micros[0]]).mean,
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


def _told(document: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table("opponent", "games", "win rate", "95 %", "drawn", "lost", box=None, header_style="bold")
    for row in document["opponents"]:
        low, high = row["ci95"]
        shown = (f"{row['win_rate']:.1%}", f"{low:.1%} - {high:.1%}", str(row["draws"]), str(row["losses"]))
        table.add_row(row["agent"], str(row["games"]), *shown)
    table.title = f"{document['agent']} on {document['game']} {document['preset']}"
    table.caption = f"seed {document['seed']}, {document['ms_per_move']:.3f} ms a move"
    if document["interrupted"]:
        table.caption += "; interrupted"
    return table


command = board_verb(eval_)
