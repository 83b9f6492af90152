"""`ludex GAME export` and `measure`: a trained network as the file that plays, and its strength."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, parameters
from ludex.core.errors import BadOption
from ludex.core.packages import require_packages
from ludex.core.registry import resolve, spec
from ludex.core.verb import VerbResult

if TYPE_CHECKING:
    from ludex.core.game import AnyGame


def export(
    board: Any,
    net: Annotated[
        str,
        typer.Argument(help="net.pt or imitated.pt of a training run, or run:NAME@STEP, an agent that a run keeps"),
    ],
    *,
    output: Annotated[Path, typer.Option(help="the file to write, .onnx for a network")],
) -> VerbResult:
    """Write a trained network as the file that its agent plays, without torch."""
    import hashlib

    from ludex.core.documents import write_bytes
    from ludex.core.options import RUN
    from ludex.learn.exchange import export_agent
    from ludex.learn.run_agents import run_agent

    if net.startswith(RUN):
        run_agent(spec(board.info.id), net.removeprefix(RUN))
        name, data = export_agent(net)
        _require_suffix(output, Path(name).suffix)
        write_bytes(output, data)
    else:
        _require_suffix(output, ".onnx")
        _export_file(board, Path(net), output)
        data = output.read_bytes()
    document = {
        "net": str(output),
        "preset": board.info.preset,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    return VerbResult(document, lambda: f"{output}: {len(data):,} bytes, SHA-256 {document['sha256']}")


def _require_suffix(output: Path, suffix: str) -> None:
    if output.suffix != suffix:
        raise BadOption(f"--output: expected a name that ends in {suffix}, found {output.name!r}")


def _export_file(board: "AnyGame", net: Path, output: Path) -> None:
    """Write a network of the game's own training as ONNX, or one of the learner for every game."""

    from ludex.core.documents import write_bytes

    require_packages("torch", "onnx", "onnxscript")
    own = spec(board.info.id).tools.export
    if own is not None:
        resolve(own)(board, net, output)
        return
    import torch

    from ludex.learn.alphazero.export import load_net, playing_net
    from ludex.learn.export import playable
    from ludex.search.model import require_learnable

    require_learnable(board)
    write_bytes(output, playable(playing_net(load_net(net, torch.device("cpu")))))


def measure(
    board: Any,
    progress: Any,
    executor: Any,
    net: Annotated[
        str, typer.Argument(help="the file of a trained agent, run:NAME@STEP, an agent that a run keeps, or kept:NAME")
    ],
    *,
    opponent: Annotated[
        list[str] | None,
        typer.Option(help="its opponent in a game for two; may be repeated", autocompletion=completion.agent),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="games; in a game for two per opponent, and even")] = 1000,
    seed: parameters.Seed = 977,
) -> VerbResult:
    """Let a trained network play, against others in a game for two, as `ludex eval` does."""
    from ludex.cli.eval import render_evaluation
    from ludex.core.options import KEPT, RUN
    from ludex.learn.exchange import file_agent
    from ludex.operations.evaluation import EVALUATION
    from ludex.operations.operation import Context

    game, preset = board.info.id, board.info.preset
    agent = net if net.startswith((RUN, KEPT)) else file_agent(game, preset, Path(net))
    options = {
        "game": game,
        "preset": preset,
        "agent": agent,
        "opponents": opponent or [],
        "games": games,
        "seed": seed,
    }
    request = EVALUATION.parse(options).checked(None, remote=None)
    result = EVALUATION.run(request, Context(executor=executor, progress=progress))
    document = result.model_dump(mode="json")
    return VerbResult(document, lambda: render_evaluation(document))
