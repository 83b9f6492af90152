"""Open every cell that hides no mine: each number counts the mines around it."""

from typing import Final

ORDER: Final = 3
"""The game's place in listings, which name it with the sentence above without loading the rest."""
