"""Boards shared by matches: a game is immutable, and some hold megabytes of tables."""

from functools import lru_cache
from typing import Final

from ludex.core.game import AnyGame
from ludex.core.registry import make

MOST_BOARDS: Final = 64


@lru_cache(maxsize=MOST_BOARDS)
def board(game: str, preset: str | None) -> AnyGame:
    """A game on one board, made once. Raises `LudexError` if its name is invalid."""
    return make(game, preset)
