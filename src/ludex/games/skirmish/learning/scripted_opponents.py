"""Scripted players as opponents of many lanes: a decision takes about a millisecond, so worker processes make them."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from types import TracebackType
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.registry import make_agent
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponents import AgentOpponent, Choice, Question, questions
from ludex.games.skirmish.game import open_game

Questions: TypeAlias = dict[tuple[str, str], list[Question]]
"""Questions by (preset, player's name)."""
Answers: TypeAlias = dict[tuple[str, str], list[int]]
"""Choices, in the order of the questions."""
Player: TypeAlias = tuple[str, str]
"""A scenario and the name of a scripted player."""

LEAST = 4
"""Fewer questions than this are answered in this process."""


@lru_cache(maxsize=32)
def scripted(preset: str, name: str) -> AgentOpponent:
    """A scripted player of a scenario, cached per process."""
    game = open_game(preset)
    return AgentOpponent(game, make_agent(game, name))


def answers(preset: str, name: str, pending: list[Question]) -> list[int]:
    """The choices of a scripted player; runs in worker processes."""
    return [scripted(preset, name).answer(question) for question in pending]


def turn(preset: str, name: str, question: Question) -> list[Choice]:
    """The choices of a scripted player until it is the other player's turn; runs in worker processes."""
    return scripted(preset, name).turn(question)


class OpponentWorkers:
    """Worker processes for scripted players; with 0 workers they decide in this process. Close it, or use `with`."""

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

    def submit(self, pending: Questions) -> Callable[[], Answers]:
        """Start the decisions; the returned function waits for the choices."""
        total = sum(map(len, pending.values()))
        if self._pool is None or total < LEAST:
            return lambda: {key: answers(*key, some) for key, some in pending.items()}
        size = max(LEAST // 2, -(-total // self._workers))
        under_way = [
            (key, self._pool.submit(answers, *key, some[first : first + size]))
            for key, some in pending.items()
            for first in range(0, len(some), size)
        ]

        def wait() -> Answers:
            choices: Answers = {key: [] for key in pending}
            for key, future in under_way:
                choices[key] += future.result()
            return choices

        return wait

    def turns(self, pending: list[tuple[Player, Question]]) -> list[list[Choice]]:
        """Whole turns, each decided by one process."""
        if self._pool is None:
            return [turn(*player, question) for player, question in pending]
        under_way = [self._pool.submit(turn, *player, question) for player, question in pending]
        return [future.result() for future in under_way]


class PlannedTurns:
    """Scripted players that decide whole turns.

    Where a step of many lanes ends with the slowest opponent's turn, it waits for worker processes once, not per ply.
    """

    def __init__(self, workers: OpponentWorkers) -> None:
        self._workers = workers
        self._planned: dict[int, list[Choice]] = {}
        """By lane: the choices to come."""

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64], players: list[Player]) -> list[int]:
        """The choices of each lane's player, for lanes `int64[M]` of the batch."""
        pending = questions(batch, lanes)
        missing = [index for index, question in enumerate(pending) if not self._is_planned(question)]
        turns = self._workers.turns([(players[index], pending[index]) for index in missing])
        for index, choices in zip(missing, turns, strict=True):
            self._planned[pending[index].lane] = choices
        return [self._planned[question.lane].pop(0).action for question in pending]

    def _is_planned(self, question: Question) -> bool:
        planned = self._planned.get(question.lane, [])
        return len(planned) > 0 and planned[0].packed == question.packed


class ScriptedOpponent:
    """One scripted player in every lane, decided by worker processes."""

    def __init__(self, workers: OpponentWorkers, preset: str, name: str) -> None:
        self._workers = workers
        self._key = (preset, name)

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array(self._workers.submit({self._key: questions(batch, lanes)})()[self._key], np.int64)
