"""How a state is packed: int16 words, first those of the whole game, then three per unit.

Units are numbered consecutively: player 1's by id, then player 2's. Players are 0 and 1 here; data and screens use 1
and 2.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

State: TypeAlias = NDArray[np.int16]
"""int16[STATE_WORDS]: one position."""

MOST_UNITS: Final = 40
MOST_HEXES: Final = 1024
MOST_WEAPONS: Final = 64
MOST_OBJECTIVES: Final = 16

PHASE: Final = 0
TURN: Final = 1
PLAYER: Final = 2
"""Whose turn it is; in a fight the other one may be to move."""
TO_MOVE: Final = 3
ACTIVE: Final = 4
"""The unit that was activated, or NONE."""
DOING: Final = 5
"""What the active unit has begun: NOTHING, ADVANCING or CHARGING."""
ROLLED: Final = 6
"""What it rolled for that."""
TARGET: Final = 7
"""The unit that it charges."""
FIGHT_STAGE: Final = 8
"""CHARGERS first, then ALTERNATING."""
RESULT: Final = 9
"""LIVE, or how the game ended."""
PLIES: Final = 10
PASSES: Final = 11
"""Times that `pass_deployment` was played."""
POINTS: Final = 12
"""And 13: victory points."""
UNDEPLOYS: Final = 14
"""And 15: how often each player may still take a unit back."""
CONFIRMED: Final = 16
"""And 17: whether each player has confirmed the deployment."""
UNITS: Final = 18
"""Where the units begin."""

HEX: Final = 0
"""Where a unit stands, NOWHERE before it is placed and once it is destroyed."""
WOUNDS: Final = 1
"""What it can still take; 0 is destroyed."""
MARKS: Final = 2
UNIT_WORDS: Final = 3
STATE_WORDS: Final = UNITS + MOST_UNITS * UNIT_WORDS

NONE: Final = -1
NOWHERE: Final = -1

DEPLOYED: Final = 1
READY: Final = 2
"""In the pool of the phase: it may still be activated."""
ADVANCED: Final = 4
FLED: Final = 8
CHARGED: Final = 16
"""Marks of a unit. All but DEPLOYED are taken away when its player's turn begins."""

DEPLOYMENT: Final = 0
COMMAND: Final = 1
MOVE: Final = 2
SHOOT: Final = 3
CHARGE: Final = 4
FIGHT: Final = 5
OVER: Final = 6
PHASES: Final = ("deployment", "command", "move", "shoot", "charge", "fight", "over")

NOTHING: Final = 0
ADVANCING: Final = 1
CHARGING: Final = 2

CHARGERS: Final = 0
ALTERNATING: Final = 1

LIVE: Final = 0
ANNIHILATION: Final = 1
BY_POINTS: Final = 2
BY_VALUE: Final = 3
DRAWN: Final = 4
"""Results; a won one has WON_BY_SECOND added if player 1 won."""
WON_BY_SECOND: Final = 8

_REASONS: Final = {
    ANNIHILATION: "annihilation",
    BY_POINTS: "points",
    BY_VALUE: "surviving value",
    DRAWN: "equal points and value",
}


def reason_of(result: int) -> str:
    """How a game ended, in words, without the winner."""
    return _REASONS[result & ~WON_BY_SECOND]
