"""Scripted players as opponents of many lanes: they think for a millisecond, so in processes of their own."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from types import TracebackType
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.registry import make, make_agent
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.opponents import AgentOpponent, Question, questions
from ludex.games.skirmish.rules.batch import SkirmishBatch

Asked: TypeAlias = dict[tuple[str, str], list[Question]]
"""Questions by (preset, player's name)."""
Answered: TypeAlias = dict[tuple[str, str], list[int]]
"""Choices in the order of the questions."""

LEAST = 4
"""Fewer questions than this are not worth the way to another process."""


@lru_cache(maxsize=32)
def bot(preset: str, name: str) -> AgentOpponent:
    """A scripted player of a scenario, one in each process."""
    game = make("skirmish", preset)
    assert isinstance(game, Skirmish)
    return AgentOpponent(game, make_agent(game, name))


def answers(preset: str, name: str, asked: list[Question]) -> list[int]:
    """What a scripted player chooses; this is what other processes are asked to do."""
    return [bot(preset, name).answer(question) for question in asked]


class BotRoom:
    """Processes in which scripted players think, or none of them: then they think here. Close it, or use `with`."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        if workers > 0:
            # Spawn, never fork: forked threads of Numba and torch hang.
            self._pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def ask(self, asked: Asked) -> Callable[[], Answered]:
        """Let them think; what is returned waits for their choices."""
        total = sum(map(len, asked.values()))
        if self._pool is None or total < LEAST:
            return lambda: {key: answers(*key, some) for key, some in asked.items()}
        size = max(LEAST // 2, -(-total // self._workers))
        under_way = [
            (key, self._pool.submit(answers, *key, some[first : first + size]))
            for key, some in asked.items()
            for first in range(0, len(some), size)
        ]

        def heard() -> Answered:
            found: Answered = {key: [] for key in asked}
            for key, future in under_way:
                found[key] += future.result()
            return found

        return heard


class RoomOpponent:
    """One scripted player in every lane, thinking in a room."""

    def __init__(self, room: BotRoom, preset: str, name: str) -> None:
        self._room = room
        self._key = (preset, name)

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array(self._room.ask({self._key: questions(batch, lanes)})()[self._key], np.int64)
