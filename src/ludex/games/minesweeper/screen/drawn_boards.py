"""Boards drawn in text, for the rules and the tutorial."""

from itertools import product

from ludex.core.illustration import PositionSpec

_SHOWN = "o"
_MINES = "*FX"


def drawn(picture: str, marked: str = "", moves: tuple[str, ...] = ()) -> PositionSpec:
    """A position from rows of characters: `o` is revealed, the others are as `Game.dump` writes them.

    >>> drawn("F o / o .").position
    {'cells': 'F11.', 'plies': 4}
    """
    rows = [row.split() for row in picture.split("/")]
    height, width = len(rows), len(rows[0])
    mines = sum(cell in _MINES for row in rows for cell in row)
    cells = "".join(
        str(_neighbours(rows, row, col)) if rows[row][col] == _SHOWN else rows[row][col]
        for row, col in product(range(height), range(width))
    )
    return PositionSpec(
        board=f"small_8x8_10:rows={height}:cols={width}:mines={mines}:start=safe",
        position={"cells": cells, "plies": len(cells)},
        moves=moves,
        cells=tuple(ord(name[0]) - ord("a") + width * (int(name[1:]) - 1) for name in marked.split()),
    )


def _neighbours(rows: list[list[str]], row: int, col: int) -> int:
    """How many mines touch a cell."""
    near = product(range(max(0, row - 1), row + 2), range(max(0, col - 1), col + 2))
    return sum(r < len(rows) and c < len(rows[0]) and rows[r][c] in _MINES for r, c in near)
