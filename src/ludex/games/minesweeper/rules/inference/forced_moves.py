"""Moves that are provably right, by rules a person can follow: the document's two, and pairs of overlapping numbers.

All-safe: as many proven mines around a number as it says, so the others are safe. All-mines: as many unknown
neighbours as mines missing, so all are mines. Pair: one number needs so many mines more than another that all its own
cells must be mines, and the other's own cells are safe. A subset is the case where one number has no cells of its own.
A flag proves nothing.

The unknown neighbours of a number are a set of bits in its window (see `layout.windows`). A number at most two rows
and columns away sees cells of the same window, so that two sets are compared with a shift.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.inference.workspace import Workspace, borrowed_workspace, field, flat_numbers
from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, MIDDLE, InconsistentPosition, Numbers, neighbours
from ludex.kernels.jit import bit_count, kernel, to_index, to_word, trailing_zeros

UNKNOWN: Final = 0
SAFE: Final = 1
MINE: Final = 2
"""What is known of a hidden cell."""
UNREAD: Final = -2
"""A revealed cell whose number is left out of a proof."""
CONTRADICTION: Final = -1
NO_NUMBER: Final = -1
"""No second number was needed for a proof."""

_REACH: Final = 3
"""How far from a cell its proof is looked for first, in rows and columns."""

_PAIRS = np.array([(0, 1), (0, 2), *((row, col) for row in (1, 2) for col in range(-2, 3))], np.int64)
"""Offsets from the first number of a pair to the second; the mirrored offsets give the same pairs."""


@kernel
def deduce(numbers: Numbers, work: Workspace, pairs: bool, hurry: bool) -> int:
    """Apply the rules until nothing follows any more; returns how many cells were found, or CONTRADICTION.

    Without `pairs`, each number is looked at alone: the original document's two rules.

    `work.known` says what is known of each cell, `work.found` lists the finds in order, `work.reasons` has the numbers
    that prove each, by cell. With `hurry` it stops after the first round that finds a safe cell.
    """
    cells = len(numbers)
    count = 0
    for cell in range(cells):
        work.known[cell] = UNKNOWN
        work.sets[cell] = to_word(0)
        if numbers[cell] > HIDDEN:
            for i in range(work.near[cell, DEGREE]):
                if numbers[work.near[cell, i]] == HIDDEN:
                    work.numbered[count] = cell
                    count += 1
                    break
    finds = 0
    while True:
        before = finds
        finds = _singles(numbers, work, count, finds)
        if finds == CONTRADICTION:
            return CONTRADICTION
        if finds == before:
            if pairs:
                finds = _pairs(work, count, finds)
            if finds == before:
                return finds
        if hurry and _any_safe(work, before, finds):
            return finds


@kernel
def _singles(numbers: Numbers, work: Workspace, count: int, finds: int) -> int:
    """One round of the original document's two rules, which also updates every number's set and need for `_pairs`."""
    for w in range(count):
        cell = to_index(work.numbered[w])
        unknown = to_word(0)
        need = to_index(numbers[cell])
        for i in range(work.near[cell, DEGREE]):
            other = to_index(work.near[cell, i])
            if numbers[other] == HIDDEN:
                if work.known[other] == MINE:
                    need -= 1
                elif work.known[other] == UNKNOWN:
                    unknown |= to_word(1) << to_word(work.bits[cell, i])
        size = bit_count(unknown)
        if need < 0 or need > size:
            return CONTRADICTION
        work.sets[cell] = unknown
        work.needs[cell] = need
        if size > 0:
            if need == 0:
                finds = _conclude(unknown, SAFE, cell, NO_NUMBER, work, finds)
            elif need == size:
                finds = _conclude(unknown, MINE, cell, NO_NUMBER, work, finds)
    return finds


@kernel
def _pairs(work: Workspace, count: int, finds: int) -> int:
    """Apply the first pair that proves something: one needs so many more mines that its own cells are all mines."""
    rows, cols = to_index(work.size[0]), to_index(work.size[1])
    for w in range(count):
        cell = to_index(work.numbered[w])
        here = work.sets[cell]
        if here == to_word(0):
            continue
        row, col = cell // cols, cell % cols
        for p in range(len(_PAIRS)):
            r, c = row + _PAIRS[p, 0], col + _PAIRS[p, 1]
            if r >= rows or c < 0 or c >= cols:
                continue
            other = r * cols + c
            # Both sets in the first number's window: the second lies to its right or below it.
            there = work.sets[other] << to_word(8 * _PAIRS[p, 0] + _PAIRS[p, 1])
            if here & there == to_word(0):
                continue
            only_here, only_there = here & ~there, there & ~here
            more = to_index(work.needs[cell]) - to_index(work.needs[other])
            before = finds
            if more == bit_count(only_here):
                finds = _conclude(only_here, MINE, cell, other, work, finds)
                finds = _conclude(only_there, SAFE, cell, other, work, finds)
            elif -more == bit_count(only_there):
                finds = _conclude(only_there, MINE, cell, other, work, finds)
                finds = _conclude(only_here, SAFE, cell, other, work, finds)
            if finds > before:
                return finds
    return finds


@kernel
def _conclude(members: int, what: int, first: int, second: int, work: Workspace, finds: int) -> int:
    """Record what is now known of a set in the first number's window, and the two numbers that prove it."""
    while members != to_word(0):
        at = trailing_zeros(members) - MIDDLE
        members &= members - to_word(1)
        # The column from the middle is in -3..3, so that adding 3 before the shift finds the row.
        row = (at + 3) >> 3
        cell = first + row * to_index(work.size[1]) + at - 8 * row
        if work.known[cell] == UNKNOWN:
            work.known[cell] = what
            work.found[finds] = cell
            work.reasons[cell, 0] = first
            work.reasons[cell, 1] = second
            finds += 1
    return finds


