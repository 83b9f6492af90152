"""Many boards at once: one step of every lane, and the beginning of its episodes."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import state_of
from ludex.games.minesweeper.env.buffers import (
    FLAGGING,
    INVALID,
    LOSS,
    PROGRESS,
    REFUSED,
    REST,
    STEP,
    TERMINATED,
    TRUNCATED,
    WIN,
    WON,
    Buffers,
    show_frontier,
    show_levels,
    show_opened,
    wipe_opened,
    wipe_plane,
)
from ludex.games.minesweeper.rules.layout import (
    FLAG,
    HIDDEN,
    MINE,
    REVEALED,
    TOUCHED,
    Cells,
    Lines,
    Near,
    Numbers,
    Opened,
    States,
)
from ludex.games.minesweeper.rules.position import FLAG_PLANE, PLANES, REVEALED_PLANE
from ludex.games.minesweeper.rules.revealing import open_random, place_mines, reveal, shut_lines, toggle_shut
from ludex.kernels.jit import bare_kernel, draw_below, inline_kernel, to_word

NO_CELL: Final = -1
"""Where a step reveals no mine."""


@bare_kernel
def step_range(
    near: Near,
    terms: NDArray[Any],
    ledger: NDArray[Any],
    states: States,
    cells: Cells,
    lines: Lines,
    opened: Opened,
    obs: NDArray[Any],
    mask: NDArray[np.bool_],
    numbers: Numbers,
    final_cells: Cells,
    reward: NDArray[np.float32],
    components: NDArray[np.float32],
    marks: NDArray[np.bool_],
    levels: NDArray[Any],
    actions: NDArray[np.int64],
    also: NDArray[np.bool_],
    begin: int,
    end: int,
) -> None:
    """One step of the lanes from `begin` to before `end`. `also` is bool[N, HW], or has no rows; see `Lanes.step`."""
    # The arrays come one by one: to take a tuple from Python costs more than the step of a lane.
    boards = near, terms, ledger, states, cells, lines, opened, obs, mask, numbers
    buffers = Buffers(*boards, final_cells, reward, components, marks, levels)
    for lane in range(begin, end):
        step_lane(buffers, lane, actions[lane], also)


@inline_kernel
def step_lane(buffers: Buffers, lane: int, action: int, also: NDArray[np.bool_]) -> None:
    """One step of a lane, and its next episode if it ends with auto-reset."""
    term, book = buffers.terms[0], buffers.ledger[lane]
    clear_results(buffers, lane)
    book.new_cells = 0
    if book.over or (action == REST and not term.auto_reset):
        return
    book.plies += 1
    hit = NO_CELL
    if action < 0 or action >= buffers.mask.shape[1] or not buffers.mask[lane, action]:
        buffers.marks[REFUSED, lane] = True
        buffers.components[lane, INVALID] = -term.invalid_penalty
        buffers.reward[lane] = -term.invalid_penalty
    else:
        hit = act(buffers, lane, action, also)
    if term.has_levels:
        show_levels(buffers, lane, book.mines, book.flags, book.opened, buffers.obs)
    if not buffers.marks[TERMINATED, lane] and book.plies >= term.max_steps:
        buffers.marks[TRUNCATED, lane] = True
    if buffers.marks[TERMINATED, lane] or buffers.marks[TRUNCATED, lane]:
        if term.auto_reset:
            leave_lane(buffers, lane, hit)
            clear_lane(buffers, lane)
            if term.draws_first or buffers.obs.shape[1] > PLANES:
                begin_lane(buffers, lane)
        else:
            book.over = True
            for choice in range(buffers.mask.shape[1]):
                buffers.mask[lane, choice] = False


@inline_kernel
def act(buffers: Buffers, lane: int, action: int, also: NDArray[np.bool_]) -> int:
    """Play a legal action, show what it opens and pay for it; returns the mine that it hit, or NO_CELL."""
    size, term, book = len(buffers.near), buffers.terms[0], buffers.ledger[lane]
    before, hit = book.opened, NO_CELL
    if action < size:
        hit, worth = reveal_cell(buffers, lane, action)
    else:
        worth = toggle_flag(buffers, lane, action - size)
        buffers.mask[lane, action] = not term.keep_flags
    if len(also) > 0 and before > 0:
        for cell in range(size):
            if hit == NO_CELL and also[lane, cell] and buffers.cells[lane, cell] & REVEALED == 0:
                hit, more = reveal_cell(buffers, lane, cell)
                worth += more
    if book.opened > before:
        if term.no_guess and before == 0:
            for choice in range(buffers.mask.shape[1]):
                buffers.mask[lane, choice] = True
        show_opened(buffers, lane, before, book.opened)
        if term.frontier_mask or term.frontier_at >= 0:
            show_frontier(buffers, lane, before, book.opened)
    pay(buffers, lane, before, hit, worth)
    return hit


@inline_kernel
def clear_results(buffers: Buffers, lane: int) -> None:
    """Forget what a lane's last step brought."""
    for part in range(buffers.components.shape[1]):
        buffers.components[lane, part] = 0.0
    buffers.reward[lane] = 0.0
    for mark in range(len(buffers.marks)):
        buffers.marks[mark, lane] = False


