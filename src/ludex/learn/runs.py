"""A training run is a folder: `config.yaml`, `metrics.jsonl`, `summary.json` and `checkpoints/`.

The JSON lines are the truth. A run that was killed goes on from its last checkpoint, and lines written after it are
dropped first, so that the file reads as if nothing had happened.
"""

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, Self

from ludex.core.errors import BadRun
from ludex.core.folders import made
from ludex.core.game import Json

Row = dict[str, Json]


class Trainer(Protocol):
    """What a slice's training does: work through the run, tell each step done, return the summary."""

    def __call__(self, config: Any, run: "Run", advance: Callable[[int], None]) -> Row: ...


@dataclass(frozen=True)
class Run:
    """One run's folder."""

    folder: Path

    @classmethod
    def create(cls, base: Path, game: str, config_name: str, config_text: str) -> Self:
        """A new folder `<game>-<config>-<time>-<random>`."""
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        folder = made(base, "LUDEX_RUNS") / f"{game}-{config_name}-{stamp}-{secrets.token_hex(2)}"
        (folder / "checkpoints").mkdir(parents=True)
        run = cls(folder)
        run.write("run.json", json.dumps({"game": game, "config": config_name}))
        run.write("config.yaml", config_text)
        run.write("metrics.jsonl", "")
        return run

    @classmethod
    def open(cls, base: Path, name: str) -> Self:
        """An existing run by its folder's name. Raises `BadRun`."""
        folder = base / name
        if Path(name).name != name or not (folder / "run.json").is_file():
            known = ", ".join(run.name for run in list_runs(base)) or "none"
            raise BadRun(f"no run {name!r} in {base}; known: {known}")
        return cls(folder)

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def game(self) -> str:
        return str(self._read_json("run.json")["game"])

    @property
    def config_name(self) -> str:
        return str(self._read_json("run.json")["config"])

    @property
    def config_text(self) -> str:
        return self._read("config.yaml")

    def metrics(self) -> list[Row]:
        """Every row so far. A last line cut off by a kill is not a row yet."""
        lines = self._read("metrics.jsonl").split("\n")
        try:
            return [json.loads(line) for line in lines[:-1]]
        except json.JSONDecodeError as error:
            raise BadRun(f"{self.folder / 'metrics.jsonl'}: a line is not JSON: {error.msg}") from error

    def summary(self) -> Row | None:
        """The summary, or None while the run is unfinished."""
        return self._read_json("summary.json") if (self.folder / "summary.json").exists() else None

    def log(self, row: Row) -> None:
        """Append one row and flush it."""
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def checkpoint(self, state: Row) -> None:
        """Keep what resuming needs, with the number of rows that belong to it."""
        self.write("checkpoints/latest.json", json.dumps({"rows": len(self.metrics()), "state": state}))

    def resume(self) -> Row | None:
        """The last checkpoint's state, with later rows dropped; None if there is none yet."""
        if not (self.folder / "checkpoints" / "latest.json").exists():
            self.write("metrics.jsonl", "")
            return None
        saved = self._read_json("checkpoints/latest.json")
        kept = self.metrics()[: int(str(saved["rows"]))]
        self.write("metrics.jsonl", "".join(json.dumps(row) + "\n" for row in kept))
        state = saved["state"]
        if not isinstance(state, dict):
            raise BadRun(f"{self.folder / 'checkpoints' / 'latest.json'}: expected an object under 'state'")
        return state

    def finish(self, summary: Row) -> None:
        self.write("summary.json", json.dumps(summary, indent=1) + "\n")

    def write(self, name: str, text: str) -> None:
        """Write a file whole or not at all, even if the machine stops in the middle."""
        path = self.folder / name
        partial = path.with_suffix(path.suffix + ".partial")
        with partial.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)

    def _read(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadRun(f"cannot read {self.folder / name}: {error}") from error

    def _read_json(self, name: str) -> Row:
        try:
            data = json.loads(self._read(name))
        except json.JSONDecodeError as error:
            raise BadRun(f"{self.folder / name}: not valid JSON: {error.msg}") from error
        if not isinstance(data, dict):
            raise BadRun(f"{self.folder / name}: expected an object")
        return data


def list_runs(base: Path) -> list[Run]:
    """Every run in a folder, oldest first."""
    if not base.is_dir():
        return []
    found = [path for path in base.iterdir() if (path / "run.json").is_file()]
    return [Run(path) for path in sorted(found, key=lambda path: (path.stat().st_ctime_ns, path.name))]
