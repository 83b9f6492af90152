"""Where a learner placed its units, what became of each, and how the two go together."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.hexes.grid import NO_DISTANCE
from ludex.games.skirmish.rules.hexes.line_of_sight import sight_table
from ludex.learn.runs import Row

NOT_PLACED = -1


@dataclass(frozen=True)
class Ground:
    """What a scenario's hexes are like, by player and hex slot as that player counts: float64[2, slots]."""

    front: NDArray[np.float64]
    """How near the enemy's zone is, as minus the steps to it."""
    objective: NDArray[np.float64]
    """How near the nearest objective is, as minus the steps to it."""
    cover: NDArray[np.float64]
    """The share of the enemy's zone that does not see it."""
    hexes: NDArray[np.int64]
    """int64[2, slots]: the hex itself, as its player sees the board from its own end."""


def ground_of(game: Skirmish) -> Ground:
    """The ground of a game's scenario."""
    scenario, distance = game.scenario, game.scenario.grid.distance
    orientation = half_turn(scenario)
    sees = sight_table(scenario.grid, scenario.walls)
    measures = np.zeros((3, 2, game.table.hex_slots))
    slots = np.zeros((2, game.table.hex_slots), np.int64)
    for player, pool in enumerate(scenario.pools):
        enemies = list(scenario.pools[1 - player])
        # The player's slots are the pool by the hexes as it sees them.
        for slot, where in enumerate(sorted(pool, key=lambda h: int(orientation.hexes[player][h]))):
            slots[player, slot] = orientation.hexes[player][where]
            measures[0, player, slot] = -float(distance[where, enemies].min(initial=NO_DISTANCE))
            measures[1, player, slot] = -float(distance[where, list(scenario.objectives)].min(initial=NO_DISTANCE))
            measures[2, player, slot] = 1.0 - float(np.mean(sees[where, enemies])) if enemies else 1.0
    front, objective, cover = measures
    return Ground(front, objective, cover, slots)


@dataclass
class PlacementLog:
    """The placements of a learner in many lanes, and the outcome of each when the game was over."""

    game: Skirmish
    num_lanes: int
    rows: list[tuple[float, ...]] = field(default_factory=list)
    """One per placed unit: front, objective, cover, whether it survived, the share of it that was lost, and the share
    of the enemy's value that it destroyed itself."""

    def __post_init__(self) -> None:
        self._ground = ground_of(self.game)
        units = self.game.units
        self._wounds, self._value = np.array([(unit.type.wounds, unit.type.value) for unit in units], float).T
        self._owner = np.array([unit.player - 1 for unit in units])
        self._dealt = np.zeros((self.num_lanes, len(units)))
        self._slots = np.full((self.num_lanes, self.game.table.unit_slots), NOT_PLACED)
        self._games = 0
        self._stood = np.zeros(self.game.scenario.grid.size)

    def note(self, actions: NDArray[np.int64], placing: NDArray[np.bool_]) -> None:
        """`deploy_unit` indices in the lanes of `placing: bool[N]`, in the indices of the player that placed."""
        lanes = np.flatnonzero(placing)
        units, hexes = np.divmod(actions[lanes], self.game.table.hex_slots)
        self._slots[lanes, units] = hexes

    def credit(self, before: NDArray[np.int16], after: NDArray[np.int16], acting: NDArray[np.bool_]) -> None:
        """Credit the enemy's losses of a ply to the unit that was active, in the lanes of `acting: bool[N]`.

        `before` and `after` are the positions around the ply, int16[N, words].
        """
        lanes = np.flatnonzero(acting & np.not_equal(before[:, layout.ACTIVE], layout.NONE))
        units = before[lanes, layout.ACTIVE]
        lost = (self._wounds_in(before[lanes]) - self._wounds_in(after[lanes])) / self._wounds * self._value
        enemy = self._owner != self._owner[units][:, None]
        self._dealt[lanes, units] += (lost * enemy).sum(axis=1) / (self._value * enemy).sum(axis=1)

    def settle(self, ended: NDArray[np.bool_], seats: NDArray[np.int8], states: NDArray[np.int16]) -> None:
        """Close the account of lanes that ended in `states: int16[N, words]`, with the learner in `seats: int8[N]`."""
        ground = self._ground
        for lane in np.flatnonzero(ended).tolist():
            seat = int(seats[lane])
            self._games += 1
            wounds = self._wounds_in(states[lane])
            lost = 1.0 - wounds / self._wounds
            for unit_slot, unit in enumerate(np.flatnonzero(self._owner == seat).tolist()):
                slot = self._slots[lane, unit_slot]
                if slot != NOT_PLACED:
                    where = (ground.front[seat, slot], ground.objective[seat, slot], ground.cover[seat, slot])
                    self._stood[ground.hexes[seat, slot]] += 1
                    outcome = (float(wounds[unit] > 0), float(lost[unit]), float(self._dealt[lane, unit]))
                    self.rows.append((*map(float, where), *outcome))
            self._slots[lane] = NOT_PLACED
            self._dealt[lane] = 0.0

    def _wounds_in(self, states: NDArray[np.int16]) -> NDArray[np.int16]:
        """int16[..., units]: what each unit can still take in `states: int16[..., words]`."""
        wounds: NDArray[np.int16] = states[..., layout.UNITS + layout.WOUNDS :: layout.UNIT_WORDS]
        return wounds[..., : len(self._wounds)]

    def heat(self) -> NDArray[np.float64]:
        """float64[hexes]: the share of the games in which a unit was placed there, seen from the own end."""
        return self._stood / max(1, self._games)

    def correlations(self) -> Row:
        """Correlations of placements and outcomes, -1 to 1; None where one of the two never varies."""
        table = np.array(self.rows).reshape(-1, 6)
        row: Row = {}
        for place, where in enumerate(("front", "objective", "cover")):
            for outcome, what in enumerate(("survival", "damage_taken", "damage_dealt"), 3):
                row[f"placement_{where}_{what}"] = _correlation(table[:, place], table[:, outcome])
        return row


def _correlation(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    if len(first) < 2 or first.std() == 0.0 or second.std() == 0.0:
        return None
    return float(np.corrcoef(first, second)[0, 1])
