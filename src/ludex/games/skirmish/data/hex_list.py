"""Lists of hexes in files."""

from collections.abc import Sequence
from pathlib import Path

from ludex.games.skirmish.data.faults import refusal
from ludex.games.skirmish.data.schema import Coordinates
from ludex.games.skirmish.hexes.grid import Grid


def hexes_of(grid: Grid, file: Path, key: str, listed: Sequence[Coordinates]) -> tuple[int, ...]:
    """The numbers of listed hexes in their order; each must be on the board and listed once."""
    places: dict[int, int] = {}
    for place, (col, row) in enumerate(listed):
        h = hex_of(grid, file, f"{key}.{place}", col, row)
        if h in places:
            raise refusal(file, f"{key}.{place}", [col, row], f"each hex once, and {key}.{places[h]} is the same")
        places[h] = place
    return tuple(places)


def hex_of(grid: Grid, file: Path, key: str, col: int, row: int) -> int:
    """The number of a hex that must be on the board."""
    h = grid.find(col, row)
    if h is None:
        raise refusal(file, key, [col, row], f"a hex of the board, {board_text(grid)}")
    return h


def board_text(grid: Grid) -> str:
    """The columns and rows there are, in words."""
    return (
        f"columns 0 to {grid.cols - 1}, rows 0 to {grid.rows - 1} in even columns and 0 to {grid.rows - 2} in odd ones"
    )
