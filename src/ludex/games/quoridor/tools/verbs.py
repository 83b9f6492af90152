"""Command-line verbs of Quoridor."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.core.verb import Progress, VerbResult

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ludex.games.quoridor.game import Quoridor
    from ludex.games.quoridor.rules.position import Position

SEATS = ("first", "second")


def solve(
    board: Any,
    progress: Progress,
    *,
    moves: Annotated[str, typer.Option(help='solve what can follow these moves, e.g. "b2 a1h"')] = "",
) -> VerbResult:
    """Find the winner with best play on both sides, how soon, and by which moves. For small boards and few walls."""
    import time

    from ludex.core.errors import GameOver
    from ludex.core.match import Match
    from ludex.core.record import play_line
    from ludex.games.quoridor.agents.solver import solve as solved

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
    return VerbResult(document, lambda: _render_solution(board, match.state, best, document))


def selfplay(
    progress: Progress,
    executor: Any,
    output: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="where games are stored; an interrupted folder is resumed")
    ],
    *,
    config: Annotated[
        str, typer.Option(help="a shipped training configuration, or a path to a .yaml file")
    ] = "evaluation",
    set_: Annotated[list[str] | None, typer.Option("--set", help="change a key: key=value; may be repeated")] = None,
) -> VerbResult:
    """Play and store the games of a training configuration: `train --set earlier=[FOLDER]` learns from them."""
    from ludex.games.quoridor.learning.config import EvaluationConfig
    from ludex.games.quoridor.learning.selfplay import play_into
    from ludex.games.quoridor.spec import SPEC
    from ludex.learn.config import load_config, parse_changes

    assert SPEC.learning.training is not None
    settings = load_config(EvaluationConfig, SPEC.learning.training.configs, config, parse_changes(set_ or []))
    with progress("games", settings.games) as advance:
        games = play_into(output / "games", settings, executor, advance)
    white, black = (int((games.results == side).sum()) for side in (1, -1))
    document: dict[str, Any] = {
        "folder": str(output),
        "config": config,
        "seed": settings.seed,
        "agent": settings.agent,
        "games": len(games.lengths),
        "plies": int(games.lengths.sum()),
        "won_by": {"first": white, "second": black, "nobody": len(games.lengths) - white - black},
    }
    return VerbResult(
        document, lambda: f"{len(games.lengths):,} games of {int(games.lengths.sum()):,} plies in {output}"
    )


def _render_solution(
    board: "Quoridor", position: "Position", best: list[int], document: dict[str, Any]
) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    from ludex.core.decision import Candidate, Decision
    from ludex.core.rendering import board_picture

    if document["winner"] == "draw":
        result = "neither player can force a win"
    else:
        result = f"the {document['winner']} player wins in {document['plies']} plies"
    decision = Decision(best[0], candidates=tuple(map(Candidate, best)))
    return Group(
        board_picture(board, position, position.turn, decision),
        Text.assemble(("\nWith best play ", "dim"), (result, "bold green")),
        Text.assemble(("best now       ", "dim"), " ".join(document["best"])),
        Text(
            f"{document['positions']:,} positions of {document['configurations']:,} configurations of walls, "
            f"up to symmetry, in {document['seconds']:.1f} s",
            "dim",
        ),
    )
