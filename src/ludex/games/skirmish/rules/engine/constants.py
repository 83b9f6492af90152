"""Everything that stays the same during a game, as one record that kernels receive as a single pointer."""

from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.branches import BRANCHES
from ludex.games.skirmish.rules.engine.layout import MOST_HEXES, MOST_OBJECTIVES, MOST_UNITS, MOST_WEAPONS

RANGED: int = 2
"""Ranged weapons a unit may have."""
ARM_NUMBERS: int = 5
"""Numbers that describe a unit's weapons."""
MOST_STEPS: int = 256
"""More steps than lie between any two hexes."""

PerUnit: TypeAlias = Annotated[NDArray[np.int16], (MOST_UNITS,)]
PerWeapon: TypeAlias = Annotated[NDArray[np.int16], (MOST_WEAPONS,)]
WeaponFlags: TypeAlias = Annotated[NDArray[np.uint8], (MOST_WEAPONS,)]
HexFlags: TypeAlias = Annotated[NDArray[np.uint8], (MOST_HEXES,)]
HexPairs: TypeAlias = Annotated[NDArray[np.uint8], (MOST_HEXES, MOST_HEXES)]
PlayerHexes: TypeAlias = Annotated[NDArray[np.int16], (2, MOST_HEXES)]


class Constants:
    """The record's fields with the shapes of its arrays; a scenario's record is made by `build_constants`."""

    size: int
    """Numbers of hexes, holes included."""
    units: int
    branch: Annotated[NDArray[np.int64], (BRANCHES + 1,)]
    """Where each branch of the action space begins, and where the last ends."""
    first: Annotated[NDArray[np.int64], (3,)]
    """Where the units of each player begin, and where they all end."""
    unit_slots: int
    hex_slots: int
    """`deployment_max_unit_slots` and `deployment_max_hex_slots`."""
    alternated: int
    """1 for `alternated_p1_start`, 0 for `player_by_player`."""
    confirmed_by_players: int
    """1 for `per_player`, 0 for `none`."""
    max_undeploys: int
    starts_with_command: int
    """1 if `post_deployment_start_phase` is `command`."""
    turns: int
    charge_range: int
    objective_radius: int
    scoring: Annotated[NDArray[np.int64], (5,)]
    """First turn, points for one, for two, for more, and the most per turn."""
    objectives: int

    objective: Annotated[NDArray[np.int16], (MOST_OBJECTIVES,)]
    """Their hexes."""
    around: Annotated[NDArray[np.int16], (MOST_OBJECTIVES, MOST_HEXES)]
    """The hexes that each is held from, as many as `around_size` says."""
    around_size: Annotated[NDArray[np.int64], (MOST_OBJECTIVES,)]
    neighbours: Annotated[NDArray[np.int16], (MOST_HEXES, 6)]
    distance: HexPairs
    sight: HexPairs
    wall: HexFlags
    """1 for walls and holes."""
    forbidden: HexFlags
    """1 where the scenario allows no deployment."""
    pool: PlayerHexes
    """The hexes of each player's slots, -1 after the last."""
    pool_size: Annotated[NDArray[np.int64], (2,)]
    slot: PlayerHexes
    """Each hex's slot in a player's pool, or -1."""

    fixed: PerUnit
    """Where each unit stands from the beginning, or -1."""
    owner: PerUnit
    move: PerUnit
    toughness: PerUnit
    save: PerUnit
    invulnerable: PerUnit
    """7 if there is none."""
    wounds: PerUnit
    value: PerUnit
    ranged: Annotated[NDArray[np.int16], (MOST_UNITS, RANGED)]
    """Weapons, or -1."""
    melee: PerUnit

    reaches: PerWeapon
    attacks: PerWeapon
    skill: PerWeapon
    strength: PerWeapon
    ap: PerWeapon
    damage: PerWeapon
    assault: WeaponFlags
    pistol: WeaponFlags
    harm: Annotated[NDArray[np.float64], (MOST_WEAPONS, MOST_UNITS)]
    """The wounds that a weapon's attacks are expected to cost a unit that can take them all."""
    arms: Annotated[NDArray[np.float32], (MOST_UNITS, ARM_NUMBERS)]
    """A unit's weapons, see `build_constants.arms`."""
    arrives: Annotated[NDArray[np.float64], (MOST_STEPS,)]
    """By steps, the probability that a charge carries so far."""

    reward: Annotated[NDArray[np.float64], (6,)]
    """For a win, a loss, a draw, damage dealt, damage taken and a point, see `lanes`."""
    placing: Annotated[NDArray[np.float64], (2, MOST_HEXES)]
    """Each player's reward for a unit on each hex."""
