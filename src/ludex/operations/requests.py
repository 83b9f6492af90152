"""Requests: the options that several operations share, their checks, and the union of those that may be jobs."""

import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, TypeAdapter

from ludex.arena.duel import pairs_of
from ludex.arena.entrants import ENGINES, FOREIGN, check_reference, is_foreign
from ludex.arena.journal import Journal, open_journal, seed_in
from ludex.arena.terms import Terms
from ludex.core.clock import Clock
from ludex.core.errors import BadOption
from ludex.core.executor import Executor, LocalProcesses, executor_for
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.log import in_workers
from ludex.core.registry import make, resolve
from ludex.core.seeding import MAX_SEED, SEED_BITS
from ludex.operations.description import OPERATIONS, Option, job_names
from ludex.operations.operation import Context, Limits, Operation, Request, Result, option
from ludex.operations.permissions import Permissions

Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
"""A name that is also the name of a folder."""
Agent = Annotated[str, Field(min_length=1, max_length=512)]
Key = Annotated[str, Field(min_length=1, max_length=128)]
SEED = Option(order=20, advanced=True)
Seed = Annotated[int, Field(ge=0, le=MAX_SEED), SEED]
DrawnSeed = Annotated[
    int | None,
    Field(ge=0, le=MAX_SEED),
    replace(SEED, default_text="0; drawn where agents of other packages play with dice or secrets"),
]
"""None is 0; drawn where code of others plays a game with dice or secrets."""
Workers = Annotated[int, Field(ge=1, le=256), Option(order=31, advanced=True)]
ADDRESS = Option(order=32, metavar="HOST:PORT", advanced=True)
Address = Annotated[str, Field(min_length=1, max_length=256), ADDRESS]
OPENING = Option(order=44)
OpeningPlies = Annotated[int, Field(ge=0, le=1000), OPENING]
KIND: Final = "kind"
"""The key that tells requests apart: the id of the operation."""


class JobRequest(Request):
    """What every operation has that may be a job."""

    kind: str
    game: Annotated[str, Field(min_length=1, max_length=64)]
    name: Name | None = option(None, order=60, default_text="the job's id", job_only=True)
    executor: Literal["local", "ray"] = option("local", order=30, advanced=True)
    address: Address = "auto"

    @property
    def processes(self) -> int:
        """How many of its tasks run side by side."""
        return 1

    def checked(self, limits: Limits | None, *, remote: Permissions | None) -> Self:
        check_workers(self.processes, limits)
        check_executor(self.executor, self.processes, self.address)
        if remote is not None:
            remote.check_address(self.address)
        return self

    def make_executor(self, *, isolated: bool) -> Executor:
        return executor_of(self.executor, self.processes, self.address, isolated=isolated)


class WithWorkers(JobRequest):
    """An operation whose tasks run side by side."""

    workers: Workers = 1

    @property
    def processes(self) -> int:
        return self.workers


class Budget(Request):
    """What an agent has for each move."""

    movetime: int | None = option(None, ge=1, le=10**9, order=40, suggestion=100)
    depth: int | None = option(None, ge=1, le=10**6, order=41, advanced=True)
    nodes: int | None = option(None, ge=1, le=10**12, order=42, advanced=True)

    @property
    def limit(self) -> Limit:
        return Limit(time_ms=self.movetime, depth=self.depth, nodes=self.nodes)


class OnBoard(Request):
    """An operation on one board."""

    game: str
    preset: str | None = option(
        None,
        min_length=1,
        max_length=256,
        order=-10,
        default_text="the game's first",
        completion="boards",
        job_only=True,
    )
    options: dict[Key, Any] = Field(default_factory=dict, max_length=64)
    """Options of the game that differ from the preset's; a command has a flag for each."""

    def board(self) -> AnyGame:
        return make(self.game, self.preset, **self.options)

    def on(self, board: AnyGame) -> Self:
        """The same request with the whole name of its board, and of what the board has by default."""
        return self.model_copy(update={"preset": board.info.preset, "options": {}})


class Games(WithWorkers, OnBoard, Budget):
    """An operation that plays games between agents."""

    opening_plies: OpeningPlies = 0

    def checked(self, limits: Limits | None, *, remote: Permissions | None) -> Self:
        """As declared, on its board."""
        super().checked(limits, remote=remote)
        if remote is not None:
            remote.check_board(self.game, self.preset, self.options)
        board = self.board()
        request = self.on(board)
        request.check_games(board)
        for agent in request.players:
            if remote is not None:
                remote.check_agent(board, agent)
            elif not agent.startswith(ENGINES):
                check_reference(board, agent, classes=True)
        return request

    @property
    def game_clock(self) -> Clock | None:
        """What each player has for a whole game."""
        return None

    def check_games(self, board: AnyGame) -> None:
        """Raise what does not fit the game."""

    def check_no_opening(self) -> None:
        """Raise `BadOption` for random moves at the start of a game for one."""
        if self.opening_plies:
            raise BadOption(f"{self.game} is a game for one: it takes no --opening-plies, found {self.opening_plies}")

    def terms(
        self, board: AnyGame, agents: Sequence[str], seed: int, context: Context, *, forfeits: bool = False
    ) -> Terms:
        """What determines the games: the one place where a request becomes the header of a journal."""
        return Terms.of(
            board,
            tuple(agents),
            seed=seed,
            limit=self.limit,
            clock=self.game_clock,
            opening_plies=self.opening_plies,
            services=context.services,
            forfeits=forfeits,
        )


