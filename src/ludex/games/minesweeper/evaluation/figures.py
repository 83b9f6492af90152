"""The figures of an evaluation: means over its games."""

import math

import numpy as np
from numpy.typing import NDArray

from ludex.core.statistics import wilson95
from ludex.games.minesweeper.evaluation.played import Played
from ludex.games.minesweeper.lanes.buffers import COMPONENTS


def figures(played: Played) -> dict[str, float]:
    """Everything by name; NaN where there is nothing to average, or where the agent did not say."""
    games, steps = len(played), int(played.steps.sum())
    win_rate = float(played.won.mean())
    low, high = wilson95(win_rate, games)
    return {
        "win_rate": win_rate,
        "ci95_low": low,
        "ci95_high": high,
        "avg_progress": float(played.progress.mean()),
        "steps_to_outcome": float(played.steps.mean()),
        "steps_to_win": _mean(played.steps[played.won]),
        "steps_to_loss": _mean(played.steps[played.lost]),
        "invalid_share": int(played.invalid.sum()) / steps if steps else 0.0,
        "guesses": float(played.guesses.mean()),
        "luck": float(played.luck.mean()),
        "stopped": float(played.stopped.mean()),
        **{f"reward_{name}": float(played.rewards[:, part].mean()) for part, name in enumerate(COMPONENTS)},
        "ms_per_game": 1000 * math.fsum(played.cpu_seconds) / games,
        "ms_per_move": 1000 * math.fsum(played.thought_seconds) / max(1, int(played.decisions.sum())),
    }


def _mean(values: NDArray[np.int64]) -> float:
    return float(values.mean()) if len(values) else math.nan
