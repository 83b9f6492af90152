"""Observations and masks, changed only where the board changed. The arrays are those of `Buffers`."""

from typing import Any

from numpy.typing import NDArray

from ludex.games.minesweeper.env.buffers import COUNT, OPENED, RATIO, SHARE, TERMINATED, TRUNCATED, Buffers
from ludex.games.minesweeper.rules.geometry import DEGREE
from ludex.games.minesweeper.rules.layout import FLAG, MINE, NUMBER, REVEALED, TOUCHED
from ludex.games.minesweeper.rules.serialization import FLAG_PLANE, REVEALED_PLANE, ZERO_PLANE
from ludex.kernels.jit import bare_kernel, inline_kernel, to_word


@inline_kernel
def show_opened(buffers: Buffers, lane: int, before: int, after: int) -> None:
    """Show a lane's cells that `opened` holds from `before` to before `after`."""
    one, size = buffers.terms[0].one, buffers.cells.shape[1]
    has_flags = buffers.mask.shape[1] > size
    for place in range(before, after):
        cell = to_word(buffers.opened[lane, place])
        number = to_word(buffers.cells[lane, cell] & NUMBER)
        buffers.obs[lane, REVEALED_PLANE, cell] = one
        buffers.obs[lane, to_word(ZERO_PLANE) + number, cell] = one
        buffers.numbers[lane, cell] = number
        buffers.mask[lane, cell] = False
        if has_flags:
            buffers.mask[lane, to_word(size) + cell] = False


@inline_kernel
def wipe_opened(buffers: Buffers, lane: int, count: int) -> None:
    """Take a lane's opened cells out of its observation again."""
    for place in range(count):
        cell = to_word(buffers.opened[lane, place])
        buffers.obs[lane, REVEALED_PLANE, cell] = 0
        buffers.obs[lane, to_word(ZERO_PLANE) + to_word(buffers.cells[lane, cell] & NUMBER), cell] = 0


@inline_kernel
def wipe_plane(obs: NDArray[Any], lane: int, channel: int) -> None:
    """Clear one channel of a lane's observation."""
    for cell in range(obs.shape[2]):
        obs[lane, channel, cell] = 0


@inline_kernel
def show_frontier(buffers: Buffers, lane: int, before: int, after: int) -> None:
    """Bring a lane's frontier up to date, the hidden cells beside a revealed number, in channel and mask.

    With nothing revealed there is none, and every hidden cell is open. Afterwards there always is one, since the board
    is connected.
    """
    term = buffers.terms[0]
    if term.frontier_mask and before == 0 and after > 0:
        for cell in range(len(buffers.near)):
            buffers.mask[lane, cell] = False
    for place in range(before, after):
        cell = buffers.opened[lane, place]
        if term.frontier_at >= 0:
            buffers.obs[lane, term.frontier_at, cell] = 0
        for k in range(DEGREE):
            other = buffers.near[cell, k]
            if buffers.cells[lane, other] & (REVEALED | TOUCHED) == 0:
                buffers.cells[lane, other] |= TOUCHED
                if term.frontier_at >= 0:
                    buffers.obs[lane, term.frontier_at, other] = term.one
                if term.frontier_mask:
                    buffers.mask[lane, other] = True


@inline_kernel
def show_levels(buffers: Buffers, lane: int, mines: int, flags: int, opened: int, obs: NDArray[Any]) -> None:
    """Bring a lane's channels up to date that repeat one number over the board."""
    term, levels = buffers.terms[0], buffers.levels
    row = mines - term.least_mines
    for cell in range(obs.shape[2]):
        if term.ratio_at >= 0:
            obs[lane, term.ratio_at, cell] = levels[RATIO, row, max(0, mines - flags)]
        if term.progress_at >= 0:
            obs[lane, term.progress_at, cell] = levels[OPENED, row, opened]
        if term.share_at >= 0:
            obs[lane, term.share_at, cell] = levels[SHARE, row, opened]
        if term.count_at >= 0:
            obs[lane, term.count_at, cell] = levels[COUNT, row, opened]


@bare_kernel
def show_final(buffers: Buffers, obs: NDArray[Any]) -> None:
    """Draw the last observations of the episodes that ended in this step, `obs [N, C, HW]`, from the cells then kept.

    Learning needs few of them, so they are not drawn in every step.
    """
    term, cells = buffers.terms[0], buffers.final_cells
    for lane in range(len(buffers.ledger)):
        if not buffers.marks[TERMINATED, lane] and not buffers.marks[TRUNCATED, lane]:
            continue
        obs[lane] = 0
        opened = 0
        flags = 0
        for place in range(cells.shape[1]):
            cell = cells[lane, place]
            if cell & FLAG:
                flags += 1
                obs[lane, FLAG_PLANE, place] = term.one
            if cell & REVEALED:
                obs[lane, REVEALED_PLANE, place] = term.one
                if cell & MINE == 0:
                    opened += 1
                    obs[lane, ZERO_PLANE + (cell & NUMBER), place] = term.one
            elif term.frontier_at >= 0 and cell & TOUCHED:
                obs[lane, term.frontier_at, place] = term.one
        if term.has_levels:
            show_levels(buffers, lane, buffers.ledger[lane].final_mines, flags, opened, obs)
