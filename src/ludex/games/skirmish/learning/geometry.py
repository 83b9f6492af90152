"""A scenario's tables as a network needs them: where hexes lie, and which outputs mean what."""

import hashlib
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine.branches import branch_sizes
from ludex.games.skirmish.rules.engine.observation import PLANES, vector_length
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.hexes.coordinates import to_cube


@dataclass(frozen=True, eq=False)
class Geometry:
    """Everything about a scenario that a network's form depends on; its weights depend on none of it."""

    cols: int
    rows: int
    unit_slots: int
    hex_slots: int
    exists: NDArray[np.bool_]
    """bool[hexes]: false for holes."""
    neighbours: NDArray[np.int64]
    """int64[hexes, 6]: `hexes`, one past the last, beyond the border."""
    pools: NDArray[np.int64]
    """int64[2, hex slots]: by player, the hex of each slot as that player sees the board; 0 for slots that are not."""
    skewed: NDArray[np.int64]
    """int64[hexes]: where each hex lies in a field of `skewed_cols` x `skewed_rows` whose axes are two directions of
    the hexes, so that neighbours always differ by the same steps."""
    skewed_rows: int

    @property
    def hexes(self) -> int:
        return self.cols * self.rows

    @property
    def observed(self) -> int:
        """How many numbers an observation has, planes and vector."""
        return PLANES * self.hexes + vector_length(self.unit_slots)

    @property
    def branches(self) -> tuple[int, ...]:
        return branch_sizes(self.unit_slots, self.hex_slots, self.hexes)

    @property
    def digest(self) -> str:
        """The same for equal tables, wherever the scenario was read from."""
        hashed = hashlib.sha256()
        for field in fields(self):
            hashed.update(np.asarray(getattr(self, field.name)).tobytes())
        return hashed.hexdigest()[:16]


def geometry_of(game: Skirmish) -> Geometry:
    """The tables of a game's scenario. Raises `Unsupported` for a board that cannot be turned."""
    scenario, grid = game.scenario, game.scenario.grid
    orientation = half_turn(scenario)
    slots = game.table.hex_slots
    pools = np.zeros((2, slots), np.int64)
    for player, pool in enumerate(scenario.pools):
        # Half a turn reverses the order of the slots and of the hexes alike: sorted again, they fit.
        pools[player, : len(pool)] = np.sort(orientation.hexes[player][list(pool)])
    number = np.arange(grid.size, dtype=np.int16)
    q, r = to_cube(number // grid.rows, number % grid.rows)
    lowest = int(r.min())
    skewed_rows = int(r.max()) - lowest + 1
    return Geometry(
        cols=grid.cols,
        rows=grid.rows,
        unit_slots=game.table.unit_slots,
        hex_slots=slots,
        exists=grid.exists,
        neighbours=np.where(grid.neighbours < 0, grid.size, grid.neighbours).astype(np.int64),
        pools=pools,
        skewed=q.astype(np.int64) * skewed_rows + r - lowest,
        skewed_rows=skewed_rows,
    )