@inline_kernel
def reveal_cell(buffers: Buffers, lane: int, cell: int) -> tuple[int, float]:
    """Reveal a hidden cell; returns it if it was a mine, else NO_CELL, and what the flags on the board gained."""
    term = buffers.terms[0]
    book = buffers.ledger[lane]
    before = book.opened
    worth = 0.0
    if buffers.cells[lane, cell] & FLAG:
        book.flags -= 1
        buffers.obs[lane, FLAG_PLANE, cell] = 0
        if before > 0:
            worth = -flag_worth(buffers, lane, cell)
    if before == 0 and not term.no_guess:
        buffers.states[lane] = state_of(book.key, book.word, to_word(book.episode), to_word(book.plies))
        place_mines(
            buffers.cells, lane, buffers.near, term.cols, cell, term.keep, book.mines, buffers.lines, buffers.states
        )
        if book.flags > 0:
            # From now on flags are right or wrong, those too that were set before.
            for other in range(len(buffers.near)):
                if buffers.cells[lane, other] & FLAG and other != cell:
                    worth += flag_worth(buffers, lane, other)
    after = reveal(buffers.cells, lane, term.cols, cell, buffers.opened, before, buffers.lines)
    if after > before:
        book.opened = after
        return NO_CELL, worth
    buffers.obs[lane, REVEALED_PLANE, cell] = term.one
    if term.frontier_at >= 0:
        buffers.obs[lane, term.frontier_at, cell] = 0
    return cell, worth


@inline_kernel
def toggle_flag(buffers: Buffers, lane: int, cell: int) -> float:
    """Set a hidden cell's flag, or take it away; returns what the flags on the board gained."""
    term = buffers.terms[0]
    book = buffers.ledger[lane]
    buffers.cells[lane, cell] ^= FLAG
    toggle_shut(lane, term.cols, cell, buffers.lines)
    # Before the first reveal nothing is right or wrong. What a flag pays, its removal takes back.
    worth = flag_worth(buffers, lane, cell) if book.opened > 0 else 0.0
    if buffers.cells[lane, cell] & FLAG:
        book.flags += 1
        buffers.obs[lane, FLAG_PLANE, cell] = term.one
        return worth
    book.flags -= 1
    buffers.obs[lane, FLAG_PLANE, cell] = 0
    return -worth


@inline_kernel
def pay(buffers: Buffers, lane: int, before: int, hit: int, worth: float) -> None:
    """The reward of a legal action, and whether it ended the game. `worth` is what the flags on the board gained."""
    term = buffers.terms[0]
    book = buffers.ledger[lane]
    book.new_cells = book.opened - before
    gained = term.progress_reward * book.new_cells
    buffers.components[lane, PROGRESS] = gained
    buffers.components[lane, FLAGGING] = worth
    if hit != NO_CELL:
        part, rest = LOSS, term.loss_reward
    elif book.new_cells > 0 and book.opened == len(buffers.near) - book.mines:
        part, rest = WIN, term.win_reward
    else:
        part, rest = STEP, -term.step_penalty
    buffers.components[lane, part] = rest
    buffers.reward[lane] = gained + worth + rest
    buffers.marks[TERMINATED, lane] = part != STEP
    buffers.marks[WON, lane] = part == WIN


