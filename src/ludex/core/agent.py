"""The contract of an agent: a view and a mask in, a move together with its reasons out."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from ludex.core.decision import Decision
from ludex.core.game import AnyGame, Json, Mask, legal_actions, sample_state
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng

V_contra = TypeVar("V_contra", contravariant=True)


class Agent(Protocol[V_contra]):
    """A program that plays."""

    @property
    def name(self) -> str:
        """How match tables call it."""
        ...

    def decide(self, view: V_contra, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        """Choose a legal action, or give up. All randomness comes from `rng`: the same arguments, the same decision."""
        ...


AnyAgent: TypeAlias = Agent[Any]


@runtime_checkable
class FollowsMoves(Protocol):
    """An agent that needs the moves so far as texts, such as an engine behind a pipe."""

    def follow(self, moves: Sequence[str]) -> None: ...


@runtime_checkable
class KeepsTranscript(Protocol):
    """An agent that keeps what it asked and heard, such as a language model."""

    def take_transcript(self) -> list[Json]:
        """The entries since the last call, as they are written into journals."""
        ...


@runtime_checkable
class HasBudget(Protocol):
    """An agent with limits of its own, which win over the common ones."""

    def budget(self, common: Limit) -> Limit: ...


@runtime_checkable
class Closes(Protocol):
    """An agent that holds a process or a file and gives it back."""

    def close(self) -> None: ...


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
