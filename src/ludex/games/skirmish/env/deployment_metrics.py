"""The deployment metrics of the contract, section 9, counted while a learner plays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.errors import DeploymentDeadlockError
from ludex.learn.runs import Row


@dataclass(kw_only=True)
class DeploymentMetrics:
    """Counts of the learner's actions in deployments, and its results. Slots are those of its own indices."""

    unit_slots: NDArray[np.int64]
    hex_slots: NDArray[np.int64]
    """[slots]: how often each was chosen for a placement."""
    valid_actions: int = 0
    invalid_attempts: int = 0
    """Actions tried in a deployment that the mask forbids: they raised and changed nothing."""
    passes: int = 0
    deadlocks: int = 0
    deployments: int = 0
    """Deployments that came to their end."""
    steps: int = 0
    """The learner's actions in them."""
    games: int = 0
    """Games that came to their end after an active deployment."""
    wins: int = 0

    @classmethod
    def empty(cls, unit_slots: int, hex_slots: int) -> "DeploymentMetrics":
        """Nothing counted yet, for an action space with so many slots."""
        return cls(unit_slots=np.zeros(unit_slots, np.int64), hex_slots=np.zeros(hex_slots, np.int64))

    def count_placements(self, actions: NDArray[np.int64]) -> None:
        """Count the slots of `deploy_unit` indices."""
        units, hexes = np.divmod(actions, len(self.hex_slots))
        self.unit_slots += np.bincount(units, minlength=len(self.unit_slots))
        self.hex_slots += np.bincount(hexes, minlength=len(self.hex_slots))

    def named(self) -> dict[str, float | int | None]:
        """The metrics under the contract's names; a rate or mean of nothing is None."""
        tried = self.valid_actions + self.invalid_attempts
        return {
            "deployment_valid_action_rate": _share(self.valid_actions, tried),
            "deployment_invalid_action_attempt_rate": _share(self.invalid_attempts, tried),
            "deployment_steps_mean": _share(self.steps, self.deployments),
            "deployment_deadlock_count": self.deadlocks,
            "deployment_pass_count": self.passes,
            "winrate_with_active_deployment": _share(self.wins, self.games),
        }


def deadlock_row(error: Exception) -> Row | None:
    """What a run logs of a deadlock, which ends it; None for any other error."""
    return {"deployment_deadlock_count": error.count} if isinstance(error, DeploymentDeadlockError) else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
