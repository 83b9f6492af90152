"""Boards of Dots and Boxes, and what a position holds."""

from typing import Literal

from ludex.core.options import Options
from ludex.kit.game import GridGame, Position
from ludex.kit.geometry import Grid, square_grid
from ludex.kit.notation import placing_edges


class BoardOptions(Options):
    """The boxes of a side of the board."""

    size: Literal[2, 3, 4, 5, 6] = 5


class Boxes(GridGame):
    """Close more boxes than the other player."""

    id = "boxes"
    reasons = ("more boxes", "equal boxes")
    features = 2

    def __init__(self, options: BoardOptions, preset: str) -> None:
        grid = self.grid_of(options.size)
        super().__init__(
            preset,
            grid=grid,
            notation=placing_edges(grid),
            max_plies=len(grid.edges),
            constants=(len(grid.places), grid.borders),
        )

    @staticmethod
    def grid_of(size: int) -> Grid:
        """The boxes of a square board, and their edges."""
        return square_grid(size, size, top=True, edges=True)

    def edges_of(self, state: Position, cell: int) -> int:
        """How many edges of a cell are drawn."""
        return sum(state[1 + int(edge)] != 0 for edge in self.grid.borders[cell])

    def fault(self, state: Position) -> str | None:
        wrong = any(
            (state[1 + cell] != 0) != (self.edges_of(state, cell) == 4) for cell in range(len(self.grid.places))
        )
        return "a box belongs to a player exactly when its four edges are drawn" if wrong else None
