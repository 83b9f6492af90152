"""Positions as texts: the original document's state key, `E`, `O` and `X` row by row. The first mover is always X."""

from ludex.core.errors import BadPosition
from ludex.games.tictactoe.rules.board import Board, has_line
from ludex.games.tictactoe.rules.position import Position, cells_of


def to_state_key(board: Board, position: Position) -> str:
    """The key of a position as it stands, not of its canonical image.

    >>> to_state_key(Board(3, 3, 3), Position(x=0b1, o=0b10000))
    'XEEEOEEEE'
    """
    x, o, _ = position
    return "".join("X" if x >> cell & 1 else "O" if o >> cell & 1 else "E" for cell in range(board.cells))


def legal_moves(board: Board, position: Position) -> list[int]:
    """The cells the side to move may mark; none when the game is over."""
    if position.won:
        return []
    return list(cells_of(board.full & ~position.taken))


def from_state_key(board: Board, key: str) -> Position:
    """The position of a key. Raises `BadPosition` unless play can reach it."""
    if len(key) != board.cells:
        raise BadPosition(f"expected {board.cells} cells of E, O and X, found {len(key)} in {key!r}")
    if set(key) - set("EOX"):
        raise BadPosition(f"expected only E, O and X, found {''.join(sorted(set(key) - set('EOX')))!r} in {key!r}")
    x, o = (sum(1 << cell for cell, mark in enumerate(key) if mark == side) for side in "XO")
    position = Position(x, o)
    if position.turn not in (0, 1):
        raise BadPosition(f"X has as many marks as O or one more, found {key.count('X')} X and {key.count('O')} O")
    if has_line(position.mine, board.lines):
        raise BadPosition(f"in {key!r} the side to move already has a line")
    complete = [line for line in board.lines if position.theirs & line == line]
    shared = board.full
    for line in complete:
        shared &= line
    if complete and not shared:
        raise BadPosition(f"in {key!r} no single move completed all the lines")
    return position._replace(won=bool(complete))
