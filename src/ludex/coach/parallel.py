"""A review by several processes: each assesses some positions of the match."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from ludex.coach.analyst import Analyst, Assessment, kernels_of_analyst
from ludex.coach.model import Review
from ludex.coach.review import explained, positions_of
from ludex.core.executor import Executor, InProcess
from ludex.core.match import Match
from ludex.core.record import Record, replay
from ludex.core.registry import make
from ludex.core.services import Services
from ludex.kernels.warmup import load_kernels

PLIES: Final = 4
"""Positions of one task: neighbours, so that a search may use what the last one found."""


@dataclass(frozen=True, slots=True)
class AssessTask:
    """Some positions of a match."""

    record: Record
    plies: tuple[int, ...]
    services: Callable[[], Services] = Services
    """Makes what agents may need."""


def review_of(
    match: Match[Any, Any],
    agents: Sequence[str] = (),
    *,
    executor: Executor | None = None,
    services: Callable[[], Services] = Services,
    advance: Callable[[int], None] = lambda _: None,
) -> Review:
    """The review of a match; `advance` hears of assessed positions."""
    record = Record.of(match, tuple(agents) or ("",) * match.game.info.players)
    plies = [*positions_of(match)]
    tasks = [AssessTask(record, tuple(plies[begin : begin + PLIES]), services) for begin in range(0, len(plies), PLIES)]
    assessments: dict[int, Assessment] = {}
    for _, found in (executor or InProcess()).run(assess_task, tasks):
        assessments |= {one.ply: one for one in found}
        advance(len(found))
    return explained(match, assessments, agents)


def assess_task(task: AssessTask) -> list[Assessment]:
    """The assessments of a task."""
    match, analyst = _match(task.record), _analyst(task.record.game, task.record.preset, task.services)
    return [analyst.assess(match, ply) for ply in task.plies]


@lru_cache(maxsize=4)
def _match(record: Record) -> Match[Any, Any]:
    return replay(make(record.game, record.preset), record)


@cache
def _analyst(game: str, preset: str, services: Callable[[], Services]) -> Analyst:
    board = make(game, preset)
    load_kernels(game, through=kernels_of_analyst(board))
    return Analyst(board, services())
