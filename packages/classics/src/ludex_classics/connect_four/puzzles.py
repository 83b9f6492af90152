"""Puzzles of Connect Four: endings with few free cells, tried to their ends."""

from typing import Final

from ludex.kit.game import GridGame, Position
from ludex_classics.endings import Endings


def _free_cells(game: GridGame, state: Position) -> int:
    return game.grid.sites - sum(len(game.layout.members(state, name)) for name in ("red", "yellow"))


FREE: Final = Endings(_free_cells, least=8, most=12, choices=3, step=100)
make, prove = FREE.make, FREE.prove
