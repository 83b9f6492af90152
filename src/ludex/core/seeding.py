"""Chance by argument: a counter-based generator, the same in Python and inside kernels.

A seed of 128 bits and a stream give a key of 64 bits by BLAKE2b, in Python. Kernels mix lane, episode and ply into that
key, and draw number i is `mix(state + i * WEYL)`, the output function of SplitMix64. So any draw of any ply can be
computed alone, lane i of a batch rolls the dice of the single game, and a replay does not depend on the version of a
library. Mixing can be inverted, the hash cannot: an agent that sees the state of its own generator learns its own key,
and neither the seed nor the dice.
"""

from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeVar

from ludex.core.compilable import compilable

T = TypeVar("T")

MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
WEYL: Final = 0x9E37_79B9_7F4A_7C15
SEED_BITS: Final = 128
MAX_SEED: Final = (1 << SEED_BITS) - 1

CHANCE: Final = 0
"""Stream of the game's own chance. Player p's agent draws from stream 1 + p."""
OPENING: Final = 64
"""Stream of random openings."""
ANALYSIS: Final = 65
"""Stream of agents that analyse a match, with a seed of their own: what they draw says nothing about the match."""
SEARCH_NOISE: Final = 67
"""Stream of the noise at the roots of a batched search."""
SEARCH_CHANCE: Final = 68
"""Stream of the dice that a batched search rolls inside its trees."""


def agent_stream(player: int) -> int:
    """The stream a seat's agent draws from, so that agents disturb neither the dice nor each other."""
    return 1 + player


@compilable
def mix(word: int) -> int:
    """A bijection of 64-bit words that spreads every input bit over the output."""
    word = ((word ^ (word >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
    return word ^ (word >> 31)


@compilable
def advance(state: int) -> int:
    """The generator's next state; `mix` of it is the next draw."""
    return (state + WEYL) & MASK


@lru_cache(maxsize=4096)
def stream_key(seed: int, stream: int) -> int:
    """The 64-bit key of a stream, from which kernels derive the generators of all lanes, episodes and plies."""
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed must be in 0..2**{SEED_BITS}-1, got {seed}")
    words = seed.to_bytes(SEED_BITS // 8, "little") + stream.to_bytes(8, "little")
    return int.from_bytes(blake2b(words, digest_size=8, person=b"ludex stream").digest(), "little")


def signed_key(seed: int, stream: int) -> int:
    """The same key as a signed number, as arrays of numbers and kernels' arguments take it."""
    key = stream_key(seed, stream)
    return key - (1 << 64) if key >> 63 else key


@compilable
def state_of(key: int, lane: int, episode: int, ply: int) -> int:
    """The first state of a stream's generator in one ply of one lane's episode."""
    key = mix(advance(key ^ lane))
    key = mix(advance(key ^ episode))
    return mix(advance(key ^ ply))


@compilable
def scaled(bits: int, bound: int) -> int:
    """The high half of 64 random bits, scaled to 0..bound-1."""
    return ((bits >> 32) * bound) >> 32


@compilable
def biased(bits: int, bound: int) -> bool:
    """Whether `scaled(bits, bound)` must be redrawn, for every value to be equally likely."""
    low_mask = MASK >> 32
    low = ((bits >> 32) * bound) & low_mask
    # 2**32 - bound, written so that unsigned words of a kernel never meet a signed literal.
    complement = ((bound ^ bound) - bound) & low_mask
    return low < bound and low < complement % bound


class Rng:
    """A stream of draws.

    >>> generator(seed=1, ply=0).below(6) == generator(seed=1, ply=0).below(6)
    True
    """

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    def bits(self) -> int:
        """64 random bits."""
        self.state = advance(self.state)
        return mix(self.state)

    def seed(self) -> int:
        """A seed for another match: 128 random bits."""
        return self.bits() | self.bits() << 64

    def below(self, bound: int) -> int:
        """A whole number in 0..bound-1, each equally likely."""
        if not 0 < bound < 1 << 32:
            raise ValueError(f"bound must be in 1..2**32-1, got {bound}")
        bits = self.bits()
        while biased(bits, bound):
            bits = self.bits()
        return scaled(bits, bound)

    def uniform(self) -> float:
        """A number in [0, 1) with 53 random bits."""
        return (self.bits() >> 11) * 2.0**-53

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Reorder the items in place, each order equally likely."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def generator(seed: int, ply: int, stream: int = CHANCE, *, lane: int = 0, episode: int = 0) -> Rng:
    """The generator of one ply; a single game is lane 0, episode 0."""
    return Rng(state_of(stream_key(seed, stream), lane, episode, ply))
