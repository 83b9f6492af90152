"""Agents around another one: it is passed everything, or makes mistakes, an opponent for beginners."""

from collections.abc import Sequence
from typing import Any

from ludex.core.agent import AnyAgent, Closes, FollowsMoves, KeepsTranscript
from ludex.core.decision import Decision
from ludex.core.game import AnyGame, Json, Mask, legal_actions, sample_state
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng


class WrappedAgent:
    """Decides as the agent inside; a subclass changes what it needs to."""

    def __init__(self, agent: AnyAgent, name: str) -> None:
        self.name = name
        self._agent = agent

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        return self._agent.decide(view, legal, rng=rng, limit=limit)

    def follow(self, moves: Sequence[str]) -> None:
        if isinstance(self._agent, FollowsMoves):
            self._agent.follow(moves)

    def take_transcript(self) -> list[Json]:
        return self._agent.take_transcript() if isinstance(self._agent, KeepsTranscript) else []

    def close(self) -> None:
        if isinstance(self._agent, Closes):
            self._agent.close()


class MistakenAgent(WrappedAgent):
    """Plays a share of its moves at random, drawn from its own generator, and the others as another agent does.

    `phases` are those of the game in which it errs; None means all.
    """

    def __init__(self, agent: AnyAgent, share: float, name: str, game: AnyGame, phases: tuple[str, ...] | None) -> None:
        super().__init__(agent, name)
        self._share = share
        self._game = game
        self._phases = phases

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        if self._may_err(view, rng) and rng.uniform() < self._share:
            return Decision(rng.choice(legal_actions(legal)), explanation=(Message("ludex.by_mistake"),))
        return super().decide(view, legal, rng=rng, limit=limit)

    def _may_err(self, view: Any, rng: Rng) -> bool:
        if self._phases is None:
            return True
        # Every position behind a view is in one phase: players always know it.
        return self._game.phase(sample_state(self._game, view, rng)) in self._phases
