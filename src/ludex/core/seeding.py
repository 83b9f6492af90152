"""Chance by argument: a counter-based generator, the same in Python and inside kernels.

A generator is named by words (seed, lane, episode, ply, stream). The words are hashed into a key, and draw number i is
`mix(key + i * WEYL)`, the output function of SplitMix64. So any draw of any ply can be computed alone, lane i of a
batch rolls the dice of the single game, and a replay does not depend on the version of a library.
"""

from collections.abc import MutableSequence, Sequence
from typing import Final, TypeVar

from ludex.core.compilable import compilable

T = TypeVar("T")

MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
WEYL: Final = 0x9E37_79B9_7F4A_7C15

CHANCE: Final = 0
"""Stream of the game's own chance. Player p's agent draws from stream 1 + p."""
OPENING: Final = 64
"""Stream of random openings."""


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


@compilable
def key_of(seed: int, lane: int, episode: int, ply: int, stream: int) -> int:
    """The first state of the generator that these five words name."""
    key = mix(advance(seed))
    key = mix(advance(key ^ lane))
    key = mix(advance(key ^ episode))
    key = mix(advance(key ^ ply))
    return mix(advance(key ^ stream))


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
    if not 0 <= seed <= MASK:
        raise ValueError(f"seed must be in 0..2**64-1, got {seed}")
    return Rng(key_of(seed, lane, episode, ply, stream))
