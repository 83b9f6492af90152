"""Jobs that measure one agent; against opponents they go on from the pairs that were finished."""

from pathlib import Path
from typing import Any

from ludex.arena.evaluation import EvaluationSetup, evaluate
from ludex.core.errors import BadOption
from ludex.core.limit import Limit
from ludex.core.log import in_workers
from ludex.core.registry import default_agent, make
from ludex.lab.executors import executor_of
from ludex.lab.job import Job
from ludex.lab.limits import JobLimits
from ludex.lab.requests import EvaluationRequest
from ludex.lab.services import DATABASE_SERVICES
from ludex.lab.tournaments import check_agents, check_workers
from ludex.lab.watch import Watch


def checked(request: EvaluationRequest, limits: JobLimits, *, remote: bool) -> EvaluationRequest:
    """The request on its board with its agent; raises what is wrong with it, and makes no agent."""
    setup = _setup(request)
    setup.check()
    if setup.board.info.players == 2 and request.games % 2:
        raise BadOption(f"games: expected an even number, since seats are swapped, found {request.games}")
    check_agents(setup.board, [setup.agent, *setup.opponents], limits, remote=remote)
    check_workers(request.workers, limits)
    return request.model_copy(update={"preset": setup.board.info.preset, "options": {}, "agent": setup.agent})


def work(job: Job, request: EvaluationRequest, watch: Watch) -> dict[str, Any]:
    """Play, and return the evaluation."""
    setup = _setup(request, job.folder)
    watch.begin(setup.planned)
    executor = executor_of(request.executor, request.workers, request.address, in_workers())
    document = evaluate(setup, executor, watch.advance)
    if document is None or document["interrupted"]:
        raise KeyboardInterrupt
    return document


def _setup(request: EvaluationRequest, journals: Path | None = None) -> EvaluationSetup:
    board = make(request.game, request.preset, **request.options)
    return EvaluationSetup(
        board=board,
        agent=default_agent(board) if request.agent is None else request.agent,
        services=DATABASE_SERVICES,
        opponents=tuple(request.opponents),
        games=request.games,
        seed=request.seed,
        limit=Limit(time_ms=request.movetime, depth=request.depth, nodes=request.nodes),
        opening_plies=request.opening_plies,
        journals=journals,
    )
