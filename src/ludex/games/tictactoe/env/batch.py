"""Many boards at once, updated in place, so that a step writes only what changed."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.errors import IllegalAction
from ludex.core.game import Observation
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import has_line, is_free
from ludex.kernels.jit import copy_into, kernel, share

share(has_line)
share(is_free)


class TicTacToeBatch:
    """`num_lanes` boards of one game. The game has no chance, so the seed only names the run."""

    shaped = False

    def __init__(self, game: TicTacToe, num_lanes: int) -> None:
        board = game.board
        self.num_lanes = num_lanes
        self.num_actions = board.cells
        self._lines = np.array([line for lines in board.lines_through for line in lines], np.int64)
        self._line_starts = np.cumsum([0, *(len(lines) for lines in board.lines_through)], dtype=np.int64)
        self._marks = np.zeros((2, num_lanes), np.int64)
        self._mask = np.ones((num_lanes, board.cells), np.bool_)
        self._player = np.zeros(num_lanes, np.int8)
        self._episode = np.zeros(num_lanes, np.int64)
        self._planes = np.zeros((num_lanes, 2, board.cells), np.uint8)
        self._final_planes = np.zeros_like(self._planes)
        self._reward = np.zeros(num_lanes, np.float32)
        self._terminated = np.zeros(num_lanes, np.bool_)
        self._truncated = np.zeros(num_lanes, np.bool_)
        shape = (num_lanes, 2, board.rows, board.cols)
        self._obs: Observation = {"planes": self._planes.reshape(shape)}
        self._final_obs: Observation = {"planes": self._final_planes.reshape(shape)}

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self._marks[:] = 0
        self._mask[:] = True
        self._player[:] = 0
        self._episode[:] = 0
        self._planes[:] = 0
        return self._obs, self._info()

    def step(self, actions: NDArray[np.int64]) -> Step:
        if actions.shape != (self.num_lanes,):
            shape = list(actions.shape)
            raise ValueError(f"actions must be int64[{self.num_lanes}], one per lane, found shape {shape}")
        lane = first_illegal(self._marks, actions, self.num_actions)
        if lane >= 0:
            raise IllegalAction(f"lane {lane}: action {actions[lane]} is illegal; no lane has moved")
        step_lanes(
            actions,
            self._lines,
            self._line_starts,
            self._marks,
            self._player,
            self._episode,
            self._mask,
            self._planes,
            self._final_planes,
            self._reward,
            self._terminated,
        )
        return self._obs, self._reward, self._terminated, self._truncated, self._info()

    def _info(self) -> Info:
        return {
            "mask": self._mask,
            "player": self._player,
            "episode": self._episode,
            "final_obs": self._final_obs,
        }


@kernel
def first_illegal(marks: NDArray[np.int64], actions: NDArray[np.int64], cells: int) -> int:
    """The first lane whose action cannot be played, or -1; `marks: int64[2, N]`."""
    for lane in range(len(actions)):
        action = actions[lane]
        if action < 0 or action >= cells or not is_free(marks[0, lane] | marks[1, lane], action):
            return lane
    return -1


@kernel
def step_lanes(
    actions: NDArray[np.int64],
    lines: NDArray[np.int64],
    line_starts: NDArray[np.int64],
    marks: NDArray[np.int64],
    player: NDArray[np.int8],
    episode: NDArray[np.int64],
    mask: NDArray[np.bool_],
    planes: NDArray[np.uint8],
    final_planes: NDArray[np.uint8],
    reward: NDArray[np.float32],
    terminated: NDArray[np.bool_],
) -> None:
    """One ply in every lane, and a new board where a game ended.

    `lines` holds the lines through cell c at `line_starts[c]:line_starts[c + 1]`. Shapes as in `TicTacToeBatch`.
    """
    cells = mask.shape[1]
    full = (1 << cells) - 1
    for lane in range(len(actions)):
        action = actions[lane]
        mover = player[lane]
        marks[mover, lane] |= 1 << action
        planes[lane, mover, action] = 1
        mask[lane, action] = False
        won = has_line(marks[mover, lane], lines[line_starts[action] : line_starts[action + 1]])
        ended = won or marks[0, lane] | marks[1, lane] == full
        reward[lane] = 1.0 if won else 0.0
        terminated[lane] = ended
        player[lane] = 1 - mover
        if ended:
            copy_into(final_planes[lane, 0], planes[lane, 0])
            copy_into(final_planes[lane, 1], planes[lane, 1])
            marks[0, lane] = 0
            marks[1, lane] = 0
            planes[lane] = 0
            mask[lane] = True
            player[lane] = 0
            episode[lane] += 1
