"""An append-only file of finished tasks, from which making puzzles resumes after an interruption.

The first line says what determines the puzzles; each further one is a task, in the order of completion.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ludex import __version__
from ludex.arena.journal import lock_file
from ludex.core.documents import append_text, digest, strict_json
from ludex.core.errors import BadJournal, BadPuzzle, FolderUnwritable
from ludex.core.puzzle import Puzzle
from ludex.core.system import try_lock

FORMAT: Final = "ludex-puzzle-journal"


class Journal:
    """The finished tasks of a file; without a file they are kept nowhere."""

    def __init__(self, path: Path | None = None, finished: dict[int, Puzzle | None] | None = None) -> None:
        self.finished = finished or {}
        """By number, what the tasks found that were there when the file was opened."""
        self._path = path

    def append(self, number: int, puzzle: Puzzle | None) -> None:
        """Add a finished task and wait until the disk has it."""
        if self._path is not None:
            body = {"task": number, "puzzle": None if puzzle is None else puzzle.document()}
            append_text(self._path, _sealed(body))


@contextmanager
def open_journal(path: Path, game: str, version: int, theme: str, seed: int) -> Iterator[Journal]:
    """Hold a journal against every other process and read it; a file that is missing or empty is begun.

    Raises `BadJournal` if the file is of other puzzles, damaged, or held. A last line cut off by a kill is dropped.
    """
    header = {
        "format": FORMAT,
        "ludex": __version__,
        "game": game,
        "version": version,
        "theme": theme,
        "seed": str(seed),
    }
    try:
        # Not the journal itself: Windows locks a file against its own other handles too.
        guard = lock_file(path).open("ab")
        file = path.open("a+b")
    except OSError as error:
        raise FolderUnwritable(f"cannot write {path}: {error.strerror}") from error
    with guard, file:
        if not try_lock(guard):
            raise BadJournal(f"{path}: another process is making these puzzles")
        file.seek(0)
        *lines, torn = file.read().split(b"\n")
        if not lines and not _sealed(header).encode().startswith(torn):
            raise BadJournal(f"{path}: line 1: not a journal of puzzles")
        finished = _read(path, lines, header)
        # Only now: a file that is no journal is left as it is.
        file.truncate(sum(len(line) + 1 for line in lines))
        if not lines:
            append_text(path, _sealed(header))
        yield Journal(path, finished)


def _read(path: Path, lines: list[bytes], header: dict[str, Any]) -> dict[int, Puzzle | None]:
    finished: dict[int, Puzzle | None] = {}
    for number, line in enumerate(lines, start=1):
        try:
            body = _unsealed(line)
            if number > 1:
                made = body["puzzle"]
                finished[body["task"]] = (
                    None if made is None else Puzzle.of(made, header["game"], header["version"], header["theme"])
                )
                continue
        except (ValueError, TypeError, KeyError, RecursionError, BadPuzzle) as error:
            raise BadJournal(f"{path}: line {number} is damaged: {error}") from error
        if body != header:
            differs = ", ".join(sorted(key for key in {*header, *body} if header.get(key) != body.get(key)))
            raise BadJournal(f"{path} is of other puzzles: it differs in {differs}")
    return finished


def _sealed(body: dict[str, Any]) -> str:
    return json.dumps({**body, "digest": digest(body)}, separators=(",", ":")) + "\n"


def _unsealed(line: bytes) -> dict[str, Any]:
    body = strict_json(line)
    if not isinstance(body, dict):
        raise TypeError("not an object")
    if body.pop("digest", None) != digest(body):
        raise ValueError("the digest does not fit the content")
    return body
