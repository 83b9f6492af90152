"""A job is a folder: `job.json` is the request, `status.json` where it stands, `log.txt` what its process wrote.

The process that works on a job holds the lock of its folder, and nothing else says that it lives. To stop it, another
process writes a request, `pause` or `cancel`, which it reads. Others change the state under the same lock.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from ludex.core.documents import read_json, write_text
from ludex.core.errors import BadJob, LudexError, UsageError
from ludex.core.system import is_locked, try_lock
from ludex.operations.requests import JobRequest, job_requests

FORMAT: Final = "ludex-job"
FORMAT_VERSION: Final = 1
TAIL_BYTES: Final = 16_384
LONGEST_LOG: Final = 8 << 20
DOCUMENT: Final = "job.json"
STATUS: Final = "status.json"
PROGRESS: Final = "progress.json"
WORK: Final = "work.json"
RESULT: Final = "result.json"
LOG: Final = "log.txt"


class JobState(StrEnum):
    """Where a job stands; only `running` depends on a live process, which holds the job's lock."""

    QUEUED = "queued"
    """Waits for its turn."""
    RUNNING = "running"
    """A live process works on it."""
    PAUSED = "paused"
    """Stopped on request; it can be resumed."""
    FINISHED = "finished"
    """Done, with a result."""
    FAILED = "failed"
    """Ended by an error or a limit, which its reason names; it can be resumed."""
    INTERRUPTED = "interrupted"
    """Its process died; the supervisor resumes it."""
    CANCELLED = "cancelled"
    """Ended on request for good; what it made so far is kept."""


RESUMABLE: Final = frozenset({JobState.PAUSED, JobState.FAILED, JobState.INTERRUPTED})
ACTIVE: Final = frozenset({JobState.QUEUED, JobState.RUNNING, JobState.INTERRUPTED})
ENDED: Final = frozenset({JobState.FINISHED, JobState.FAILED, JobState.CANCELLED})


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job's state, with the reason if it has failed or paused by itself."""

    state: JobState
    reason: str | None = None


class UnknownJob(UsageError):
    """No job has this id."""


class JobConflict(LudexError):
    """The job is not in a state in which this can be done."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a job is done; `total` is None where it is unknown."""

    done: int = 0
    total: int | None = None


@dataclass(frozen=True, slots=True)
class _Work:
    """What a job works on."""

    runs: tuple[str, ...] = ()
    tournament: str | None = None


T = TypeVar("T", Progress, _Work)


