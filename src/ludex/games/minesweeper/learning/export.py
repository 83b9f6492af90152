"""A trained network as ONNX, in the form that players ask it: numbers in, probabilities out."""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from ludex.games.minesweeper.models import encode
from ludex.games.minesweeper.playing_net import INPUTS, OUTPUTS

OPSET = 18
HALVED = 1024
"""Weights of at least so many numbers are kept in half precision; they are read as single precision."""


class PlayingNet(nn.Module):
    """A network with what lies around it in play: encoding before, probabilities after."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, numbers: Tensor, mines: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of `numbers: float32[N, H, W]`, -1 where hidden, and `mines: float32[N]`.

        Logits of the reveals `[N, H, W]`, the probability to win `[N]`, and that each cell is a mine `[N, H, W]`.
        """
        logits, value, mine = self.net(encode(numbers, mines), return_mine=True)
        reveals = logits.unflatten(1, (2, *numbers.shape[1:]))[:, 0]
        return reveals, value.clamp(0.0, 1.0), torch.sigmoid(mine.squeeze(1))


def export_net(net: nn.Module, path: Path) -> None:
    """Write a network of any batch and board size to a file."""
    playing = PlayingNet(net).eval().cpu()
    batch, rows, cols = (torch.export.Dim(name, min=1) for name in ("batch", "rows", "cols"))
    program = torch.onnx.export(
        playing,
        (torch.full((2, 7, 9), -1.0), torch.full((2,), 9.0)),
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        opset_version=OPSET,
        dynamic_shapes=({0: batch, 1: rows, 2: cols}, {0: batch}),
        dynamo=True,
        verbose=False,
    )
    assert program is not None
    model: onnx.ModelProto = program.model_proto
    _halve(model)
    strip(model)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def _halve(model: onnx.ModelProto) -> None:
    """Keep large weights in half precision, with a cast that a session folds away when it loads them."""
    graph = model.graph
    casts = []
    for held in graph.initializer:
        weights = numpy_helper.to_array(held)
        if weights.dtype != np.float32 or weights.size < HALVED:
            continue
        name = held.name
        held.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    for place, cast in enumerate(casts):
        graph.node.insert(place, cast)


def strip(model: onnx.ModelProto) -> None:
    """Forget where the exporter found each operation: its notes name files of the machine that exports."""
    graph = model.graph
    for part in (model, graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
