"""The whole proof of a cell: every step of the rules that it rests on, in an order in which each step follows."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.geometry import DEGREE, neighbours
from ludex.games.minesweeper.rules.inference.forced_moves import Forced


class Step(NamedTuple):
    """One application of a rule: numbers, and the cells that they prove given the steps before."""

    kind: Literal["reveal", "flag"]
    cells: tuple[int, ...]
    numbers: tuple[int, ...]


def proof_chain(numbers: NDArray[np.int8], forced: Sequence[Forced], cell: int) -> list[Step]:
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
