"""How large a board may be, whatever it is written in."""

from typing import Final

from ludex.games.minesweeper.errors import BadBoard

MOST_SIDE: Final = 64
"""Rows or columns of the largest board."""


def require_size(rows: int, cols: int) -> None:
    """Raise `BadBoard` for a board without cells, or too large to play."""
    if not 1 <= rows <= MOST_SIDE or not 1 <= cols <= MOST_SIDE:
        raise BadBoard(f"a board has 1..{MOST_SIDE} rows and columns, found {rows} rows and {cols} columns")
