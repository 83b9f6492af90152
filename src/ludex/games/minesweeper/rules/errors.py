"""What can be wrong with a Minesweeper board that came from outside, and with a step that comes too late."""

from ludex.core.errors import DataError, MoveError


class BadBoard(DataError):
    """A text or a file that describes no board."""

    code = "bad_board"


class InconsistentPosition(DataError):
    """Numbers that no layout of the mines can explain."""

    code = "inconsistent_position"


class EpisodeOver(MoveError):
    """A step in an environment whose episode has ended; it wants a reset."""

    code = "episode_over"
