"""How well a policy plays against a scripted player, from both seats, and how it deploys: the contract's metrics."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludex.core.statistics import gain95, interval95
from ludex.games.skirmish.deployment_metrics import DeploymentMetrics
from ludex.games.skirmish.engine import branches
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.placements import PlacementLog
from ludex.games.skirmish.opponents import Given, Policy
from ludex.games.skirmish.versus import VersusBatch
from ludex.learn.runs import Row

MOST_LANES = 256


@dataclass(frozen=True)
class Evaluation:
    """What games of a policy against one opponent came to."""

    opponent: str
    scores: NDArray[np.float64]
    """[games]: -1, 0 or 1 for the policy; games 2k and 2k + 1 are from either seat.

    They are neighbours in a lane or, where each lane plays an odd number of games, in two lanes: seats alternate both
    from game to game and from lane to lane.
    """
    metrics: DeploymentMetrics
    placements: PlacementLog

    @property
    def win_rate(self) -> float:
        """Draws count half."""
        return float((self.scores.mean() + 1) / 2)

    @property
    def ci95(self) -> tuple[float, float]:
        """Over pairs of games with swapped seats."""
        return interval95(((self.scores.reshape(-1, 2).mean(axis=1) + 1) / 2).tolist())

    def gain_over(self, other: "Evaluation") -> tuple[float, float, float]:
        """How much more it scores against the same opponent on the same dice, with its interval over pairs."""
        pairs = (self.scores - other.scores).reshape(-1, 2).mean(axis=1) / 2
        return gain95(pairs.tolist())

    def row(self) -> Row:
        """As a row of a run's metrics."""
        return {
            "opponent": self.opponent,
            "games": len(self.scores),
            "win_rate": self.win_rate,
            "ci95": list(self.ci95),
            **self.metrics.named(),
            **self.placements.correlations(),
            "hex_slots": self.metrics.hex_slots.tolist(),
            "unit_slots": self.metrics.unit_slots.tolist(),
        }


def evaluate(
    game: Skirmish,
    policy: Policy,
    opponent: Given,
    name: str,
    games: int,
    seed: int,
    *,
    most_lanes: int = MOST_LANES,
    advance: Callable[[int], None] = lambda games: None,
) -> Evaluation:
    """Play `games`, an even number, half of them from either seat; `advance(n)` is told of games that ended."""
    if games < 2 or games % 2:
        raise ValueError(f"games must be even and at least 2, for half are played from either seat; found {games}")
    lanes = max(count for count in range(1, min(games, most_lanes) + 1) if games % count == 0)
    versus = VersusBatch(game, lanes, seat="alternating", opponent=opponent)
    log = PlacementLog(game, lanes)
    each = games // lanes
    scores = np.zeros((lanes, each))
    played = np.zeros(lanes, np.int64)
    versus.reset(seed)
    while (playing := played < each).any():
        seats, placing = versus.seats, versus.deploying & versus.learner_to_move & playing
        actions, ended = versus.tick(policy, playing)
        log.note(actions, placing & (actions < game.table.sizes[branches.DEPLOY]))
        score, finals = versus.ends
        scores[ended, played[ended]] = score[ended]
        log.settle(ended, seats, finals)
        played += ended
        advance(int(ended.sum()))
    return Evaluation(name, scores.reshape(-1), versus.metrics, log)
