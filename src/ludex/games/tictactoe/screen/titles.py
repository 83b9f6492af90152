"""The names of boards."""

from ludex.core.messages import Message
from ludex.games.tictactoe.rules.board import BoardOptions


def board_title(options: BoardOptions, preset: str) -> Message:
    """A board by its size and what wins on it."""
    return Message("tictactoe.board", {"rows": options.rows, "cols": options.cols, "k": options.k})
