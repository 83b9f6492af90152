"""Small jobs, and waiting for what their folders say."""

from typing import Any

from ludex.lab.job import Job, JobState
from ludex.lab.jobs import create
from ludex.lab.limits import JobLimits
from ludex.operations.requests import job_requests
from tests.waiting import until

LIMITS = JobLimits()
TRAIN = {"kind": "train", "game": "tictactoe", "changes": {"games": 600, "checkpoint_every": 40}}
ENDLESS = {"kind": "train", "game": "tictactoe", "changes": {"games": 1_000_000, "checkpoint_every": 10}}
TUNE: dict[str, Any] = {"kind": "tuning", "game": "tictactoe", "agent": "mcts:simulations=600", "parameters": ["bias"]}
TUNE |= {"iterations": 60, "pairs": 2, "proof": 20, "opening_plies": 2}
PLAY = {"kind": "tournament", "game": "tictactoe", "agents": ["random", "perfect"], "games": 4}


def queue(body: dict[str, Any], limits: JobLimits = LIMITS, **more: Any) -> Job:
    """A job in the queue."""
    return create(job_requests().validate_python({**body, **more}).checked(limits, remote=None), limits)


def until_state(job: Job, *states: JobState) -> None:
    until(lambda: job.status.state in states, f"{states}: it is {job.status}\n{job.log_tail()}")
