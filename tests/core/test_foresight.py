"""A planted agent computes backwards from its generator: it must not find the mines or foresee the dice."""

from typing import Any

import pytest

from benchmarks.attack.foresight import InvertibleMatch, foresees
from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.registry import available, make
from ludex.core.seeding import OPENING

SECRET = 0x6B5F_D45E_78AE_5A9A
"""Large, so that it cannot be guessed, and of 64 bits, which the invertible derivation takes as well."""
PLIES = 10


@pytest.mark.parametrize("game", [spec.id for spec in available()[0]])
def test_an_agents_generator_says_nothing_of_dice_and_secrets(game: str) -> None:
    board = make(game)
    for kind in (Match, InvertibleMatch):
        match: Match[Any, Any] = kind(board, SECRET)
        foreseen = []
        while match.ply < PLIES and not match.over:
            foreseen.append(foresees(match))
            match.play(match.rng(OPENING).choice(legal_actions(match.legal())))
        # Without the hash the agent foresees everything: it knows its trade.
        assert set(foreseen) == {kind is InvertibleMatch}
