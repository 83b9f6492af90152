"""The safetensors format: what is written is read, and a file that is not what it announces is refused by name."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.errors import BadNet
from ludex.core.safetensors import read_tensors, write_tensors

ARRAYS: dict[str, NDArray[Any]] = {
    "rows": np.arange(6, dtype=np.int16).reshape(2, 3),
    "bias": np.array([0.5, -1], np.float32),
    "one": np.array(7, np.int64),
}


def made(header: Any, numbers: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + numbers


def entry(begin: int, end: int, kind: str = "U8", shape: Any = None) -> dict[str, Any]:
    return {"dtype": kind, "shape": [end - begin] if shape is None else shape, "data_offsets": [begin, end]}


def test_arrays_are_read_as_they_were_written() -> None:
    data = write_tensors(ARRAYS)
    tensors = read_tensors(data, "file", BadNet)
    assert tensors.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert tensors[name].dtype == array.dtype
        assert np.array_equal(tensors[name], array)
    assert data == write_tensors({name: ARRAYS[name] for name in reversed(ARRAYS)})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a whole"),
        (write_tensors({"a": np.zeros(9)[:4].astype(np.float32)})[:-1], "takes 16 bytes, found 16 of 15"),
        ((1 << 60).to_bytes(8, "little") + b"{}", "not a whole"),
        (made(b"\xff\xfe"), "header is no text"),
        (made(b"{"), "not valid JSON"),
        (made(b'{"a":1,"a":2}'), "given twice"),
        (made([]), "expected an object"),
        (made({"a": 3}), "expected dtype, shape"),
        (made({"a": entry(0, 4, "O8")}, bytes(4)), "expected a type of"),
        (made({"a": entry(0, 4, "U8", [2, -2])}, bytes(4)), "whole numbers"),
        (made({"a": entry(0, 4, "U8", [True, 4])}, bytes(4)), "whole numbers"),
        (made({"a": entry(0, 4, "F32", [1 << 62, 4])}, bytes(4)), "takes"),
        (made({"a": entry(0, 4), "b": entry(2, 6)}, bytes(6)), "gaps and overlaps"),
        (made({"a": entry(0, 4)}, bytes(6)), "gaps and overlaps"),
    ],
)
def test_a_file_that_is_not_what_it_announces_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadNet, match=reason):
        read_tensors(data, "file", BadNet)
