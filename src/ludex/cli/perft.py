"""`ludex perft`: count positions."""

from typing import Annotated, Any

import typer

from ludex.cli import parameters
from ludex.cli.gameverb import board_verb
from ludex.cli.output import emit
from ludex.core.registry import resolve, spec


def perft(
    board: Any,
    *,
    depth: Annotated[int, typer.Option(min=0, help="plies to look ahead")],
    moves: parameters.Moves = "",
    as_json: parameters.Json = False,
) -> None:
    """Count the lines of a given depth: the classic check of move generation."""
    import time

    from ludex.core.match import Match
    from ludex.core.perft import perft as count_slowly
    from ludex.core.record import play_line

    position = Match(board, seed=0)
    play_line(position, moves)
    faster = spec(board.info.id).tools.perft
    count = count_slowly if faster is None else resolve(faster)
    begin = time.perf_counter()
    nodes = count(board, position.state, depth)
    seconds = time.perf_counter() - begin
    info = board.info
    document = {"game": info.id, "preset": info.preset, "depth": depth, "nodes": nodes, "seconds": seconds}
    emit(document, as_json, lambda: f"perft({depth}) = {nodes:,} in {seconds:.2f} s")


command = board_verb(perft)
