"""A crowd that loads a server plays, and loses nothing."""

import asyncio

import pytest

from benchmarks.web_load import people
from benchmarks.web_load.crowd import Crowd, cards_of
from tests.web.conftest import home, server
from tests.web.running import RunningServer

__all__ = ["home", "server"]


@pytest.mark.full
@pytest.mark.slow
def test_a_small_crowd_plays_and_loses_nothing(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "THINKING_SECONDS", (0.0, 0.05))

    async def play() -> dict[str, int]:
        crowd = Crowd(server.url, 4, cards_of(server.url))
        met = crowd.met

        async def enough() -> None:
            while len(met.moves) < 6 or not met.waits:
                await asyncio.sleep(0.05)
            crowd.stop.set()

        counts = await crowd.play(120, enough)
        assert not met.faults
        return counts

    counts = asyncio.run(play())
    assert counts["acknowledged"] >= 6
    assert counts["lost"] == 0
