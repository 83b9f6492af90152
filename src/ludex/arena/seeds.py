"""The seed of a match or tournament: the requested one, else one that cannot be guessed where that matters."""

import secrets
from collections.abc import Sequence
from pathlib import Path

from ludex.arena.entrants import is_foreign
from ludex.arena.journal import seed_in
from ludex.core.game import AnyGame
from ludex.core.seeding import SEED_BITS


def seed_for(board: AnyGame, entrants: Sequence[str], typed: int | None, journal: Path | None) -> int:
    """The seed a person typed, else 0; drawn where code of others plays a game with dice or secrets.

    Such code could guess a small seed and with it every die and mine. A drawn seed is published with the result, and a
    journal that is resumed has it already.
    """
    if typed is not None:
        return typed
    info = board.info
    fixed = info.chance == "none" and info.information == "perfect"
    if fixed or not any(is_foreign(info.id, entrant) for entrant in entrants):
        return 0
    begun = None if journal is None else seed_in(journal)
    return secrets.randbits(SEED_BITS) if begun is None else begun
