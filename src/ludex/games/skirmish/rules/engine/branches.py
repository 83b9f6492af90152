"""One discrete action space for all phases: branches one after the other, the deployment's first.

| branch | actions | what an action is |
|---|---|---|
| deploy | unit slots x hex slots | unit_slot * hex_slots + hex_slot: place that unit there |
| pass | 1 | nothing can be placed |
| undeploy | unit slots | take that unit back |
| confirm | 1 | the own deployment is done |
| activate | unit slots | choose the unit that acts |
| move | hexes | walk there |
| advance | 1 | roll a die for more steps |
| shoot | unit slots | fire at that enemy |
| charge | unit slots | roll to charge that enemy |
| charge destination | 6 | which side of the charged enemy to take |
| fight | unit slots | strike that enemy |
| wait | 1 | the active unit does no more in this phase |

A unit slot is the place of a unit in its player's list by id, a hex slot that of a hex in the player's pool by (col,
row), both as they stood when deployment began, so that an index means the same for the whole game.
"""

from typing import Final

DEPLOY: Final = 0
PASS: Final = 1
UNDEPLOY: Final = 2
CONFIRM: Final = 3
ACTIVATE: Final = 4
MOVE: Final = 5
ADVANCE: Final = 6
SHOOT: Final = 7
CHARGE: Final = 8
CHARGE_DESTINATION: Final = 9
FIGHT: Final = 10
WAIT: Final = 11
BRANCHES: Final = 12
SIDES: Final = 6


def branch_sizes(unit_slots: int, hex_slots: int, hexes: int) -> tuple[int, ...]:
    """How many actions each branch has, in order.

    >>> sum(branch_sizes(10, 120, 525))
    1785
    """
    units = unit_slots
    return (units * hex_slots, 1, units, 1, units, hexes, 1, units, units, SIDES, units, 1)
