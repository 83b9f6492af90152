"""A position as a value, and typed views of what is packed in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.workspace import EVENT_WORDS


class Position(NamedTuple):
    """The whole game at one moment; both players see all of it."""

    packed: bytes
    """int16 words, see `engine.layout`."""
    packed_events: bytes = b""
    """int16, four words per event of the last ply, see `engine.events`."""

    @property
    def words(self) -> NDArray[np.int16]:
        """int16[STATE_WORDS], read-only."""
        return np.frombuffer(self.packed, np.int16)

    @property
    def events(self) -> NDArray[np.int16]:
        """int16[events, 4], read-only."""
        return np.frombuffer(self.packed_events, np.int16).reshape(-1, EVENT_WORDS)

    @property
    def phase(self) -> str:
        return layout.PHASES[self.words[layout.PHASE]]

    @property
    def to_move(self) -> int:
        return int(self.words[layout.TO_MOVE])

    @property
    def active(self) -> int | None:
        """The unit that was activated."""
        unit = int(self.words[layout.ACTIVE])
        return None if unit == layout.NONE else unit


class View(NamedTuple):
    """A position, and the player that sees it."""

    position: Position
    player: int


@dataclass(frozen=True, slots=True)
class UnitState:
    """One unit of a position."""

    unit: int
    """Its number, see `engine.layout`."""
    hex: int | None
    wounds: int
    deployed: bool
    ready: bool
    advanced: bool
    fled: bool
    charged: bool

    @property
    def alive(self) -> bool:
        return self.wounds > 0


UNPLACED: Final = (-1, -1)
"""Column and row of a unit that stands nowhere, wherever a place is shown outside the engine."""


def unit_states(position: Position, units: int) -> Iterator[UnitState]:
    """Every unit, in order."""
    words = position.words
    for unit in range(units):
        where, wounds, marks = words[layout.UNITS + unit * layout.UNIT_WORDS :][: layout.UNIT_WORDS].tolist()
        yield UnitState(
            unit=unit,
            hex=None if where == layout.NOWHERE else where,
            wounds=wounds,
            deployed=bool(marks & layout.DEPLOYED),
            ready=bool(marks & layout.READY),
            advanced=bool(marks & layout.ADVANCED),
            fled=bool(marks & layout.FLED),
            charged=bool(marks & layout.CHARGED),
        )
