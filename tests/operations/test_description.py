"""One declaration of an operation is found everywhere: flags, jobs, HTTP bodies and forms."""

import asyncio
import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from ludex.lab.job import JobState
from ludex.lab.jobs import open_job
from ludex.lab.process import run, work
from ludex.operations.description import OPERATIONS, describe, job_names
from ludex.operations.requests import job_request_type
from ludex.web.routes.jobs import operation, operations
from ludex.web.routes.pages import STATIC
from scripts.describe_operations import PAGE, document
from tests.cli.conftest import Ludex, ludex
from tests.lab.working import LIMITS

__all__ = ["ludex"]

FLAGS = ("--count", "3", "--share", "0.25", "--loud", "--mode", "slow", "--word", "hello", "--words", "a")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPERATIONS, "toy", "tests.operations.toy:TOY")


def test_the_committed_description_is_that_of_the_models() -> None:
    assert PAGE.read_text(encoding="utf-8") == document(), "run python scripts/describe_operations.py"
    assert job_names() == ["duel", "tournament", "evaluation", "eval-llm", "train", "tuning", "puzzles"]
    for described in map(describe, OPERATIONS):
        helps = [described.help, *(field.help for field in described.fields)]
        assert all(text.keys() == {"en", "fr"} for text in helps)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_kind_of_job_has_a_word_in_the_browser(language: str) -> None:
    page = json.loads((STATIC / "texts" / language / "lab.json").read_text(encoding="utf-8"))["page"]
    assert [name for name in job_names() if not page.get(f"kind_{name}")] == []


@pytest.mark.usefixtures("toy")
def test_an_operation_is_a_command_a_job_a_body_and_a_form(ludex: Ludex) -> None:
    text = " ".join(ludex("jobs", "start", "toy", "--help").stdout.split())
    assert "Repeat some words." in text
    assert all(flag in text for flag in ("--count", "1<=x<=100", "how often", "fast|slow", "--loud", "--set"))

    started = ludex("jobs", "start", "toy", "tictactoe", *FLAGS, "--words", "b", "--set", "k=[1]", "--json")
    job = open_job(json.loads(started.stdout)["job"])
    wanted = {"count": 3, "share": 0.25, "loud": True, "mode": "slow", "word": "hello", "words": ["a", "b"]}
    assert {**wanted, "values": {"k": [1]}}.items() <= job.request.model_dump().items()
    assert (job.title, job.id.startswith("toy-tictactoe-")) == ("hello", True)
    with job.lock():
        run(job, LIMITS, work)
    assert (job.status.state, job.progress.done) == (JobState.FINISHED, 3)
    assert job.result == {"words": ["HELLO", "A", "B"] * 3, "interrupted": False}

    schema = TypeAdapter(job_request_type()).json_schema()
    assert schema["discriminator"]["mapping"]["toy"] == "#/$defs/ToyRequest"
    listed = next(line for line in asyncio.run(operations()).operations if line.id == "toy")
    assert listed.help == {"en": "Repeat some words.", "fr": "Répéter des mots."}
    form = {field.name: field for field in operation("toy").fields}
    kinds = ["integer", "number", "boolean", "choice", "text", "text", "json"]
    assert [form[name].kind for name in (*wanted, "values")] == kinds
    assert (form["count"].least, form["count"].most, form["count"].default) == (1, 100, 2)
    assert form["count"].help == {"en": "how often", "fr": "combien de fois"}
    assert (form["mode"].choices, form["mode"].titles["slow"]) == (
        ["fast", "slow"],
        {"en": "in peace", "fr": "lentement"},
    )
    assert (form["words"].many, form["words"].most, form["word"].optional) == (True, 4, True)
    assert (form["share"].suggestion, form["address"].advanced) == (0.75, True)


def test_one_option_is_changed_in_one_place(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPERATIONS, "toy", "tests.operations.toy:CHANGED")
    assert "how many times [default: 5]" in " ".join(ludex("jobs", "start", "toy", "--help").stdout.split())
    result = ludex("jobs", "start", "toy", "tictactoe", "--count", "10")
    assert (result.returncode, "--count" in result.stderr) == (2, True)
    started = ludex("jobs", "start", "toy", "tictactoe", "--json")
    request: Any = open_job(json.loads(started.stdout)["job"]).request
    assert request.count == 5
    first = describe("toy").fields[0]
    assert (first.name, first.most, first.help["fr"]) == ("count", 9, "combien de fois au juste")
