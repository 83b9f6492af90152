"""What was said to an engine and what it said, in one file per engine process."""

import os
import re
from pathlib import Path
from typing import IO, Final

from ludex.core.folders import data_folder, make_folder
from ludex.core.log import logger

MOST_FILES: Final = 20
"""Older logs are deleted."""
MOST_BYTES: Final = 1 << 20
"""A log ends there: an engine that talks without end must not fill the disk."""

log = logger("ugi")


class EngineLog:
    """Keeps the lines of one engine in `LUDEX_DATA/engines`, and shows them with -v."""

    def __init__(self, command: str) -> None:
        folder = make_folder(data_folder() / "engines", "LUDEX_DATA")
        kept = sorted(folder.glob("*.log"), key=lambda path: path.stat().st_mtime)
        for old in kept[: max(0, len(kept) - MOST_FILES + 1)]:
            old.unlink(missing_ok=True)
        self.path: Path = folder / f"{_file_name(command)}-{os.getpid()}-{id(self):x}.log"
        self._command = command
        self._left = MOST_BYTES
        self._file: IO[str] = self.path.open("w", encoding="utf-8")

    def sent(self, line: str) -> None:
        """Keep a line to the engine."""
        self._keep("<", line)

    def heard(self, line: str) -> None:
        """Keep a line of the engine."""
        self._keep(">", line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _keep(self, direction: str, line: str) -> None:
        log.info("engine", command=self._command, direction=direction, line=line)
        if self._left <= 0 or self._file.closed:
            return
        self._left -= len(line) + 3
        self._file.write(f"{direction} {line}\n")
        if self._left <= 0:
            self._file.write("the log ends here: it is full\n")
        self._file.flush()


def _file_name(command: str) -> str:
    """The program's name, as letters that any file system takes.

    >>> _file_name("/opt/engines/other engine --threads 2")
    'other'
    """
    program = Path(command.split(maxsplit=1)[0] if command.split() else "engine").name
    return re.sub(r"[^A-Za-z0-9._-]", "_", program)[:40]
