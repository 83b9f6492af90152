"""The contract of an agent: a view and a mask in, a move together with its reasons out."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from ludex.core.decision import Decision
from ludex.core.game import Json, Mask
from ludex.core.limit import Limit
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
