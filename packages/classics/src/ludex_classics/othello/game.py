"""Boards and positions of Othello."""

from typing import Literal

from ludex.core.options import Options
from ludex.kit.game import Bits, GridGame
from ludex.kit.geometry import signed, square_grid
from ludex.kit.notation import placing, words


class BoardOptions(Options):
    """The size of a board."""

    size: Literal[4, 6, 8] = 8


class Othello(GridGame):
    """Enclose the other player's discs and turn them; most discs win."""

    id = "othello"
    reasons = ("most discs", "equal discs")
    colours = ("black", "white")
    look = "felt"
    features = 2

    def __init__(self, options: BoardOptions, preset: str) -> None:
        size, middle = options.size, options.size // 2
        grid = square_grid(size, size, top=True)
        low, high = (middle - 1) * (size + 1), middle * (size + 1)
        black, white = 1 << low + 1 | 1 << high - 1, 1 << low | 1 << high
        corners = sum(1 << cell for cell in (0, size - 1, size * (size - 1), size * size - 1))
        super().__init__(
            preset,
            grid=grid,
            notation=placing(grid) + words("pass"),
            fields={"black": Bits(), "white": Bits()},
            max_plies=2 * (size * size - 4),
            constants=(size * size, signed(black), signed(white), signed(corners), grid.shifts),
        )
