"""Positions of one game in which one sees what was learned: where to stand, whom to shoot at and to charge."""

from typing import Final

from ludex.core.illustration import PositionSpec

SEED: Final = 2000001
GAME: Final = (
    "deploy/01/1.5 deploy/04/9.1 deploy/02/1.2 deploy/05/9.2 deploy/03/1.6 deploy/06/9.3 activate/01 "
    "move/3.6 activate/03 move/7.2 activate/02 move/5.4 activate/01 shoot/06 activate/02 shoot/06 "
    "activate/03 shoot/06 activate/03"
)
PLIES: Final = (0, 7, 9, 13, 19)
"""Before the first placement, two moves, the first shot and the first charge."""
TELLING: Final = tuple(PositionSpec(board="small", seed=SEED, moves=tuple(GAME.split()[:ply])) for ply in PLIES)
