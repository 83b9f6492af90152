"""Boards of Connect Four, and what a position holds."""

from pydantic import Field

from ludex.core.options import Options
from ludex.kit.game import Bits, GridGame, Position
from ludex.kit.geometry import square_grid
from ludex.kit.notation import dropping


class BoardOptions(Options):
    """The size of a board; four in a row win on every one."""

    cols: int = Field(7, ge=4, le=8)
    rows: int = Field(6, ge=4, le=8)


class ConnectFour(GridGame):
    """Drop a stone into a column; four in a row win."""

    id = "connect_four"
    reasons = ("four in a row", "board full")
    colours = ("red", "yellow")

    def __init__(self, options: BoardOptions, preset: str) -> None:
        grid = square_grid(options.rows, options.cols)
        super().__init__(
            preset,
            grid=grid,
            notation=dropping(grid),
            fields={"red": Bits(), "yellow": Bits()},
            constants=(options.cols, options.rows, grid.shifts),
        )

    def fault(self, state: Position) -> str | None:
        red, yellow = (set(self.layout.members(state, name)) for name in ("red", "yellow"))
        floating = {cell for cell in red | yellow if cell >= self.grid.cols} - {
            cell + self.grid.cols for cell in red | yellow
        }
        if floating:
            return "a stone lies on no other"
        return None if len(red) - len(yellow) == state[0] else "the turn does not follow from the stones"
