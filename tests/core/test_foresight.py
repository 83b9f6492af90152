"""A planted agent computes backwards from its generator: it must not find the mines or foresee the dice."""

from typing import Any

import pytest

from ludex.core.decision import Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, timed
from ludex.core.registry import available, make
from ludex.core.seeding import (
    CHAINED,
    CHANCE,
    MASK,
    OPENING,
    SEEDING,
    WEYL,
    Rng,
    agent_stream,
    chained_generator,
    generator,
    state_of,
)

SECRET = 0x6B5F_D45E_78AE_5A9A
"""Large, so that it cannot be guessed, and of 64 bits, which the old derivation takes as well."""
PLIES = 10


def unmix(word: int) -> int:
    """The inverse of `mix`."""
    word ^= word >> 31 ^ word >> 62
    word = word * pow(0x94D0_49BB_1331_11EB, -1, 1 << 64) & MASK
    word ^= word >> 27 ^ word >> 54
    word = word * pow(0xBF58_476D_1CE4_E5B9, -1, 1 << 64) & MASK
    return word ^ word >> 30 ^ word >> 60


def before(state: int, word: int) -> int:
    """The key into which `word` was mixed."""
    return ((unmix(state) - WEYL) & MASK) ^ word


class Foreseer:
    """Predicts what chance will do, from nothing but its own generator, the ply and its seat."""

    name = "foreseer"

    def __init__(self, match: Match[Any, Any]) -> None:
        self._match = match
        self.chance: list[Rng] = []
        """What the dice of the coming ply may be."""

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        ply, stream = self._match.ply + 1, agent_stream(self._match.to_move)
        chained = before(before(before(before(rng.state, stream), ply), 0), 0)
        key = before(before(before(rng.state, ply), 0), 0)
        for guess in ((unmix(chained) - WEYL) & MASK, key, key ^ stream, (unmix(key) - WEYL) & MASK):
            as_key = Rng(state_of(guess, 0, 0, ply))
            self.chance += [chained_generator(guess, ply, CHANCE), generator(guess, ply, CHANCE), as_key]
        return Decision(legal_actions(legal)[0])


@pytest.mark.parametrize("game", [spec.id for spec in available()[0]])
def test_an_agents_generator_says_nothing_of_dice_and_secrets(game: str) -> None:
    board = make(game)
    for seeding in (CHAINED, SEEDING):
        match: Match[Any, Any] = Match(board, SECRET, seeding=seeding)
        foreseen = []
        while match.ply < PLIES and not match.over:
            agent = Foreseer(match)
            timed(match, agent, Limit())
            foreseen.append(match.rng(CHANCE).state in {rng.state for rng in agent.chance})
            match.play(match.rng(OPENING).choice(legal_actions(match.legal())))
        # With the derivation of Ludex 0.1 the agent foresees everything: it knows its trade.
        assert set(foreseen) == {seeding == CHAINED}
