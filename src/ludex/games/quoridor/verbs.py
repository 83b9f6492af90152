"""What only Quoridor can do on the command line."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.core.verb import Progress, Telling

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ludex.games.quoridor.game import Quoridor
    from ludex.games.quoridor.position import Position

SEATS = ("first", "second")


def solve(
    board: Any,
    progress: Progress,
    *,
    moves: Annotated[str, typer.Option(help='solve what can follow these moves, e.g. "b2 a1h"')] = "",
) -> Telling:
    """Find who wins with best play on both sides, how soon, and by which moves. For small boards and few walls."""
    import time

    from ludex.core.errors import GameOver
    from ludex.core.line import play_line
    from ludex.core.match import Match
    from ludex.games.quoridor.solve import solve as solved

    match = Match(board, seed=0)
    play_line(match, moves)
    if match.over:
        raise GameOver(f"there is nothing to solve: the match is over after {match.ply} plies")
    begin = time.perf_counter()
    solution = solved(board, match.state, progress)
    seconds = time.perf_counter() - begin
    verdict = solution.value(match.state)
    best = solution.best(match.state)
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "size": board.size,
        "walls": board.walls,
        "winner": "draw" if verdict.winner is None else SEATS[verdict.winner],
        "plies": verdict.plies,
        "positions": solution.positions,
        "configurations": solution.configurations,
        "seconds": seconds,
        "moves": [move.text for move in match.moves],
        "best": [board.action_text(match.state, action) for action in best],
    }
    return Telling(document, lambda: _told(board, match.state, best, document))


def _told(board: "Quoridor", position: "Position", best: list[int], document: dict[str, Any]) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    from ludex.core.agent import Candidate, Decision
    from ludex.games.quoridor.draw import draw

    if document["winner"] == "draw":
        result = "neither player can force a win"
    else:
        result = f"the {document['winner']} player wins in {document['plies']} plies"
    decision = Decision(best[0], candidates=tuple(map(Candidate, best)))
    return Group(
        draw(board, position, decision),
        Text.assemble(("\nWith best play ", "dim"), (result, "bold green")),
        Text.assemble(("best now       ", "dim"), " ".join(document["best"])),
        Text(
            f"{document['positions']:,} positions of {document['configurations']:,} configurations of walls, "
            f"up to symmetry, in {document['seconds']:.1f} s",
            "dim",
        ),
    )
