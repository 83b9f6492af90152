"""What a screen draws of a position. Columns count from the left, rows from white's side: a1 is column 0 of row 0."""

from string import ascii_lowercase

from ludex.core.game import Action, Json, Mask, legal_actions
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.board import action_name, wall_of
from ludex.games.quoridor.rules.position import Position, wall_actions
from ludex.games.quoridor.screen.review import path_of


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
    paths = [path_of(game, view, player) for player in range(2)]
    return {
        "pawns": [_square(game, pawn) for pawn in view.pawns],
        "walls": [_move(game, action) for action in wall_actions(view, game.size)],
        "left": list(view.left),
        "distances": [len(path) - 1 for path in paths],
        "paths": [[_square(game, square) for square in path] for path in paths],
        "legal": [_move(game, action) for action in legal_actions(legal)],
    }


def _square(game: Quoridor, square: int) -> Json:
    row, col = divmod(square, game.size)
    return {"col": col, "row": row}


def _move(game: Quoridor, action: Action) -> Json:
    """A move and where it is: a pawn's destination, or the square that names a wall."""
    text = action_name(action, game.size)
    if action < game.squares:
        row, col = divmod(action, game.size)
        return {"text": text, "kind": "pawn", "col": col, "row": row}
    slot, vertical = wall_of(action, game.size)
    row, col = divmod(slot, game.size)
    return {"text": text, "kind": "hv"[vertical], "col": col, "row": row}
