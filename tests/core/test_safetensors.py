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
    arrays = read_tensors(data, "file", BadNet)
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert np.array_equal(arrays[name], array)
    assert data == write_tensors({name: ARRAYS[name] for name in reversed(ARRAYS)})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "header too small"),
        (write_tensors({"a": np.zeros(4, np.float32)})[:-1], "not fully covered"),
        (made(b"{"), "invalid JSON"),
        (made({"a": entry(0, 4, "O8")}, bytes(4)), "unknown variant `O8`"),
        (made({"a": entry(0, 4, "BF16", [2])}, bytes(4)), "type 'BF16' are not read"),
        (made({"a": entry(0, 1 << 62)}, bytes(4)), "file: not a whole safetensors file"),
        (made(b'{"a":%b,"a":%b}' % ((json.dumps(entry(0, 4)).encode(),) * 2), bytes(4)), "given twice"),
        (made({"a": entry(0, 1, "U8", [1] * 100)}, bytes(1)), "a shape that NumPy has not"),
        (made({"a": entry(0, 0, "F32", [0, 1 << 61])}), "a shape that NumPy has not"),
    ],
)
def test_a_file_that_is_not_what_it_announces_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadNet, match=reason):
        read_tensors(data, "file", BadNet)
