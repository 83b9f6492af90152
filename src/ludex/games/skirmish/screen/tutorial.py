"""Skirmish for a person who has never played it: six tasks on the small map, from the deployment to an objective."""

from ludex.core.illustration import PositionSpec
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial

ROWS = 10
"""Of the small map: a hex's number is its column times this, and its row."""

DEPLOYED = "deploy/01/1.5 deploy/04/9.5 deploy/02/1.3 deploy/05/9.3 deploy/03/1.7 deploy/06/9.7"
MOVED = f"{DEPLOYED} activate/01 move/5.4 activate/02 move/4.5 activate/03 move/7.5"
SHOT = f"{MOVED} activate/01 wait activate/02 wait activate/03 wait"
CHARGED = f"{SHOT} activate/03 charge/04 land/8.5 activate/01 wait activate/02 wait"
# Player 1 stands beside the objective in the middle; player 2's outrider comes to its other side.
CONTESTED = (
    f"{DEPLOYED} activate/01 move/4.5 activate/02 wait activate/03 wait"
    " activate/01 wait activate/02 wait activate/01 wait activate/02 wait activate/03 wait"
    " activate/05 move/5.3 activate/04 wait activate/06 wait"
    " activate/04 wait activate/05 wait activate/04 wait activate/05 wait activate/06 wait"
)


def small(moves: str, hexes: str = "", *, show_legal: bool = False) -> PositionSpec:
    """A position of the small map, with hexes marked; its dice fall as its step needs."""
    cells = tuple(int(name.split(".")[0]) * ROWS + int(name.split(".")[1]) for name in hexes.split())
    return PositionSpec(board="small", moves=tuple(moves.split()), seed=3, cells=cells, show_legal=show_legal)


_IDLE = {"wait": "idle", "advance": "advance"}

TUTORIAL = Tutorial(
    steps=(
        StepSpec(
            name="place",
            position=small("", "1.0 1.1 1.2 1.3 1.5 1.6 1.7 1.8"),
            turns=(TurnSpec(accept=("deploy/*/1.*",)),),
        ),
        StepSpec(
            name="move",
            position=small(DEPLOYED, "5.4"),
            turns=(TurnSpec(accept=("activate/01",)), TurnSpec(accept=("move/5.4",), refuse=_IDLE)),
        ),
        StepSpec(
            name="shoot",
            position=small(MOVED),
            turns=(TurnSpec(accept=("activate/01",)), TurnSpec(accept=("shoot/*",), refuse={"wait": "idle"})),
        ),
        StepSpec(
            name="charge",
            position=small(SHOT),
            turns=(
                TurnSpec(accept=("activate/03",)),
                TurnSpec(accept=("charge/04",), refuse={"wait": "idle", "charge/*": "far"}),
                TurnSpec(accept=("land/*",)),
            ),
        ),
        StepSpec(
            name="fight",
            position=small(CHARGED),
            turns=(TurnSpec(accept=("activate/03",)), TurnSpec(accept=("fight/04",), refuse={"wait": "idle"})),
        ),
        StepSpec(
            name="objective",
            position=small(CONTESTED, "5.4"),
            turns=(
                TurnSpec(accept=("activate/02", "activate/03"), refuse={"activate/01": "holder"}),
                TurnSpec(accept=("move/5.5", "move/6.5"), refuse=_IDLE),
            ),
        ),
    )
)
