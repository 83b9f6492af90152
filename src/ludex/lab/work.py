"""What a job's process does, by the kind of its request."""

from typing import Any

from ludex.core.log import logger
from ludex.lab import evaluations, puzzles, tournaments, training
from ludex.lab.job import Job
from ludex.lab.limits import JobLimits
from ludex.lab.requests import EvaluationRequest, JobRequest, PuzzlesRequest, TournamentRequest, TrainRequest
from ludex.lab.retention import require_disk
from ludex.lab.watch import Watch

log = logger("lab")


def checked(request: JobRequest, limits: JobLimits, *, remote: bool) -> JobRequest:
    """The request with the names of its defaults; raises what is wrong with it, before a job is made of it.

    `remote` is one from a browser: it names no files of the server, and engines only if the limits allow them.
    """
    require_disk(limits)
    match request:
        case TrainRequest():
            return training.checked(request, limits, remote=remote)
        case TournamentRequest():
            return tournaments.checked(request, limits, remote=remote)
        case EvaluationRequest():
            return evaluations.checked(request, limits, remote=remote)
        case PuzzlesRequest():
            return puzzles.checked(request, limits)


def work(job: Job, watch: Watch) -> dict[str, Any]:
    """Do what a job asks, from where it stands, and return its result."""
    request = job.request
    log.info("begin", job=job.id, **request.model_dump(mode="json", exclude_defaults=True))
    match request:
        case TrainRequest():
            result = training.work(job, request, watch)
        case TournamentRequest():
            result = tournaments.work(job, request, watch)
        case EvaluationRequest():
            result = evaluations.work(job, request, watch)
        case PuzzlesRequest():
            result = puzzles.work(job, request, watch)
    log.info("finished", job=job.id)
    return result
