"""Comparisons of runs, their files and notes, over real HTTP."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ludex.core.errors import BadRun
from ludex.learn.runs import Run
from tests.web.running import RunningServer


@pytest.fixture(scope="module")
def runs(home: Path) -> list[Run]:
    found = []
    for seed, epsilon, lines in [(1, 0.1, [8, 4]), (2, 0.1, [6, 0]), (1, 0.5, [2, 2])]:
        config = f"games: 20\nseed: {seed}\nepsilon: {epsilon}\n"
        changes = {"seed": seed, "epsilon": epsilon}
        run = Run.create(home / "runs", "tictactoe", "negamax", config, group="exploration", changes=changes)
        for number, lost in enumerate(lines, 1):
            run.log({"games": 10 * number, "losing_lines": lost, "keys": number})
        found.append(run)
    return found


@pytest.fixture
def visitor(server: RunningServer, runs: list[Run]) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def test_an_experiment_is_compared_by_the_metric_that_matters(visitor: httpx.Client, runs: list[Run]) -> None:
    found = visitor.get("/api/runs/compare", params={"runs": "exploration"}).json()
    assert (found["metric"], found["axis"], found["keys"]) == ("losing_lines", "games", ["epsilon"])
    assert [[run["name"] for run in one["runs"]] for one in found["variants"]] == [
        [runs[0].name, runs[1].name],
        [runs[2].name],
    ]
    assert (found["bands"][0]["low"], found["bands"][0]["high"]) == ([6, 0], [8, 4])
    some = visitor.get("/api/runs/compare", params={"runs": f"{runs[0].name},{runs[2].name}", "metric": "keys"}).json()
    assert (some["metric"], len(some["bands"])) == ("keys", 2)


def test_lists_and_details_of_runs_name_experiment_and_headline(visitor: httpx.Client, runs: list[Run]) -> None:
    assert {line["group"] for line in visitor.get("/api/runs").json()["runs"]} >= {"exploration"}
    detail = visitor.get(f"/api/runs/{runs[0].name}").json()
    assert (detail["group"], detail["headline"]) == ("exploration", "losing_lines")


@pytest.mark.parametrize(
    ("file_format", "kind", "begins"),
    [("csv", "text/csv", b"run,seed,epsilon,"), ("svg", "image/svg+xml", b"<?xml"), ("png", "image/png", b"\x89PNG")],
)
def test_curves_are_exported(visitor: httpx.Client, file_format: str, kind: str, begins: bytes) -> None:
    answer = visitor.get(f"/api/runs/compare/export.{file_format}", params={"runs": "exploration"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)
    assert f'filename="comparison.{file_format}"' in answer.headers["content-disposition"]
    assert answer.content.startswith(begins)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("runs=nothing", 404, "unknown_run"),
        ("runs=..", 404, "unknown_run"),
        ("runs=", 422, "bad_option"),
        ("", 422, "bad_request"),
        ("runs=exploration&metric=speed", 422, "bad_option"),
        ("runs=exploration&axis=speed", 422, "bad_option"),
    ],
)
@pytest.mark.parametrize("path", ["/api/runs/compare", "/api/runs/compare/export.csv"])
def test_what_cannot_be_compared(visitor: httpx.Client, path: str, query: str, status: int, code: str) -> None:
    answer = visitor.get(f"{path}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_damaged_run_is_named_without_its_folder(visitor: httpx.Client, home: Path) -> None:
    damaged = Run.create(home / "runs", "tictactoe", "negamax", "a: [")
    answer = visitor.get("/api/runs/compare", params={"runs": damaged.name})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_run")
    assert "config.yaml: not valid YAML" in answer.json()["message"]
    assert str(home) not in answer.text


def test_why_a_run_failed_is_told_without_its_folder(visitor: httpx.Client, home: Path) -> None:
    failed = Run.create(home / "runs", "tictactoe", "negamax", "seed: 1\n")
    with pytest.raises(BadRun), failed.lock():
        raise BadRun(f"{failed.folder}/metrics.jsonl: 2 rows")
    answer = visitor.get("/api/runs/compare", params={"runs": failed.name})
    (run,) = answer.json()["variants"][0]["runs"]
    assert (run["state"], run["reason"]) == ("failed", f"{failed.name}/metrics.jsonl: 2 rows")


def test_notes_are_the_administrators_alone(server: RunningServer, visitor: httpx.Client, runs: list[Run]) -> None:
    for path in ("/api/runs/exploration/note", f"/api/runs/{runs[0].name}/note"):
        answers = [visitor.get(path), visitor.put(path, json={"note": "mine"})]
        assert [(one.status_code, one.json()["code"]) for one in answers] == 2 * [(403, "administrator_only")]
        with server.administrator() as administrator:
            assert administrator.get(path).json() == {"note": ""}
            assert administrator.put(path, json={"note": "explores enough"}).json() == {"note": "explores enough"}
            assert administrator.get(path).json() == {"note": "explores enough"}
    with server.administrator() as administrator:
        assert administrator.get("/api/runs/nothing/note").status_code == 404
        assert administrator.put("/api/runs/nothing/note", json={"note": ""}).status_code == 404
        assert administrator.put("/api/runs/exploration/note", json={"note": "x" * 20_001}).status_code == 422
