"""A journal: an append-only file of JSON lines, from which work that was killed goes on.

The first line, the header, says what determines the entries; each further one is an entry, in the order in which they
were finished. Every line is sealed with a digest. A process holds a journal by the lock of a file beside it, and a last
line that a kill cut off is dropped.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

from ludex import __version__
from ludex.core.documents import append_text, digest, strict_json
from ludex.core.errors import BadJournal, FolderUnwritable, LudexError
from ludex.core.game import Json
from ludex.core.system import try_lock

LONGEST_HEADER: Final = 1 << 20
Header: TypeAlias = Mapping[str, Json]
ReadEntry: TypeAlias = Callable[[dict[str, Any]], None]
"""Takes an entry; raises `ValueError`, `TypeError`, `KeyError` or a `LudexError` for one that it cannot read."""


class JournalFile:
    """A journal that this process holds."""

    def __init__(self, path: Path, header: str) -> None:
        """`header` is written with the first entries; empty if the file has one."""
        self._path = path
        self._header = header

    def append(self, entries: Iterable[Mapping[str, Json]]) -> None:
        """Add finished entries and wait until the disk has them."""
        append_text(self._path, self._header + "".join(map(_seal, entries)))
        self._header = ""


def header_with(format_name: str, version: int, determines: Header) -> dict[str, Json]:
    """The first line of a journal of one format: what determines its entries, this version of Ludex included."""
    return {"format": format_name, "formatVersion": version, "ludex": __version__, **determines}


@contextmanager
def hold_journal(path: Path, header: Header, read: ReadEntry, *, work: str) -> Iterator[JournalFile]:
    """Hold a journal against every other process, and read it. A file that is missing or empty is begun.

    `work` names what another process may be doing, such as "playing these games". Raises `BadJournal` if the file is of
    other work, damaged, or held.
    """
    try:
        if path.exists() and not path.is_file():
            raise BadJournal(f"{path}: not a file")
        file = path.open("a+b")
        # Not the journal itself: others read it meanwhile, which Windows refuses for a locked file.
        guard = lock_file(path).open("ab")
    except OSError as error:
        raise FolderUnwritable(f"cannot write {path}: {error.strerror}") from error
    with file, guard:
        if not try_lock(guard):
            raise BadJournal(f"{path}: another process is {work}")
        file.seek(0)
        _first_line(path, file)
        file.seek(0)
        *lines, torn = file.read().split(b"\n")
        if not lines and not _seal(header).encode().startswith(torn):
            # Without a single whole line, nothing else distinguishes a journal from another file.
            raise BadJournal(f"{path}: line 1: not a journal")
        _read_lines(path, lines, header, read)
        # Only now: a file that is no journal is left as it is.
        file.truncate(sum(len(line) + 1 for line in lines))
        yield JournalFile(path, "" if lines else _seal(header))


class JournalReader:
    """Follows a journal that another process may be writing."""

    def __init__(self, path: Path, header: Header, read: ReadEntry) -> None:
        self._path = path
        self._header = header
        self._read = read
        self._lines = 0
        self._bytes = 0

    def read_on(self) -> None:
        """Read what is new; a line that is still being written is not there yet. Raises `BadJournal`."""
        try:
            with self._path.open("rb") as file:
                if file.seek(0, SEEK_END) < self._bytes:
                    raise BadJournal(f"{self._path} is shorter than it was: another journal lies in its place")
                file.seek(0)
                _first_line(self._path, file)
                file.seek(self._bytes)
                *lines, _ = file.read().split(b"\n")
        except OSError as error:
            raise BadJournal(f"cannot read {self._path}: {error.strerror}") from error
        _read_lines(self._path, lines, self._header, self._read, after=self._lines)
        self._lines += len(lines)
        self._bytes += sum(len(line) + 1 for line in lines)


def lock_file(path: Path) -> Path:
    """The file whose lock holds a journal."""
    return path.with_name(f"{path.name}.lock")


def read_header(path: Path) -> dict[str, Any] | None:
    """The first line of a journal; None if there is no whole one yet. Raises `BadJournal`."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            first = _first_line(path, file)
    except OSError as error:
        raise BadJournal(f"cannot read {path}: {error.strerror}") from error
    if not first.endswith(b"\n"):
        return None
    try:
        return _unseal(first)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadJournal(f"{path}: line 1: not a journal: {error}") from error


def _first_line(path: Path, file: BinaryIO) -> bytes:
    """The header with its end of line, which a journal that is cut off may lack.

    A file without a line of that length is refused before the rest, which may be gigabytes, is read.
    """
    first = file.readline(LONGEST_HEADER + 1)
    if len(first) > LONGEST_HEADER:
        raise BadJournal(f"{path}: line 1: not a journal: longer than {LONGEST_HEADER:,} bytes")
    return first


def _read_lines(path: Path, lines: Sequence[bytes], header: Header, read: ReadEntry, after: int = 0) -> None:
    """Read the entries of these lines; `after` counts the lines already read."""
    for number, line in enumerate(lines, start=after + 1):
        try:
            body = _unseal(line)
            if number > 1:
                read(body)
        except (ValueError, TypeError, KeyError, RecursionError, LudexError) as error:
            raise BadJournal(f"{path}: line {number} is damaged: {error}") from error
        if number == 1:
            _require_same(path, body, header)


def _require_same(path: Path, there: Mapping[str, Any], here: Header) -> None:
    if there.get("format") != here["format"]:
        raise BadJournal(f"{path}: line 1: not a journal of the format {here['format']!r}")
    for key, value in here.items():
        if there.get(key) != value:
            raise BadJournal(f"{path} is of other work: {key} is {there.get(key)!r} there and {value!r} here")


def _seal(body: Mapping[str, Json]) -> str:
    return json.dumps({**body, "digest": digest(dict(body))}, separators=(",", ":")) + "\n"


def _unseal(line: bytes) -> dict[str, Any]:
    body = strict_json(line)
    if not isinstance(body, dict):
        raise TypeError("not an object")
    if body.pop("digest", None) != digest(body):
        raise ValueError("the digest does not fit the content")
    return body
