"""Jobs that make puzzles into a file of their folder; they go on from the tasks that were finished."""

from typing import Any

from ludex.coach.puzzles.making import MakingSetup, make_file, theme_of
from ludex.core.log import in_workers
from ludex.lab.executors import executor_of
from ludex.lab.job import Job
from ludex.lab.limits import JobLimits
from ludex.lab.requests import PuzzlesRequest
from ludex.lab.tournaments import check_workers
from ludex.lab.watch import Watch


def checked(request: PuzzlesRequest, limits: JobLimits) -> PuzzlesRequest:
    """The request; raises what is wrong with it."""
    theme_of(request.game, request.theme)
    check_workers(request.workers, limits)
    return request


def work(job: Job, request: PuzzlesRequest, watch: Watch) -> dict[str, Any]:
    """Make the puzzles, and describe the file."""
    setup = MakingSetup(
        game=request.game,
        theme=request.theme,
        count=request.count,
        output=job.folder,
        seed=request.seed,
        journal=job.folder / "journal.jsonl",
    )
    watch.begin(request.count)
    executor = executor_of(request.executor, request.workers, request.address, in_workers())
    return {**make_file(setup, executor, watch.advance)}
