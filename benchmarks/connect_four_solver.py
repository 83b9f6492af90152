"""Exact values of Connect Four: won, drawn or lost with best play, by alpha-beta over bitboards in a kernel.

A board is two words with a bit per cell, column by column, and a free bit above each column: the stones of the player
to move, and those of both. A search never enters a position whose mover wins at once, nor plays a stone that lets the
opponent win at once, so it need not look for finished lines. Several threads may search the same position, each with
another order of moves that look alike: what one finds the others read in the table they share.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ludex.kernels.jit import bit_count, kernel, to_index, to_word
from ludex.kit.game import Position

LOST, DRAWN, WON = -1, 0, 1
TABLE_BITS = 24
"""2**24 entries of 9 bytes hold what a game's positions share."""
MOST_CELLS = 49
UNKNOWN = 0
"""The bounds of an empty entry; others are 1 + (lower + 1) + 3 * (upper + 1)."""
VARIED = 12
"""Threads differ in the order of moves up to this depth."""
ABORTED = 9
"""What a search returns that another thread's has made needless."""


@kernel
def winning_cells(own: int, stones: int, height: int, full: int) -> int:
    """The empty cells of the board that would make four in a row of `own`."""
    threats = (own << to_word(1)) & (own << to_word(2)) & (own << to_word(3))
    for step in (height, height - to_word(1), height + to_word(1)):
        pair = (own << step) & (own << (to_word(2) * step))
        threats |= pair & (own << (to_word(3) * step))
        threats |= pair & (own >> step)
        pair = (own >> step) & (own >> (to_word(2) * step))
        threats |= pair & (own << step)
        threats |= pair & (own >> (to_word(3) * step))
    return threats & (full ^ stones)


@kernel
def canonical(key: int, cols: int, height: int) -> int:
    """The smaller of a key and its mirror image: both have one value."""
    column = (to_word(1) << height) - to_word(1)
    mirrored, rest = to_word(0), key
    for _ in range(cols):
        mirrored = (mirrored << height) | (rest & column)
        rest >>= height
    return mirrored if mirrored < key else key


@kernel
def safe_cells(own: int, stones: int, bottom: int, full: int, height: int) -> int:
    """The cells that can be played without letting the opponent win at once; none: the position is lost."""
    threats = winning_cells(own ^ stones, stones, height, full)
    possible = (stones + bottom) & full
    forced = possible & threats
    if forced != to_word(0):
        if forced & (forced - to_word(1)) != to_word(0):
            return to_word(0)
        possible = forced
    return possible & ~(threats >> to_word(1))


@kernel
def order_moves(
    own: int,
    stones: int,
    possible: int,
    cols: int,
    rows: int,
    full: int,
    moves: NDArray[np.uint64],
    scores: NDArray[np.int64],
) -> int:
    """Write the cells, those with the most threats first, and of equal ones the most central; returns how many."""
    height, column = to_word(rows + 1), (to_word(1) << to_word(rows)) - to_word(1)
    count = 0
    for place in range(cols):
        col = cols // 2 + (place + 1) // 2 * (-1 if place % 2 else 1)
        cell = possible & (column << (to_word(col) * height))
        if cell == to_word(0):
            continue
        score = bit_count(winning_cells(own | cell, stones | cell, height, full))
        spot = count
        while spot > 0 and scores[spot - 1] < score:
            scores[spot], moves[spot] = scores[spot - 1], moves[spot - 1]
            spot -= 1
        scores[spot], moves[spot] = score, cell
        count += 1
    return count


@kernel
def slot_of(key: int, table_keys: NDArray[np.uint64]) -> int:
    """Where the table may hold a key."""
    return to_index((key * to_word(0x9E3779B97F4A7C15)) % to_word(len(table_keys)))


@kernel
def sealed(key: int, bounds: int) -> int:
    """A key as the table holds it: a key and bounds that two threads wrote do not fit together."""
    return key ^ (to_word(bounds) * to_word(0xD6E8FEB86659FD93))


