"""`ludex jobs`: from the queue to the result, without a server."""

import pytest

from tests.cli.conftest import Ludex, document_of

PLAY = ("jobs", "start", "tournament", "tictactoe", "--agents", "random,perfect", "--games", "4", "--name", "cup")


def test_the_life_of_a_job_that_waits(ludex: Ludex) -> None:
    assert "no jobs in" in ludex("jobs", "list").stdout
    job = ludex("jobs", "start", "train", "tictactoe", "--set", "games=20", "--sweep", "epsilon=0.1,0.2").stdout.strip()
    assert job.startswith("train-tictactoe-")
    (line,) = document_of(ludex("jobs", "list", "--json"))
    assert (line["job"], line["state"], line["title"], line["damaged"]) == (job, "queued", "v1_01", None)
    document = document_of(ludex("jobs", "show", job, "--json"))
    assert (document["request"]["sweep"], document["result"], document["log"]) == ({"epsilon": [0.1, 0.2]}, None, "")
    assert "{'epsilon': [0.1, 0.2]}" in ludex("jobs", "show", job).stdout
    assert document_of(ludex("jobs", "rename", job, "Mine", "--json"))["title"] == "Mine"
    states = [document_of(ludex("jobs", verb, job, "--json"))["state"] for verb in ("pause", "resume", "cancel")]
    assert states == ["paused", "queued", "cancelled"]
    assert "Mine" in ludex("jobs", "list").stdout
    assert ludex("jobs", "delete", job, "--work").returncode == 0
    assert document_of(ludex("jobs", "list", "--json")) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("jobs", "show", "nothing"), "no job is called 'nothing'"),
        (("jobs", "start", "train", "tictactoe", "--set", "gmes=3"), "unknown key 'gmes'"),
        (("jobs", "start", "puzzles", "tictactoe", "--theme", "win"), "no puzzles of theme 'win'"),
        (("jobs", "start", "evaluation", "tictactoe"), "a game for two needs --opponent"),
        ((*PLAY[:-1], "../cup"), "name: "),
        ((*PLAY, "--workers", "9"), "LUDEX_JOB_WORKERS"),
    ],
)
def test_what_cannot_be_done_is_wrong_usage(ludex: Ludex, arguments: tuple[str, ...], words: str) -> None:
    result = ludex(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_full_queue_is_named(ludex: Ludex) -> None:
    assert ludex(*PLAY, LUDEX_JOBS_WAITING="0").returncode == 0
    result = ludex(*PLAY, LUDEX_JOBS_WAITING="0")
    assert (result.returncode, "error [too_many_jobs]: 1 jobs run or wait" in result.stderr) == (1, True)


@pytest.mark.slow
def test_work_ends_with_the_last_job(ludex: Ludex) -> None:
    job = document_of(ludex(*PLAY, "--json"))["job"]
    assert ludex("jobs", "work", "--until-empty").returncode == 0
    document = document_of(ludex("jobs", "show", job, "--json"))
    assert (document["state"], document["done"], document["tournament"]) == ("finished", 4, "cup"), document["log"]
    assert document["result"]["standings"][0]["agent"] == "perfect"
