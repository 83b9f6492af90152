"""How strong a network is: against scripted agents and itself, and by the contract's deployment metrics."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field

from ludex.arena.statistics import gain95, interval95
from ludex.core.log import logger
from ludex.core.options import Options, parse_options, split_reference
from ludex.games.skirmish.env.deployment_metrics import DeploymentMetrics
from ludex.games.skirmish.env.opponent_batch import OpponentBatch
from ludex.games.skirmish.env.opponents import Given, Policy
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.geometry import geometry_of
from ludex.games.skirmish.learning.network import SkirmishNet
from ludex.games.skirmish.learning.network_files import NetPolicy, load_net
from ludex.games.skirmish.learning.placements import PlacedOtherwise, PlacementLog
from ludex.games.skirmish.learning.scripted_opponents import OpponentWorkers, ScriptedOpponent
from ludex.games.skirmish.rules.engine import branches
from ludex.learn.runs import Row

MOST_LANES = 256
_log = logger("train")


@dataclass(frozen=True)
class Evaluation:
    """The results of a policy's games against one opponent."""

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
    """Play `games`, an even number, half of them from either seat; `advance(n)` is called for games that ended."""
    if games < 2 or games % 2:
        raise ValueError(f"games must be even and at least 2, for half are played from either seat; found {games}")
    lanes = max(count for count in range(1, min(games, most_lanes) + 1) if games % count == 0)
    batch = OpponentBatch(game, lanes, seat="alternating", opponent=opponent)
    log = PlacementLog(game, lanes)
    each = games // lanes
    scores = np.zeros((lanes, each))
    played = np.zeros(lanes, np.int64)
    batch.reset(seed)
    while (playing := played < each).any():
        seats, placing = batch.seats, batch.deploying & batch.learner_to_move & playing
        actions, ended = batch.tick(policy, playing)
        log.note(actions, placing & (actions < game.table.sizes[branches.DEPLOY]))
        score, finals = batch.ends
        scores[ended, played[ended]] = score[ended]
        log.settle(ended, seats, finals)
        played += ended
        advance(int(ended.sum()))
    return Evaluation(name, scores.reshape(-1), batch.metrics, log)


def evaluate_scenarios(
    config: SkirmishConfig,
    net: SkirmishNet,
    games: dict[str, Skirmish],
    device: torch.device,
    workers: OpponentWorkers,
    where: Row,
) -> Iterator[Row]:
    """Evaluate a network while it is trained, on every scenario and on the same dice each time.

    Yields a row of metrics per opponent; `where`, the stage and step, is part of the logged event.
    """
    for preset, game in games.items():
        net.settle(geometry_of(game))
        policy = NetPolicy(net, device)
        for name in config.evaluation.opponents:
            opponent = ScriptedOpponent(workers, preset, name)
            found = evaluate(game, policy, opponent, name, config.evaluation.games, config.seed)
            row = {"preset": preset, **found.row()}
            yield row
            shown = {key: value for key, value in row.items() if not isinstance(value, list)}
            _log.info("evaluation", **where, **shown)


ITSELF: Final = "itself"
"""An opponent's name: the same network."""


class ItselfOptions(Options):
    """How the network plays as its own opponent."""

    temperature: float = Field(0.0, ge=0.0, le=20.0, description="0 plays the first choice")


class Measuring:
    """Evaluates a network on its device, with the same number of games on the same dice for each opponent."""

    def __init__(
        self,
        game: Skirmish,
        net: Path,
        device: torch.device,
        workers: OpponentWorkers,
        *,
        games: int,
        lanes: int,
        seed: int,
        advance: Callable[[int], None],
    ) -> None:
        self._game, self._device, self._workers = game, device, workers
        self._games, self._lanes, self._seed, self._advance = games, lanes, seed, advance
        self._net = load_net(net, geometry_of(game), device)

    def against(self, opponent: str, temperature: float, deployment: str) -> Evaluation:
        """Play an agent, or `itself:temperature=T`."""
        return evaluate(
            self._game,
            self._placing(self.policy(temperature, self._seed), deployment),
            self._opponent(opponent),
            opponent,
            self._games,
            self._seed,
            most_lanes=self._lanes,
            advance=self._advance,
        )

    def policy(self, temperature: float, seed: int) -> NetPolicy:
        """The network as a player; it samples unless the temperature is 0."""
        if temperature == 0.0:
            return NetPolicy(self._net, self._device)
        generator = torch.Generator(self._device).manual_seed(seed)
        return NetPolicy(self._net, self._device, generator, temperature)

    def _opponent(self, text: str) -> Given:
        name, values = split_reference(text)
        if name != ITSELF:
            return ScriptedOpponent(self._workers, self._game.info.preset, text)
        return self._placing(self.policy(parse_options(ItselfOptions, values, text).temperature, self._seed + 1))

    def _placing(self, policy: Policy, deployment: str = "learned") -> Policy:
        """A policy with units placed in one of the ways of `Deployment`."""
        return PlacedOtherwise(self._game, policy, self.policy(0.0, self._seed), deployment, self._seed)
