"""A sequential test: is one agent stronger than another by this much? Play until it is clear, and no longer.

Two hypotheses stand against each other: the first agent's true strength is `elo0` above the second's (H0), or `elo1`
(H1). Each means an expected score, s0 or s1. After every pair the log-likelihood ratio says how much better H1 explains
the pairs so far than H0 does, and the test ends when the ratio leaves the interval that Wald's error rates set:
log(beta / (1 - alpha)) accepts H0, log((1 - beta) / alpha) accepts H1.

The distribution of pair scores (0, 1/4, 1/2, 3/4 or 1) is unknown and differs from game to game. The generalised ratio
lets each hypothesis choose the distribution that suits it best among those of its mean; where s0 and s1 are close, this
comes to comparing two normal distributions of equal variance:

    llr = n * (s1 - s0) * (mean - (s0 + s1) / 2) / variance

The variance is learned from the same pairs. The first few may all be equal, and a test that believed in a variance of
next to nothing would end there and then: it errs in a quarter of its matches instead of a twentieth. Four imaginary
pairs therefore vary around the mean as two independent decisive games do, by 1/8. They fade as real pairs come in, and
in simulation both error rates stay near the requested ones, whether most games are drawn or none is.
"""

import math
from dataclasses import asdict, dataclass, replace
from typing import Literal, Self, TypeAlias

from ludex.arena.statistics import expected_score
from ludex.core.errors import BadOption
from ludex.core.game import Json

Verdict: TypeAlias = Literal["H0", "H1", "undecided"]

IMAGINARY_PAIRS = 4
IMAGINARY_VARIANCE = 1 / 8
MOST_ELO = 1000.0
"""Beyond it, expected scores are too close to 0 or 1 to be distinguished."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Two hypotheses and how often one may be wrong about either."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often H1 is accepted though H0 is true."""
    beta: float = 0.05
    """How often H0 is accepted though H1 is true."""

    def __post_init__(self) -> None:
        # Written so that a nan fails as well.
        if not (-MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO):
            raise BadOption(
                f"a sequential test needs elo0 < elo1 within {-MOST_ELO:g}..{MOST_ELO:g}, "
                f"found {self.elo0:g} and {self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadOption(f"error rates must lie between 0 and 0.5, found {self.alpha:g} and {self.beta:g}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a command line's ELO0,ELO1.

        >>> Sprt.parse("0,10")
        Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
        """
        try:
            elo0, elo1 = map(float, text.split(","))
        except ValueError as error:
            raise BadOption(f"--sprt needs two numbers, ELO0,ELO1, found {text!r}") from error
        return cls(elo0, elo1)

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the pairs so far say, taken one by one in the order of their indices."""

    test: Sprt
    pairs: int = 0
    total: float = 0.0
    """The sum of pair scores."""
    squares: float = 0.0
    """The sum of their squares."""

    def after(self, score: float) -> Self:
        """The evidence with one more pair, whose score is in 0..1."""
        return replace(self, pairs=self.pairs + 1, total=self.total + score, squares=self.squares + score * score)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of H1 to H0."""
        if self.pairs == 0:
            return 0.0
        score0, score1 = expected_score(self.test.elo0), expected_score(self.test.elo1)
        mean = self.total / self.pairs
        spread = self.squares - self.total * mean + IMAGINARY_PAIRS * IMAGINARY_VARIANCE
        variance = spread / (self.pairs + IMAGINARY_PAIRS)
        return self.pairs * (score1 - score0) * (mean - (score0 + score1) / 2) / variance

    @property
    def verdict(self) -> Verdict:
        llr = self.llr
        return "H1" if llr >= self.test.upper else "H0" if llr <= self.test.lower else "undecided"

    def to_json(self) -> dict[str, Json]:
        """The shape of `sprt` in `ludex match --json`."""
        test = self.test
        ratio: dict[str, Json] = {"llr": self.llr, "lower": test.lower, "upper": test.upper, "verdict": self.verdict}
        return {**asdict(test), **ratio}
