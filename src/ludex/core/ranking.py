"""Rankings: tables of learned move values, the protocol of their store and of their files."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ludex.core.game import Json


class Entry(NamedTuple):
    """One learned value."""

    state: str
    move: int
    q: float


def checked_q(state: str, move: int, q: float) -> float:
    """A value fit to be stored: finite, and with one zero.

    >>> checked_q("EEEEEEEEE", 4, -0.0)
    0.0
    """
    if not math.isfinite(q):
        raise ValueError(f"the value of state {state!r}, move {move} must be a finite number, got {q}")
    return q + 0.0


class RankingStore(Protocol):
    """Q by canonical state key and canonical move index. Every bit of a float is kept; there is one zero, +0.0."""

    def get(self, state_key: str, move_index: int) -> float | None:
        """The value, or None if nothing was learned."""
        ...

    def set(self, state_key: str, move_index: int, q: float) -> None: ...

    def entries(self) -> Iterator[Entry]:
        """Everything, in order of state and move."""
        ...

    def replace(self, entries: Iterable[Entry]) -> None:
        """Forget everything and take these instead, as one step that happens whole or not at all."""
        ...


class MemoryRankings:
    """The default store: a dictionary."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._q: dict[tuple[str, int], float] = {}
        self.replace(entries)

    def get(self, state_key: str, move_index: int) -> float | None:
        return self._q.get((state_key, move_index))

    def set(self, state_key: str, move_index: int, q: float) -> None:
        self._q[state_key, move_index] = checked_q(state_key, move_index, q)

    def entries(self) -> Iterator[Entry]:
        return (Entry(state, move, self._q[state, move]) for state, move in sorted(self._q))

    def replace(self, entries: Iterable[Entry]) -> None:
        self._q = {(state, move): checked_q(state, move, q) for state, move, q in entries}

    def __len__(self) -> int:
        return len(self._q)


@dataclass(frozen=True, slots=True)
class RankingSummary:
    """What a listing says of one stored ranking."""

    game: str
    preset: str
    entries: int
    created_utc: str


class RankingCodec(Protocol):
    """How a game writes and checks a rankings file."""

    def shipped(self) -> Iterable[Entry]:
        """The ranking that comes with the package. Raises `BadOption` if none does."""
        ...

    def export(self, entries: Iterable[Entry], created_utc: str) -> Json: ...

    def parse(self, data: Json) -> list[Entry]:
        """Validate the whole document. Raises `BadRankings` naming the first bad entry."""
        ...
