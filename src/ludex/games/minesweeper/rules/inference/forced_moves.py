"""Moves that are provably right, by rules a person can follow: the document's two, and pairs of overlapping numbers.

All-safe: as many proven mines around a number as it says, so the others are safe. All-mines: as many unknown
neighbours as mines missing, so all are mines. Pair: one number needs so many mines more than another that all its own
cells must be mines, and the other's own cells are safe. A subset is the case where one number has no cells of its own.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.errors import InconsistentPosition
from ludex.games.minesweeper.rules.geometry import DEGREE, neighbours
from ludex.games.minesweeper.rules.inference.deduce import CONTRADICTION, NO_NUMBER, SAFE, deduce
from ludex.games.minesweeper.rules.inference.probabilities import borrowed_workspace, flat_numbers
from ludex.games.minesweeper.rules.inference.workspace import field
from ludex.games.minesweeper.rules.layout import Numbers


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


def proofs(numbers: Numbers, pairs: bool = True) -> list[Forced]:
    """Everything the rules prove of int8[H, W], hidden cells -1, each with its reason, in the order it follows.

    Without `pairs`, by the document's two rules alone.

    >>> proofs(np.array([[1, -1, -1], [1, -1, 2]], np.int8))[0]
    Forced(kind='flag', cell=2, because=(0, 5))
    """
    flat = flat_numbers(numbers, 0)
    with borrowed_workspace(*numbers.shape) as work:
        finds = deduce(flat, work, pairs, False)
        found = field(work, "found")[: max(0, finds)].copy()
        known, reasons = field(work, "known")[found], field(work, "reasons")[found]
    if finds == CONTRADICTION:
        raise InconsistentPosition("the revealed numbers contradict each other: no layout of mines fits them")
    return [
        Forced("reveal" if kind == SAFE else "flag", cell, tuple(number for number in because if number != NO_NUMBER))
        for cell, kind, because in zip(found.tolist(), known.tolist(), reasons.tolist(), strict=True)
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
    order = {one.cell: place for place, one in enumerate(forced)}
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
    for one in (forced[place] for place in sorted(needed)):
        last = steps[-1] if steps else None
        if last is not None and (last.kind, last.numbers) == (one.kind, one.because):
            steps[-1] = last._replace(cells=(*last.cells, one.cell))
        else:
            steps.append(Step(one.kind, (one.cell,), one.because))
    return steps


def _group_begins(forced: Sequence[Forced]) -> list[int]:
    """By place, where the cells begin that the same numbers prove at once: none of them rests on another."""
    begins: list[int] = []
    for place, one in enumerate(forced):
        same = place > 0 and forced[place - 1].because == one.because
        begins.append(begins[-1] if same else place)
    return begins
