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
    from ludex.cli.evaluations import alone, versus
    from ludex.cli.evaluations.setting import Setting
    from ludex.cli.executors import executor_of
    from ludex.cli.output import emit, note
    from ludex.core.limit import Limit
    from ludex.core.registry import default_agent

    setting = Setting(
        board=board,
        agent=default_agent(board) if agent is None else agent,
        games=games,
        seed=seed,
        limit=Limit(time_ms=movetime, depth=depth, nodes=nodes),
        executor=executor_of(executor, workers, address),
    )
    kind = alone if board.info.players == 1 else versus
    document = kind.measure(setting, opponent or [], opening_plies)
    if document is None:
        unit = "game" if kind is alone else "pair"
        note(f"interrupted before the first {unit} was finished: nothing to report")
        raise typer.Exit(exits.INTERRUPTED)
    emit(document, as_json, lambda: kind.render(document))
    if document["interrupted"]:
        raise typer.Exit(exits.INTERRUPTED)


command = board_verb(eval_)
