"""`ludex analyse`: an agent's analysis of a position."""

from typing import Annotated, Any

import typer

from ludex.cli import completion, parameters
from ludex.cli.gameverb import board_verb


def analyse(
    board: Any,
    *,
    moves: parameters.Moves = "",
    agent: Annotated[
        str | None,
        typer.Option(
            help="the agent that analyses; the game's default if none is named", autocompletion=completion.agent
        ),
    ] = None,
    seed: parameters.Seed = 0,
    movetime: parameters.MoveTime = None,
    depth: parameters.Depth = None,
    nodes: parameters.Nodes = None,
    as_json: parameters.Json = False,
) -> None:
    """Show an agent's choice in a position, with its candidates and reasons."""
    from ludex.arena.entrants import kernels_of, make_entrant
    from ludex.cli.output import emit
    from ludex.cli.picture import candidates_table
    from ludex.core.decision import explain
    from ludex.core.limit import Limit
    from ludex.core.line import play_line
    from ludex.core.match import Match, decide
    from ludex.core.registry import default_analyst
    from ludex.core.rendering import board_picture
    from ludex.kernels.warmup import load_kernels
    from ludex.store.services import lazy_services

    match = Match(board, seed)
    play_line(match, moves)
    name = default_analyst(board) if agent is None else agent
    entrant = make_entrant(board, name, lazy_services())
    if movetime is not None:
        load_kernels(board.info.id, through=kernels_of(board.info.id, name))
    try:
        decision = decide(match, entrant, Limit(time_ms=movetime, depth=depth, nodes=nodes))
    finally:
        entrant.close()

    def render() -> Any:
        from rich.console import Group

        picture = board_picture(board, match.state, match.to_move, decision)
        return Group(picture, decision.note, candidates_table(board, match.state, decision))

    emit(explain(board, match.state, decision), as_json, render)


command = board_verb(analyse)
