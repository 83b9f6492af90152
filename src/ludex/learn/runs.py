"""A training run is a folder: `config.yaml`, `metrics.jsonl`, `status.json`, `summary.json` and `checkpoints/`.

The JSON lines are the source of truth. A run that was killed resumes from its last checkpoint; lines written after it
are dropped first, so that the file reads as if nothing had happened.
"""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Self, TypeVar

from ludex.core.documents import append_text, parse_json, read_json, read_text, write_text
from ludex.core.errors import BadRun, LudexError, RunPaused
from ludex.core.folders import make_folder
from ludex.core.game import Json
from ludex.core.registry import available
from ludex.core.system import is_locked, try_lock

T = TypeVar("T")
Row = dict[str, Json]


class RunState(StrEnum):
    """Where a run stands; only `running` depends on a live process, which holds the run's lock."""

    QUEUED = "queued"
    """Created, and not begun."""
    RUNNING = "running"
    """A live process trains it."""
    PAUSED = "paused"
    """Stopped on request at a checkpoint; it can be resumed."""
    FINISHED = "finished"
    """Trained to its end, with a summary."""
    FAILED = "failed"
    """Ended by an error, which its reason names."""
    INTERRUPTED = "interrupted"
    """Its process was stopped or died; it can be resumed from its last checkpoint."""


@dataclass(frozen=True)
class RunStatus:
    """A run's state, with the reason if it has failed."""

    state: RunState
    reason: str | None = None


