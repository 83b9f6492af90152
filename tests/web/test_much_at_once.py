"""Long matches, large documents, and much at once: what is slow leaves the event loop, and too much is refused."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from fastapi import FastAPI

import ludex
from ludex.core.record import Record
from ludex.core.record import replaying as replay
from ludex.store.hosting import Hosting
from ludex.web.app import create_app, open_state
from ludex.web.budget import Reservation
from ludex.web.matches import cache, service
from ludex.web.matches.view import match_view as view
from ludex.web.metrics import Metrics
from ludex.web.settings import Settings
from ludex.web.workers.preparation import GamePreparing

pytestmark = pytest.mark.slow


@asynccontextmanager
async def application(folder: Path, **changes: Any) -> AsyncIterator[tuple[FastAPI, httpx.AsyncClient]]:
    """The app in this process, and a visitor."""
    settings = Settings.read({"database": f"sqlite:///{folder / 'ludex.db'}", "workers": 1, **changes}, {})
    app = create_app(settings)
    async with open_state(settings, Metrics()) as app.state.ludex:
        await prepare(app, "tictactoe")
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as visitor:
            yield app, visitor


async def prepare(app: FastAPI, game: str) -> None:
    """Wait until a game can be played."""
    while True:
        try:
            await app.state.ludex.preparation.wait_for(game)
            return
        except GamePreparing:
            continue


def store_match(app: FastAPI) -> str:
    """A match of a few plies that the server has not read yet; its id."""
    match = ludex.Match(ludex.make("tictactoe"), seed=1)
    for text in ("b2", "a1", "c3"):
        match.play_text(text)
    hosting = Hosting(creator="ann", seats={0: "ann", 1: "ann"})
    match_id: str = app.state.ludex.database.hostings.create(Record.of(match, ("you", "you")), hosting)
    return match_id


async def test_a_long_match_is_replayed_and_shown_in_the_thread_of_long_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[str] = set()

    def replaying(*arguments: Any) -> Any:
        steps = replay(*arguments)
        while True:
            threads.add(threading.current_thread().name)
            try:
                yield next(steps)
            except StopIteration as end:
                return end.value

    def match_view(*arguments: Any) -> Any:
        threads.add(threading.current_thread().name)
        return view(*arguments)

    monkeypatch.setattr(cache, "replaying", replaying)
    monkeypatch.setattr(service, "match_view", match_view)

    async with application(tmp_path) as (app, visitor):
        match_id = store_match(app)
        for module in (cache, service):
            monkeypatch.setattr(module, "NEWEST", 2)
        answer = await visitor.get(f"/api/matches/{match_id}")
        assert answer.json()["plies"] == 3
    assert threads == {"ludex-long_0"}


async def test_a_match_is_refused_with_a_time_to_come_back_while_too_many_are_opened(tmp_path: Path) -> None:
    async with application(tmp_path) as (app, visitor):
        match_id, budget = store_match(app), app.state.ludex.budgets.replays
        others = [asyncio.create_task(budget.reserve()) for _ in range(1_000)]
        await asyncio.wait(others, return_when=asyncio.FIRST_EXCEPTION)
        answer = await visitor.get(f"/api/matches/{match_id}")
        assert (answer.status_code, answer.json()["code"]) == (503, "overloaded")
        assert int(answer.headers["Retry-After"]) > 0
        for task in others:
            task.cancel()
        for result in await asyncio.gather(*others, return_exceptions=True):
            if isinstance(result, Reservation):
                result.release()
        assert (await visitor.get(f"/api/matches/{match_id}")).status_code == 200


BEGIN: dict[str, Any] = {"game": "tictactoe", "seats": ["you", "you"]}


@pytest.mark.parametrize("limit", ["person_mb", "database_mb"])
async def test_no_match_begins_once_matches_fill_the_disk(tmp_path: Path, limit: str) -> None:
    async with application(tmp_path, **{limit: 1}) as (app, visitor):
        hostings = app.state.ludex.database.hostings
        first = await visitor.post("/api/matches", json=BEGIN)
        assert first.status_code == 201
        hosted = hostings.get(first.json()["id"])
        # What does not repeat is stored at its length.
        actions = tuple(np.random.default_rng(1).integers(0, 1 << 40, 300_000).tolist())
        hostings.create(replace(hosted.stored.record, actions=actions), hosted.hosting)
    # The size of the database is measured once in a while.
    async with application(tmp_path, **{limit: 1}) as (_, other):
        other.cookies = visitor.cookies
        answer = await other.post("/api/matches", json=BEGIN)
        assert (answer.status_code, answer.json()["code"]) == (409, "disk_quota")


async def test_a_second_export_is_refused_while_the_first_is_read(tmp_path: Path) -> None:
    async with application(tmp_path) as (app, visitor):
        await visitor.post("/api/matches", json=BEGIN)
        begun, read = asyncio.Event(), asyncio.Event()

        async def slow_client(scope: Any, receive: Any, send: Any) -> None:
            async def send_slowly(message: Any) -> None:
                begun.set()
                await read.wait()
                await send(message)

            await app(scope, receive, send_slowly)

        slow = httpx.AsyncClient(transport=httpx.ASGITransport(slow_client), base_url=visitor.base_url)
        slow.cookies = visitor.cookies
        first = asyncio.create_task(slow.get("/api/me/export"))
        await begun.wait()
        answer = await visitor.get("/api/me/export")
        assert (answer.status_code, answer.json()["code"]) == (503, "overloaded")
        assert int(answer.headers["Retry-After"]) > 0
        read.set()
        assert len((await first).json()["matches"]) == 1
        assert (await visitor.get("/api/me/export")).status_code == 200
        await slow.aclose()
