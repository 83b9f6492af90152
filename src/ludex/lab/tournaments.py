"""Jobs that play a tournament, or what is missing of one that was interrupted."""

from typing import Any

from ludex.arena.entrants import UGI, check_reference
from ludex.arena.holding import TournamentSetup, hold_tournament
from ludex.arena.standings import Standings
from ludex.core.clock import Clock
from ludex.core.errors import BadOption
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.log import in_workers
from ludex.core.registry import make
from ludex.lab.executors import executor_of
from ludex.lab.job import Job
from ludex.lab.limits import JobLimits
from ludex.lab.requests import TournamentRequest
from ludex.lab.services import DATABASE_SERVICES
from ludex.lab.watch import Watch


def checked(request: TournamentRequest, limits: JobLimits, *, remote: bool) -> TournamentRequest:
    """The request on its board; raises what is wrong with it, and makes no agent."""
    setup = setup_of(request, "job")
    _ = setup.planned
    if setup.board.info.players == 2 and request.games % 2:
        raise BadOption(f"games: expected an even number, since seats are swapped, found {request.games}")
    check_agents(setup.board, request.agents, limits, remote=remote)
    check_workers(request.workers, limits)
    return request.model_copy(update={"preset": setup.board.info.preset, "options": {}})


def check_agents(board: AnyGame, agents: list[str], limits: JobLimits, *, remote: bool) -> None:
    """Raise what is wrong with the names of agents, and with engines where they are not allowed."""
    for agent in agents:
        if not agent.startswith(UGI):
            check_reference(board, agent, classes=True)
        elif remote and not limits.job_engines:
            raise BadOption(f"{agent!r} runs a program of the server, which LUDEX_JOB_ENGINES does not allow")


def check_workers(workers: int, limits: JobLimits, key: str = "workers") -> None:
    """Raise `BadOption` for more processes than a job may have."""
    if workers > limits.job_workers:
        raise BadOption(f"{key}: a job has at most {limits.job_workers}, LUDEX_JOB_WORKERS, found {workers}")


def setup_of(request: TournamentRequest, name: str) -> TournamentSetup:
    """The tournament of a request, saved under a name."""
    return TournamentSetup(
        board=make(request.game, request.preset, **request.options),
        agents=tuple(request.agents),
        services=DATABASE_SERVICES,
        format=request.format,
        games=request.games,
        rounds=request.rounds,
        seed=request.seed,
        limit=Limit(time_ms=request.movetime, depth=request.depth, nodes=request.nodes),
        clock=None if request.clock is None else Clock.parse(request.clock),
        opening_plies=request.opening_plies,
        name=name,
    )


def work(job: Job, request: TournamentRequest, watch: Watch) -> dict[str, Any]:
    """Play, and return the standings."""
    name = job.tournament or request.name or job.id
    setup = setup_of(request, name)
    job.set_work(tournament=name)
    # An agent may end its process, so none runs in this one.
    executor = executor_of(request.executor, request.workers, request.address, in_workers(), apart=True)
    watch.begin(setup.planned)
    held = hold_tournament(setup, executor, watch.advance)
    if held.interrupted:
        raise KeyboardInterrupt
    standings: Any = Standings.of(held).to_json()
    return dict(standings)
