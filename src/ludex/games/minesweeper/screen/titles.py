"""The names of boards."""

from ludex.core.messages import Message
from ludex.games.minesweeper.rules.options import BoardOptions


def board_title(options: BoardOptions, preset: str) -> Message:
    """A board by its size and its mines; the usual ones by the name of their level."""
    level, _, size = preset.partition("_")
    if size and ":" not in preset:
        return Message(f"minesweeper.board_{level}")
    return Message("minesweeper.board", {"rows": options.rows, "cols": options.cols, "count": options.mines})
