"""Everything that stays the same during a game, as one record that kernels receive as a single pointer."""

from typing import Protocol

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


class Constants(Protocol):
    """The record's fields; a scenario's record is made by `build_constants`."""

    size: int
    """Numbers of hexes, holes included."""
    units: int
    branch: NDArray[np.int64]
    """[branches + 1]: where each branch of the action space begins, and where the last ends."""
    first: NDArray[np.int64]
    """[3]: where the units of each player begin, and where they all end."""
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
    scoring: NDArray[np.int64]
    """[5]: first turn, points for one, for two, for more, and the most per turn."""
    objectives: int

    objective: NDArray[np.int16]
    """[objectives]: their hexes."""
    around: NDArray[np.int16]
    """[objectives, hexes]: the hexes that each is held from, as many as `around_size` says."""
    around_size: NDArray[np.int64]
    neighbours: NDArray[np.int16]
    """[hexes, 6]"""
    distance: NDArray[np.uint8]
    sight: NDArray[np.uint8]
    """[hexes, hexes]"""
    wall: NDArray[np.uint8]
    """[hexes]: 1 for walls and holes."""
    forbidden: NDArray[np.uint8]
    """[hexes]: 1 where the scenario allows no deployment."""
    pool: NDArray[np.int16]
    """[2, hex slots]: the hexes of each player's slots, -1 after the last."""
    pool_size: NDArray[np.int64]
    """[2]"""
    slot: NDArray[np.int16]
    """[2, hexes]: each hex's slot in a player's pool, or -1."""
    fixed: NDArray[np.int16]
    """[units]: where each unit stands from the beginning, or -1."""

    owner: NDArray[np.int16]
    move: NDArray[np.int16]
    toughness: NDArray[np.int16]
    save: NDArray[np.int16]
    invulnerable: NDArray[np.int16]
    """[units]: 7 if there is none."""
    wounds: NDArray[np.int16]
    value: NDArray[np.int16]
    ranged: NDArray[np.int16]
    """[units, 2]: weapons, or -1."""
    melee: NDArray[np.int16]
    """[units]"""

    reaches: NDArray[np.int16]
    attacks: NDArray[np.int16]
    skill: NDArray[np.int16]
    strength: NDArray[np.int16]
    ap: NDArray[np.int16]
    damage: NDArray[np.int16]
    assault: NDArray[np.uint8]
    pistol: NDArray[np.uint8]
    """[weapons]"""
    harm: NDArray[np.float64]
    """[weapons, units]: the wounds that a weapon's attacks are expected to cost a unit that can take them all."""
    arms: NDArray[np.float32]
    """[units, 5]: a unit's weapons, see `weapons.arms`."""
    arrives: NDArray[np.float64]
    """[steps]: the probability that a charge carries so far."""

    reward: NDArray[np.float64]
    """[6]: for a win, a loss, a draw, damage dealt, damage taken and a point, see `rewards`."""
    placing: NDArray[np.float64]
    """[2, hexes]: each player's reward for a unit on each hex."""


_WHOLE = (
    *("size", "units", "unit_slots", "hex_slots", "alternated", "confirmed_by_players", "max_undeploys"),
    *("starts_with_command", "turns", "charge_range", "objective_radius", "objectives"),
)
_OF_UNITS = ("owner", "move", "toughness", "save", "invulnerable", "wounds", "value", "melee", "fixed")
_OF_WEAPONS = ("reaches", "attacks", "skill", "strength", "ap", "damage")

LAYOUT = np.dtype(
    [
        *((name, np.int64) for name in _WHOLE),
        ("branch", np.int64, (BRANCHES + 1,)),
        ("first", np.int64, (3,)),
        ("scoring", np.int64, (5,)),
        ("pool_size", np.int64, (2,)),
        ("reward", np.float64, (6,)),
        ("placing", np.float64, (2, MOST_HEXES)),
        ("harm", np.float64, (MOST_WEAPONS, MOST_UNITS)),
        ("arms", np.float32, (MOST_UNITS, ARM_NUMBERS)),
        ("arrives", np.float64, (MOST_STEPS,)),
        ("objective", np.int16, (MOST_OBJECTIVES,)),
        ("around", np.int16, (MOST_OBJECTIVES, MOST_HEXES)),
        ("around_size", np.int64, (MOST_OBJECTIVES,)),
        ("neighbours", np.int16, (MOST_HEXES, 6)),
        ("distance", np.uint8, (MOST_HEXES, MOST_HEXES)),
        ("sight", np.uint8, (MOST_HEXES, MOST_HEXES)),
        ("wall", np.uint8, (MOST_HEXES,)),
        ("forbidden", np.uint8, (MOST_HEXES,)),
        ("pool", np.int16, (2, MOST_HEXES)),
        ("slot", np.int16, (2, MOST_HEXES)),
        ("ranged", np.int16, (MOST_UNITS, RANGED)),
        *((name, np.int16, (MOST_UNITS,)) for name in _OF_UNITS),
        *((name, np.int16, (MOST_WEAPONS,)) for name in _OF_WEAPONS),
        ("assault", np.uint8, (MOST_WEAPONS,)),
        ("pistol", np.uint8, (MOST_WEAPONS,)),
    ],
    align=True,
)
