"""Exact values of every position of a small board, and the agent that plays by them."""

from functools import lru_cache
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.errors import Unsupported
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.options import PerfectOptions
from ludex.games.tictactoe.rules.board import MnkBoard, has_line
from ludex.games.tictactoe.rules.position import Position, cells_of
from ludex.kernels.jit import kernel, share

share(has_line)

MAX_SOLVABLE_CELLS = 16
"""3**16 scores take 43 MB and a few seconds; one more cell takes three times as much."""
BOARDS_KEPT: Final = 4
WON = 100
"""The score of a side that has won. One ply further from the win is one point less."""
INVALID = -128
"""The score of codes that are no position."""

_POWERS: tuple[int, ...] = tuple(3**cell for cell in range(MAX_SOLVABLE_CELLS))


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


class Exact(NamedTuple):
    """The exact value of a position or a move."""

    value: int
    """1 won, 0 drawn, -1 lost, for the side to move or the player of the move."""
    distance: int
    """Plies to the end if both play best: the winner hurries, the loser delays."""
    score: int
    """Greater is better, sooner wins and later losses included."""


class Solver:
    """A table of scores of every position. Use `solver`, which caches it."""

    def __init__(self, board: MnkBoard) -> None:
        require_solvable(board)
        self.board = board
        self._scores = np.empty(3**board.cells, np.int8)
        fill_scores(board.cells, np.array(board.lines, np.int64), self._scores)

    def position(self, position: Position) -> Exact:
        """The value for the side to move.

        >>> solver(MnkBoard(3, 3, 3)).position(Position())
        Exact(value=0, distance=9, score=0)
        """
        return self._exact(int(self._scores[_code(position)]), position)

    def move(self, position: Position, cell: int) -> Exact:
        """The value of a move for its player."""
        after = self.position(self.board.after(position, cell))
        score = -after.score
        return Exact(-after.value, after.distance + 1, score - (score > 0) + (score < 0))

    def _exact(self, score: int, position: Position) -> Exact:
        if score == 0:
            return Exact(0, self.board.cells - position.taken.bit_count(), 0)
        return Exact(1 if score > 0 else -1, WON - abs(score), score)


@lru_cache(maxsize=BOARDS_KEPT)
def solver(board: MnkBoard) -> Solver:
    """The board's solver, computed once per process as long as few boards are in use."""
    return Solver(board)


def solvable(board: MnkBoard) -> bool:
    """Whether the board is small enough."""
    return board.cells <= MAX_SOLVABLE_CELLS


def require_solvable(board: MnkBoard) -> None:
    """Raise `Unsupported` if the board is too large."""
    if not solvable(board):
        raise Unsupported(f"a board of {board.cells} cells is too large to solve: at most {MAX_SOLVABLE_CELLS}")


def _code(position: Position) -> int:
    return _ternary(position.x) + 2 * _ternary(position.o)


def _ternary(cells: int) -> int:
    return sum(_POWERS[cell] for cell in cells_of(cells))


def exact_terms(exact: Exact | None) -> dict[str, float]:
    """The exact value and distance of a move as terms of a candidate; empty if they are not known."""
    return {} if exact is None else {"exact": exact.value, "distance": exact.distance}


class PerfectAgent:
    """Plays the exact best move: wins as soon as it can, loses as late as it can."""

    def __init__(self, game: TicTacToe, ties: Literal["first", "random"] = "first", name: str = "perfect") -> None:
        self.name = name
        self._ties = ties
        self._board = game.board
        self._names = game.board.names
        self._solver: Solver = solver(game.board)

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        exact = {move: self._solver.move(view, move) for move in legal_actions(legal)}
        greatest = max(value.score for value in exact.values())
        best = [move for move, value in exact.items() if value.score == greatest]
        action = rng.choice(best) if self._ties == "random" else best[0]
        order = sorted(exact, key=lambda move: (move != action, -exact[move].score, move))
        verdict = {1: "wins", 0: "draws", -1: "loses"}[exact[action].value]
        return Decision(
            action=action,
            value=float(exact[action].value),
            candidates=tuple(
                Candidate(
                    move,
                    score=float(exact[move].score),
                    line=self._line(view, move) if move == action else (move,),
                    terms=exact_terms(exact[move]),
                    value=float(exact[move].value),
                )
                for move in order
            ),
            stats={"distance": exact[action].distance, "ties": len(best)},
            explanation=(
                Message(
                    f"tictactoe.{verdict}",
                    {"move": self._names[action], "count": exact[action].distance},
                    (action,),
                ),
            ),
            overlay={"exact": tuple(float(exact[cell].value) if cell in exact else None for cell in range(len(legal)))},
        )

    def _line(self, position: Position, move: int) -> tuple[int, ...]:
        """How play goes on with perfect play of both."""
        board, line = self._board, [move]
        position = board.after(position, move)
        while not position.won and (free := list(cells_of(board.full & ~position.taken))):
            line.append(max(free, key=lambda cell: self._solver.move(position, cell).score))
            position = board.after(position, line[-1])
        return tuple(line)


def perfect(game: TicTacToe, options: PerfectOptions, services: Services, name: str) -> PerfectAgent:
    """The factory of `perfect`."""
    return PerfectAgent(game, options.ties, name)


def check_perfect(game: TicTacToe, options: PerfectOptions) -> None:
    """Raise if `perfect` cannot play the board."""
    require_solvable(game.board)
