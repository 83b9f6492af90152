"""Arrays in the safetensors format: a header in JSON and plain numbers, so that a file can hold no code.

Eight bytes with the length of the header, the header with each array's type, shape and place, then the numbers.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.documents import parse_json
from ludex.core.errors import DataError

TYPES: Final = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "<i1", "U8": "<u1"}
NAMES: Final = {np.dtype(code): name for name, code in TYPES.items()}
LENGTH_BYTES: Final = 8
LARGEST_HEADER: Final = 1 << 20
METADATA: Final = "__metadata__"


def write_tensors(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The bytes of a file of arrays, the same for the same arrays."""
    header, parts, end = {}, [], 0
    for name in sorted(arrays):
        array = np.asarray(arrays[name], order="C")
        part = array.astype(array.dtype.newbyteorder("<")).tobytes()
        place = [end, end + len(part)]
        header[name] = {"dtype": NAMES[array.dtype.newbyteorder("<")], "shape": [*array.shape], "data_offsets": place}
        parts.append(part)
        end += len(part)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % LENGTH_BYTES)
    return b"".join([len(text).to_bytes(LENGTH_BYTES, "little"), text, *parts])


def read_tensors(data: bytes, source: str, fault: type[DataError]) -> dict[str, NDArray[Any]]:
    """The arrays of a file's bytes, or a `fault` that names what is wrong with the file.

    The arrays must fill the file without gaps and overlaps, so no header can announce more than there is.
    """
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    if len(data) < LENGTH_BYTES or length > min(LARGEST_HEADER, len(data) - LENGTH_BYTES):
        raise fault(f"{source}: not a whole safetensors file")
    try:
        text = data[LENGTH_BYTES : LENGTH_BYTES + length].decode()
    except UnicodeDecodeError as error:
        raise fault(f"{source}: not a safetensors file: its header is no text") from error
    header = parse_json(text, f"{source}, header", fault)
    if not isinstance(header, dict):
        raise fault(f"{source}: expected an object as the header of a safetensors file")
    numbers = data[LENGTH_BYTES + length :]
    found = {name: _array(name, entry, numbers, source, fault) for name, entry in header.items() if name != METADATA}
    places = sorted(tuple(header[name]["data_offsets"]) for name in found)
    ends = [0, *(end for _, end in places)]
    if [begin for begin, _ in places] != ends[:-1] or ends[-1] != len(numbers):
        raise fault(f"{source}: the arrays of a safetensors file must fill it without gaps and overlaps")
    return found


def _array(name: str, entry: Any, numbers: bytes, source: str, fault: type[DataError]) -> NDArray[Any]:
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise fault(f"{source}: {name}: expected dtype, shape and data_offsets")
    kind, shape, place = entry["dtype"], entry["shape"], entry["data_offsets"]
    if kind not in TYPES:
        raise fault(f"{source}: {name}: expected a type of {', '.join(TYPES)}, found {kind!r}")
    if not _are_counts(shape) or not _are_counts(place) or len(place) != 2:
        raise fault(f"{source}: {name}: shape and data_offsets must be lists of whole numbers")
    begin, end = place
    size = math.prod(shape) * np.dtype(TYPES[kind]).itemsize
    if not begin <= end <= len(numbers) or end - begin != size:
        raise fault(f"{source}: {name}: {kind}{shape} takes {size} bytes, found {end - begin} of {len(numbers)}")
    return np.frombuffer(numbers[begin:end], TYPES[kind]).reshape(shape)


def _are_counts(values: Any) -> bool:
    return isinstance(values, list) and all(type(one) is int and one >= 0 for one in values)
