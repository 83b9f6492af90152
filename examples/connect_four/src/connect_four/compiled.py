"""The rules as kernels over four numbers: the mover's stones, all stones, whose turn it is, whether one has won."""

import numpy as np
from numpy.typing import NDArray

from connect_four.game import ConnectFour, Position
from ludex.core.compiled import RUNNING, CompiledRules, Ownership, Symmetries, Vector
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.kernels.jit import kernel
from ludex.kernels.warmup import Warmup
from ludex.search.batched.warmup import compile_search

MOVER, STONES, TURN, WON, STATE_SIZE = range(5)
COLS, ROWS, FULL = range(3)


@kernel
def reset(constants: Vector, state: Vector) -> None:
    """An empty board."""
    state[:] = 0


@kernel
def apply(constants: Vector, state: Vector, action: int) -> None:
    """Drop a stone, and see whether it makes four in a row."""
    height = constants[ROWS] + 1
    stones = state[STONES] | (state[STONES] + (1 << action * height))
    last = state[MOVER] | (stones ^ state[STONES])
    state[MOVER] ^= state[STONES]
    state[STONES] = stones
    state[TURN] = 1 - state[TURN]
    for step in (1, height, height - 1, height + 1):
        pairs = last & (last >> step)
        if pairs & (pairs >> (2 * step)):
            state[WON] = 1


@kernel
def legal(constants: Vector, state: Vector, mask: NDArray[np.uint8]) -> int:
    """The columns that are not full, while nobody has won."""
    count = 0
    for col in range(constants[COLS]):
        free = state[WON] == 0 and state[STONES] >> (col * (constants[ROWS] + 1) + constants[ROWS] - 1) & 1 == 0
        mask[col] = free
        count += free
    return count


@kernel
def outcome(constants: Vector, state: Vector) -> float:
    """Four in a row win for the player who has just moved."""
    if state[WON]:
        return 1.0 if state[TURN] == 1 else -1.0
    return 0.0 if state[STONES] == constants[FULL] else RUNNING


@kernel
def player(constants: Vector, state: Vector) -> int:
    """Whose turn it is."""
    return int(state[TURN])


@kernel
def observe(constants: Vector, state: Vector, out: NDArray[np.float32]) -> None:
    """Two planes: the mover's stones, the other's stones; row 0 is the lowest."""
    cols, rows = constants[COLS], constants[ROWS]
    for row in range(rows):
        for col in range(cols):
            bit = col * (rows + 1) + row
            out[row * cols + col] = state[MOVER] >> bit & 1
            out[(rows + row) * cols + col] = (state[MOVER] ^ state[STONES]) >> bit & 1


@kernel
def write_ownership(constants: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    """Whose stone lies on each cell; learning asks for it at the end of a game."""
    cols, rows = constants[COLS], constants[ROWS]
    sign = 1 if player == state[TURN] else -1
    for row in range(rows):
        for col in range(cols):
            bit = col * (rows + 1) + row
            mine = sign if state[MOVER] >> bit & 1 else -sign
            out[row * cols + col] = mine if state[STONES] >> bit & 1 else 0


def compiled(game: ConnectFour) -> CompiledRules | None:
    """The compiled rules of a board; None if its stones do not fit a number of 64 bits."""
    if game.cols * game.height > 62:
        return None

    def pack(position: Position) -> Vector:
        won = game.fours(position.mover ^ position.stones) != 0
        return np.array([position.mover, position.stones, game.to_move(position), won], np.int64)

    def unpack(state: Vector) -> Position:
        return Position(int(state[MOVER]), int(state[STONES]))

    columns, cells = np.arange(game.cols), np.arange(2 * game.rows * game.cols)
    mirror = np.stack([cells, cells.reshape(-1, game.cols)[:, ::-1].ravel()])
    one_plane = np.ascontiguousarray(mirror[:, : game.rows * game.cols])
    return CompiledRules(
        state_size=STATE_SIZE,
        action_size=game.cols,
        observation_shape=(2, game.rows, game.cols),
        observation_name="board",
        constants=np.array([game.cols, game.rows, game.full], np.int64),
        reset=reset,
        apply=apply,
        legal=legal,
        outcome=outcome,
        player=player,
        observe=observe,
        pack=pack,
        unpack=unpack,
        symmetries=Symmetries(actions=np.stack([columns, columns[::-1]]), cells=mirror),
        ownership=Ownership(planes=1, write=write_ownership, cells=one_plane),
    )


def warmup() -> Warmup:
    """What is compiled before anybody plays."""
    game = make("connect_four")
    return Warmup(
        player={
            "mcts": lambda: decide(Match(game, 0), make_agent(game, "mcts"), Limit(simulations=1)),
            "search with a network": lambda: compile_search(game),
        }
    )
