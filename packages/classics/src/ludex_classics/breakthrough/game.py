"""Boards of Breakthrough, and what a position holds."""

from typing import Literal

from ludex.core.options import Options
from ludex.kit.game import Bits, GridGame, Position
from ludex.kit.geometry import signed, square_grid
from ludex.kit.notation import moving


class BoardOptions(Options):
    """The size of a board."""

    size: Literal[5, 6, 7, 8] = 8


class Breakthrough(GridGame):
    """Be the first to reach the other side."""

    id = "breakthrough"
    reasons = ("broken through", "draw")
    colours = ("white", "black")
    look = "checkers"
    opposite = True
    symmetries = ("Identity", "ReflectVertical")

    def __init__(self, options: BoardOptions, preset: str) -> None:
        size = options.size
        grid = square_grid(size, size)
        steps = [grid.cell(place, (up, side)) for place in grid.places for up in (1, -1) for side in (-1, 0, 1)]
        row = (1 << size) - 1
        pairs = [(number // 6, cell) for number, cell in enumerate(steps) if cell >= 0]
        super().__init__(
            preset,
            grid=grid,
            notation=moving(grid, pairs),
            fields={"white": Bits(), "black": Bits()},
            max_plies=4 * size * (size - 1),
            constants=(size, [signed(row << size * (size - 1)), row], pairs),
        )

    def fault(self, state: Position) -> str | None:
        size, (white, black) = self.grid.rows, (self.layout.members(state, name) for name in ("white", "black"))
        return "a player has too many men" if max(len(white), len(black)) > 2 * size else None
