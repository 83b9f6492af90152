"""What can be wrong with a scenario that came from outside, and with an action."""

from ludex.core.errors import DataError, DeclaredAbort, IllegalAction, MalformedAction


class BadScenario(DataError):
    """A scenario's file that is missing, malformed, or says what cannot be played."""

    code = "bad_scenario"
    owner = "skirmish"


class DeploymentDeadlockError(DeclaredAbort):
    """Units are left to deploy, and no player can place any: the contract forbids to continue without them."""

    code = "deployment_deadlock"
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
    owner = "skirmish"


class NotTheDeployersUnit(DeploymentRefused):
    """Rule 2: the unit belongs to the current deployer."""

    code = "deploy_not_your_unit"
    owner = "skirmish"


class AlreadyDeployed(DeploymentRefused):
    """Rule 3: the unit is not placed yet."""

    code = "deploy_already_deployed"
    owner = "skirmish"


class OutOfBounds(DeploymentRefused):
    """Rule 4: the hex is on the board."""

    code = "deploy_out_of_bounds"
    owner = "skirmish"


class OnAWall(DeploymentRefused):
    """Rule 5: no wall stands there."""

    code = "deploy_on_wall"
    owner = "skirmish"


class OutsideThePool(DeploymentRefused):
    """Rule 6: the hex is in the deployer's pool."""

    code = "deploy_outside_pool"
    owner = "skirmish"


class Occupied(DeploymentRefused):
    """Rule 7: the hex is free."""

    code = "deploy_occupied"
    owner = "skirmish"


class ForbiddenHex(DeploymentRefused):
    """Rule 8: the scenario allows the hex."""

    code = "deploy_forbidden_hex"
    owner = "skirmish"
