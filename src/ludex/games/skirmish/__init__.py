"""A hex wargame: place your force hex by hex, then move, shoot, charge and fight for five turns."""

from typing import Final

ORDER: Final = 4
"""The game's place in listings, which name it with the sentence above without loading the rest."""
