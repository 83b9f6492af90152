"""Why a move was worse than another: wins, threats and forks."""

from ludex.core.judgement import JudgedMove
from ludex.core.messages import Message
from ludex.games.tictactoe.agents.policy import tactics
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import Board
from ludex.games.tictactoe.rules.position import Position, cells_of


def reasons(judged: JudgedMove) -> list[Message]:
    """The first of: a win was missed, a threat was left open, a fork follows, the better move was a fork."""
    game = judged.game
    assert isinstance(game, TicTacToe)
    board, names = game.board, game.board.names
    named = {"move": names[judged.action], "best": names[judged.best]}
    before = tactics(board, judged.before)
    if judged.best in before.wins and judged.action not in before.wins:
        return [Message("tictactoe.review_missed_win", named, (judged.best,))]
    if judged.after.won:
        return []
    # After the move it is the other player's turn: their wins are what it left open.
    open_wins = tactics(board, judged.after).wins
    if open_wins:
        return [Message("tictactoe.review_missed_block", {**named, "cell": names[open_wins[0]]}, open_wins)]
    fork = forced_fork(board, judged.after, judged.reply[0] if judged.reply else None)
    if fork is not None and judged.loss > 0.0:
        return [Message("tictactoe.review_fork", {**named, "cell": names[fork]}, (fork,))]
    if judged.best != judged.action and judged.loss > 0.0 and forced_fork(board, judged.before, judged.best):
        return [Message("tictactoe.review_own_fork", named, (judged.best,))]
    return []


def forced_fork(board: Board, position: Position, preferred: int | None = None) -> int | None:
    """The cell of a fork that the side to move makes at once, or after a threat that must be answered."""
    fork = fork_of(board, position, preferred)
    if fork is not None:
        return fork
    for cell in sorted(cells_of(board.full & ~position.taken), key=lambda cell: cell != preferred):
        after = board.after(position, cell)
        wins, threats = tactics(board, after)
        if len(threats) == 1 and not wins:
            fork = fork_of(board, board.after(after, threats[0]))
            if fork is not None:
                return fork
    return None


def fork_of(board: Board, position: Position, preferred: int | None = None) -> int | None:
    """A cell where the side to move threatens two lines at once and answers every threat; None if there is none.

    >>> fork_of(Board(3, 3, 3), Position(x=0b100_000_001, o=0b000_010_000))
    """
    free = [*cells_of(board.full & ~position.taken)]
    cells = sorted(free, key=lambda cell: cell != preferred)
    for cell in cells:
        after = board.after(position, cell)
        if after.won:
            continue
        wins, threats = tactics(board, after)
        if len(threats) > 1 and not wins:
            return cell
    return None
