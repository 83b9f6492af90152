"""Ratings of many agents from the scores of their pairs: Bradley and Terry's model, on Elo's scale.

An agent of rating r scores 1 / (1 + 10^(-d/400)) against one that is rated d below it, and a draw is half a win. The
ratings, on average 0, are those under which every agent's expected points equal its points.

Games of a pair share an opening, and draws vary less than decisive games. So the covariance is the sandwich
H^-1 M H^-1, with H the curvature of the likelihood and M the variance of the pair scores as they were seen. As in the
sequential test, four imaginary pairs per encounter vary as two independent decisive games do.

The maximum exists only if no group of agents took every point from the rest (Ford, 1957). Where one did, each encounter
counts one more pair, drawn: `prior_pairs` says so. Agents that no chain of games connects with the others stay unrated.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ludex.arena.sprt import IMAGINARY_PAIRS
from ludex.arena.statistics import Z95

ELO = 400 / math.log(10)
"""Elo points a unit of log-odds."""
PRIOR_PAIRS = 1
_PRECISION = 1e-11
_MOST_STEPS = 200

Encounters = Mapping[tuple[int, int], Sequence[float]]
"""For two agents by their numbers, the first one's share of each pair's points."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """How strong each agent is, and how sure that is."""

    elo: tuple[float | None, ...]
    """None for an agent without games, or whose opponents are not connected with the rest."""
    covariance: NDArray[np.float64]
    """[agents, agents], of the ratings in Elo; 0 where unrated."""
    prior_pairs: int
    """Imaginary drawn pairs in each encounter; 0 where the games alone determine the ratings."""

    def ci95(self, agent: int) -> tuple[float, float] | None:
        """The 95 % interval of a rating; None if there is none."""
        rating = self.elo[agent]
        if rating is None:
            return None
        reach = Z95 * math.sqrt(self.covariance[agent, agent])
        return rating - reach, rating + reach

    def superiority(self, first: int, second: int) -> float | None:
        """The likelihood that the first agent is the stronger one; None if one is unrated, or both are the same."""
        rating, opposing = self.elo[first], self.elo[second]
        if rating is None or opposing is None or first == second:
            return None
        variances = self.covariance
        spread = variances[first, first] + variances[second, second] - 2 * variances[first, second]
        return NormalDist().cdf((rating - opposing) / math.sqrt(spread))


def rate(agents: int, encounters: Encounters) -> Ratings:
    """Rate so many agents by their encounters."""
    played = {pair: scores for pair, scores in sorted(encounters.items()) if scores}
    rated = _largest_group(agents, played)
    numbers = {agent: number for number, agent in enumerate(rated)}
    prior = 0 if _has_maximum(rated, played) else PRIOR_PAIRS
    table = _Table.of(
        [(numbers[i], numbers[j], scores) for (i, j), scores in played.items() if i in numbers], len(rated), prior
    )
    strengths = _likeliest(table)
    elo: list[float | None] = [None] * agents
    covariance = np.zeros((agents, agents))
    if len(rated) > 1:
        covariance[np.ix_(rated, rated)] = ELO**2 * _sandwich(table, strengths)
        for agent, number in numbers.items():
            elo[agent] = float(ELO * strengths[number])
    return Ratings(tuple(elo), covariance, prior)


@dataclass(frozen=True, slots=True)
class _Table:
    """E encounters as columns."""

    agents: int
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    pairs: NDArray[np.float64]
    """How many, imaginary drawn ones among them."""
    mean: NDArray[np.float64]
    squares: NDArray[np.float64]
    """The sums of squared scores."""

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, Sequence[float]]], agents: int, prior: int) -> Self:
        pairs = np.array([len(scores) + prior for _, _, scores in rows], np.float64)
        totals = np.array([math.fsum(scores) + prior / 2 for _, _, scores in rows])
        squares = np.array([math.fsum(score * score for score in scores) + prior / 4 for _, _, scores in rows])
        first, second = (np.array([row[side] for row in rows], np.int64) for side in (0, 1))
        return cls(agents, first, second, pairs, totals / pairs if rows else totals, squares)

    def expected(self, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """The first agents' scores under these strengths."""
        scores: NDArray[np.float64] = 1 / (1 + np.exp(strengths[self.second] - strengths[self.first]))
        return scores

    def gradient(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """What is due to each agent, where the first of an encounter gains what the second loses."""
        due = np.zeros(self.agents)
        np.add.at(due, self.first, weights)
        np.add.at(due, self.second, -weights)
        return due

    def laplacian(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The matrix of the quadratic form in which each encounter's difference has its weight."""
        form = np.zeros((self.agents, self.agents))
        for row, column in ((self.first, self.second), (self.second, self.first)):
            np.add.at(form, (row, row), weights)
            np.add.at(form, (row, column), -weights)
        return form


def _likeliest(table: _Table) -> NDArray[np.float64]:
    """The strengths, on average 0, that make the scores most probable, by Newton's method."""
    strengths = np.zeros(table.agents)
    if not len(table.pairs):
        return strengths
    value = _log_likelihood(table, strengths)
    for _ in range(_MOST_STEPS):
        expected = table.expected(strengths)
        slope = table.gradient(table.pairs * (table.mean - expected))
        step = np.linalg.pinv(table.laplacian(table.pairs * expected * (1 - expected)), hermitian=True) @ slope
        while (higher := _log_likelihood(table, strengths + step)) < value and np.abs(step).max() > _PRECISION:
            step /= 2
        strengths, value = strengths + step, higher
        if np.abs(step).max() <= _PRECISION:
            break
    centred: NDArray[np.float64] = strengths - strengths.mean()
    return centred


def _log_likelihood(table: _Table, strengths: NDArray[np.float64]) -> float:
    lead = strengths[table.first] - strengths[table.second]
    chances = -table.mean * np.logaddexp(0, -lead) - (1 - table.mean) * np.logaddexp(0, lead)
    return float((table.pairs * chances).sum())


def _sandwich(table: _Table, strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The covariance of the strengths."""
    expected = table.expected(strengths)
    # Sum of (score - expected)^2 over an encounter's pairs.
    squares = table.squares - 2 * expected * table.mean * table.pairs + expected**2 * table.pairs
    decisive = expected * (1 - expected) / 2
    variance = (squares + IMAGINARY_PAIRS * decisive) / (table.pairs + IMAGINARY_PAIRS)
    bread = np.linalg.pinv(table.laplacian(table.pairs * expected * (1 - expected)), hermitian=True)
    covariance: NDArray[np.float64] = bread @ table.laplacian(table.pairs * variance) @ bread
    return covariance


def _largest_group(agents: int, played: Encounters) -> list[int]:
    """The largest group that games connect; of equals the one with the first agent."""
    links = [*played, *((second, first) for first, second in played)]
    groups = [sorted(_reach(agent, links)) for agent in range(agents)]
    return max(groups, key=len, default=[])


def _has_maximum(rated: Sequence[int], played: Encounters) -> bool:
    """Whether points flow from every agent to every other, so that the likelihood has a maximum."""
    taken = [(i, j) for (i, j), scores in played.items() if any(score > 0 for score in scores)]
    taken += [(j, i) for (i, j), scores in played.items() if any(score < 1 for score in scores)]
    lost = [(j, i) for i, j in taken]
    return not rated or len(_reach(rated[0], taken)) == len(_reach(rated[0], lost)) == len(rated)


def _reach(start: int, links: Iterable[tuple[int, int]]) -> set[int]:
    ways: dict[int, list[int]] = {}
    for origin, end in links:
        ways.setdefault(origin, []).append(end)
    reached, waiting = {start}, [start]
    while waiting:
        for end in ways.get(waiting.pop(), ()):
            if end not in reached:
                reached.add(end)
                waiting.append(end)
    return reached
