"""Files of text and JSON: read with clear errors, written whole or not at all."""

import errno
import json
import os
from pathlib import Path
from typing import Any

from ludex.core.errors import DataError, FolderUnwritable, LudexError, StoreError, StoreFull

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def read_text(path: Path, fault: type[LudexError]) -> str:
    """A file's text, or a `fault` that names the file."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise fault(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise fault(f"{path}: not a text file ({error.reason} at byte {error.start})") from error


def parse_json(text: str, source: str, fault: type[DataError]) -> Any:
    """A JSON document, or a `fault` that names the source and the line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise fault(f"{source}: not valid JSON at line {error.lineno}: {error.msg}; is it truncated?") from error
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, or brackets thousands deep.
        raise fault(f"{source}: not valid JSON: {error}") from error


def read_json(path: Path, fault: type[DataError]) -> Any:
    """A file's JSON document, or a `fault` that names the file."""
    return parse_json(read_text(path, fault), str(path), fault)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, even if the machine stops in the middle."""
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise _refused(path, error) from error


def append_text(path: Path, text: str) -> None:
    """Add to a file and wait until the disk has it."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> StoreError:
    if error.errno in _FULL:
        return StoreFull(f"cannot write {path}: {error.strerror}; make room and try again")
    return FolderUnwritable(f"cannot write {path}: {error.strerror}")
