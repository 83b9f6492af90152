"""One run of `check_game`: the game, and what must be remembered from position to position."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from ludex.core.game import AnyGame, Player
from ludex.core.seeding import Rng

PROBE: Final = 65
"""Stream of the checker's own choices, apart from chance, agents and openings."""

VarySecret: TypeAlias = Callable[[AnyGame, Any, Player, Rng], Any]
"""Another position, different only in what this player may not know; the same one if there is nothing of the kind."""

ArrayForm: TypeAlias = tuple[str, tuple[int, ...]]
"""The type and shape of an array."""


@dataclass(slots=True)
class Trial:
    """What the checks of one game share."""

    game: AnyGame
    vary_secret: VarySecret | None = None
    observation_form: dict[str, ArrayForm] | None = None
    """Names, types and shapes of the first observation; every other one must have them too."""
    seen: dict[tuple[Player, bytes], bytes] = field(default_factory=dict)
    """Every view met, by player, with the one position it was a view of."""
    drawn: bool = False
    """Chance was used."""
    varied: bool = False
    """A secret could be changed."""
