"""What a network in ONNX from elsewhere may hold, checked before a session loads it.

A file is refused that names other files, holds other graphs or functions, announces tensors that it does not hold, or
uses operators that no network here needs. `ludex.learn.exchange` then plays it in a process with little memory.
"""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from ludex.core.errors import BadNet

if TYPE_CHECKING:
    from onnx import NodeProto, TensorProto

_NAMES: Final = """
    Abs Add And ArgMax AveragePool BatchNormalization Cast CastLike Clip Concat Constant Conv Div Einsum Elu
    Equal Erf Exp Expand Flatten Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalMaxPool
    Greater GreaterOrEqual GroupNormalization HardSigmoid HardSwish Identity InstanceNormalization
    LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax MatMul Max MaxPool Min Mul Neg Not Or PRelu Pad
    Pow Range Reciprocal ReduceMax ReduceMean ReduceMin ReduceSum Relu Reshape Round ScatterND Shape Sigmoid
    Slice Softmax Softplus Sqrt Squeeze Sub Sum Tanh Transpose Unsqueeze Where
"""
OPERATORS: Final = frozenset(_NAMES.split())
SIZED: Final = {"Expand": 1, "Pad": 1, "Range": 1}
"""Operators that make tensors of any size, and which of their inputs says how large."""
MOST_NODES: Final = 20_000
MOST_ELEMENTS: Final = 1 << 24
SMALL: Final = 1024
"""Elements of a tensor whose numbers may be written one by one instead of as plain bytes."""
ITEM_BYTES: Final = {1: 4, 2: 1, 3: 1, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8}
"""By ONNX's number of a type: float32, uint8, int8, int32, int64, bool, float16, float64."""


def check_onnx(data: bytes, source: str) -> None:
    """Raise `BadNet` that names what a network may not hold."""
    try:
        _check_model(data)
    except BadNet as error:
        raise BadNet(f"{source}: {error.message}") from error
    except (DecodeError, ValueError) as error:
        raise BadNet(f"{source}: not a whole network in ONNX") from error


def _check_model(data: bytes) -> None:
    # Loaded with the first file that is checked.
    from onnx import ModelProto

    model = ModelProto.FromString(data)
    if not model.HasField("graph"):
        raise BadNet("not a network in ONNX: expected a graph")
    if not model.opset_import:
        # It stands behind the graph: without it the file was cut off.
        raise BadNet("not a whole network in ONNX: it does not say which operators it is written for")
    if model.functions or model.training_info:
        raise BadNet("it holds functions or training steps, which no network here needs")
    _require_standard((opset.domain for opset in model.opset_import), "operators")
    graph = model.graph
    if graph.sparse_initializer or graph.quantization_annotation:
        raise BadNet("it holds sparse or quantised weights, which no network here needs")
    known = {tensor.name: _numbers(tensor) for tensor in graph.initializer}
    if len(graph.node) > MOST_NODES:
        raise BadNet(f"it has {len(graph.node):,} operators, expected at most {MOST_NODES:,}")
    for node in graph.node:
        _check_node(node, known)


def _check_node(node: "NodeProto", known: dict[str, list[int]]) -> None:
    """Check an operator; the numbers of a constant are added to those that are known."""
    kind = node.op_type
    _require_standard([node.domain], f"operator {kind!r}")
    if kind not in OPERATORS:
        raise BadNet(f"operator {kind!r} is not one that networks here use")
    for attribute in node.attribute:
        if (
            attribute.HasField("g")
            or attribute.graphs
            or attribute.HasField("sparse_tensor")
            or attribute.sparse_tensors
        ):
            raise BadNet(f"operator {kind!r} holds a graph or sparse tensors of its own")
        for tensor in (*([attribute.t] if attribute.HasField("t") else []), *attribute.tensors):
            numbers = _numbers(tensor)
            if kind == "Constant" and node.output:
                known[node.output[0]] = numbers
    place = SIZED.get(kind)
    if place is not None and len(node.input) > place:
        size = math.prod(abs(number) or 1 for number in known.get(node.input[place], []))
        if size > MOST_ELEMENTS:
            raise BadNet(f"operator {kind!r} makes {size:,} numbers, expected at most {MOST_ELEMENTS:,}")


def _numbers(tensor: "TensorProto") -> list[int]:
    """Of a small tensor of whole numbers, its values. Raises `BadNet` for one that the file does not hold."""
    from onnx import TensorProto, numpy_helper

    name, kind, size = tensor.name, tensor.data_type, math.prod(tensor.dims)
    if tensor.external_data or tensor.data_location == TensorProto.EXTERNAL:
        raise BadNet(f"tensor {name!r} names another file: a network must hold all of its weights")
    if kind not in ITEM_BYTES:
        raise BadNet(f"tensor {name!r} is of type {kind}, which no network here needs")
    if any(length < 0 for length in tensor.dims):
        raise BadNet(f"tensor {name!r} has negative sizes")
    if not tensor.HasField("raw_data"):
        if size > SMALL:
            raise BadNet(f"tensor {name!r} announces {size:,} numbers, which the file does not hold as bytes")
    elif len(tensor.raw_data) != size * ITEM_BYTES[kind]:
        needed, size_found = size * ITEM_BYTES[kind], len(tensor.raw_data)
        raise BadNet(f"tensor {name!r} announces {needed:,} bytes, the file holds {size_found:,}")
    small = kind == TensorProto.INT64 and size <= SMALL
    return numpy_helper.to_array(tensor).ravel().tolist() if small else []


def _require_standard(domains: Iterable[str], what: str) -> None:
    for domain in domains:
        if domain not in ("", "ai.onnx"):
            raise BadNet(f"{what} of {domain!r} are not those of ONNX itself")
