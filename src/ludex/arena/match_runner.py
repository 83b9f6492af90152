"""Plays the matches of a task, one after the other, with agents that are timed and whose failures are `AgentFault`s.

Where faults are forgiven, every failure raises `AgentFault`: an exception, an illegal choice, a missing answer. The
entrant is then discarded and created again for the next match. `play_isolated` finds agents that end the whole process.
"""

import multiprocessing
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any, Self

from ludex.arena.entrants import Entrant, make_entrant
from ludex.arena.pairs import AbortedGame, Fault, Pair, PairKey, PairTask, PlayedGame, pair_seed
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import AgentFault, AgentTimeout, WorkerLost
from ludex.core.executor import Prepare, begin_worker
from ludex.core.game import AnyGame, Json, Mask, Player
from ludex.core.limit import Limit
from ludex.core.match import Match, play
from ludex.core.registry import make, resolve
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.kernels.warmup import load_kernels

GRACE_SECONDS = 10.0
"""How long after its time an agent may still answer: longer than the grace of an engine behind a pipe."""
AGAIN_SECONDS = 1.0
"""An agent that catches the interruption is interrupted again."""


MakeEntrant = Callable[[AnyGame, str, Services | None], Entrant]
Witness = Callable[[Sequence[str] | None], None]
"""Called with the moves so far before an agent runs, and with None afterwards."""


class TimedAgent:
    """One agent of a task, for all its matches."""

    def __init__(
        self,
        game: AnyGame,
        reference: str,
        services: Services | None,
        *,
        forgiving: bool,
        make: MakeEntrant = make_entrant,
    ) -> None:
        self.name = reference
        self._make = make
        self.witness: Witness = lambda moves: None
        self.transcript: list[Json] = []
        """What it asked and heard in this game, for its journal."""
        self.micros: list[int] = []
        """How long it took for each decision of this game, in microseconds."""
        self._game = game
        self._services = services
        self._forgiving = forgiving
        self._entrant: Entrant | None = None

    def begin(self) -> None:
        """Be ready for a new game. Raises `AgentFault` if an engine cannot be started."""
        if self._entrant is None:
            self.witness([])
            self._entrant = self._make(self._game, self.name, self._services)
            self.witness(None)

    def budget(self, common: Limit) -> Limit:
        return self._present.budget(common)

    def follow(self, moves: Sequence[str]) -> None:
        self.witness(moves)
        with self._guard(None):
            self._present.follow(moves)

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        begin = time.perf_counter_ns()
        with self._guard(limit.longest_ms):
            decision = self._present.decide(view, legal, rng=rng, limit=limit)
        self.micros.append(round((time.perf_counter_ns() - begin) / 1000))
        self.witness(None)
        return decision

    def discard(self) -> None:
        """Drop an entrant that failed."""
        self.close()
        self._entrant = None

    def collect(self) -> None:
        """Take what the agent has to write down."""
        if self._entrant is not None:
            self.transcript += self._entrant.take_transcript()

    def close(self) -> None:
        if self._entrant is not None:
            self._entrant.close()

    @property
    def _present(self) -> Entrant:
        assert self._entrant is not None, "used before `begin`"
        return self._entrant

    @contextmanager
    def _guard(self, longest_ms: float | None) -> Iterator[None]:
        if not self._forgiving:
            yield
            return
        try:
            with _interrupt_after(self.name, longest_ms):
                yield
        except AgentFault:
            raise
        except (Exception, SystemExit) as error:
            # Third-party code may raise anything.
            raise AgentFault(f"{self.name}: {type(error).__name__}: {error}") from error


@contextmanager
def _interrupt_after(name: str, longest_ms: float | None) -> Iterator[None]:
    """Interrupt an agent that exceeds its time by far; outside the main thread, and on Windows, only report it."""
    if longest_ms is None:
        yield
        return
    seconds = longest_ms / 1000 + GRACE_SECONDS
    complaint = f"{name}: no answer within {seconds:g} seconds"

    def ring(*_: object) -> None:
        raise AgentTimeout(complaint)

    begin = time.monotonic()
    if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    else:
        yield
    if time.monotonic() - begin > seconds:
        raise AgentTimeout(complaint)


def play_pairs(task: PairTask) -> Mapping[PairKey, Pair]:
    """Play a task's pairs, each under its key. The same task gives the same games in any process."""
    with MatchRunner.open(task) as runner:
        return runner.play_all(task)