@dataclass(frozen=True)
class Job:
    """One job's folder."""

    folder: Path

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def request(self) -> JobRequest:
        path, document = self.folder / DOCUMENT, self._read(DOCUMENT)
        name, version = document.get("format"), document.get("formatVersion")
        if (name, version) != (FORMAT, FORMAT_VERSION):
            raise BadJob(f"{path}: expected format {FORMAT!r}, version {FORMAT_VERSION}, found {name!r}, {version!r}")
        try:
            return job_requests().validate_python(document.get("request"))
        except ValidationError as error:
            raise BadJob(f"{path}: {error.errors()[0]['msg']}") from error

    @property
    def title(self) -> str:
        return str(self._read(DOCUMENT).get("title", ""))

    @property
    def created_utc(self) -> str:
        return str(self._read(DOCUMENT).get("createdUtc", ""))

    @property
    def queued_utc(self) -> str:
        """Since when it waits or has waited for its turn."""
        return str(self._read(STATUS).get("queuedUtc", ""))

    @property
    def updated_utc(self) -> str:
        """When its state was last written."""
        return str(self._read(STATUS).get("updatedUtc", ""))

    @property
    def status(self) -> JobStatus:
        """The job's state: `running` only while a live process holds its lock."""
        document = self._read(STATUS)
        if _state(document, self.folder / STATUS) in (JobState.RUNNING, JobState.QUEUED) and self.is_locked():
            return JobStatus(JobState.RUNNING)
        reason = document.get("reason")
        return JobStatus(self.stored_state(), None if reason is None else str(reason))

    def stored_state(self) -> JobState:
        """The state as the holder of the lock reads it: no process works on the job."""
        state = _state(self._read(STATUS), self.folder / STATUS)
        # Its process holds no lock any more, and reported no end.
        return JobState.INTERRUPTED if state is JobState.RUNNING else state

    @property
    def pid(self) -> int | None:
        """The process that works or worked on it, for people: only the lock says whether it lives."""
        pid = self._read(STATUS).get("pid")
        return pid if isinstance(pid, int) else None

    @property
    def progress(self) -> Progress:
        if not (self.folder / PROGRESS).exists():
            return Progress()
        return self._parse(Progress, PROGRESS)

    @property
    def runs(self) -> list[str]:
        """The names of the training runs that it works on."""
        return [*self._work().runs]

    @property
    def tournament(self) -> str | None:
        """The name of the tournament that it plays."""
        return self._work().tournament

    def facts(self) -> dict[str, Any]:
        """What every list and page says of it. Raises `BadJob` if its folder is damaged."""
        request, status, progress = self.request, self.status, self.progress
        return {
            **{"kind": request.kind, "game": request.game, "title": self.title},
            **{"state": status.state, "reason": status.reason, "done": progress.done, "total": progress.total},
            **{"created_utc": self.created_utc, "runs": self.runs, "tournament": self.tournament},
        }

    @property
    def result(self) -> dict[str, Any] | None:
        """What came of it, once it is finished."""
        return self._read(RESULT) if (self.folder / RESULT).exists() else None

    def log_tail(self, most: int = TAIL_BYTES) -> str:
        """The end of what its process wrote."""
        try:
            with (self.folder / LOG).open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - most))
                return file.read().decode(errors="replace")
        except FileNotFoundError:
            return ""

    def trim_log(self, most: int = LONGEST_LOG) -> None:
        """Keep the end of a log that has grown too long."""
        path = self.folder / LOG
        if path.exists() and path.stat().st_size > most:
            tail = self.log_tail(most // 8)
            with path.open("r+b") as file:
                # In place: the job's process appends to this file.
                file.write(tail.encode())
                file.truncate()

    def request_pause(self) -> None:
        """Have the job stop where it can be resumed. Raises `JobConflict` if it has ended."""
        waiting = (JobState.QUEUED, JobState.INTERRUPTED)
        self.require(self.status.state, *waiting, JobState.RUNNING, wanted="paused")
        self._write_text("pause", "")
        self._settle(JobState.PAUSED, waiting)

    def withdraw_pause(self) -> bool:
        """Let a running job go on that was asked to pause; False if it was not."""
        requested = (self.folder / "pause").exists()
        (self.folder / "pause").unlink(missing_ok=True)
        return requested

    def cancel(self) -> None:
        """End the job for good. Raises `JobConflict` if it has ended."""
        waiting = (JobState.QUEUED, *RESUMABLE)
        self.require(self.status.state, *waiting, JobState.RUNNING, wanted="cancelled")
        self._write_text("cancel", "")
        self._settle(JobState.CANCELLED, waiting)

    def delete(self) -> None:
        """Delete the folder; runs and tournaments stay. Raises `JobConflict` while a process works on it."""
        with self.lock() as has_lock:
            if not has_lock:
                raise JobConflict(f"job {self.id!r} is running: cancel it first")
            # First, so that a folder that is deleted halfway is no job.
            (self.folder / DOCUMENT).unlink(missing_ok=True)
            shutil.rmtree(self.folder)

    @contextmanager
    def lock(self) -> Iterator[bool]:
        """Take the job's lock for a block: False if another process has it. Raises `UnknownJob` if it was deleted."""
        try:
            file = (self.folder / "lock").open("a")
        except FileNotFoundError as error:
            raise UnknownJob(f"no job is called {self.id!r}") from error
        with file:
            yield try_lock(file)

    def is_locked(self) -> bool:
        """Whether a process works on the job."""
        return is_locked(self.folder / "lock")

    def begin(self) -> int:
        """Write that a process works on the job; returns how often one died in a row without progress."""
        before, done = self._read(STATUS), self.progress.done
        died = self.stored_state() is JobState.INTERRUPTED and done <= _count(before, "doneBefore")
        deaths = _count(before, "deaths") + 1 if died else 0
        document = {**before, "state": JobState.RUNNING, "deaths": deaths, "doneBefore": done, "pid": os.getpid()}
        document.pop("reason", None)
        self._write(STATUS, document)
        return deaths

    @property
    def requested(self) -> JobState | None:
        """The state that is requested."""
        if (self.folder / "cancel").exists():
            return JobState.CANCELLED
        return JobState.PAUSED if (self.folder / "pause").exists() else None

    def forget_requests(self) -> None:
        for name in ("pause", "cancel"):
            (self.folder / name).unlink(missing_ok=True)

    def set_status(self, state: JobState, reason: str | None = None) -> None:
        """Write the state, for the holder of the lock."""
        before = self._read(STATUS) if (self.folder / STATUS).exists() else {}
        queued = _now() if state is JobState.QUEUED else before.get("queuedUtc", "")
        document = {"state": state, "queuedUtc": queued, "updatedUtc": _now(), "pid": before.get("pid")}
        self._write(STATUS, document if reason is None else {**document, "reason": reason})

    def write_request(self, request: JobRequest, title: str) -> None:
        """Write what is asked for. Last, because it makes the folder a job."""
        document = {
            "format": FORMAT,
            "formatVersion": FORMAT_VERSION,
            "createdUtc": _now(),
            "title": title,
            "request": request.model_dump(mode="json"),
        }
        self._write(DOCUMENT, document)

    def set_title(self, title: str) -> None:
        """Write another title, for the holder of the queue's lock."""
        self._write(DOCUMENT, {**self._read(DOCUMENT), "title": title})

    def set_progress(self, progress: Progress) -> None:
        self._write(PROGRESS, {"done": progress.done, "total": progress.total})

    def set_work(self, *, runs: Sequence[str] = (), tournament: str | None = None) -> None:
        """Record what the job works on."""
        self._write(WORK, {"runs": [*runs], "tournament": tournament})

    def finish(self, result: Mapping[str, Any]) -> None:
        """Write the result and the end."""
        self._write(RESULT, dict(result))
        self.set_status(JobState.FINISHED)

    def require(self, state: JobState, *states: JobState, wanted: str) -> None:
        """Raise `JobConflict` unless the state is one of those in which this can be done."""
        if state not in states:
            raise JobConflict(f"job {self.id!r} is {state}: it cannot be {wanted}")

    def _settle(self, state: JobState, waiting: Sequence[JobState]) -> None:
        """Grant a request to a job that no process works on; a process grants it itself."""
        with self.lock() as has_lock:
            if has_lock:
                self.forget_requests()
                if self.stored_state() in waiting:
                    self.set_status(state)

    def _work(self) -> _Work:
        return self._parse(_Work, WORK) if (self.folder / WORK).exists() else _Work()

    def _parse(self, kind: type[T], name: str) -> T:
        """A document as a dataclass. Raises `BadJob` for a value of another type."""
        try:
            return TypeAdapter(kind).validate_python(self._read(name))
        except ValidationError as error:
            fault = error.errors()[0]
            raise BadJob(f"{self.folder / name}: key {fault['loc'][0]!r}: {fault['msg']}") from error

    def _write(self, name: str, document: Mapping[str, Any]) -> None:
        self._write_text(name, json.dumps(document, indent=1) + "\n")

    def _write_text(self, name: str, text: str) -> None:
        write_text(self.folder / name, text)

    def _read(self, name: str) -> dict[str, Any]:
        document = read_json(self.folder / name, BadJob)
        if not isinstance(document, dict):
            raise BadJob(f"{self.folder / name}: expected an object")
        return document


def _state(document: Mapping[str, Any], path: Path) -> JobState:
    text = document.get("state")
    if text not in list(JobState):
        raise BadJob(f"{path}: expected one of {', '.join(JobState)}, found {text!r}")
    return JobState(str(text))


def _count(document: Mapping[str, Any], key: str) -> int:
    value = document.get(key)
    return value if isinstance(value, int) else 0


def _now() -> str:
    return datetime.now(UTC).isoformat()
