"""What a screen draws of a position. Columns count from the left, rows from white's side: a1 is column 0 of row 0."""

from string import ascii_lowercase

import numpy as np

from ludex.core.game import Action, Json, Mask, legal_actions
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.notation import action_name
from ludex.games.quoridor.rules.paths import MOST_STEPS, shortest_path
from ludex.games.quoridor.rules.position import Position, words


def stage(game: Quoridor) -> dict[str, Json]:
    """The board, the row each player walks to, and the stock both begin with."""
    return {
        "size": game.size,
        "walls": game.walls,
        "goals": [game.size - 1, 0],
        "columns": list(ascii_lowercase[: game.size]),
        "rows": [str(row + 1) for row in range(game.size)],
    }


def scene(game: Quoridor, view: Position, legal: Mask) -> dict[str, Json]:
    """Pawns, walls, stocks, each player's shortest path with its length, and every legal move."""
    paths = [_path(game, view, player) for player in range(2)]
    walls = [action for action in range(game.squares, game.info.num_actions) if _stands(game, view, action)]
    return {
        "pawns": [_square(game, pawn) for pawn in view.pawns],
        "walls": [_move(game, action) for action in walls],
        "left": list(view.left),
        "distances": [len(path) - 1 for path in paths],
        "paths": [list(path) for path in paths],
        "legal": [_move(game, action) for action in legal_actions(legal)],
    }


def _path(game: Quoridor, view: Position, player: int) -> list[Json]:
    """The squares of a shortest path, the pawn's own first."""
    squares = np.empty(MOST_STEPS, np.int64)
    steps = shortest_path(words(view, game.size), player, game.size, game.geometry, squares)
    return [_square(game, int(square)) for square in squares[: steps + 1]]


def _square(game: Quoridor, square: int) -> Json:
    row, col = divmod(square, game.size)
    return {"col": col, "row": row}


def _move(game: Quoridor, action: Action) -> Json:
    """A move and where it is: a pawn's destination, or the square that names a wall."""
    text = action_name(action, game.size)
    if action < game.squares:
        row, col = divmod(action, game.size)
        return {"text": text, "kind": "pawn", "col": col, "row": row}
    kind, slot = divmod(action - game.squares, (game.size - 1) ** 2)
    row, col = divmod(slot, game.size - 1)
    return {"text": text, "kind": "hv"[kind], "col": col, "row": row}


def _stands(game: Quoridor, view: Position, action: Action) -> bool:
    kind, slot = divmod(action - game.squares, (game.size - 1) ** 2)
    row, col = divmod(slot, game.size - 1)
    return bool(view.walls[kind] >> row * game.size + col & 1)
