"""Networks as ONNX: small, and without metadata of the machine that wrote them.

A finished network is exported once. While one is trained, its graph is exported once and then filled with the weights
of each checkpoint: an export takes seconds, filling one milliseconds. The exported graph is kept in the cache folder
for later runs with the same network, and compared with the network itself before it is used.
"""

import hashlib
import json
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from ludex.core.documents import read_bytes, write_bytes
from ludex.core.errors import BadNet
from ludex.core.folders import cache_folder, make_folder

OPSET = 18
HALVED = 1024
"""Weights of at least this many numbers are stored in half precision; they are read as single precision."""
TOLERANCE: Final = 1e-3
"""Relative to the largest output: the session and torch add in another order."""
_LOADED: dict[str, bytes] = {}
"""Graphs that were compared with their networks in this process, by key."""


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


def playable(
    module: nn.Module,
    example: tuple[Tensor, ...],
    *,
    identity: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    shapes: tuple[dict[int, Any], ...],
) -> bytes:
    """A module on the CPU as the bytes of an .onnx file; `shapes` says which axes of each input may have any length.

    `identity` names all that shapes the module besides its weights, such as sizes and a board. It must be a copy that
    is not trained. No random number of torch's own generator is drawn.
    """
    module = module.eval()
    sizes = {name: [*held.shape] for name, held in module.state_dict().items()}
    parts = [identity, torch.__version__, onnx.__version__, sizes, [[*one.shape] for one in example], inputs, outputs]
    key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
    if key not in _LOADED:
        _LOADED[key] = _graph(key, module, example, inputs, outputs, shapes)
    return _filled(_LOADED[key], module)


def _graph(
    key: str,
    module: nn.Module,
    example: tuple[Tensor, ...],
    inputs: Sequence[str],
    outputs: Sequence[str],
    shapes: tuple[dict[int, Any], ...],
) -> bytes:
    """The graph of a module, from the cache or exported; its weights are any."""
    path = make_folder(cache_folder() / "onnx", "LUDEX_CACHE") / f"{key}.onnx"
    if path.is_file():
        found = read_bytes(path, BadNet)
        if _agrees(found, module, example, inputs, outputs):
            return found
    found = _exported(module, example, inputs, outputs, shapes)
    if not _agrees(found, module, example, inputs, outputs):
        raise BadNet(f"the exported {type(module).__name__} gives other values than the network that is trained")
    write_bytes(path, found)
    return found


def _exported(
    module: nn.Module,
    example: tuple[Tensor, ...],
    inputs: Sequence[str],
    outputs: Sequence[str],
    shapes: tuple[dict[int, Any], ...],
) -> bytes:
    with quiet_exporter():
        program = torch.onnx.export(
            module,
            example,
            input_names=[*inputs],
            output_names=[*outputs],
            opset_version=OPSET,
            dynamic_shapes=shapes,
            dynamo=True,
            verbose=False,
            # Every weight must stay as it is under its name; a session optimises the graph when it loads it.
            optimize=False,
        )
    assert program is not None
    model: onnx.ModelProto = program.model_proto
    halve(model)
    strip(model)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _filled(graph: bytes, module: nn.Module) -> bytes:
    """The graph with the weights of a module. Raises `BadNet` if one has another shape."""
    model = onnx.ModelProto.FromString(graph)
    held = {one.name: one for one in model.graph.initializer}
    for name, weights in module.state_dict().items():
        target = held.get(name) or held.get(f"{name}.half")
        if target is None:
            # A head that only training uses; the comparison with the network finds any other.
            continue
        if [*target.dims] != [*weights.shape]:
            raise BadNet(f"the exported {type(module).__name__} has weights {name!r} of another shape")
        kind = numpy_helper.to_array(target).dtype
        target.CopyFrom(numpy_helper.from_array(np.asarray(weights.numpy(), kind, order="C"), target.name))
    return bytes(model.SerializeToString())


@torch.no_grad()
def _agrees(
    graph: bytes, module: nn.Module, example: tuple[Tensor, ...], inputs: Sequence[str], outputs: Sequence[str]
) -> bool:
    """Whether the graph, filled with random weights, gives what the module gives with the same weights."""
    import onnxruntime

    other = deepcopy(module)
    draws = torch.Generator().manual_seed(0)
    for weights in other.state_dict().values():
        if weights.is_floating_point():
            # Exact in half precision, above zero where it may be a variance, and of a size that keeps values moderate:
            # a softmax of large ones would turn roundings into differences.
            drawn = torch.rand(weights.shape, generator=draws)
            moderate = (drawn - 0.5) / weights[0].numel() ** 0.5 if weights.ndim > 1 else 0.02 + 0.2 * drawn
            weights.copy_(moderate.half().float())
    expected = [one.numpy() for one in other(*example)]
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 3, 1
    try:
        session = onnxruntime.InferenceSession(_filled(graph, other), options, providers=["CPUExecutionProvider"])
        given = dict(zip(inputs, (one.numpy() for one in example), strict=True))
        found = session.run([*outputs], given)
    except Exception:
        # onnxruntime has errors of many classes, and a damaged file in the cache may be anything: it is exported again.
        return False
    return all(
        one.shape == two.shape and bool(np.abs(one - two).max() <= TOLERANCE * max(1.0, np.abs(two).max()))
        for one, two in zip(found, expected, strict=True)
    )
