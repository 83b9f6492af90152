"""Trained networks as ONNX: small, and without metadata of the machine that wrote them."""

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

OPSET = 18
HALVED = 1024
"""Weights of at least this many numbers are stored in half precision; they are read as single precision."""


@contextmanager
def quiet_exporter() -> Iterator[None]:
    """Without the exporter's warnings of itself: of torchvision, which nothing here needs, and of shared axes."""
    logging.getLogger("torch.onnx._internal.exporter._registration").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "# The axis name", UserWarning)
        warnings.filterwarnings("ignore", ".*LeafSpec.*", FutureWarning)
        yield


def save_onnx(
    module: nn.Module,
    example: tuple[Tensor, ...],
    path: Path,
    *,
    inputs: Sequence[str],
    outputs: Sequence[str],
    shapes: tuple[dict[int, Any], ...],
) -> None:
    """Write a module to a file; `shapes` says which axes of each input may have any length."""
    with quiet_exporter():
        program = torch.onnx.export(
            module.eval().cpu(),
            example,
            input_names=list(inputs),
            output_names=list(outputs),
            opset_version=OPSET,
            dynamic_shapes=shapes,
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    model: onnx.ModelProto = program.model_proto
    halve(model)
    strip(model)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def halve(model: onnx.ModelProto) -> None:
    """Store large weights in half precision, with a cast that a session folds away when it loads them."""
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
    """Remove the exporter's source locations: they name files of the machine that exports."""
    graph = model.graph
    for part in (model, graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