@kernel
def look_up(key: int, table_keys: NDArray[np.uint64], table_bounds: NDArray[np.uint8]) -> int:
    """What the table knows of a position: (lower + 1) + 3 * (upper + 1)."""
    slot = slot_of(key, table_keys)
    bounds = to_index(table_bounds[slot])
    if bounds != UNKNOWN and table_keys[slot] == sealed(key, bounds):
        return bounds - 1
    return (LOST + 1) + 3 * (WON + 1)


@kernel
def solve(
    own: int,
    stones: int,
    alpha: int,
    last: int,
    thread: int,
    stop: NDArray[np.uint8],
    cols: int,
    rows: int,
    table_keys: NDArray[np.uint64],
    table_bounds: NDArray[np.uint8],
    counted: NDArray[np.int64],
) -> int:
    """Whether the value of a live position whose mover cannot win at once is above `alpha`: a value that is, or is not.

    A board with `last` stones counts as drawn. `counted[thread]` grows by the positions searched. `ABORTED` if
    `stop[0]` is set meanwhile.
    """
    height, one = to_word(rows + 1), to_word(1)
    bottom = to_word(0)
    for col in range(cols):
        bottom |= one << (to_word(col) * height)
    full = bottom * ((one << to_word(rows)) - one)
    # A frame per ply: the position, its window, its moves in the order of search, and the best value so far.
    owns, masks = np.zeros(MOST_CELLS, np.uint64), np.zeros(MOST_CELLS, np.uint64)
    moves, counts = np.zeros((MOST_CELLS, 16), np.uint64), np.zeros(MOST_CELLS, np.int64)
    at, best = np.zeros(MOST_CELLS, np.int64), np.zeros(MOST_CELLS, np.int64)
    alphas, betas, firsts = (
        np.zeros(MOST_CELLS, np.int64),
        np.zeros(MOST_CELLS, np.int64),
        np.zeros(MOST_CELLS, np.int64),
    )
    scores = np.zeros(16, np.int64)
    owns[0], masks[0], alphas[0], betas[0] = own, stones, alpha, alpha + 1
    depth, value, entering = 0, 0, True
    while depth >= 0:
        if stop[0] != 0:
            return ABORTED
        mine, mask, known = owns[depth], masks[depth], False
        key = canonical(mine + mask + bottom, cols, height)
        bounds = look_up(key, table_keys, table_bounds)
        low, high = bounds % 3 - 1, bounds // 3 - 1
        if entering:
            counted[thread] += 1
            possible = safe_cells(mine, mask, bottom, full, height)
            alphas[depth], betas[depth] = max(alphas[depth], low), min(betas[depth], high)
            if possible == to_word(0):
                value, known = LOST, True
            elif bit_count(mask) >= last:
                value, known = DRAWN, True
            elif alphas[depth] >= betas[depth]:
                # What is known lies outside the window, or is exact.
                value, known = (high if high <= alphas[depth] else low), True
            else:
                firsts[depth], at[depth], best[depth] = alphas[depth], 0, LOST
                counts[depth] = order_moves(mine, mask, possible, cols, rows, full, moves[depth], scores)
                if depth < VARIED and counts[depth] > 1 and (thread >> (depth & 3)) & 1:
                    moves[depth, 0], moves[depth, 1] = moves[depth, 1], moves[depth, 0]
        if not known and at[depth] < counts[depth] and alphas[depth] < betas[depth]:
            cell = moves[depth, at[depth]]
            at[depth] += 1
            owns[depth + 1], masks[depth + 1] = mine ^ mask, mask | cell
            alphas[depth + 1], betas[depth + 1] = -betas[depth], -alphas[depth]
            depth, entering = depth + 1, True
            continue
        if not known:
            value = best[depth]
            low = max(low, value) if value > firsts[depth] else low
            high = min(high, value) if value < betas[depth] else high
            slot, bounds = slot_of(key, table_keys), 1 + (low + 1) + 3 * (high + 1)
            table_keys[slot], table_bounds[slot] = sealed(key, bounds), bounds
        depth, entering = depth - 1, False
        if depth >= 0:
            value = -value
            best[depth], alphas[depth] = max(best[depth], value), max(alphas[depth], value)
    return value


