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
    return _forks(board, judged, named) if judged.loss > 0.0 else []


def _forks(board: Board, judged: JudgedMove, named: dict[str, str]) -> list[Message]:
    """A fork that follows the move, or one that the better move leads to."""
    fork = forced_fork(board, judged.after, judged.reply[0] if judged.reply else None)
    if fork is not None:
        return [Message("tictactoe.review_fork", {**named, "cell": board.names[fork]}, (fork,))]
    own = fork_after(board, judged.before, judged.best)
    if own is None:
        return []
    kind = "makes_fork" if own == judged.best else "own_fork"
    return [Message(f"tictactoe.review_{kind}", {**named, "cell": board.names[own]}, (own,))]


def forced_fork(board: Board, position: Position, preferred: int | None = None) -> int | None:
    """The cell of a fork that the side to move makes at once, or after a threat that must be answered.

    >>> board = Board(3, 3, 3)
    >>> forced_fork(board, Position(x=0b100_000_000, o=0b010_000_000)), forced_fork(board, Position())
    (0, None)
    """
    cells = sorted(cells_of(board.full & ~position.taken), key=lambda cell: cell != preferred)
    forks = (fork_after(board, position, cell) for cell in cells)
    return next((fork for fork in forks if fork is not None), None)


def fork_after(board: Board, position: Position, cell: int) -> int | None:
    """Where a move makes a fork: at once, or after the only answer to its threat; None if it makes none."""
    after = board.after(position, cell)
    wins, threats = tactics(board, after)
    if after.won or wins or not threats:
        return None
    if len(threats) > 1:
        return cell
    answered = board.after(after, threats[0])
    forced = tactics(board, answered).threats
    for other in forced or cells_of(board.full & ~answered.taken):
        following = board.after(answered, other)
        again = tactics(board, following)
        if not following.won and not again.wins and len(again.threats) > 1:
            return other
    return None
