"""The names of boards."""

from ludex.core.messages import Message
from ludex.games.quoridor.rules.options import QuoridorOptions


def board_title(options: QuoridorOptions, preset: str) -> Message:
    """A board by its size and its walls."""
    return Message("quoridor.board", {"size": options.size, "count": options.walls})
