"""Files: read with clear errors, written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from ludex.core.documents import append_text, parse_json, read_json, write_text
from ludex.core.errors import BadRecord, FolderUnwritable, StoreFull


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
        append_text(tmp_path, "text")
