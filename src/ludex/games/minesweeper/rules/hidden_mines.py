"""Other mine placements that give the same view, for the conformance of views."""

from collections import defaultdict

import numpy as np

from ludex.core.game import Player
from ludex.core.seeding import Rng
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import MINE, REVEALED
from ludex.games.minesweeper.rules.position import Position


def vary_secret(game: Minesweeper, state: Position, player: Player, rng: Rng) -> Position:
    """Shuffle the mines among hidden cells that touch the same revealed numbers; those then stay true."""
    cells = np.frombuffer(state.cells, np.uint8).copy()
    boxes: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell in np.flatnonzero(cells & REVEALED == 0).tolist():
        near = game.near[cell]
        boxes[tuple(near[cells[near] & REVEALED != 0].tolist())].append(cell)
    for box in boxes.values():
        mines = [int(cells[cell] & MINE) for cell in box]
        rng.shuffle(mines)
        for cell, mine in zip(box, mines, strict=True):
            cells[cell] = int(cells[cell]) & ~MINE | mine
    return state._replace(cells=cells.tobytes())
