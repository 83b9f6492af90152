"""Boards of Hex, and what a position holds."""

from typing import Any, Literal

from ludex.core.options import Options
from ludex.kit.game import Bits, GridGame, Position
from ludex.kit.geometry import Grid, hex_grid, signed
from ludex.kit.notation import placing, words


class BoardOptions(Options):
    """The size of a board."""

    size: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11] = 11


class Hex(GridGame):
    """Connect your two sides of the board."""

    id = "hex"
    reasons = ("connected", "draw")
    symmetries = ("Identity", "Rot180")
    features = 1

    def __init__(self, options: BoardOptions, preset: str) -> None:
        grid, constants = self.board_of(options.size)
        super().__init__(
            preset,
            grid=grid,
            notation=placing(grid) + words("swap"),
            fields={"blue": Bits(words=2), "orange": Bits(words=2)},
            max_plies=grid.sites + 1,
            constants=constants,
        )

    @staticmethod
    def board_of(size: int) -> tuple[Grid, tuple[Any, ...]]:
        """A rhombus, and the numbers of the board that the rules ask for."""
        grid = hex_grid(size, size)
        rows = [sum(1 << row * size + col for col in range(size)) for row in (0, size - 1)]
        cols = [sum(1 << row * size + col for row in range(size)) for col in (0, size - 1)]
        sides = [signed(side >> 64 * word) for side in (*rows, *cols) for word in range(2)]
        return grid, (size, sides, grid.shifts_of(2)[:3])

    def fault(self, state: Position) -> str | None:
        blue, orange = (set(self.layout.members(state, name)) for name in ("blue", "orange"))
        swapped = len(orange) - len(blue) == 1 - state[0]
        return None if swapped or len(blue) - len(orange) == state[0] else "the turn does not follow from the stones"
