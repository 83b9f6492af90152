"""`ludex eval`: the strength of one agent."""

from typing import Annotated, Any

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import board_verb


def eval_(
    board: Any,
    *,
    agent: Annotated[
        str | None,
        typer.Option(
            help="the agent to evaluate; the game's default if none is named", autocompletion=completion.agent
        ),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(help="its opponent in a game for two; may be repeated", autocompletion=completion.agent),
    ] = None,
    games: Annotated[int, typer.Option(help="number of games; in a game for two per opponent, and even")] = 100,
    seed: parameters.Seed = 0,
    executor: parameters.Executor = "local",
    workers: parameters.Workers = 1,
    address: parameters.Address = "auto",
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    opening_plies: parameters.OpeningPlies = 0,
    as_json: parameters.Json = False,
) -> None:
    """Measure one agent, against others in a game for two, with intervals and time per move."""
    from ludex.arena.evaluation import EvaluationSetup, evaluate
    from ludex.cli.evaluations import alone, versus
    from ludex.cli.executors import executor_of
    from ludex.cli.output import emit, note, progress
    from ludex.core.limit import Limit
    from ludex.core.registry import default_agent
    from ludex.lab.services import DATABASE_SERVICES

    setup = EvaluationSetup(
        board=board,
        agent=default_agent(board) if agent is None else agent,
        services=DATABASE_SERVICES,
        opponents=tuple(opponent or ()),
        games=games,
        seed=seed,
        limit=Limit(time_ms=movetime, depth=depth, nodes=nodes),
        opening_plies=opening_plies,
    )
    tasks = executor_of(executor, workers, address)
    with progress(setup.agent, setup.planned) as advance:
        document = evaluate(setup, tasks, advance)
    kind = alone if board.info.players == 1 else versus
    if document is None:
        unit = "game" if kind is alone else "pair"
        note(f"interrupted before the first {unit} was finished: nothing to report")
        raise typer.Exit(exits.INTERRUPTED)
    emit(document, as_json, lambda: kind.render(document))
    if document["interrupted"]:
        raise typer.Exit(exits.INTERRUPTED)


command = board_verb(eval_)
