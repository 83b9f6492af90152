"""Reach the other side first, and put walls in the way of the other."""

from typing import Final

ORDER: Final = 2
"""The game's place in listings, which name it with the sentence above without loading the rest."""