@inline_kernel
def leave_lane(buffers: Buffers, lane: int, hit: int) -> None:
    """Keep the cells of a finished episode, take them out of the observation, and count on to the next episode."""
    book = buffers.ledger[lane]
    wipe_opened(buffers, lane, book.opened)
    if hit != NO_CELL:
        buffers.obs[lane, REVEALED_PLANE, hit] = 0
    if book.flags > 0:
        wipe_plane(buffers.obs, lane, FLAG_PLANE)
    # A loop, here and below: to assign a row makes views of it, whose counting of references is not free.
    for cell in range(buffers.cells.shape[1]):
        buffers.final_cells[lane, cell] = buffers.cells[lane, cell]
    book.final_mines = book.mines
    book.episode += 1


@inline_kernel
def flag_worth(buffers: Buffers, lane: int, cell: int) -> float:
    """What a flag on a cell is worth, on a board whose mines are placed."""
    term = buffers.terms[0]
    return float(term.flag_correct_reward if buffers.cells[lane, cell] & MINE else term.flag_incorrect_reward)


@inline_kernel
def clear_lane(buffers: Buffers, lane: int) -> None:
    """Give a lane an untouched board, with as many mines to come as in its last episode."""
    book = buffers.ledger[lane]
    book.plies = 0
    book.opened = 0
    book.flags = 0
    book.over = False
    for cell in range(buffers.cells.shape[1]):
        buffers.cells[lane, cell] = 0
        buffers.numbers[lane, cell] = HIDDEN
    shut_lines(lane, buffers.terms[0].cols, buffers.lines)
    for choice in range(buffers.mask.shape[1]):
        buffers.mask[lane, choice] = True


@inline_kernel
def begin_lane(buffers: Buffers, lane: int) -> None:
    """Draw what a cleared lane's episode begins with, and show it in the optional channels too."""
    term = buffers.terms[0]
    book = buffers.ledger[lane]
    book.mines = term.least_mines
    if term.draws_first:
        buffers.states[lane] = state_of(book.key, book.word, to_word(book.episode), to_word(0))
    if term.most_mines > term.least_mines:
        book.mines += draw_below(buffers.states, lane, term.most_mines - term.least_mines + 1)
    if term.frontier_at >= 0:
        wipe_plane(buffers.obs, lane, term.frontier_at)
    if term.random_first:
        near, lines, states = buffers.near, buffers.lines, buffers.states
        book.opened = open_random(
            buffers.cells, lane, near, term.cols, term.keep, book.mines, buffers.opened, lines, states
        )
        show_opened(buffers, lane, 0, book.opened)
        if term.frontier_mask or term.frontier_at >= 0:
            show_frontier(buffers, lane, 0, book.opened)
    if term.has_levels:
        show_levels(buffers, lane, book.mines, book.flags, book.opened, buffers.obs)


@bare_kernel
def begin_lanes(buffers: Buffers) -> None:
    """Begin the episode that the ledger names in every lane, whatever the lane held before."""
    buffers.obs[:] = 0
    for lane in range(len(buffers.ledger)):
        clear_lane(buffers, lane)
        begin_lane(buffers, lane)


@bare_kernel
def mask_lanes(buffers: Buffers) -> None:
    """Rewrite every live lane's mask after the frontier mask was switched."""
    term = buffers.terms[0]
    for lane in range(len(buffers.ledger)):
        if buffers.ledger[lane].over or (term.no_guess and buffers.ledger[lane].opened == 0):
            continue
        for cell in range(len(buffers.near)):
            buffers.cells[lane, cell] &= ~TOUCHED
            buffers.mask[lane, cell] = buffers.cells[lane, cell] & REVEALED == 0
        if term.frontier_mask or term.frontier_at >= 0:
            show_frontier(buffers, lane, 0, buffers.ledger[lane].opened)
