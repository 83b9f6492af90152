"""What can be wrong with a scenario that came from outside, and with an action."""

from typing import Final

from ludex.core.errors import DataError, DeclaredAbort, IllegalAction, MalformedAction


class BadScenario(DataError):
    """A scenario's file that is missing, malformed, or says what cannot be played."""

    owner = "skirmish"


class DeploymentDeadlockError(DeclaredAbort):
    """Units are left to deploy, and nobody who may deploy can place any: the contract forbids to go on without them."""

    owner = "skirmish"
    count = 1
    """In how many games side by side it happened."""


class DeploymentRefused(IllegalAction, MalformedAction):
    """A `deploy_unit` that breaks one of the contract's eight rules. Each rule has a class and a code of its own.

    A placement that has no index, on a hex outside the pool for one, is refused where its text is read.
    """

    code = "deploy_refused"
    owner = "skirmish"


class WrongDeployer(IllegalAction, MalformedAction):
    """A `confirm_deployment {player}` that names another player than the current deployer."""

    code = "confirm_wrong_player"
    owner = "skirmish"


class WrongPhase(DeploymentRefused):
    """Rule 1: units are deployed in the deployment phase."""

    code = "deploy_wrong_phase"


class NotTheDeployersUnit(DeploymentRefused):
    """Rule 2: the unit belongs to the current deployer."""

    code = "deploy_not_your_unit"


class AlreadyDeployed(DeploymentRefused):
    """Rule 3: the unit is not placed yet."""

    code = "deploy_already_deployed"


class OutOfBounds(DeploymentRefused):
    """Rule 4: the hex is on the board."""

    code = "deploy_out_of_bounds"


class OnAWall(DeploymentRefused):
    """Rule 5: no wall stands there."""

    code = "deploy_on_wall"


class OutsideThePool(DeploymentRefused):
    """Rule 6: the hex is in the deployer's pool."""

    code = "deploy_outside_pool"


class Occupied(DeploymentRefused):
    """Rule 7: the hex is free."""

    code = "deploy_occupied"


class ForbiddenHex(DeploymentRefused):
    """Rule 8: the scenario allows the hex."""

    code = "deploy_forbidden_hex"


RULES: Final[tuple[type[DeploymentRefused], ...]] = (
    WrongPhase,
    NotTheDeployersUnit,
    AlreadyDeployed,
    OutOfBounds,
    OnAWall,
    OutsideThePool,
    Occupied,
    ForbiddenHex,
)
"""The refusals in the order of the contract's rules."""
