"""Plays the matches of a task, one after the other."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Self

from ludex.arena.pairs import AbortedGame, Fault, Pair, PairKey, PairTask, PlayedGame, pair_seed
from ludex.arena.timed_agent import TimedAgent
from ludex.core.errors import AgentFault
from ludex.core.game import Player
from ludex.core.match import Match, play
from ludex.core.registry import make, resolve
from ludex.core.services import Services
from ludex.kernels.warmup import load_kernels


def play_pairs(task: PairTask) -> Mapping[PairKey, Pair]:
    """Play a task's pairs, each under its key. The same task gives the same games in any process."""
    with MatchRunner.open(task) as runner:
        return {
            PairKey(task.seats, index): tuple(runner.play(index, swapped=swapped) for swapped in task.swaps)
            for index in task.indices
        }


class MatchRunner:
    """One agent per seat, for all matches of a task."""

    def __init__(self, task: PairTask) -> None:
        terms = task.terms
        self._terms = terms
        self._game = make(terms.game, terms.preset)
        services: Services | None = None if terms.services is None else resolve(terms.services)()
        self.agents = [
            TimedAgent(self._game, terms.agents[number], services, forgiving=terms.forfeits) for number in task.seats
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
        played = PlayedGame(seed, swapped, match.actions, match.outcome, micros, transcripts=transcripts)
        if not faults:
            return played
        agents[played.loser].discard()
        return replace(played, fault=Fault.of(faults[0]))

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
