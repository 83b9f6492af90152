"""What happens in a ply, in order: every roll, every wound, every point. Four words each: what, and three numbers."""

from typing import Final

from ludex.games.skirmish.rules.engine.records import MOST_EVENTS, Scratch
from ludex.kernels.jit import kernel

DEPLOYED: Final = 0
"""unit, hex"""
UNDEPLOYED: Final = 1
"""unit, hex"""
PASSED: Final = 2
"""player"""
CONFIRMED: Final = 3
"""player"""
PHASE_BEGAN: Final = 4
"""phase, player, turn"""
SCORED: Final = 5
"""player, points, points in all"""
MOVED: Final = 6
"""unit, from, to"""
ADVANCE_ROLL: Final = 7
"""unit, die"""
CHARGE_ROLL: Final = 8
"""unit, first die, second die"""
CHARGE_FAILED: Final = 9
"""unit, target"""
ATTACKED: Final = 10
"""unit, target, weapon"""
HIT_ROLL: Final = 11
WOUND_ROLL: Final = 12
SAVE_ROLL: Final = 13
"""die, what was needed, whether it succeeded"""
DAMAGED: Final = 14
"""unit, wounds lost, wounds left"""
DESTROYED: Final = 15
"""unit, hex"""
FLED: Final = 16
"""unit"""
ENDED: Final = 17
"""result"""
DEPLOYMENT_START: Final = 18
"""hexes of player 1's pool, of player 2's"""
NAMES: Final = (
    "deploy_unit",
    "undeploy_unit",
    "pass_deployment",
    "confirm_deployment",
    "phase",
    "score",
    "move",
    "advance_roll",
    "charge_roll",
    "charge_failed",
    "attack",
    "hit_roll",
    "wound_roll",
    "save_roll",
    "damage",
    "destroyed",
    "fled",
    "ended",
    "deployment_start",
)
"""By number; those of the deployment are the contract's."""


@kernel
def add_event(work: Scratch, what: int, first: int, second: int, third: int) -> None:
    """Append an event. The array holds every attack that a scenario can have."""
    at = work.count[0]
    if at < MOST_EVENTS:
        work.events[at, 0] = what
        work.events[at, 1] = first
        work.events[at, 2] = second
        work.events[at, 3] = third
        work.count[0] = at + 1