class Solver:
    """Values of positions of one board; what it finds it remembers.

    Boards with fewer stones than `exact_from` are searched `horizon` plies deep, and drawn if nothing is decided there.
    """

    def __init__(
        self,
        cols: int = 7,
        rows: int = 6,
        bits: int = TABLE_BITS,
        threads: int = 1,
        *,
        exact_from: int = 0,
        horizon: int = 16,
    ) -> None:
        self.exact_from, self.horizon = exact_from, horizon
        self.cols, self.rows, self.height = cols, rows, rows + 1
        self._keys, self._bounds = np.zeros(1 << bits, np.uint64), np.zeros(1 << bits, np.uint8)
        self._counted = np.zeros(threads, np.int64)
        self._pool = ThreadPoolExecutor(threads)
        self._full = sum(((1 << rows) - 1) << (col * self.height) for col in range(cols))

    @property
    def positions(self) -> int:
        """How many it has searched."""
        return int(self._counted.sum())

    def value(self, mover: int, stones: int) -> int:
        """The value for the player to move: 1 won, 0 drawn, -1 lost. The last move must not have won."""
        if self.exceeds(mover, stones, DRAWN):
            return WON
        return DRAWN if self.exceeds(mover, stones, LOST) else LOST

    def exceeds(self, mover: int, stones: int, bound: int) -> bool:
        """Whether the value for the player to move is above a bound: cheaper to find than the value."""
        if stones == self._full:
            return bound < DRAWN
        if any(self.wins(mover, stones, col) for col in self.playable(stones)):
            return True
        # Words, so that a kernel's numbers of one type never meet.
        own, both = cast(int, np.uint64(mover)), cast(int, np.uint64(stones))
        stop = np.zeros(1, np.uint8)
        # With two stones left neither wins, else a search would not have come there.
        count, last, table = stones.bit_count(), self.cols * self.rows - 2, (self._keys, self._bounds)
        if count < self.exact_from:
            # Bounds of another horizon do not hold.
            last, table = min(last, count + self.horizon), (np.zeros(1 << 20, np.uint64), np.zeros(1 << 20, np.uint8))

        def search(thread: int) -> int:
            value = solve(own, both, bound, last, thread, stop, self.cols, self.rows, *table, self._counted)
            stop[0] = 1
            return value

        values = self._pool.map(search, range(len(self._counted)))
        return next(value for value in values if value != ABORTED) > bound

    def keeps(self, mover: int, stones: int, value: int, col: int) -> bool:
        """Whether a stone in a column keeps at least this value for the player to move."""
        if value == LOST or self.wins(mover, stones, col):
            return True
        return not self.exceeds(mover ^ stones, stones | self.cell(stones, col), -value)

    def best(self, mover: int, stones: int) -> list[int]:
        """The columns that keep the value of a live position; before it is exact, those that do not lose in sight."""
        columns = self.playable(stones)
        # A win beyond the horizon may be as good as one within it.
        for value in (WON, DRAWN) if stones.bit_count() >= self.exact_from else (DRAWN,):
            keeping = [col for col in columns if self.keeps(mover, stones, value, col)]
            if keeping:
                return keeping
        return columns

    def bits(self, position: Position) -> tuple[int, int]:
        """The mover's stones and all stones of a position of the example game, as the solver has them: by columns."""
        cells = self.cols * self.rows
        places = [cell % self.cols * self.height + cell // self.cols for cell in range(cells)]
        mover, other = (
            sum((position[1 + player] >> cell & 1) << places[cell] for cell in range(cells))
            for player in (position[0], 1 - position[0])
        )
        return mover, mover | other

    def playable(self, stones: int) -> list[int]:
        """The columns that are not full."""
        return [col for col in range(self.cols) if not stones >> (col * self.height + self.rows - 1) & 1]

    def cell(self, stones: int, col: int) -> int:
        """The lowest free cell of a column, as a bit."""
        column = ((1 << self.rows) - 1) << (col * self.height)
        return (stones + (1 << (col * self.height))) & column & ~stones

    def wins(self, mover: int, stones: int, col: int) -> bool:
        """Whether a stone in a column makes four in a row."""
        own = mover | self.cell(stones, col)
        for step in (1, self.height, self.height - 1, self.height + 1):
            pairs = own & (own >> step)
            if pairs & (pairs >> (2 * step)):
                return True
        return False
