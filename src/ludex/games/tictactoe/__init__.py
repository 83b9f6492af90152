"""Three marks in a row win; on larger boards it takes more."""

from typing import Final

ORDER: Final = 1
"""The game's place in listings, which name it with the sentence above without loading the rest."""
