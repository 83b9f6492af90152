"""Logistic regression by Fisher scoring, for probabilities that may have a known factor."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

STEPS = 100
TOLERANCE = 1e-9


def fit(features: Numbers, won: Numbers, begin: Numbers, penalty: float, factor: Numbers | float = 1.0) -> Numbers:
    """The weights `[F]` of greatest likelihood, where P(won) is `factor` times the logistic function of `features @ w`.

    `features`: `[N, F]`; `won`: `[N]`, 0 to 1; `begin`: where the search begins, and what the penalty pulls towards,
    by `penalty` times the squared distance.
    """
    weights = begin.astype(np.float64)
    known = _objective(features, won, weights, begin, penalty, factor)
    for _ in range(STEPS):
        logistic = 1.0 / (1.0 + np.exp(-features @ weights))
        chance = np.clip(factor * logistic, 1e-9, 1 - 1e-9)
        slope, spread = factor * logistic * (1.0 - logistic), chance * (1.0 - chance)
        gradient = features.T @ (slope * (won - chance) / spread) - 2.0 * penalty * (weights - begin)
        information = (features.T * (slope**2 / spread)) @ features + 2.0 * penalty * np.eye(len(weights))
        step = np.linalg.solve(information, gradient)
        scale = 1.0
        # Fisher scoring may overshoot: a step that makes it worse is halved.
        while (reached := _objective(features, won, weights + scale * step, begin, penalty, factor)) < known:
            scale /= 2.0
            if scale < TOLERANCE:
                return weights
        weights = weights + scale * step
        if reached - known < TOLERANCE:
            break
        known = reached
    return weights


def _objective(
    features: Numbers, won: Numbers, weights: Numbers, begin: Numbers, penalty: float, factor: Numbers | float
) -> float:
    chance = np.clip(factor / (1.0 + np.exp(-features @ weights)), 1e-9, 1 - 1e-9)
    likelihood = won * np.log(chance) + (1.0 - won) * np.log(1.0 - chance)
    return float(likelihood.sum() - penalty * ((weights - begin) ** 2).sum())
