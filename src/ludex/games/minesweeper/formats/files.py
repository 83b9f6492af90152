"""Files of full boards: MBF or text, as the name ends."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.documents import read_bytes, read_text, write_bytes, write_text
from ludex.core.errors import BadOption
from ludex.games.minesweeper.errors import BadBoard
from ludex.games.minesweeper.formats.ascii import read_mines, write_mines
from ludex.games.minesweeper.formats.mbf import read_mbf, write_mbf

MBF: Final = ".mbf"
TEXT: Final = ".txt"


def require_board_name(path: Path) -> None:
    """Raise `BadOption` unless the name says what the file holds."""
    if path.suffix.lower() not in (MBF, TEXT):
        raise BadOption(f"{path}: expected a name that ends in {MBF} or {TEXT}, found {path.suffix or 'no ending'!r}")


def read_board(path: Path) -> NDArray[np.bool_]:
    """bool[H, W], True where the mines are. Raises `BadBoard` naming the file and what is wrong."""
    require_board_name(path)
    held = read_bytes(path, BadBoard) if path.suffix.lower() == MBF else read_text(path, BadBoard)
    try:
        return read_mbf(held) if isinstance(held, bytes) else read_mines(held)
    except BadBoard as error:
        raise BadBoard(f"{path}: {error.message}") from error


def write_board(path: Path, mines: NDArray[np.bool_]) -> None:
    """Write a board whole or not at all."""
    require_board_name(path)
    if path.suffix.lower() == MBF:
        write_bytes(path, write_mbf(mines))
    else:
        write_text(path, write_mines(mines) + "\n")
