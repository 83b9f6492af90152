"""The board of Nine Men's Morris, and what a position holds."""

from itertools import pairwise

from ludex.core.options import Options
from ludex.kit.game import Bits, GridGame, Number, Position
from ludex.kit.geometry import points_grid
from ludex.kit.notation import moving, placing

MEN, QUIET = 9, 60
"""Men of each player, and the plies without a mill after which a game is drawn."""
LINES = (
    *("a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7"),
    *("a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7"),
)
POINTS = sorted({name for line in LINES for name in line.split()}, key=lambda name: name[::-1])
GRID = points_grid(POINTS)
MILLS = tuple(tuple(map(POINTS.index, line.split())) for line in LINES)


class BoardOptions(Options):
    """Nothing to choose."""


class Morris(GridGame):
    """Close mills of three, and take the other player's men."""

    id = "morris"
    reasons = ("nothing left to play", "no mill for long")
    colours = ("white", "black")
    features = 4

    def __init__(self, options: BoardOptions, preset: str) -> None:
        near = [0] * len(POINTS)
        for mill in MILLS:
            for one, other in pairwise(mill):
                near[one] |= 1 << other
                near[other] |= 1 << one
        points = range(len(POINTS))
        moves = moving(GRID, [(start, end) for start in points for end in points if start != end])
        super().__init__(
            preset,
            grid=GRID,
            notation=placing(GRID) + placing(GRID, "x") + moves,
            fields={
                "taking": Number(1),
                "quiet": Number(QUIET),
                "in_hand_1": Number(MEN),
                "in_hand_2": Number(MEN),
                "white": Bits(),
                "black": Bits(),
            },
            max_plies=4 * MEN + 2 * MEN * QUIET,
            constants=([sum(1 << point for point in mill) for mill in MILLS], near, [choice[1] for choice in moves]),
        )

    def fault(self, state: Position) -> str | None:
        white, black = (len(self.layout.members(state, name)) for name in ("white", "black"))
        many = white + state[3] > MEN or black + state[4] > MEN
        return "a player has more than nine men" if many else None