@kernel
def _any_safe(work: Workspace, begin: int, end: int) -> bool:
    for i in range(begin, end):
        if work.known[work.found[i]] == SAFE:
            return True
    return False


class Seen(Protocol):
    """What a player sees: a `View`, a `MinesweeperEnv`."""

    @property
    def numbers(self) -> NDArray[np.int8]: ...

    @property
    def flags(self) -> NDArray[np.bool_]: ...


class Forced(NamedTuple):
    """A cell that is proven, and the revealed cells whose numbers prove it, given what was proven before."""

    kind: Literal["reveal", "flag"]
    cell: int
    because: tuple[int, ...]


def forced_moves(state: Seen, pairs: bool = False) -> list[tuple[str, int]]:
    """Moves ('reveal' | 'flag', cell) that the document's two rules prove, regardless of flags; empty if none follows.

    `pairs` adds the pair rule. Flags already set are left out. Raises `InconsistentPosition` if the numbers contradict
    each other.
    """
    flagged = state.flags.reshape(-1)
    return [(kind, cell) for kind, cell, _ in proofs(state.numbers, pairs) if kind == "reveal" or not flagged[cell]]


def proofs(numbers: Numbers, pairs: bool = True, clues: Collection[int] | None = None) -> list[Forced]:
    """Everything the rules prove of int8[H, W], hidden cells -1, each with its reason, in the order it follows.

    Without `pairs`, by the document's two rules alone; with `clues`, from the numbers of these cells alone.

    >>> proofs(np.array([[1, -1, -1], [1, -1, 2]], np.int8))[0]
    Forced(kind='flag', cell=2, because=(0, 5))
    """
    flat = flat_numbers(numbers, 0)
    if clues is not None:
        flat[flat > HIDDEN] = UNREAD
        flat[[*clues]] = numbers.reshape(-1)[[*clues]]
    with borrowed_workspace(*numbers.shape) as work:
        finds = deduce(flat, work, pairs, False)
        cells = field(work, "found")[: max(0, finds)].copy()
        known, reasons = field(work, "known")[cells], field(work, "reasons")[cells]
    if finds == CONTRADICTION:
        raise InconsistentPosition("the revealed numbers contradict each other: no layout of mines fits them")
    return [
        Forced("reveal" if kind == SAFE else "flag", cell, tuple(number for number in because if number != NO_NUMBER))
        for cell, kind, because in zip(cells.tolist(), known.tolist(), reasons.tolist(), strict=True)
    ]


class Step(NamedTuple):
    """One application of a rule: numbers, and the cells that they prove given the steps before."""

    kind: Literal["reveal", "flag"]
    cells: tuple[int, ...]
    numbers: tuple[int, ...]


