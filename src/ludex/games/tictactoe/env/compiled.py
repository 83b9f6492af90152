"""Tic-tac-toe over packed positions: the marks of X and of O, whose turn it is, and whether the last move won."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import RUNNING, CompiledRules, Ownership, Symmetries, Vector
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import has_line, is_free
from ludex.games.tictactoe.rules.position import Position
from ludex.kernels.jit import kernel, share

share(has_line)
share(is_free)

X, TURN, WON, STATE_SIZE = 0, 2, 3, 4
"""O's marks follow X's."""
CELLS, STARTS = 0, 1
"""The constants: how many cells, where the lines through each cell begin and the last ends, then the lines."""
PLANES: Final = 2


@kernel
def reset(constants: Vector, state: Vector) -> None:
    """An empty board."""
    state[:] = 0


@kernel
def apply(constants: Vector, state: Vector, action: int) -> None:
    """Mark a cell, and see whether it completes a line."""
    mover = state[TURN]
    state[X + mover] |= 1 << action
    lines = constants[constants[STARTS + action] : constants[STARTS + action + 1]]
    state[WON] = has_line(state[X + mover], lines)
    state[TURN] = 1 - mover


@kernel
def legal(constants: Vector, state: Vector, mask: NDArray[np.uint8]) -> int:
    """The free cells of a live position."""
    taken, count = state[X] | state[X + 1], 0
    for cell in range(constants[CELLS]):
        free = is_free(taken, cell) and state[WON] == 0
        mask[cell] = free
        count += free
    return count


@kernel
def outcome(constants: Vector, state: Vector) -> float:
    """A line wins for the player who has just moved; a full board is a draw."""
    if state[WON]:
        return 1.0 if state[TURN] == 1 else -1.0
    return 0.0 if state[X] | state[X + 1] == (1 << constants[CELLS]) - 1 else RUNNING


@kernel
def player(constants: Vector, state: Vector) -> int:
    """Whose turn it is."""
    return int(state[TURN])


@kernel
def observe(constants: Vector, state: Vector, out: NDArray[np.float32]) -> None:
    """Two planes: the mover's marks, the other's marks."""
    cells, turn = constants[CELLS], state[TURN]
    for cell in range(cells):
        out[cell] = state[X + turn] >> cell & 1
        out[cells + cell] = state[X + 1 - turn] >> cell & 1


@kernel
def write_ownership(constants: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    """Whose mark each cell has."""
    for cell in range(constants[CELLS]):
        out[cell] = (state[X + player] >> cell & 1) - (state[X + 1 - player] >> cell & 1)


def pack(position: Position) -> Vector:
    """The packed form of a position."""
    return np.array([position.x, position.o, position.turn, position.won], np.int64)


def unpack(state: Vector) -> Position:
    """The position of a packed form."""
    return Position(int(state[X]), int(state[X + 1]), bool(state[WON]))


def compiled(game: TicTacToe) -> CompiledRules:
    """The compiled rules of a board."""
    board = game.board
    first = 2 + board.cells
    starts = first + np.cumsum([0, *(len(lines) for lines in board.lines_through)])
    lines = [line for through in board.lines_through for line in through]
    images = np.array([transform.image for transform in board.grid.symmetries], np.int64)
    return CompiledRules(
        state_size=STATE_SIZE,
        action_size=board.cells,
        observation_shape=(PLANES, board.rows, board.cols),
        constants=np.array([board.cells, *starts, *lines], np.int64),
        reset=reset,
        apply=apply,
        legal=legal,
        outcome=outcome,
        player=player,
        observe=observe,
        pack=pack,
        unpack=unpack,
        symmetries=Symmetries(actions=images, cells=np.hstack([images, images + board.cells])),
        ownership=Ownership(planes=1, write=write_ownership, cells=images),
    )
