"""Plays pairs whose worker died again, in a process that reports which agent is running.

An agent may end its process by an exit, a memory fault or a kill. The last report names the agent that was running, and
that agent is at fault. If no agent was running, no agent is at fault.
"""

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.connection import Connection

from ludex.arena.match_runner import MatchRunner, Witness
from ludex.arena.pairs import Fault, Pair, PairKey, PairTask, PlayedGame, pair_seed
from ludex.core.errors import AgentFault, WorkerLost
from ludex.core.executor import Prepare, begin_worker
from ludex.core.match import Match
from ludex.core.registry import make


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

    Where faults are not forgiven, it is the `AgentFault` that is raised. Raises `WorkerLost` for a death without an
    agent at fault.
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
