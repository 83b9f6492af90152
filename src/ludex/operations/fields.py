"""Options that several operations share, and the checks that belong to them."""

import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from ludex.arena.duel import pairs_of
from ludex.arena.entrants import UGI, check_reference, is_foreign
from ludex.arena.journal import Journal, open_journal, seed_in
from ludex.arena.terms import Terms
from ludex.core.clock import Clock
from ludex.core.errors import BadOption
from ludex.core.executor import Executor
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.registry import make
from ludex.core.seeding import MAX_SEED, SEED_BITS
from ludex.operations.executors import executor_of
from ludex.operations.operation import Context, Limits, Option, Request

Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
"""A name that is also the name of a folder."""
Agent = Annotated[str, Field(min_length=1, max_length=512)]
Key = Annotated[str, Field(min_length=1, max_length=128)]
SEED = Option("seed of all randomness", "graine de tous les tirages au hasard", order=20)
Seed = Annotated[int, Field(ge=0, le=MAX_SEED), SEED]
DrawnSeed = Annotated[
    int | None,
    Field(ge=0, le=MAX_SEED),
    Option(
        SEED.en, SEED.fr, SEED.order, default_text="0; drawn where agents of other packages play with dice or secrets"
    ),
]
"""None is 0; drawn where code of others plays a game with dice or secrets."""


class JobRequest(Request):
    """What every operation has that may be a job."""

    kind: str
    game: Annotated[str, Field(min_length=1, max_length=64)]
    name: Annotated[
        Name | None,
        Option(
            "the name of what is made, and the job's title",
            "le nom de ce qui est fait, et le titre de la tâche",
            order=60,
            default_text="the job's id",
            job_only=True,
        ),
    ] = None
    executor: Annotated[
        Literal["local", "ray"],
        Option(
            "where games are played: processes of this machine, or a Ray cluster",
            "où se jouent les parties : des processus de cette machine, ou une grappe Ray",
            order=30,
        ),
    ] = "local"
    address: Annotated[
        str,
        Field(min_length=1, max_length=256),
        Option(
            "of the Ray cluster; auto: the one this machine belongs to",
            "de la grappe Ray ; auto : celle de cette machine",
            order=32,
            metavar="HOST:PORT",
        ),
    ] = "auto"

    def make_executor(self, *, isolated: bool) -> Executor:
        return executor_of(self.executor, 1, self.address, isolated=isolated)


Workers = Annotated[
    int,
    Field(ge=1, le=256),
    Option("number of parallel processes", "nombre de processus en parallèle", order=31),
]


class WithWorkers(JobRequest):
    """An operation whose tasks run side by side."""

    workers: Workers = 1

    def checked(self, limits: Limits | None, *, remote: bool) -> Self:
        check_workers(self.workers, limits)
        return self

    def make_executor(self, *, isolated: bool) -> Executor:
        return executor_of(self.executor, self.workers, self.address, isolated=isolated)


class Budget(Request):
    """What an agent has for each move."""

    movetime: Annotated[
        int | None, Field(ge=1, le=10**9), Option("milliseconds per move", "millisecondes par coup", order=40)
    ] = None
    depth: Annotated[int | None, Field(ge=1, le=10**6), Option("search depth", "profondeur de recherche", order=41)] = (
        None
    )
    nodes: Annotated[
        int | None, Field(ge=1, le=10**12), Option("search nodes per move", "nœuds de recherche par coup", order=42)
    ] = None

    @property
    def limit(self) -> Limit:
        return Limit(time_ms=self.movetime, depth=self.depth, nodes=self.nodes)


class OnBoard(Request):
    """An operation on one board."""

    game: str
    preset: Annotated[
        str | None,
        Field(min_length=1, max_length=256),
        Option("the board", "le plateau", order=10, default_text="the game's first", job_only=True),
    ] = None
    options: dict[Key, Any] = Field(default_factory=dict, max_length=64)
    """Options of the game that differ from the preset's; a command has a flag for each."""

    def board(self) -> AnyGame:
        return make(self.game, self.preset, **self.options)

    def on(self, board: AnyGame) -> Self:
        """The same request with the whole name of its board, and of what the board has by default."""
        return self.model_copy(update={"preset": board.info.preset, "options": {}})


OpeningPlies = Annotated[
    int,
    Field(ge=0, le=1000),
    Option(
        "random moves at the start of both games of a pair",
        "coups au hasard au début des deux parties d'une paire",
        order=44,
    ),
]


class Games(WithWorkers, OnBoard, Budget):
    """An operation that plays games between agents."""

    opening_plies: OpeningPlies = 0

    def checked(self, limits: Limits | None, *, remote: bool) -> Self:
        """As declared, on its board; engines only where the limits allow them."""
        check_workers(self.workers, limits)
        board = self.board()
        request = self.on(board)
        request.check_games(board)
        for agent in request.players:
            if not agent.startswith(UGI):
                check_reference(board, agent, classes=True)
            elif remote and (limits is None or not limits.job_engines):
                raise BadOption(f"{agent!r} runs a program of the server, which LUDEX_JOB_ENGINES does not allow")
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

    clock: Annotated[
        str | None,
        Field(min_length=1, max_length=32),
        Option(
            "each player's time for a game; a player out of time loses",
            "le temps de chaque joueur pour une partie ; qui n'en a plus perd",
            order=43,
            metavar="SECONDS[+INCREMENT]",
        ),
    ] = None

    @property
    def game_clock(self) -> Clock | None:
        return None if self.clock is None else Clock.parse(self.clock)


def check_workers(workers: int, limits: Limits | None, key: str = "workers") -> None:
    """Raise `BadOption` for more processes than a job may have."""
    if limits is not None and workers > limits.job_workers:
        raise BadOption(f"{key}: a job has at most {limits.job_workers}, LUDEX_JOB_WORKERS, found {workers}")


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
    begun = None if journal is None else seed_in(journal)
    return secrets.randbits(SEED_BITS) if begun is None else begun


def journal_at(path: Path | None, terms: Terms) -> "AbstractContextManager[Journal | None]":
    """The journal of a file; None without one."""
    return nullcontext() if path is None else open_journal(path, terms)