class MatchRunner:
    """One agent per seat, for all matches of a task."""

    def __init__(self, task: PairTask, make: MakeEntrant = make_entrant) -> None:
        """`make` makes the players of the terms' names."""
        terms = task.terms
        self._terms = terms
        self._game = registry.make(terms.game, terms.preset)
        services: Services | None = None if terms.services is None else resolve(terms.services)()
        self.agents = [
            TimedAgent(self._game, terms.agents[number], services, forgiving=terms.forfeits, make=make)
            for number in task.seats
        ]
        """In the order of the task's seats, whatever seats they are in."""

    @classmethod
    @contextmanager
    def open(cls, task: PairTask) -> Iterator[Self]:
        """A runner whose agents are closed at the end."""
        if task.terms.timed:
            load_kernels(task.terms.game)
        runner = cls(task)
        try:
            yield runner
        finally:
            for agent in runner.agents:
                agent.close()

    def play_all(self, task: PairTask) -> Mapping[PairKey, Pair]:
        """The pairs of a task, each under its key."""
        return {
            PairKey(task.seats, index): tuple(self.play(index, swapped=swapped) for swapped in task.swaps)
            for index in task.indices
        }

    def play(self, index: int, *, swapped: bool) -> PlayedGame:
        """One game of a pair."""
        terms, agents = self._terms, self.agents
        seed = pair_seed(terms, index)
        seats = agents[::-1] if swapped else agents
        faults: list[AgentFault] = []
        absent = self._absent(seats, faults)
        if absent is not None:
            match = Match(self._game, seed)
            match.forfeit(absent)
        else:
            match = play(
                self._game,
                seats,
                seed=seed,
                limit=terms.limit,
                clock=terms.clock,
                opening_plies=terms.opening_plies,
                at_fault=faults.append if terms.forfeits else None,
            )
        if match.outcome is None:
            raise AbortedGame(f"{terms.game} seed {seed} ended without a score: {match.aborted}: {match.abort_message}")
        for agent in agents:
            agent.collect()
        micros = tuple(tuple(agent.micros) for agent in agents)
        transcripts = tuple(tuple(agent.transcript) for agent in agents)
        game = PlayedGame(seed, swapped, match.actions, match.outcome, micros, transcripts=transcripts)
        if not faults:
            return game
        agents[game.loser].discard()
        return replace(game, fault=Fault.of(faults[0]))

    def _absent(self, seats: list[TimedAgent], faults: list[AgentFault]) -> Player | None:
        """The first player whose agent cannot be started, or None."""
        for seat in seats:
            seat.micros, seat.transcript = [], []
        for player, seat in enumerate(seats):
            try:
                seat.begin()
            except AgentFault as fault:
                if not self._terms.forfeits:
                    raise
                faults.append(fault)
                return player
        return None


@dataclass(frozen=True, slots=True)
class _AtWork:
    """Reported before an agent runs."""

    agent: int
    """In the order of the task's seats."""
    moves: tuple[str, ...]
    micros: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Idle:
    """Reported after it has answered."""


@dataclass(frozen=True, slots=True)
class _Raised:
    error: Exception


_Game = tuple[int, bool]
"""The index of its pair, and whether seats are swapped."""
_Report = _AtWork | _Idle | _Raised | PlayedGame


def play_isolated(task: PairTask, prepare: Prepare | None) -> Mapping[PairKey, Pair]:
    """Do what `play_pairs` does; an agent that ends the process forfeits that game, and the next begins in another.

    An agent may end it by an exit, a memory fault or a kill: the process reports which agent runs, and the last one is
    at fault. Where faults are not forgiven, it is the `AgentFault` that is raised. Raises `WorkerLost` for a death
    while none ran.
    """
    games = [(index, swapped) for index in task.indices for swapped in task.swaps]
    played: list[PlayedGame] = []
    while len(played) < len(games):
        played += _played_until_death(task, games[len(played) :], prepare)
    swaps = len(task.swaps)
    return {
        PairKey(task.seats, index): tuple(played[swaps * k : swaps * (k + 1)]) for k, index in enumerate(task.indices)
    }


def _played_until_death(task: PairTask, games: Sequence[_Game], prepare: Prepare | None) -> Iterator[PlayedGame]:
    """The games that one process finishes, and the one in which an agent ended it."""
    context = multiprocessing.get_context("spawn")
    ours, its = context.Pipe(duplex=False)
    process = context.Process(target=_play, args=(task, games, its, prepare))
    process.start()
    its.close()
    finished = 0
    last: _Report = _Idle()
    try:
        while (report := _next_report(ours, process.sentinel)) is not None:
            last = report
            if isinstance(report, _Raised):
                raise report.error
            if isinstance(report, PlayedGame):
                finished += 1
                yield report
        process.join()
    finally:
        process.kill()
        process.join()
        ours.close()
    if finished < len(games):
        yield _forfeit(task, games[finished], last, _manner(process.exitcode))


def _next_report(ours: Connection, sentinel: int) -> _Report | None:
    """The next report of the process; None if it has ended."""
    ready = connection.wait([ours, sentinel])
    if ours not in ready:
        return None
    try:
        report: _Report = ours.recv()
    except EOFError:
        return None
    return report


def _forfeit(task: PairTask, game: _Game, last: _Report, manner: str) -> PlayedGame:
    index, swapped = game
    if not isinstance(last, _AtWork):
        raise WorkerLost(f"the second process {manner}, with no agent at work, while this was under way: {task!r:.500}")
    terms = task.terms
    fault = AgentFault(f"{terms.agents[task.seats[last.agent]]}: its process {manner}")
    if not terms.forfeits:
        raise fault
    match = Match(make(terms.game, terms.preset), pair_seed(terms, index))
    for text in last.moves:
        match.play_text(text)
    match.forfeit(1 - last.agent if swapped else last.agent)
    assert match.outcome is not None
    return PlayedGame(match.seed, swapped, match.actions, match.outcome, last.micros, Fault.of(fault))


def _manner(exitcode: int | None) -> str:
    """How a process ended.

    >>> _manner(-11), _manner(3)
    ('was killed by signal 11', 'ended with exit code 3')
    """
    assert exitcode is not None
    return f"was killed by signal {-exitcode}" if exitcode < 0 else f"ended with exit code {exitcode}"


def _play(task: PairTask, games: Sequence[_Game], reports: Connection, prepare: Prepare | None) -> None:
    """In the process: play and report."""
    begin_worker(prepare)
    try:
        with MatchRunner.open(task) as runner:
            for number, agent in enumerate(runner.agents):
                agent.witness = _witness(runner, number, reports)
            for index, swapped in games:
                reports.send(runner.play(index, swapped=swapped))
    except Exception as error:
        reports.send(_Raised(error))


def _witness(runner: MatchRunner, number: int, reports: Connection) -> Witness:
    def witness(moves: Sequence[str] | None) -> None:
        micros = tuple(tuple(agent.micros) for agent in runner.agents)
        reports.send(_Idle() if moves is None else _AtWork(number, tuple(moves), micros))

    return witness
