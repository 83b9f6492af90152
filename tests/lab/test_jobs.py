"""A job's folder: its states, its queue and its limits, without a process."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ludex.core.errors import BadConfig, BadJob, BadOption, LudexError, UnknownAgent, UnknownGame
from ludex.core.folders import jobs_folder, runs_folder, tournaments_folder
from ludex.core.system import try_lock
from ludex.lab import process as watching
from ludex.lab.job import Job, JobConflict, JobState, JobStatus, Progress, UnknownJob
from ludex.lab.jobs import TooManyJobs, delete_old, delete_with_work, list_jobs, open_job, rename, resume
from ludex.lab.limits import DiskQuota, JobLimits, folder_bytes, used_bytes
from ludex.lab.process import FAILED, Watch, run
from ludex.learn.runs import Run
from ludex.operations.permissions import VISITOR
from ludex.operations.requests import job_requests, programs_of
from tests.lab.test_process import waiting
from tests.lab.working import LIMITS, PLAY, TRAIN, queue

LEARN = {"kind": "train", "game": "tictactoe", "config": "alphazero"}


def test_a_new_job_waits_with_what_was_asked() -> None:
    job = queue(TRAIN)
    assert job.id.startswith("train-tictactoe-")
    assert (job.status.state, job.progress, job.runs, job.tournament) == (JobState.QUEUED, Progress(), [], None)
    assert job.request.model_dump()["changes"] == {"games": 600, "checkpoint_every": 40}
    # The default's name is kept, so that a later version trains the same.
    assert job.request.model_dump()["config"] == job.title == "v1_01"
    assert open_job(job.id) == job
    assert [job.id for job in list_jobs()] == [job.id]
    assert queue(PLAY).title == "random, perfect"
    assert queue(PLAY, name="ladder").title == "ladder"


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        ({"kind": "train", "game": "chess"}, UnknownGame, "chess"),
        ({"kind": "train", "game": "tictactoe", "changes": {"gmes": 3}}, BadConfig, "unknown key 'gmes'"),
        ({"kind": "train", "game": "tictactoe", "config": "../secret.yaml"}, BadOption, "one that ships"),
        ({"kind": "train", "game": "tictactoe", "log": ["paper"]}, BadOption, "unknown logger 'paper'"),
        ({"kind": "train", "game": "tictactoe", "config": "none"}, BadConfig, "unknown config 'none'"),
        ({**PLAY, "agents": ["random", "prefect"]}, UnknownAgent, "did you mean 'perfect'"),
        ({**PLAY, "games": 3}, BadOption, "games must be even"),
        ({**PLAY, "agents": ["random", 'ugi:"sh"']}, BadOption, "--engines"),
        ({**PLAY, "agents": ["random", "py:subprocess:Popen"]}, BadOption, "--agents-from"),
        ({**PLAY, "agents": ["random", "ranking:file=/etc/passwd"]}, BadOption, "file: it names a file"),
        ({**PLAY, "executor": "ray", "address": "192.0.2.1:6379"}, BadOption, "an address of the server's network"),
        (
            {**PLAY, "kind": "duel", "game": "quoridor", "agents": ["random", "master:net=/etc/passwd"]},
            BadOption,
            "net: it names",
        ),
        (
            {**PLAY, "kind": "duel", "game": "skirmish", "options": {"scenario": "/etc"}},
            BadOption,
            "scenario: it names a file",
        ),
        (
            {**PLAY, "kind": "duel", "game": "skirmish", "preset": "small:scenario=/etc"},
            BadOption,
            "scenario: it names a file",
        ),
        ({"kind": "train", "game": "tictactoe", "changes": {"games": 10**400}}, BadConfig, "and 2**64, found ~2**1329"),
        (
            {"kind": "train", "game": "minesweeper", "config": "miniature", "changes": {"ppo.num_envs": 10**9}},
            BadConfig,
            "Input should be less than or equal to 65536",
        ),
        ({**PLAY, "workers": 5}, BadOption, "LUDEX_JOB_WORKERS"),
        ({**PLAY, "rounds": 2}, BadOption, "Swiss"),
        ({**LEARN, "changes": {"workers": 5}}, BadOption, "workers: a job has at most 4, LUDEX_JOB_WORKERS, found 5"),
        ({**LEARN, "sweep": {"search.threads": [1, 500]}}, BadOption, "search.threads: a job has at most 4"),
        (
            {**LEARN, "changes": {"executor": "ray", "address": "192.0.2.1:1", "workers": 0}},
            BadOption,
            "address: it names",
        ),
        ({**LEARN, "changes": {"start_from": "/etc/passwd"}}, BadOption, "start_from: it names files of the server"),
        *(
            ({"kind": "train", "game": game, "config": config, "changes": {key: value}}, BadOption, f"{key}: it names")
            for game, config, key, value in [
                ("quoridor", "miniature", "agent", "master:net=/etc/passwd"),
                ("quoridor", "miniature", "earlier", ["/etc"]),
                ("minesweeper", "minute", "start_from", "/etc/passwd"),
                ("minesweeper", "minute", "imitation.dataset", "/etc"),
                ("skirmish", "minute", "start_from", "/etc/passwd"),
            ]
        ),
        *(
            ({"kind": "train", "game": "skirmish", "config": "minute", "changes": {key: value}}, BadOption, words)
            for key, value, words in [
                ("imitation.teachers", ["py:subprocess:Popen"], "runs code of the server"),
                ("imitation.opponents", ["normal:net=/etc/passwd"], "net: it names a file"),
                ("opponents.names", ['ugi:"touch file"'], "runs a program of the server"),
                ("evaluation.opponents", ["py:subprocess:Popen"], "runs code of the server"),
                ("curriculum", [{"presets": ["small:scenario=/etc"], "updates": 1}], "scenario: it names a file"),
            ]
        ),
    ],
)
def test_what_cannot_be_done_is_refused_before_there_is_a_job(
    body: dict[str, object], error: type[LudexError], words: str
) -> None:
    with pytest.raises(error) as refused:
        job_requests().validate_python(body).checked(LIMITS, remote=VISITOR)
    assert words in refused.value.message
    assert list_jobs() == []


def test_a_terminal_may_name_files_and_a_browser_what_ships() -> None:
    changed = job_requests().validate_python({**LEARN, "changes": {"start_from": "net.pt", "search.threads": 4}})
    assert changed.checked(LIMITS, remote=None) == changed
    same = job_requests().validate_python({**LEARN, "changes": {"start_from": None}})
    assert same.checked(LIMITS, remote=VISITOR) == same
    many = job_requests().validate_python({"kind": "train", "game": "minesweeper", "config": "shipped"})
    assert many.checked(LIMITS, remote=VISITOR) == many, "it has more workers than a request may set"


def test_twenty_requests_at_once_hold_the_limits() -> None:
    limits = JobLimits(jobs_at_once=2, jobs_waiting=5)

    def attempt(_: int) -> bool:
        try:
            queue(TRAIN, limits)
        except TooManyJobs:
            return False
        return True

    with ThreadPoolExecutor(20) as pool:
        made = sum(pool.map(attempt, range(20)))
    assert made == len(list_jobs()) == 7
    paused = list_jobs()[0]
    paused.request_pause()
    queue(TRAIN, limits)
    with pytest.raises(TooManyJobs, match="7 jobs run or wait already"):
        resume(paused, limits)


def test_a_job_that_waits_is_paused_resumed_and_cancelled_at_once() -> None:
    job = queue(TRAIN)
    job.request_pause()
    assert job.status == JobStatus(JobState.PAUSED)
    with pytest.raises(JobConflict, match="is paused: it cannot be paused"):
        job.request_pause()
    resume(job, LIMITS)
    assert job.status == JobStatus(JobState.QUEUED)
    job.cancel()
    assert (job.status, job.requested) == (JobStatus(JobState.CANCELLED), None)
    for change in (job.cancel, lambda: resume(job, LIMITS), job.request_pause):
        with pytest.raises(JobConflict, match="is cancelled"):
            change()


def test_only_the_lock_says_that_a_job_runs() -> None:
    job = queue(TRAIN)
    with (job.folder / "lock").open("w") as file:
        assert try_lock(file)
        assert job.status == JobStatus(JobState.RUNNING)
        job.set_status(JobState.RUNNING)
        job.request_pause()
        # Its process answers the request.
        assert (job.status, job.requested) == (JobStatus(JobState.RUNNING), JobState.PAUSED)
        resume(job, LIMITS)
        assert job.requested is None
        with pytest.raises(JobConflict, match="is running"):
            resume(job, LIMITS)
        with pytest.raises(JobConflict, match="cancel it first"):
            job.delete()
    assert job.status == JobStatus(JobState.INTERRUPTED)
    resume(job, LIMITS)
    assert job.status == JobStatus(JobState.QUEUED)


def test_a_title_is_one_line() -> None:
    job = queue(TRAIN)
    rename(job, "  My first agent ")
    assert job.title == "My first agent"
    for title in ("", " ", "a\nb", "x" * 101):
        with pytest.raises(BadOption, match="a title is one line"):
            rename(job, title)
    assert job.request.game == "tictactoe"


def test_a_deleted_job_is_gone_and_unknown_ids_lead_nowhere() -> None:
    job = queue(TRAIN)
    job.delete()
    for wrong in (job.id, "..", "../runs", "", ".hidden"):
        with pytest.raises(UnknownJob):
            open_job(wrong)


def test_a_damaged_job_is_named_and_hides_no_other(tmp_path: Path) -> None:
    first, second = queue(TRAIN), queue(PLAY)
    (first.folder / "status.json").write_text('{"state": "asleep"}')
    with pytest.raises(BadJob, match="expected one of queued"):
        _ = first.status
    document = json.loads((first.folder / "job.json").read_text())
    for change, words in (
        ({"request": {"kind": "sleep"}}, "expected tags"),
        ({"formatVersion": 2}, "version 1, found 'ludex-job', 2"),
        ({"format": "ludex-run"}, "found 'ludex-run', 1"),
    ):
        (first.folder / "job.json").write_text(json.dumps({**document, **change}))
        with pytest.raises(BadJob, match=words):
            _ = first.request
    assert {job.id for job in list_jobs()} == {first.id, second.id}
    assert Job(tmp_path).log_tail() == ""


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("progress.json", {"done": "many"}),
        ("progress.json", {"done": 1, "total": [2]}),
        ("progress.json", {"done": None}),
        ("work.json", {"runs": 3}),
        ("work.json", {"tournament": {"name": "x"}}),
    ],
)
def test_a_document_of_wrong_types_is_named(name: str, document: dict[str, object]) -> None:
    job = queue(PLAY)
    (job.folder / name).write_text(json.dumps(document))
    with pytest.raises(BadJob, match=rf"{name}: key '{[*document][-1]}'"):
        _ = job.progress, job.runs, job.tournament
    (job.folder / "status.json").write_text(json.dumps({"state": "failed", "reason": 3, "pid": "x", "deaths": "y"}))
    assert (job.status.reason, job.pid) == ("3", None)


def test_the_end_of_a_log() -> None:
    job = queue(TRAIN)
    (job.folder / "log.txt").write_bytes(b"x" * 50_000 + b"\xff the end")
    assert len(job.log_tail(100)) == 100
    assert job.log_tail().endswith(" the end")


def test_programs_of_a_request_are_named() -> None:
    agents = ["random", "py:./mine.py:Mine", 'ugi:"engine"']
    assert programs_of(job_requests().validate_python({**PLAY, "agents": agents})) == agents[1:]
    evaluation = {"kind": "evaluation", "game": "tictactoe", "agent": agents[2], "opponents": agents[:2]}
    assert programs_of(job_requests().validate_python(evaluation)) == [agents[2], agents[1]]
    assert programs_of(job_requests().validate_python(TRAIN)) == []


ONE_MB = JobLimits(lab_mb=1)


def fill(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "large").write_bytes(b"0" * (1 << 20))


def with_work() -> tuple[Job, Run]:
    """A finished job with a run and a tournament."""
    job = queue(TRAIN)
    made = Run.create(runs_folder(), "tictactoe", "v1_01", "")
    (tournaments_folder() / "cup").mkdir(parents=True)
    job.set_work(runs=[made.name], tournament="cup")
    job.set_status(JobState.FINISHED)
    return job, made


def test_what_is_used_is_counted() -> None:
    assert used_bytes() == 0
    for folder in (jobs_folder(), runs_folder() / "deep" / "er", tournaments_folder()):
        fill(folder)
    assert used_bytes() == 3 << 20
    assert folder_bytes(runs_folder()) == 1 << 20


def test_a_full_laboratory_takes_no_job() -> None:
    queue(TRAIN, ONE_MB)
    fill(runs_folder())
    with pytest.raises(DiskQuota, match=r"fill 1 of 1 MB, LUDEX_LAB_MB"):
        queue(TRAIN, ONE_MB)
    assert len(list_jobs()) == 1


def test_a_job_that_fills_the_disk_is_stopped_and_its_log_is_kept_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "DISK_SECONDS", 0.0)
    job = queue(TRAIN)
    (job.folder / "log.txt").write_text("")

    def call(job: Job, watch: Watch) -> dict[str, Any]:
        fill(runs_folder())
        return waiting(job, watch)

    with job.lock():
        assert run(job, ONE_MB, call) == FAILED
    assert "LUDEX_LAB_MB" in str(job.status.reason)
    with (job.folder / "log.txt").open("a") as file:
        file.write("x" * 900 + "the end")
        file.flush()
        job.trim_log(most=800)
        file.write(", and on")
    assert job.log_tail() == "x" * 93 + "the end, and on"


def test_a_job_is_deleted_with_its_work_only_on_request() -> None:
    job, made = with_work()
    job.delete()
    assert made.folder.is_dir()
    (tournaments_folder() / "cup").rmdir()
    job, made = with_work()
    with made.lock(), pytest.raises(JobConflict, match="is being trained by another process"):
        delete_with_work(job)
    delete_with_work(job)
    assert not made.folder.exists()
    assert not (tournaments_folder() / "cup").exists()
    assert list_jobs() == []


def test_a_tournament_that_another_process_plays_is_kept() -> None:
    job, made = with_work()
    with (tournaments_folder() / "cup" / "journal.jsonl.lock").open("w") as file:
        assert try_lock(file)
        with pytest.raises(JobConflict, match=r"tournament 'cup' of job .* is being played by another process"):
            delete_with_work(job)
    assert made.folder.is_dir()
    assert list_jobs() == [job]


def test_what_another_job_names_is_kept_until_that_is_deleted() -> None:
    job, made = with_work()
    other, damaged = queue(TRAIN), queue(TRAIN)
    other.set_work(runs=job.runs, tournament=job.tournament)
    (damaged.folder / "work.json").write_text("{")
    delete_with_work(job)
    assert made.folder.is_dir()
    assert (tournaments_folder() / "cup").is_dir()
    delete_with_work(other)
    assert not made.folder.exists()
    assert not (tournaments_folder() / "cup").exists()
    assert list_jobs() == [damaged]


def test_old_jobs_go_where_days_are_given() -> None:
    job, made = with_work()
    waits = queue(PLAY)
    later = datetime.now(UTC) + timedelta(days=8)
    assert delete_old(JobLimits(), later) == []
    assert delete_old(JobLimits(lab_days=9), later) == []
    assert delete_old(JobLimits(lab_days=7), later) == [job.id]
    assert not made.folder.exists()
    assert [job.id for job in list_jobs()] == [waits.id]
    assert waits.status == JobStatus(JobState.QUEUED)
