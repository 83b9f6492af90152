"""Bradley and Terry's model the slow way: one agent after another by minorisation and maximisation, and resampling."""

import math
import random
from collections.abc import Mapping, Sequence

Encounters = Mapping[tuple[int, int], Sequence[float]]


def likeliest(agents: int, encounters: Encounters, rounds: int = 20_000) -> list[float]:
    """Ratings in Elo, on average 0. Each strength becomes points / sum of n / (own + other), until nothing changes."""
    strengths = [1.0] * agents
    for _ in range(rounds):
        before = list(strengths)
        for agent in range(agents):
            points, weight = 0.0, 0.0
            for (first, second), scores in encounters.items():
                if agent in (first, second):
                    own = sum(scores) if agent == first else len(scores) - sum(scores)
                    points += own
                    weight += len(scores) / (strengths[first] + strengths[second])
            strengths[agent] = points / weight
        scale = math.exp(sum(map(math.log, strengths)) / agents)
        strengths = [strength / scale for strength in strengths]
        if max(abs(math.log(new / old)) for new, old in zip(strengths, before, strict=True)) < 1e-13:
            break
    return [400 * math.log10(strength) for strength in strengths]


def resampled(agents: int, encounters: Encounters, times: int, seed: int) -> list[list[float]]:
    """Ratings of as many tournaments whose pairs are drawn, with repetition, from those that were played."""
    rng = random.Random(seed)
    return [
        likeliest(agents, {key: rng.choices(scores, k=len(scores)) for key, scores in encounters.items()}, 300)
        for _ in range(times)
    ]
