"""An agent that computes backwards from its generator to the seed, and from there to mines and dice."""

from typing import Any

from ludex.core.decision import Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, time_decision
from ludex.core.seeding import CHANCE, MASK, WEYL, Rng, advance, agent_stream, generator, mix, state_of


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


def chained_generator(seed: int, ply: int, stream: int) -> Rng:
    """A generator that is mixed from its seed without a hash, so that its state leads back to the seed."""
    key = mix(advance(seed & MASK))
    for word in (0, 0, ply, stream):
        key = mix(advance(key ^ word))
    return Rng(key)


class InvertibleMatch(Match[Any, Any]):
    """A match whose generators lead back to the seed: on it the attack succeeds."""

    def rng(self, stream: int) -> Rng:
        return chained_generator(self.seed, self.ply + 1, stream)


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


def foresees(match: Match[Any, Any]) -> bool:
    """Whether the agent knows what chance does in the coming ply."""
    agent = Foreseer(match)
    time_decision(match, agent, Limit())
    return match.rng(CHANCE).state in {rng.state for rng in agent.chance}
