"""What a network in ONNX from elsewhere may hold: read from its bytes, before any library loads it.

A file is refused that names other files, holds other graphs or functions, announces tensors that it does not hold, or
uses operators that no network here needs. `ludex.learn.exchange` then plays it in a process with little memory.
"""

import math
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from ludex.core.errors import BadNet

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
INT64: Final = 7
VARINT, WIDE, BYTES, NARROW = 0, 1, 2, 5
MOST_VARINT_BYTES: Final = 10


class Field(NamedTuple):
    """A field of a protobuf message."""

    number: int
    value: int
    """Of a number; 0 of bytes."""
    data: memoryview
    """Of bytes: a text, a message or packed numbers; empty of a number."""


def check_onnx(data: bytes, source: str) -> None:
    """Raise `BadNet` that names what a network may not hold."""
    try:
        _check_model(memoryview(data))
    except BadNet as error:
        raise BadNet(f"{source}: {error.message}") from error
    except (ValueError, struct.error, UnicodeDecodeError, RecursionError) as error:
        raise BadNet(f"{source}: not a whole network in ONNX") from error


def _check_model(data: memoryview) -> None:
    fields = [*_fields(data)]
    graphs = [field for field in fields if field.number == 7]
    if len(graphs) != 1:
        raise BadNet("not a network in ONNX: expected one graph")
    if not any(field.number == 8 for field in fields):
        # It stands behind the graph: without it the file was cut off.
        raise BadNet("not a whole network in ONNX: it does not say which operators it is written for")
    for field in fields:
        if field.number in (20, 25):
            raise BadNet("it holds functions or training steps, which no network here needs")
        if field.number == 8:
            _require_standard([part.data for part in _fields(field.data) if part.number == 1], "operators")
    _check_graph(graphs[0].data)


def _check_graph(data: memoryview) -> None:
    nodes, known = [], {}
    for field in _fields(data):
        if field.number == 1:
            nodes.append(field.data)
        elif field.number == 5:
            name, values = _check_tensor(field.data)
            known[name] = values
        elif field.number in (14, 15):
            raise BadNet("it holds sparse or quantised weights, which no network here needs")
    if len(nodes) > MOST_NODES:
        raise BadNet(f"it has {len(nodes):,} operators, expected at most {MOST_NODES:,}")
    for node in nodes:
        _check_node(node, known)


def _check_node(data: memoryview, known: dict[str, list[int]]) -> None:
    """Check an operator; the numbers of a constant are added to those that are known."""
    fields = [*_fields(data)]
    kind = "".join(_text(field) for field in fields if field.number == 4)
    _require_standard([field.data for field in fields if field.number == 7], f"operator {kind!r}")
    if kind not in OPERATORS:
        raise BadNet(f"operator {kind!r} is not one that networks here use")
    inputs = [_text(field) for field in fields if field.number == 1]
    outputs = [_text(field) for field in fields if field.number == 2]
    for attribute in (field.data for field in fields if field.number == 5):
        for field in _fields(attribute):
            if field.number in (6, 11, 22, 23):
                raise BadNet(f"operator {kind!r} holds a graph or sparse tensors of its own")
            if field.number in (5, 10):
                _, values = _check_tensor(field.data)
                if kind == "Constant" and outputs:
                    known[outputs[0]] = values
    place = SIZED.get(kind)
    if place is not None and len(inputs) > place:
        size = math.prod(abs(number) or 1 for number in known.get(inputs[place], []))
        if size > MOST_ELEMENTS:
            raise BadNet(f"operator {kind!r} makes {size:,} numbers, expected at most {MOST_ELEMENTS:,}")


def _check_tensor(data: memoryview) -> tuple[str, list[int]]:
    """A tensor's name and, of a small one of whole numbers, its values. Raises `BadNet`."""
    fields = [*_fields(data)]
    name = "".join(_text(field) for field in fields if field.number == 8)
    if any(field.number == 13 or (field.number == 14 and field.value) for field in fields):
        raise BadNet(f"tensor {name!r} names another file: a network must hold all of its weights")
    kind, size = _form_of_tensor(name, fields)
    raw = [field.data for field in fields if field.number == 9]
    if raw:
        held_bytes = sum(len(part) for part in raw)
        if held_bytes != size * ITEM_BYTES[kind]:
            raise BadNet(f"tensor {name!r} announces {size * ITEM_BYTES[kind]:,} bytes, the file holds {held_bytes:,}")
        small = kind == INT64 and size <= SMALL
        return name, [*struct.unpack(f"<{size}q", b"".join(raw))] if small else []
    if size > SMALL:
        raise BadNet(f"tensor {name!r} announces {size:,} numbers, which the file does not hold as bytes")
    return name, [number for field in fields if field.number == 7 for number in _numbers(field)]


def _form_of_tensor(name: str, fields: list[Field]) -> tuple[int, int]:
    """The type of a tensor's numbers, and how many it announces. Raises `BadNet`."""
    dims = [number for field in fields if field.number == 1 for number in _numbers(field)]
    kind = next((field.value for field in fields if field.number == 2), 0)
    if kind not in ITEM_BYTES:
        raise BadNet(f"tensor {name!r} is of type {kind}, which no network here needs")
    if any(number < 0 for number in dims):
        raise BadNet(f"tensor {name!r} has negative sizes")
    return kind, math.prod(dims)


def _require_standard(domains: list[memoryview], what: str) -> None:
    for domain in domains:
        if bytes(domain) not in (b"", b"ai.onnx"):
            raise BadNet(f"{what} of {bytes(domain).decode(errors='replace')!r} are not those of ONNX itself")


def _text(field: Field) -> str:
    return bytes(field.data).decode()


def _numbers(field: Field) -> list[int]:
    """The whole numbers of a repeated field, packed or one by one."""
    numbers, at = ([] if field.data else [_sign(field.value)]), 0
    while at < len(field.data):
        value, at = _varint(field.data, at)
        numbers.append(_sign(value))
    return numbers


def _sign(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _fields(data: memoryview) -> Iterator[Field]:
    """The fields of a message. Raises `ValueError` if it is cut off or no message."""
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, at = _varint(data, at)
            yield Field(number, value, data[:0])
            continue
        if wire == BYTES:
            length, at = _varint(data, at)
        elif wire in (WIDE, NARROW):
            length = 8 if wire == WIDE else 4
        else:
            raise ValueError(f"no wire type {wire}")
        if at + length > end:
            raise ValueError("a field is cut off")
        yield Field(number, 0, data[at : at + length])
        at += length


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number of variable length and the place behind it. Raises `ValueError` if it is cut off."""
    value = 0
    for count, byte in enumerate(data[at : at + MOST_VARINT_BYTES]):
        value |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return value & ((1 << 64) - 1), at + count + 1
    raise ValueError("a number is cut off")
