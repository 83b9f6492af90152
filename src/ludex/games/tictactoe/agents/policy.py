"""The original document's runtime policy: win in one, else block in one, else the greatest Q, else the lowest index."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ludex.core.game import Json
from ludex.core.ranking import RankingStore
from ludex.games.tictactoe.rules.board import MnkBoard, has_line, legal_moves
from ludex.games.tictactoe.rules.position import Position, cells_of
from ludex.games.tictactoe.rules.symmetry import Symmetry


class Tactics(NamedTuple):
    """Cells in ascending order."""

    wins: tuple[int, ...]
    """Where the side to move wins at once."""
    threats: tuple[int, ...]
    """Where the opponent would win if it moved now."""


def tactics(board: MnkBoard, position: Position) -> Tactics:
    """The immediate wins and threats of a position.

    >>> tactics(MnkBoard(3, 3, 3), Position(x=0b000_000_011, o=0b000_011_000))
    Tactics(wins=(2,), threats=(5,))
    """
    free = list(cells_of(board.full & ~position.taken))
    mine, theirs = position.mine, position.theirs
    return Tactics(
        tuple(cell for cell in free if has_line(mine | 1 << cell, board.lines_through[cell])),
        tuple(cell for cell in free if has_line(theirs | 1 << cell, board.lines_through[cell])),
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """A move with the original document's telemetry."""

    move: int
    win_in_1: bool
    block_in_1: bool
    double_threat: bool
    transform: str
    best_q: float
    q: dict[int, float]
    """By legal move, in its original orientation; a move never learned counts as 0."""

    def telemetry(self) -> dict[str, Json]:
        """Under the names of the seed."""
        return {
            "winIn1": self.win_in_1,
            "blockIn1": self.block_in_1,
            "doubleThreat": self.double_threat,
            "transform": self.transform,
            "move": self.move,
            "bestQ": self.best_q,
        }


class RankingPolicy:
    """Greedy play on a ranking. It never draws a random number."""

    def __init__(self, board: MnkBoard, store: RankingStore) -> None:
        self.board = board
        self.store = store
        self.symmetry = Symmetry(board)
        self._tactics: dict[Position, Tactics] = {}

    def tactics(self, position: Position) -> Tactics:
        """Wins and threats, each position computed once."""
        result = self._tactics.get(position)
        if result is None:
            result = self._tactics[position] = tactics(self.board, position)
        return result

    def q_values(self, position: Position) -> dict[int, float]:
        """Q by legal move, read through the canonical image."""
        key, moves, _ = self.symmetry.canonical(position)
        read = self.store.get
        return {move: read(key, moves[move]) or 0.0 for move in legal_moves(self.board, position)}

    def forced(self, position: Position) -> int | None:
        """The move the tactical rules dictate, if any. Against two threats there is none: the greatest Q decides."""
        wins, threats = self.tactics(position)
        if wins:
            return wins[0]
        return threats[0] if len(threats) == 1 else None

    def best(self, position: Position) -> Sequence[int]:
        """The moves with the greatest Q, compared bit by bit, lowest index first."""
        return _greatest(self.q_values(position))

    def move(self, position: Position) -> int:
        """The policy's move."""
        forced = self.forced(position)
        return self.best(position)[0] if forced is None else forced

    def choose(self, position: Position) -> Choice:
        """The policy's move with its telemetry."""
        wins, threats = self.tactics(position)
        q = self.q_values(position)
        forced = self.forced(position)
        return Choice(
            move=_greatest(q)[0] if forced is None else forced,
            win_in_1=bool(wins),
            block_in_1=not wins and len(threats) == 1,
            double_threat=not wins and len(threats) > 1,
            transform=self.symmetry.canonical(position).transform,
            best_q=max(q.values()),
            q=q,
        )


def _greatest(q: dict[int, float]) -> list[int]:
    best = max(q.values())
    return [move for move, value in q.items() if value == best]
