"""Errors of external Minesweeper boards, and of steps after the end of an episode."""

from ludex.core.errors import DataError, MoveError


class BadBoard(DataError):
    """A text or a file that describes no board."""


class InconsistentPosition(DataError):
    """Numbers that no layout of the mines can explain."""


class EpisodeOver(MoveError):
    """A step in an environment whose episode has ended and needs a reset."""
