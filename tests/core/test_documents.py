"""Files are written whole, and one that is not what it announces is refused by name."""

import errno
import json
import os
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.documents import (
    append_text,
    parse_json,
    read_arrays,
    read_json,
    read_tensors,
    write_tensors,
    write_text,
)
from ludex.core.errors import BadNet, BadRankings, BadRecord, BadRun, FolderUnwritable, StoreFull


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_text(tmp_path / "a.json", '{"a": 1}')
    assert read_json(tmp_path / "a.json", BadRecord) == {"a": 1}
    append_text(tmp_path / "a.json", "}")
    with pytest.raises(BadRecord, match=r"a\.json: not valid JSON at line 1"):
        read_json(tmp_path / "a.json", BadRecord)


@pytest.mark.parametrize("text", ["", "{", "9" * 5000, "[" * 100_000])
def test_bad_json_is_named_whatever_is_wrong_with_it(text: str) -> None:
    with pytest.raises(BadRecord, match="there: not valid JSON"):
        parse_json(text, "there", BadRecord)


@pytest.mark.parametrize(("number", "fault"), [(errno.ENOSPC, StoreFull), (errno.EROFS, FolderUnwritable)])
def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, fault: type[Exception]
) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")

    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(fault, match=r"cannot write .*a\.txt"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    with pytest.raises(FolderUnwritable, match="cannot write"):
        write_text(tmp_path, "text")
    with pytest.raises(FolderUnwritable, match="cannot write"):
        write_text(tmp_path / "missing" / "a.txt", "text")
    with pytest.raises(FolderUnwritable, match="cannot write"):
        append_text(tmp_path, "text")


def test_a_pipe_stays_a_pipe_and_a_link_a_link(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_text(tmp_path / "pipe", "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"q": -1, "q": 0.25}', "key 'q' is given twice"),
        ('[{"a": {"b": 1, "b": 1}}]', "key 'b' is given twice"),
        ("\ufeff{}", "byte-order mark"),
    ],
)
def test_what_json_would_read_in_silence_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "file.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadRankings, match=message):
        read_json(tmp_path / "file.json", BadRankings)


def test_a_file_is_refused_by_its_size_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "file.json").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(BadRankings, match=r"expected at most 67,108,864 bytes, found 100,000,000"):
        read_json(tmp_path / "file.json", BadRankings)


def test_arrays_are_refused_by_their_size_before_they_are_unpacked() -> None:
    buffer = BytesIO()
    np.savez_compressed(buffer, a=np.zeros(1 << 20, np.uint8))
    assert len(buffer.getvalue()) < 10_000
    with pytest.raises(BadRun, match=r"expected at most 65,536 bytes of arrays, found 1,048,704"):
        read_arrays(buffer.getvalue(), ("a",), "bomb.npz", BadRun, 1 << 16)


def test_a_header_that_announces_more_than_there_is_memory_is_no_traceback() -> None:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        header = BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (1 << 50,)})
        archive.writestr("a.npy", header.getvalue())
    with pytest.raises(BadRun, match="not a whole"):
        read_arrays(buffer.getvalue(), ("a",), "bomb.npz", BadRun)


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
