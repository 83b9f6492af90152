"""Many boards at once: one step of every lane. The arrays are those of `Buffers`, in its order."""

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
)
from ludex.games.minesweeper.env.observation import (
    show_frontier,
    show_levels,
    show_opened,
    wipe_opened,
    wipe_plane,
)
from ludex.games.minesweeper.rules.bitboard import shut_lines, toggle_shut
from ludex.games.minesweeper.rules.layout import FLAG, HIDDEN, MINE, REVEALED, TOUCHED
from ludex.games.minesweeper.rules.mine_placement import place_mines
from ludex.games.minesweeper.rules.revealing import open_random, reveal
from ludex.games.minesweeper.rules.serialization import FLAG_PLANE, PLANES, REVEALED_PLANE
from ludex.kernels.jit import bare_kernel, draw_below, to_word

NO_CELL: Final = -1
"""Where a step reveals no mine."""


@bare_kernel
def step_range(  # noqa: PLR0912 - handing all arrays on would cost more than the work
    near: NDArray[np.uint16],
    terms: NDArray[Any],
    ledger: NDArray[Any],
    states: NDArray[np.uint64],
    cells: NDArray[np.uint8],
    lines: NDArray[np.uint64],
    opened: NDArray[np.int16],
    obs: NDArray[Any],
    mask: NDArray[np.bool_],
    numbers: NDArray[np.int8],
    final_cells: NDArray[np.uint8],
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
    size = len(near)
    term = terms[0]
    for lane in range(begin, end):
        action = actions[lane]
        book = ledger[lane]
        clear_results(lane, reward, components, marks)
        book.new_cells = 0
        if book.over or (action == REST and not term.auto_reset):
            continue
        book.plies += 1
        hit = NO_CELL
        if action < 0 or action >= mask.shape[1] or not mask[lane, action]:
            marks[REFUSED, lane] = True
            components[lane, INVALID] = -term.invalid_penalty
            reward[lane] = -term.invalid_penalty
        else:
            before = book.opened
            if action < size:
                hit, worth = reveal_cell(near, terms, ledger, states, cells, lines, opened, obs, lane, action)
            else:
                worth = toggle_flag(terms, ledger, cells, lines, obs, lane, action - size)
            if len(also) > 0 and before > 0:
                for cell in range(size):
                    if hit == NO_CELL and also[lane, cell] and cells[lane, cell] & REVEALED == 0:
                        hit, more = reveal_cell(near, terms, ledger, states, cells, lines, opened, obs, lane, cell)
                        worth += more
            if book.opened > before:
                show_opened(cells, opened, lane, before, book.opened, term.one, obs, mask, numbers)
                if term.frontier_mask or term.frontier_at >= 0:
                    show_frontier(cells, near, opened, lane, before, book.opened, terms, obs, mask)
            pay(terms, ledger, lane, before, hit, worth, size, reward, components, marks)
        if term.has_levels:
            show_levels(levels, lane, book.mines, book.flags, book.opened, terms, obs)
        if not marks[TERMINATED, lane] and book.plies >= term.max_steps:
            marks[TRUNCATED, lane] = True
        if marks[TERMINATED, lane] or marks[TRUNCATED, lane]:
            if term.auto_reset:
                leave_lane(lane, hit, ledger, cells, opened, obs, final_cells)
                clear_lane(lane, terms, ledger, cells, lines, mask, numbers)
                if term.draws_first or obs.shape[1] > PLANES:
                    begin_lane(near, terms, ledger, states, cells, lines, opened, obs, mask, numbers, levels, lane)
            else:
                book.over = True
                for choice in range(mask.shape[1]):
                    mask[lane, choice] = False


@bare_kernel
def clear_results(
    lane: int, reward: NDArray[np.float32], components: NDArray[np.float32], marks: NDArray[np.bool_]
) -> None:
    """Forget what a lane's last step brought."""
    for part in range(components.shape[1]):
        components[lane, part] = 0.0
    reward[lane] = 0.0
    for mark in range(len(marks)):
        marks[mark, lane] = False


@bare_kernel
def reveal_cell(
    near: NDArray[np.uint16],
    terms: NDArray[Any],
    ledger: NDArray[Any],
    states: NDArray[np.uint64],
    cells: NDArray[np.uint8],
    lines: NDArray[np.uint64],
    opened: NDArray[np.int16],
    obs: NDArray[Any],
    lane: int,
    cell: int,
) -> tuple[int, float]:
    """Reveal a hidden cell; returns it if it was a mine, else NO_CELL, and what the flags on the board gained."""
    term = terms[0]
    book = ledger[lane]
    before = book.opened
    worth = 0.0
    if cells[lane, cell] & FLAG:
        book.flags -= 1
        obs[lane, FLAG_PLANE, cell] = 0
        if before > 0:
            worth = -flag_worth(cells, lane, cell, terms)
    if before == 0:
        states[lane] = state_of(book.key, book.word, to_word(book.episode), to_word(book.plies))
        place_mines(cells, lane, near, term.cols, cell, term.keep, book.mines, lines, states)
        if book.flags > 0:
            # From now on flags are right or wrong, those too that were set before.
            for other in range(len(near)):
                if cells[lane, other] & FLAG and other != cell:
                    worth += flag_worth(cells, lane, other, terms)
    after = reveal(cells, lane, term.cols, cell, opened, before, lines)
    if after > before:
        book.opened = after
        return NO_CELL, worth
    obs[lane, REVEALED_PLANE, cell] = term.one
    if term.frontier_at >= 0:
        obs[lane, term.frontier_at, cell] = 0
    return cell, worth


@bare_kernel
def toggle_flag(
    terms: NDArray[Any],
    ledger: NDArray[Any],
    cells: NDArray[np.uint8],
    lines: NDArray[np.uint64],
    obs: NDArray[Any],
    lane: int,
    cell: int,
) -> float:
    """Set a hidden cell's flag, or take it away; returns what the flags on the board gained."""
    term = terms[0]
    book = ledger[lane]
    cells[lane, cell] ^= FLAG
    toggle_shut(lane, term.cols, cell, lines)
    # Before the first reveal nothing is right or wrong. What a flag pays, its removal takes back.
    worth = flag_worth(cells, lane, cell, terms) if book.opened > 0 else 0.0
    if cells[lane, cell] & FLAG:
        book.flags += 1
        obs[lane, FLAG_PLANE, cell] = term.one
        return worth
    book.flags -= 1
    obs[lane, FLAG_PLANE, cell] = 0
    return -worth


@bare_kernel
def pay(
    terms: NDArray[Any],
    ledger: NDArray[Any],
    lane: int,
    before: int,
    hit: int,
    worth: float,
    size: int,
    reward: NDArray[np.float32],
    components: NDArray[np.float32],
    marks: NDArray[np.bool_],
) -> None:
    """The reward of a legal action, and whether it ended the game. `worth` is what the flags on the board gained."""
    term = terms[0]
    book = ledger[lane]
    book.new_cells = book.opened - before
    gained = term.progress_reward * book.new_cells
    components[lane, PROGRESS] = gained
    components[lane, FLAGGING] = worth
    if hit != NO_CELL:
        part, rest = LOSS, term.loss_reward
    elif book.new_cells > 0 and book.opened == size - book.mines:
        part, rest = WIN, term.win_reward
    else:
        part, rest = STEP, -term.step_penalty
    components[lane, part] = rest
    reward[lane] = gained + worth + rest
    marks[TERMINATED, lane] = part != STEP
    marks[WON, lane] = part == WIN


@bare_kernel
def leave_lane(
    lane: int,
    hit: int,
    ledger: NDArray[Any],
    cells: NDArray[np.uint8],
    opened: NDArray[np.int16],
    obs: NDArray[Any],
    final_cells: NDArray[np.uint8],
) -> None:
    """Keep the cells of a finished episode, take them out of the observation, and count on to the next episode."""
    book = ledger[lane]
    wipe_opened(cells, opened, lane, book.opened, obs)
    if hit != NO_CELL:
        obs[lane, REVEALED_PLANE, hit] = 0
    if book.flags > 0:
        wipe_plane(obs, lane, FLAG_PLANE)
    # A loop, here and below: to assign a row makes views of it, whose counting of references is not free.
    for cell in range(cells.shape[1]):
        final_cells[lane, cell] = cells[lane, cell]
    book.final_mines = book.mines
    book.episode += 1


@bare_kernel
def flag_worth(cells: NDArray[np.uint8], lane: int, cell: int, terms: NDArray[Any]) -> float:
    """What a flag on a cell is worth, on a board whose mines are placed."""
    term = terms[0]
    return float(term.flag_correct_reward if cells[lane, cell] & MINE else term.flag_incorrect_reward)


@bare_kernel
def clear_lane(
    lane: int,
    terms: NDArray[Any],
    ledger: NDArray[Any],
    cells: NDArray[np.uint8],
    lines: NDArray[np.uint64],
    mask: NDArray[np.bool_],
    numbers: NDArray[np.int8],
) -> None:
    """Give a lane an untouched board, with as many mines to come as in its last episode."""
    book = ledger[lane]
    book.plies = 0
    book.opened = 0
    book.flags = 0
    book.over = False
    for cell in range(cells.shape[1]):
        cells[lane, cell] = 0
        numbers[lane, cell] = HIDDEN
    shut_lines(lane, terms[0].cols, lines)
    for choice in range(mask.shape[1]):
        mask[lane, choice] = True


@bare_kernel
def begin_lane(
    near: NDArray[np.uint16],
    terms: NDArray[Any],
    ledger: NDArray[Any],
    states: NDArray[np.uint64],
    cells: NDArray[np.uint8],
    lines: NDArray[np.uint64],
    opened: NDArray[np.int16],
    obs: NDArray[Any],
    mask: NDArray[np.bool_],
    numbers: NDArray[np.int8],
    levels: NDArray[Any],
    lane: int,
) -> None:
    """Draw what a cleared lane's episode begins with, and show it in the optional channels too."""
    term = terms[0]
    book = ledger[lane]
    book.mines = term.least_mines
    if term.draws_first:
        states[lane] = state_of(book.key, book.word, to_word(book.episode), to_word(0))
    if term.most_mines > term.least_mines:
        book.mines += draw_below(states, lane, term.most_mines - term.least_mines + 1)
    if term.frontier_at >= 0:
        wipe_plane(obs, lane, term.frontier_at)
    if term.random_first:
        book.opened = open_random(cells, lane, near, term.cols, term.keep, book.mines, opened, lines, states)
        show_opened(cells, opened, lane, 0, book.opened, term.one, obs, mask, numbers)
        if term.frontier_mask or term.frontier_at >= 0:
            show_frontier(cells, near, opened, lane, 0, book.opened, terms, obs, mask)
    if term.has_levels:
        show_levels(levels, lane, book.mines, book.flags, book.opened, terms, obs)


@bare_kernel
def begin_lanes(
    near: NDArray[np.uint16],
    terms: NDArray[Any],
    ledger: NDArray[Any],
    states: NDArray[np.uint64],
    cells: NDArray[np.uint8],
    lines: NDArray[np.uint64],
    opened: NDArray[np.int16],
    obs: NDArray[Any],
    mask: NDArray[np.bool_],
    numbers: NDArray[np.int8],
    levels: NDArray[Any],
) -> None:
    """Begin the episode that the ledger names in every lane, whatever the lane held before."""
    obs[:] = 0
    for lane in range(len(ledger)):
        clear_lane(lane, terms, ledger, cells, lines, mask, numbers)
        begin_lane(near, terms, ledger, states, cells, lines, opened, obs, mask, numbers, levels, lane)


@bare_kernel
def mask_lanes(
    near: NDArray[np.uint16],
    terms: NDArray[Any],
    ledger: NDArray[Any],
    cells: NDArray[np.uint8],
    opened: NDArray[np.int16],
    obs: NDArray[Any],
    mask: NDArray[np.bool_],
) -> None:
    """Rewrite every live lane's mask after the frontier mask was switched."""
    term = terms[0]
    for lane in range(len(ledger)):
        if ledger[lane].over:
            continue
        for cell in range(len(near)):
            cells[lane, cell] &= ~TOUCHED
            mask[lane, cell] = cells[lane, cell] & REVEALED == 0
        if term.frontier_mask or term.frontier_at >= 0:
            show_frontier(cells, near, opened, lane, 0, ledger[lane].opened, terms, obs, mask)


@bare_kernel
def first_forbidden(mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> int:
    """The first lane whose action its mask forbids, or -1."""
    for lane in range(len(actions)):
        action = actions[lane]
        if action < 0 or action >= mask.shape[1] or not mask[lane, action]:
            return lane
    return -1