class SelfPlay(Games):
    """Games of an agent against itself, which random moves at the start keep apart."""

    opening_plies: OpeningPlies = 4


class ClockedGames(Games):
    """Games in which each player may have a clock."""

    # Agents that play the same game again and again show little.
    opening_plies: Annotated[OpeningPlies, replace(OPENING, suggestion=2)] = 0
    clock: str | None = option(None, min_length=1, max_length=32, order=43, metavar="SECONDS[+INCREMENT]")

    @property
    def game_clock(self) -> Clock | None:
        return None if self.clock is None else Clock.parse(self.clock)


def check_workers(workers: int, limits: Limits | None, key: str = "workers") -> None:
    """Raise `BadOption` for more processes than a job may have."""
    if limits is not None and workers > limits.job_workers:
        raise BadOption(f"{key}: a job has at most {limits.job_workers}, LUDEX_JOB_WORKERS, found {workers}")


def check_executor(kind: str, workers: int, address: str) -> None:
    """Raise `BadOption` for an address without a cluster, and for workers that a cluster does not take."""
    if kind == "local" and address != "auto":
        raise BadOption(f"--address is for --executor ray, found {address!r} with local processes")
    if kind != "local" and workers != 1:
        raise BadOption(f"a cluster has the workers it has: --executor ray takes no --workers, found {workers}")


def check_pairs(board: AnyGame, games: int) -> None:
    """Raise `BadOption` for an odd number of games between two."""
    if board.info.players == 2:
        pairs_of(games)


def seed_for(board: AnyGame, agents: Sequence[str], requested: int | None, journal: Path | None) -> int:
    """The requested seed, else 0; drawn where code of others plays a game with dice or secrets.

    Such code could guess a small seed and with it every die and mine. A drawn seed is published with the result, and a
    journal that is resumed has it already.
    """
    if requested is not None:
        return requested
    info = board.info
    fixed = info.chance == "none" and info.information == "perfect"
    if fixed or not any(is_foreign(info.id, agent) for agent in agents):
        return 0
    journal_seed = None if journal is None else seed_in(journal)
    return secrets.randbits(SEED_BITS) if journal_seed is None else journal_seed


def journal_at(path: Path | None, terms: Terms) -> "AbstractContextManager[Journal | None]":
    """The journal of a file; None without one."""
    return nullcontext() if path is None else open_journal(path, terms)


def executor_of(kind: str, workers: int, address: str, *, isolated: bool = False) -> Executor:
    """Processes of this machine, or the workers of a Ray cluster, which log as this process does.

    With `isolated` nothing runs in this process, which a task could end.
    """
    check_executor(kind, workers, address)
    if kind == "local":
        return LocalProcesses(workers, in_workers()) if isolated else executor_for(workers, in_workers())
    from ludex.arena.cluster import RayCluster

    return RayCluster(address, in_workers())


def operation_of(request: JobRequest) -> Operation[Any, Result]:
    """The operation that a request asks for."""
    operation: Operation[Any, Result] = resolve(OPERATIONS[request.kind])
    return operation


def run_request(request: JobRequest, **context: Any) -> Result:
    """Run the operation of a checked request, with its executor and the rest of a context."""
    operation = operation_of(request)
    return operation.run(request, Context(executor=request.make_executor(isolated=operation.isolated), **context))


def job_request_type() -> Any:
    """The union of all requests that may be jobs, as a body of HTTP has it."""
    return _union(_references())


def job_requests() -> TypeAdapter[JobRequest]:
    """Reads the request of a job."""
    return _adapter(_references())


def programs_of(request: JobRequest) -> list[str]:
    """The agents of a request that run a program or a class of this machine, or call another one."""
    return [agent for agent in request.players if agent.startswith(FOREIGN)]


def _references() -> tuple[str, ...]:
    return tuple(OPERATIONS[name] for name in job_names())


@cache
def _union(references: tuple[str, ...]) -> Any:
    models = [resolve(reference).request for reference in references]
    return Annotated[reduce(or_, models), Field(discriminator=KIND)]


@cache
def _adapter(references: tuple[str, ...]) -> TypeAdapter[JobRequest]:
    return TypeAdapter(_union(references))