@dataclass(frozen=True)
class Run:
    """One run's folder."""

    folder: Path
    listeners: tuple[Callable[[Row], None], ...] = field(default=(), compare=False, repr=False)
    """Called with every row that is logged."""
    began: float | None = field(default=None, compare=False, repr=False)
    """When the command that trains it began, by `time.perf_counter` of this process; None: when its training begins."""

    @classmethod
    def create(
        cls,
        base: Path,
        game: str,
        config_name: str,
        config_text: str,
        *,
        group: str | None = None,
        changes: Mapping[str, Json] | None = None,
    ) -> Self:
        """A new folder `<game>-<config>-<time>-<random>`; `changes` are those of the named configuration."""
        now = datetime.now(UTC)
        # A configuration may be a path: its last part names the run.
        name = f"{game}-{Path(config_name).stem}-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"
        run = cls(make_folder(base, "LUDEX_RUNS") / name)
        make_folder(run.folder / "checkpoints", "LUDEX_RUNS")
        run.write("config.yaml", config_text)
        run.write("metrics.jsonl", "")
        run._set_status(RunState.QUEUED)
        # Last, because it makes the folder a run.
        about: Row = {"game": game, "config": config_name, "createdUtc": now.isoformat()}
        if group is not None:
            about["group"] = group
        if changes is not None:
            about["changes"] = dict(changes)
        run.write("run.json", json.dumps(about))
        return run

    @classmethod
    def open(cls, base: Path, name: str) -> Self:
        """An existing run by its folder's name. Raises `BadRun`."""
        known = sorted(path.parent.name for path in base.glob("*/run.json"))
        if name not in known:
            raise BadRun(f"no run {name!r} in {base}; known: {', '.join(known) or 'none'}")
        return cls(base / name)

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def game(self) -> str:
        return self._read_key("run.json", "game", str)

    @property
    def config_name(self) -> str:
        return self._read_key("run.json", "config", str)

    @property
    def created_utc(self) -> str:
        return self._read_key("run.json", "createdUtc", str)

    @property
    def group(self) -> str | None:
        """The experiment that the run belongs to, if any."""
        return self._read_key("run.json", "group", str) if "group" in self._read_object("run.json") else None

    @property
    def changes(self) -> Row | None:
        """What the run changed of its named configuration, by dotted key; None if it was not recorded."""
        return self._read_key("run.json", "changes", dict) if "changes" in self._read_object("run.json") else None

    @property
    def config_text(self) -> str:
        return read_text(self.folder / "config.yaml", BadRun)

    def metrics(self, after: int = 0, most: int | None = None) -> list[Row]:
        """Every row so far, or at most so many after the first ones. A last line cut off by a kill is not a row yet."""
        path = self.folder / "metrics.jsonl"
        lines = read_text(path, BadRun, largest=None).split("\n")[:-1]
        window = lines[after:] if most is None else lines[after : after + most]
        return [parse_json(line, f"{path}, row {row}", BadRun) for row, line in enumerate(window, after)]

    def last_win_rates(self, *keys: str) -> Row:
        """The win rate of the last measurement of each combination of these keys, such as board and opponent."""
        return {" ".join(str(row[key]) for key in keys): row["win_rate"] for row in self.metrics() if "win_rate" in row}

    def rows(self) -> int:
        """How many rows there are so far."""
        return read_text(self.folder / "metrics.jsonl", BadRun, largest=None).count("\n")

    def summary(self) -> Row | None:
        """The summary, or None while the run is unfinished."""
        return self._read_object("summary.json") if (self.folder / "summary.json").exists() else None

    def log(self, row: Row) -> None:
        """Append one row."""
        append_text(self.folder / "metrics.jsonl", json.dumps(row) + "\n")
        for listener in self.listeners:
            listener(row)

    def checkpoint(self, state: Row) -> None:
        """Write the state that resuming needs, with the number of rows that belong to it."""
        self.write("checkpoints/latest.json", json.dumps({"rows": len(self.metrics()), "state": state}))

    def resume(self) -> Row | None:
        """The last checkpoint's state, with later rows dropped; None if there is none yet."""
        if not (self.folder / "checkpoints" / "latest.json").exists():
            self.write("metrics.jsonl", "")
            return None
        rows = self._read_key("checkpoints/latest.json", "rows", int)
        state: Row = self._read_key("checkpoints/latest.json", "state", dict)
        metrics = self.metrics()
        if len(metrics) < rows:
            raise BadRun(f"{self.folder / 'metrics.jsonl'}: {len(metrics)} rows, the checkpoint was made after {rows}")
        self.write("metrics.jsonl", "".join(json.dumps(row) + "\n" for row in metrics[:rows]))
        return state

    @property
    def status(self) -> RunStatus:
        """The run's state: `running` only while a live process holds its lock."""
        if is_locked(self.folder / "lock"):
            return RunStatus(RunState.RUNNING)
        if (self.folder / "summary.json").exists():
            return RunStatus(RunState.FINISHED)
        text = self._read_key("status.json", "state", str)
        if text not in list(RunState):
            raise BadRun(f"{self.folder / 'status.json'}: expected one of {', '.join(RunState)}, found {text!r}")
        state = RunState(text)
        if state is RunState.FAILED:
            return RunStatus(state, self._read_key("status.json", "reason", str))
        # Its process holds no lock any more, and reported no end.
        return RunStatus(RunState.INTERRUPTED if state is RunState.RUNNING else state)

    def request_pause(self) -> None:
        """Ask the process that trains the run to stop at its next checkpoint."""
        self.write("pause", "")

    def withdraw_pause(self) -> None:
        """Let the run go on that was asked to stop."""
        (self.folder / "pause").unlink(missing_ok=True)

    @property
    def pause_requested(self) -> bool:
        return (self.folder / "pause").exists()

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the run, and write its state when training ends. Raises `BadRun` if another process trains it."""
        with (self.folder / "lock").open("w") as file:
            if not try_lock(file):
                raise BadRun(f"run {self.name!r} is being trained by another process")
            self.withdraw_pause()
            self._set_status(RunState.RUNNING)
            try:
                yield
            except RunPaused:
                self._set_status(RunState.PAUSED)
                raise
            except LudexError as error:
                self._set_status(RunState.FAILED, error.message)
                raise
            except Exception as error:
                self._set_status(RunState.FAILED, f"{type(error).__name__}: {error}")
                raise
            except BaseException:
                self._set_status(RunState.INTERRUPTED)
                raise

    def finish(self, summary: Row) -> None:
        self.write("summary.json", json.dumps(summary, indent=1) + "\n")

    def _set_status(self, state: RunState, reason: str | None = None) -> None:
        self.write("status.json", json.dumps({"state": state, **({} if reason is None else {"reason": reason})}))

    def write(self, name: str, text: str) -> None:
        """Write a file of the run atomically."""
        write_text(self.folder / name, text)

    def _read_key(self, name: str, key: str, kind: type[T]) -> T:
        value = self._read_object(name).get(key)
        if not isinstance(value, kind):
            raise BadRun(f"{self.folder / name}: expected {kind.__name__} under {key!r}, found {value!r}")
        return value

    def _read_object(self, name: str) -> Row:
        data = read_json(self.folder / name, BadRun)
        if not isinstance(data, dict):
            raise BadRun(f"{self.folder / name}: expected an object")
        return data


def int_value(row: Row, key: str, source: str) -> int:
    """A whole number of a row or a state. Raises `BadRun`, with the source, if it has none."""
    return _value(row, key, source, int, "a whole number")


def float_value(row: Row, key: str, source: str) -> float:
    """A number of a row or a state. Raises `BadRun`, with the source, if it has none."""
    return float(_value(row, key, source, (int, float), "a number"))


def text_value(row: Row, key: str, source: str) -> str:
    """A text of a row or a state. Raises `BadRun`, with the source, if it has none."""
    return _value(row, key, source, str, "a text")


def _value(row: Row, key: str, source: str, kind: type[T] | tuple[type[T], ...], expected: str) -> T:
    value = row.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadRun(f"{source}: expected {expected} under {key!r}, found {value!r}")
    return value


def list_runs(base: Path) -> list[Run]:
    """Every run in a folder, oldest first."""
    if not base.is_dir():
        return []
    runs = [Run(path) for path in base.iterdir() if (path / "run.json").is_file()]
    return sorted(runs, key=_age)


def example_runs() -> dict[str, Run]:
    """By name, the finished runs that ship with games."""
    references = [spec.learning.example.split(":") for spec in available()[0] if spec.learning.example is not None]
    runs = [Run(Path(str(files(package).joinpath(folder)))) for package, folder in references]
    return {run.name: run for run in runs}


def find_run(base: Path, name: str) -> Run:
    """A run of a folder, or one that ships, by its name. Raises `BadRun`."""
    return example_runs().get(name) or Run.open(base, name)


def _age(run: Run) -> tuple[str, str]:
    try:
        return run.created_utc, run.name
    except BadRun:
        # A damaged run is listed first; reading it raises.
        return "", run.name
