"""Rankings: tables of learned move values, the protocol of their store and of their files."""

import math
from collections.abc import Iterable, Iterator, Sequence
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

    def replace(self, entries: Iterable[Entry], created_utc: str | None = None) -> None:
        """Forget everything and take these instead, as one step that happens whole or not at all.

        A store that knows when a ranking was made stores `created_utc`, or now where that is None.
        """
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

    def replace(self, entries: Iterable[Entry], created_utc: str | None = None) -> None:
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


class RankingFile(NamedTuple):
    """The content of a rankings file."""

    entries: Sequence[Entry]
    created_utc: str
    """When the ranking was made, as the file says."""


class RankingCodec(Protocol):
    """How a game writes and checks a rankings file."""

    @property
    def agent(self) -> str:
        """The agent that plays by the database's ranking, such as `ranking:ranking=database`."""
        ...

    def shipped(self) -> RankingFile:
        """The ranking that comes with the package. Raises `BadOption` if none does."""
        ...

    def export(self, entries: Iterable[Entry], created_utc: str) -> Json: ...

    def parse(self, data: Json) -> RankingFile:
        """Validate the whole document. Raises `BadRankings` naming the first bad entry."""
        ...
