"""Networks as ONNX, in the form that agents play: small, and without metadata of the machine that wrote them.

A finished network is exported once. While one is trained, its graph is exported once and then filled with the weights
of each checkpoint: an export takes seconds, filling one milliseconds. The exported graph stays in the cache folder for
later runs with the same network, and is compared with the network itself before it is used.
"""

import hashlib
import json
import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from ludex.core.documents import read_bytes, write_bytes
from ludex.core.errors import BadNet
from ludex.core.folders import cache_folder, make_folder

OPSET: Final = 18
HALVED: Final = 1024
"""Weights of at least this many numbers are stored in half precision; they are read as single precision."""
TOLERANCE: Final = 1e-3
"""Relative to the largest output: the session and torch add in another order."""

Play: TypeAlias = Callable[..., tuple[Tensor, ...]]
"""`(net, *inputs) -> outputs`: what an agent gives and gets, around the call of the network."""


class Input(NamedTuple):
    """An array that an agent gives a network."""

    name: str
    example: Tensor
    """Of two positions, with values that the outputs depend on."""
    free: tuple[str, ...] = ("batch",)
    """The names of the first axes, which may have any length; axes of one name are equally long."""


class PlayingNet(nn.Module):
    """A copy of a network on the CPU with what agents need around it: encoding before, probabilities after."""

    def __init__(
        self,
        net: nn.Module,
        play: Play,
        *,
        inputs: Sequence[Input],
        outputs: Sequence[str],
        identity: str,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        """`identity` names all that shapes the network besides its weights, such as sizes and a board.

        `metadata` is written into the file: what an agent must know to play it.
        """
        super().__init__()
        self.net = deepcopy(net).cpu()
        self._play = play
        self.inputs, self.outputs, self.identity = tuple(inputs), tuple(outputs), identity
        self.metadata = dict(metadata or {})
        self.eval()

    def forward(self, *arrays: Tensor) -> tuple[Tensor, ...]:
        return self._play(self.net, *arrays)

    @property
    def input_names(self) -> list[str]:
        return [item.name for item in self.inputs]

    @property
    def examples(self) -> tuple[Tensor, ...]:
        return tuple(item.example for item in self.inputs)


def save_onnx(net: PlayingNet, path: Path) -> None:
    """Write a finished network to a file."""
    path.write_bytes(export_graph(net, optimize=True))


def export_graph(net: PlayingNet, *, optimize: bool = False) -> bytes:
    """A network as the bytes of an .onnx file; unless it is optimised, every weight stays as it is under its name."""
    lengths = {axis: torch.export.Dim(axis, min=1) for item in net.inputs for axis in item.free}
    shapes = tuple({at: lengths[axis] for at, axis in enumerate(item.free)} for item in net.inputs)
    logging.getLogger("torch.onnx._internal.exporter._registration").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        # The exporter warns of itself: of torchvision, which nothing here needs, and of shared axes.
        warnings.filterwarnings("ignore", "# The axis name", UserWarning)
        warnings.filterwarnings("ignore", ".*LeafSpec.*", FutureWarning)
        program = torch.onnx.export(
            net,
            net.examples,
            input_names=net.input_names,
            output_names=list(net.outputs),
            opset_version=OPSET,
            dynamic_shapes=(shapes,),
            dynamo=True,
            verbose=False,
            optimize=optimize,
        )
    assert program is not None
    model: onnx.ModelProto = program.model_proto
    _halve(model)
    _strip(model)
    if net.metadata:
        helper.set_model_props(model, net.metadata)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def _halve(model: onnx.ModelProto) -> None:
    """Store large weights in half precision, with a cast that a session folds away when it loads them."""
    graph = model.graph
    casts = []
    for initializer in graph.initializer:
        weights = numpy_helper.to_array(initializer)
        if weights.dtype != np.float32 or weights.size < HALVED:
            continue
        name = initializer.name
        initializer.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    for place, cast in enumerate(casts):
        graph.node.insert(place, cast)


def _strip(model: onnx.ModelProto) -> None:
    """Remove the exporter's source locations: they name files of the machine that exports."""
    graph = model.graph
    for part in (model, graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")


class GraphCache:
    """Exported graphs of networks that are trained, in memory and in the cache folder."""

    def __init__(self, export: Callable[[PlayingNet], bytes] = export_graph) -> None:
        self._export = export
        self._graphs: dict[str, bytes] = {}
        """Those that were compared with their networks in this process, by key."""

    def fill(self, net: PlayingNet) -> bytes:
        """A network as the bytes of an .onnx file. No random number of torch's own generator is drawn."""
        sizes = {name: [*weights.shape] for name, weights in net.state_dict().items()}
        shapes = [[*example.shape] for example in net.examples]
        parts = [
            net.identity,
            torch.__version__,
            onnx.__version__,
            sizes,
            shapes,
            net.input_names,
            net.outputs,
        ]
        key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
        if key not in self._graphs:
            self._graphs[key] = self._find(key, net)
        return _fill(self._graphs[key], net)

    def _find(self, key: str, net: PlayingNet) -> bytes:
        """The graph of a network, from the folder or exported; its weights are any."""
        path = make_folder(cache_folder() / "onnx", "LUDEX_CACHE") / f"{key}.onnx"
        if path.is_file():
            graph = read_bytes(path, BadNet)
            if _agrees(graph, net):
                return graph
        graph = self._export(net)
        if not _agrees(graph, net):
            raise BadNet(f"the exported {type(net.net).__name__} gives other values than the network that is trained")
        write_bytes(path, graph)
        return graph


GRAPHS: Final = GraphCache()


def playable(net: PlayingNet) -> bytes:
    """A network that is trained as the file that an agent plays, for a checkpoint."""
    return GRAPHS.fill(net)


def _fill(graph: bytes, net: PlayingNet) -> bytes:
    """The graph with the weights and metadata of a network. Raises `BadNet` if one has another shape."""
    model = onnx.ModelProto.FromString(graph)
    initializers = {initializer.name: initializer for initializer in model.graph.initializer}
    for name, weights in net.state_dict().items():
        target = initializers.get(name) or initializers.get(f"{name}.half")
        if target is None:
            # A head that only training uses; the comparison with the network finds any other.
            continue
        if [*target.dims] != [*weights.shape]:
            raise BadNet(f"the exported {type(net.net).__name__} has weights {name!r} of another shape")
        kind = numpy_helper.to_array(target).dtype
        target.CopyFrom(numpy_helper.from_array(np.asarray(weights.numpy(), kind, order="C"), target.name))
    if net.metadata:
        helper.set_model_props(model, net.metadata)
    return bytes(model.SerializeToString())


@torch.no_grad()
def _agrees(graph: bytes, net: PlayingNet) -> bool:
    """Whether the graph, filled with random weights, gives what the network gives with the same weights."""
    import onnxruntime

    other = deepcopy(net)
    draws = torch.Generator().manual_seed(0)
    for weights in other.state_dict().values():
        if weights.is_floating_point():
            # Exact in half precision, above zero where it may be a variance, and of a size that keeps values moderate:
            # a softmax of large ones would turn roundings into differences.
            drawn = torch.rand(weights.shape, generator=draws)
            moderate = (drawn - 0.5) / weights[0].numel() ** 0.5 if weights.ndim > 1 else 0.02 + 0.2 * drawn
            weights.copy_(moderate.half().float())
    expected = [output.numpy() for output in other(*net.examples)]
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 3, 1
    try:
        session = onnxruntime.InferenceSession(_fill(graph, other), options, providers=["CPUExecutionProvider"])
        arrays: dict[str, Any] = {item.name: item.example.numpy() for item in net.inputs}
        outputs = session.run([*net.outputs], arrays)
    except Exception:
        # onnxruntime has errors of many classes, and a damaged file in the cache may be anything: it is exported again.
        return False
    return all(
        output.shape == expectation.shape
        and bool(np.abs(output - expectation).max() <= TOLERANCE * max(1.0, np.abs(expectation).max()))
        for output, expectation in zip(outputs, expected, strict=True)
    )
