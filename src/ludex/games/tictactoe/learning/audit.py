"""Counting, exactly, how a fixed policy can be beaten."""

from typing import NamedTuple

from ludex.core.errors import Unsupported
from ludex.games.tictactoe.agents.policy import RankingPolicy
from ludex.games.tictactoe.rules.board import Board
from ludex.games.tictactoe.rules.position import Position
from ludex.games.tictactoe.rules.state_key import legal_moves

MAX_AUDITABLE_CELLS = 12
"""Beyond it the opponent's replies are too many to enumerate between two checkpoints."""


class Lines(NamedTuple):
    """Complete games of the policy in one seat against every play of the other."""

    losing: int
    total: int


def require_auditable(board: Board) -> None:
    """Raise `Unsupported` for a board whose lines cannot be counted."""
    if board.cells > MAX_AUDITABLE_CELLS:
        raise Unsupported(f"losing lines are counted on boards of up to {MAX_AUDITABLE_CELLS} cells, not {board.cells}")


def losing_lines(policy: RankingPolicy, seat: int) -> Lines:
    """How many lines there are, and in how many the policy loses; seat 0 is X."""
    require_auditable(policy.board)
    return _count(policy, seat, Position(), {})


def _count(policy: RankingPolicy, seat: int, position: Position, known: dict[Position, Lines]) -> Lines:
    # Lines that meet in a position go on alike, so each position is counted once.
    found = known.get(position)
    if found is not None:
        return found
    moves = legal_moves(policy.board, position)
    if not moves:
        found = Lines(int(position.won and position.turn == seat), 1)
    else:
        if position.turn == seat:
            moves = [policy.move(position)]
        counts = [_count(policy, seat, policy.board.after(position, move), known) for move in moves]
        found = Lines(sum(count.losing for count in counts), sum(count.total for count in counts))
    known[position] = found
    return found
