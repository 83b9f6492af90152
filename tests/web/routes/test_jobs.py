"""Jobs over HTTP: what a visitor may do, the limits, and a server that is killed."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from ludex.lab.job import Job
from ludex.lab.jobs import list_jobs
from tests.lab.working import ENDLESS, PLAY
from tests.waiting import until
from tests.web.playing import Visitor
from tests.web.running import RunningServer, served

JOBS = "/api/jobs"


def wait_for(client: httpx.Client, job: str, met: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The job, once it is as it shall be."""

    def look() -> dict[str, Any] | None:
        document: dict[str, Any] = client.get(f"{JOBS}/{job}").json()
        return document if met(document) else None

    return until(look, f"job {job}") or {}


def in_state(*states: str) -> Callable[[dict[str, Any]], bool]:
    return lambda job: job["state"] in states


def test_visitors_watch_and_the_administrator_decides(server: RunningServer, ann: Visitor) -> None:
    ann.refused(403, "administrator_only", "POST", JOBS, PLAY)
    with server.administrator() as administrator:
        answer = administrator.post(JOBS, json=PLAY)
        assert answer.status_code == 201, answer.text
        job = answer.json()["id"]
        path = f"{JOBS}/{job}"
        for verb in ("pause", "resume", "cancel"):
            ann.refused(403, "administrator_only", "POST", f"{path}/{verb}")
        ann.refused(403, "administrator_only", "PATCH", path, {"title": "mine"})
        ann.refused(403, "administrator_only", "DELETE", path)
        done = wait_for(administrator, job, in_state("finished", "failed"))
        assert (done["state"], done["done"], done["total"], done["tournament"]) == ("finished", 4, 4, job)
        assert "begin" in done["log"]
        seen = ann.ask("GET", path).json()
        assert seen == {**done, "log": None}
        assert job in [line["id"] for line in ann.ask("GET", JOBS).json()["jobs"]]
        assert ann.ask("GET", f"/api/tournaments/{job}").json()["finished"]
        assert administrator.patch(path, json={"title": "Our first"}).json()["title"] == "Our first"
        refused = administrator.post(f"{path}/cancel")
        assert (refused.status_code, refused.json()["code"]) == (409, "job_conflict")
        assert administrator.delete(path).status_code == 204
        ann.refused(404, "unknown_job", "GET", path)
        entries = administrator.get("/api/administrator/audit").json()["entries"]
        actions = [entry["action"] for entry in entries if entry["subject"] == job]
        assert actions == ["delete job", "cancel job", "rename job", "start job"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "bad_request"),
        ({**PLAY, "kind": "dance"}, 422, "bad_request"),
        ({**PLAY, "surprise": 1}, 422, "bad_request"),
        ({**PLAY, "game": "chess"}, 404, "unknown_game"),
        ({**PLAY, "agents": ["random", "nobody"]}, 404, "unknown_agent"),
        ({**PLAY, "agents": ["random", 'ugi:"sh -c id"']}, 422, "bad_option"),
        ({"kind": "train", "game": "tictactoe", "config": "/etc/passwd"}, 422, "bad_option"),
    ],
)
def test_a_request_that_cannot_be_done_is_refused(
    server: RunningServer, body: dict[str, Any], status: int, code: str
) -> None:
    with server.administrator() as administrator:
        before = administrator.get(JOBS).json()
        answer = administrator.post(JOBS, json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert administrator.get(JOBS).json() == before
        if "surprise" in body:
            assert answer.json()["text"]["fr"] == "La clé tournament.surprise n\u2019existe pas"


@pytest.mark.parametrize(
    ("changes", "french"),
    [
        ({"games": 0}, "games doit être supérieur à 0\u00a0; trouvé\u00a0: 0"),
        ({"games": "many"}, "games doit être un nombre entier\u00a0; trouvé\u00a0: 'many'"),
        ({"game": 1}, "La clé game n\u2019existe pas"),
        ({"games.most": 1}, "games.most ne peut pas être changé\u00a0: cette clé n\u2019existe pas"),
        (
            {"games": 0, "seed": -1},
            "games doit être supérieur à 0\u00a0; trouvé\u00a0: 0 et seed doit être au moins 0\u00a0; trouvé\u00a0: -1",
        ),
    ],
)
def test_a_refused_configuration_is_explained_in_every_language(
    server: RunningServer, changes: dict[str, Any], french: str
) -> None:
    with server.administrator() as administrator:
        body = {"kind": "train", "game": "tictactoe", "config": "minute", "changes": changes}
        answer = administrator.post(JOBS, json=body)
        assert (answer.status_code, answer.json()["code"], answer.json()["text"]["fr"]) == (422, "bad_config", french)


@pytest.fixture
def left_jobs(tmp_path: Path) -> Iterator[None]:
    """Kills what a test that fails would leave: jobs outlive their servers."""
    yield
    for job in list_jobs(tmp_path / "jobs"):
        if job.is_locked() and job.pid is not None:
            os.kill(job.pid, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.usefixtures("left_jobs")
def test_twenty_requests_and_a_server_that_is_killed(tmp_path: Path) -> None:
    flags = ("--workers", "1", "--jobs-waiting", "3", "--burst", "1000")
    with served(tmp_path, *flags) as first, first.administrator() as administrator:
        with ThreadPoolExecutor(20) as pool:
            answers = [*pool.map(lambda _: administrator.post(JOBS, json=ENDLESS), range(20))]
        assert sorted({(answer.status_code, answer.json().get("code")) for answer in answers}, key=str) == [
            (201, None),
            (409, "too_many_jobs"),
        ]
        lines = administrator.get(JOBS).json()["jobs"]
        assert len(lines) == sum(answer.status_code == 201 for answer in answers) == 4
        oldest = lines[-1]["id"]
        job = Job(tmp_path / "jobs" / oldest)
        for line in lines[:-1]:
            assert administrator.post(f"{JOBS}/{line['id']}/cancel").json()["state"] == "cancelled"
        wait_for(administrator, oldest, lambda document: bool(document["done"]))
        first.kill()
    # The job has lost its server and goes on; the next server finds it by its lock.
    process, done = job.pid, job.progress.done
    with served(tmp_path, *flags) as second, second.administrator() as administrator:
        document = wait_for(administrator, oldest, lambda document: bool(document["done"] > done))
        assert (document["state"], job.pid) == ("running", process)
        assert process is not None
        os.kill(process, signal.SIGKILL)
        # Progress of before the kill is still there: only the state of the answer tells that another process works.
        wait_for(administrator, oldest, lambda document: document["state"] == "running" and job.pid != process)
        administrator.post(f"{JOBS}/{oldest}/pause")
        wait_for(administrator, oldest, in_state("paused"))
        administrator.post(f"{JOBS}/{oldest}/resume")
        wait_for(administrator, oldest, in_state("running"))
        administrator.post(f"{JOBS}/{oldest}/cancel")
        wait_for(administrator, oldest, in_state("cancelled"))
        assert second.end() == 0
