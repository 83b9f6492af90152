"""The kernels: solving every position, and stepping many boards at once."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.tictactoe.rules.board import has_line, is_free
from ludex.kernels.jit import copy_into, kernel, share

share(has_line)
share(is_free)

WON = 100
"""The score of a side that has won. One ply further from the win is one point less."""
INVALID = -128
"""The score of codes that are no position."""


@kernel
def fill_scores(cells: int, lines: NDArray[np.int64], scores: NDArray[np.int8]) -> None:
    """Score every position of a board for its side to move; `scores: int8[3**cells]`.

    A position's code has one digit per cell, 0 (empty), 1 (X) or 2 (O), cell 0 lowest. A move makes a digit greater, so
    counting codes down meets every position after all of its successors.
    """
    powers = np.empty(cells, np.int64)
    power = 1
    for cell in range(cells):
        powers[cell] = power
        power *= 3
    digits = np.full(cells, 2, np.int64)
    x, o = 0, (1 << cells) - 1
    x_count, o_count = 0, cells
    for code in range(len(scores) - 1, -1, -1):
        turn = x_count - o_count
        if turn not in (0, 1):
            scores[code] = INVALID
        elif has_line(x if turn == 1 else o, lines):
            scores[code] = -WON
        elif x_count + o_count == cells:
            scores[code] = 0
        else:
            best = -WON
            for cell in range(cells):
                if digits[cell] == 0:
                    score = -scores[code + (turn + 1) * powers[cell]]
                    # A ply further away: wins shrink, losses too.
                    best = max(best, score - (score > 0) + (score < 0))
            scores[code] = best
        # Count down by one: trailing empty cells turn to O, then one mark turns from O to X or from X to empty.
        cell = 0
        while cell < cells and digits[cell] == 0:
            digits[cell] = 2
            o |= 1 << cell
            o_count += 1
            cell += 1
        if cell < cells:
            if digits[cell] == 2:
                o ^= 1 << cell
                o_count -= 1
                x |= 1 << cell
                x_count += 1
            else:
                x ^= 1 << cell
                x_count -= 1
            digits[cell] -= 1


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