def proof_chain(numbers: Numbers, forced: Sequence[Forced], cell: int) -> list[Step]:
    """The steps that prove a cell, itself last, from all that the rules prove of int8[H, W].

    A rule counts the hidden neighbours of its numbers that are still unknown, so each neighbour that was known by then
    belongs to the proof, with its own steps.

    >>> from ludex.games.minesweeper.rules.inference.forced_moves import proofs
    >>> board = np.array([[1, 1, 2, -1], [-1, -1, -1, -1], [-1, -1, -1, -1]], np.int8)
    >>> [(step.kind, step.cells, step.numbers) for step in proof_chain(board, proofs(board), 6)]
    [('reveal', (6,), (0, 1))]
    """
    near = neighbours(*numbers.shape)
    order = {move.cell: place for place, move in enumerate(forced)}
    begins = _group_begins(forced)
    needed: set[int] = set()
    waiting = [order[cell]]
    while waiting:
        place = waiting.pop()
        if place in needed:
            continue
        needed.add(place)
        for number in forced[place].because:
            around = near[number, : near[number, DEGREE]].tolist()
            waiting += [order[other] for other in around if order.get(other, len(forced)) < begins[place]]
    steps: list[Step] = []
    for move in (forced[place] for place in sorted(needed)):
        last = steps[-1] if steps else None
        if last is not None and (last.kind, last.numbers) == (move.kind, move.because):
            steps[-1] = last._replace(cells=(*last.cells, move.cell))
        else:
            steps.append(Step(move.kind, (move.cell,), move.because))
    return steps


def smallest_proof(numbers: Numbers, forced: Sequence[Forced], cell: int) -> list[Step]:
    """The steps that prove a cell from numbers none of which can be left out, near the cell where that is possible.

    >>> board = np.array([[1, 1, 1, 1, -1], [-1, -1, -1, -1, -1]], np.int8)
    >>> [step.numbers for step in smallest_proof(board, proofs(board), 7)]
    [(0, 1)]
    """
    chain = proof_chain(numbers, forced, cell)
    if len(chain) == 1:
        return chain
    cols = numbers.shape[1]
    top, left = (max(0, middle - _REACH - 1) for middle in divmod(cell, cols))
    # One cell more than the numbers that are read: their neighbours.
    part = numbers[top : cell // cols + _REACH + 2, left : cell % cols + _REACH + 2]
    wide = part.shape[1]
    place = (cell // cols - top) * wide + cell % cols - left
    near = [clue for clue in np.flatnonzero(part > HIDDEN).tolist() if _distance(clue, place, wide) <= _REACH]
    if not _prove(part, near, place):
        return _least_proof(numbers, np.flatnonzero(numbers.reshape(-1) > HIDDEN).tolist(), cell)

    def board_cells(cells: Iterable[int]) -> tuple[int, ...]:
        return tuple((top + one // wide) * cols + left + one % wide for one in cells)

    return [
        Step(kind, board_cells(cells), board_cells(clues)) for kind, cells, clues in _least_proof(part, near, place)
    ]


def _least_proof(numbers: Numbers, clues: Collection[int], cell: int) -> list[Step]:
    """A proof from some of these numbers, the far ones left out first."""
    clues = {number for step in proof_chain(numbers, proofs(numbers, clues=clues), cell) for number in step.numbers}
    for clue in sorted(clues, key=lambda one: -_distance(one, cell, numbers.shape[1])):
        fewer = clues - {clue}
        if _prove(numbers, fewer, cell):
            clues = fewer
    return proof_chain(numbers, proofs(numbers, clues=clues), cell)


def _prove(numbers: Numbers, clues: Collection[int], cell: int) -> bool:
    return any(move.cell == cell for move in proofs(numbers, clues=clues))


def _distance(one: int, other: int, cols: int) -> int:
    return max(abs(one // cols - other // cols), abs(one % cols - other % cols))


def _group_begins(forced: Sequence[Forced]) -> list[int]:
    """By place, where the cells begin that the same numbers prove at once: none of them rests on another."""
    begins: list[int] = []
    for place, one in enumerate(forced):
        same = place > 0 and forced[place - 1].because == one.because
        begins.append(begins[-1] if same else place)
    return begins
