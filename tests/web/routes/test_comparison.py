"""Comparisons of runs, their files and notes, over real HTTP."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from ludex.learn.runs import Run
from ludex.web.budget import Budgets, Overloaded
from ludex.web.routes.runs import _compare
from ludex.web.workers.task import Abandoned
from tests.web.running import RunningServer


@pytest.fixture(scope="module")
def runs(home: Path) -> list[Run]:
    group_runs = []
    for seed, epsilon, lines in [(1, 0.1, [8, 4]), (2, 0.1, [6, 0]), (1, 0.5, [2, 2])]:
        config = f"games: 20\nseed: {seed}\nepsilon: {epsilon}\n"
        changes = {"seed": seed, "epsilon": epsilon}
        run = Run.create(home / "runs", "tictactoe", "negamax", config, group="exploration", changes=changes)
        for number, lost in enumerate(lines, 1):
            run.log({"games": 10 * number, "losing_lines": lost, "keys": number})
        group_runs.append(run)
    return group_runs


@pytest.fixture
def visitor(server: RunningServer, runs: list[Run]) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def test_an_experiment_is_compared_by_the_metric_that_matters(visitor: httpx.Client, runs: list[Run]) -> None:
    comparison = visitor.get("/api/runs/compare", params={"runs": "exploration"}).json()
    assert (comparison["metric"], comparison["axis"], comparison["keys"]) == ("losing_lines", "games", ["epsilon"])
    assert [[run["name"] for run in variant["runs"]] for variant in comparison["variants"]] == [
        [runs[0].name, runs[1].name],
        [runs[2].name],
    ]
    assert (comparison["bands"][0]["low"], comparison["bands"][0]["high"]) == ([6, 0], [8, 4])
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


def test_notes_are_the_administrators_alone(server: RunningServer, visitor: httpx.Client, runs: list[Run]) -> None:
    for path in ("/api/runs/exploration/note", f"/api/runs/{runs[0].name}/note"):
        answers = [visitor.get(path), visitor.put(path, json={"note": "mine"})]
        assert [(answer.status_code, answer.json()["code"]) for answer in answers] == 2 * [(403, "administrator_only")]
        with server.administrator() as administrator:
            assert administrator.get(path).json() == {"note": ""}
            assert administrator.put(path, json={"note": "explores enough"}).json() == {"note": "explores enough"}
            assert administrator.get(path).json() == {"note": "explores enough"}
    with server.administrator() as administrator:
        assert administrator.get("/api/runs/nothing/note").status_code == 404
        assert administrator.put("/api/runs/nothing/note", json={"note": ""}).status_code == 404
        assert administrator.put("/api/runs/exploration/note", json={"note": "x" * 20_001}).status_code == 422


ADDRESSES = 12


class Client:
    """A connection that asks for a comparison, until it is closed."""

    def __init__(self, budgets: Budgets, address: str, work: Callable[[Path], str]) -> None:
        self.closed = asyncio.Event()
        state: Any = SimpleNamespace(budgets=budgets)
        self.answer = asyncio.create_task(_compare(state, address, Request({"type": "http"}, self._receive), work))

    async def _receive(self) -> Any:
        await self.closed.wait()
        return {"type": "http.disconnect"}


async def turns() -> None:
    """Let every task go on as far as it can without a thread."""
    for _ in range(10):
        await asyncio.sleep(0)


class SlowWork:
    """Draws a picture until it may end."""

    def __init__(self) -> None:
        self.begun, self.finish = threading.Event(), threading.Event()

    def __call__(self, _: Path) -> str:
        self.begun.set()
        self.finish.wait()
        return "picture"


@pytest.fixture
def slow() -> Iterator[SlowWork]:
    work = SlowWork()
    yield work
    work.finish.set()


async def test_what_a_closed_connection_asked_for_is_not_drawn(slow: SlowWork) -> None:
    drawn = list[str]()

    def draw(_: Path) -> str:
        drawn.append("for nobody")
        return "picture"

    budgets = Budgets()
    first = Client(budgets, "first", slow)
    await asyncio.to_thread(slow.begun.wait)
    closed = [Client(budgets, f"address {number}", draw) for number in range(5)]
    await turns()
    assert budgets.pictures.waiting == 5
    for client in closed:
        client.closed.set()
    answers = await asyncio.gather(*(client.answer for client in closed), return_exceptions=True)
    assert [type(answer) for answer in answers] == 5 * [Abandoned]
    assert budgets.pictures.waiting == 0
    slow.finish.set()
    assert await first.answer == "picture"
    assert await Client(budgets, "last", lambda _: "another").answer == "another"
    assert drawn == []


async def test_few_wait_for_a_comparison_and_fewer_of_one_address(slow: SlowWork) -> None:
    async def refused(clients: list[Client]) -> int:
        await turns()
        return sum(client.answer.done() and isinstance(client.answer.exception(), Overloaded) for client in clients)

    budgets = Budgets()
    first = Client(budgets, "one", slow)
    await asyncio.to_thread(slow.begun.wait)
    same = [Client(budgets, "one", lambda _: "mine") for _ in range(4)]
    assert await refused(same) == 2, "three of an address at once"
    others = [Client(budgets, f"address {number}", lambda _: "theirs") for number in range(ADDRESSES)]
    assert await refused(others) == ADDRESSES - 6, "eight wait"
    slow.finish.set()
    assert await first.answer == "picture"
    results = await asyncio.gather(*(client.answer for client in same + others), return_exceptions=True)
    assert (results.count("mine"), results.count("theirs")) == (2, 6)
