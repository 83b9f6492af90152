"""Moves that are provably right, by rules a person can follow: the document's two, and pairs of overlapping numbers.

All-safe: as many proven mines around a number as it says, so the others are safe. All-mines: as many unknown
neighbours as mines missing, so all are mines. Pair: one number needs so many mines more than another that all its own
cells must be mines, and the other's own cells are safe. A subset is the case where one number has no cells of its own.
"""

from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.errors import InconsistentPosition
from ludex.games.minesweeper.rules.inference.deduce import CONTRADICTION, NO_NUMBER, SAFE, prove
from ludex.games.minesweeper.rules.inference.probabilities import board_of, borrowed_workspace


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


def forced_moves(state: Seen) -> list[tuple[str, int]]:
    """Moves ('reveal' | 'flag', cell) that are provably right, regardless of flags; empty if only a guess is left.

    Flags already set are left out. Raises `InconsistentPosition` if the numbers contradict each other.
    """
    flagged = state.flags.reshape(-1)
    return [(kind, cell) for kind, cell, _ in proofs(state.numbers) if kind == "reveal" or not flagged[cell]]


def proofs(numbers: NDArray[np.int8]) -> list[Forced]:
    """Everything the rules prove of int8[H, W], hidden cells -1, each with its reason, in the order it follows.

    >>> proofs(np.array([[1, -1, -1], [1, -1, 2]], np.int8))[0]
    Forced(kind='flag', cell=2, because=(0, 5))
    """
    board, cells = board_of(numbers, 0), numbers.size
    known, found, reasons = np.empty(cells, np.int8), np.empty(cells, np.int16), np.empty((cells, 2), np.int16)
    with borrowed_workspace() as work:
        finds = prove(board.numbers, board.cols, board.near, board.bits, work, known, found, reasons)
    if finds == CONTRADICTION:
        raise InconsistentPosition("the revealed numbers contradict each other: no layout of mines fits them")
    return [
        Forced(
            "reveal" if known[cell] == SAFE else "flag",
            cell,
            tuple(number for number in reasons[cell].tolist() if number != NO_NUMBER),
        )
        for cell in found[:finds].tolist()
    ]
