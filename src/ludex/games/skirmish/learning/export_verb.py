"""`ludex skirmish export`: a trained network as a file that plays without torch."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.core.game import Json
from ludex.core.verb import Telling


def export(
    board: Any,
    net: Annotated[Path, typer.Argument(help="net.pt or imitated.pt of a training run")],
    *,
    output: Annotated[Path, typer.Option(help="the .onnx file to write")],
) -> Telling:
    """Write a network as ONNX for a scenario's board, for `--agent hard:net=FILE`."""
    import hashlib
    from importlib.util import find_spec

    from ludex.core.errors import BadOption, MissingDependency

    missing = [name for name in ("torch", "onnx", "onnxscript") if find_spec(name) is None]
    if missing:
        raise MissingDependency(f"{', '.join(missing)} is not installed: pip install 'ludex[train]'")
    if output.suffix != ".onnx":
        raise BadOption(f"--output: expected a name that ends in .onnx, found {output.name!r}")
    import torch

    from ludex.games.skirmish.learning.export import export_net
    from ludex.games.skirmish.learning.geometry import geometry_of
    from ludex.games.skirmish.learning.nets import load_net

    export_net(load_net(net, geometry_of(board), torch.device("cpu")), output)
    data = output.read_bytes()
    document: dict[str, Json] = {
        "net": str(output),
        "preset": board.info.preset,
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    return Telling(document, lambda: f"{output}: {len(data):,} bytes, SHA-256 {document['sha256']}")
