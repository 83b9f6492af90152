"""Stage one, imitation: learn the actions of scripted players and the scores of their games."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from ludex.core.executor import executor_for
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponent_batch import deadlock_row
from ludex.games.skirmish.env.opponents import OpponentWorkers
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.demonstrations import Demonstrations, collect_demonstrations
from ludex.games.skirmish.learning.network import SkirmishNet, geometry_of
from ludex.games.skirmish.learning.network_files import flat, playing_net, save_net
from ludex.games.skirmish.learning.ppo_stage import evaluate_scenarios
from ludex.learn.export import playable
from ludex.learn.ppo import FORBIDDEN, autocast
from ludex.learn.runs import Row
from ludex.learn.stages import ImitationStage
from ludex.learn.trainer import Log

WEIGHT_DECAY = 0.01
HELD_BACK = 20
"""One decision in this many is held back for validation."""


class Choice(NamedTuple):
    """Demonstrations to learn from in one step: a scenario, and `int64[B]`, which of its demonstrations."""

    preset: str
    rows: NDArray[np.int64]


class Imitation(ImitationStage[Choice]):
    """Demonstrations of every scenario of the curriculum, and a network that learns from each in turn."""

    def __init__(
        self,
        config: SkirmishConfig,
        folder: Path,
        net: SkirmishNet,
        games: dict[str, Skirmish],
        device: torch.device,
        workers: OpponentWorkers,
    ) -> None:
        """`folder` is the run's, into which the imitated network is written."""
        self._config, self._net, self._games, self._workers = config, net, games, workers
        self._geometries = {preset: geometry_of(game) for preset, game in games.items()}
        cfg = config.imitation
        super().__init__(
            net,
            folder,
            device,
            steps=cfg.steps,
            lr=cfg.lr,
            weight_decay=WEIGHT_DECAY,
            warmup=min(100, cfg.steps // 10),
            max_grad_norm=config.ppo.max_grad_norm,
            checkpoint_every=config.checkpoint_every,
            eval_every=cfg.eval_every,
        )
        self._random = np.random.default_rng(config.seed)
        self._viewers = {preset: SkirmishBatch(game, cfg.batch, turned=True) for preset, game in games.items()}
        self._learned: dict[str, Demonstrations] = {}
        self._held_back: dict[str, Demonstrations] = {}

    def open(self, log: Log) -> None:
        """Collect the demonstrations: a resumed run plays them again, with the same result."""
        for preset in self._games:
            demonstrations = self._demonstrations(preset, log)
            apart = np.arange(len(demonstrations.actions)) % HELD_BACK == 0
            self._learned[preset] = demonstrations.select(~apart)
            self._held_back[preset] = demonstrations.select(apart)
        # Drawn from the first step on, so that a resumed run sees the same batches as an uninterrupted one.
        for step in range(self.step):
            self._draw(step)

    def collect(self) -> Choice:
        return self._draw(self.step)

    def loss(self, batch: Choice) -> tuple[Tensor, Row]:
        policy_loss, value_loss, metrics = self._losses(batch.preset, self._learned[batch.preset], batch.rows)
        return policy_loss + self._config.imitation.value_weight * value_loss, {"preset": batch.preset, **metrics}

    def save(self, path: Path) -> None:
        save_net(path, self._net, self._config.net)

    def row(self, metrics: Row, seconds: float) -> Row | None:
        """The metrics of the batch, and of demonstrations that are not learned from."""
        if not self.due(self._config.imitation.log_every):
            return None
        preset = str(metrics["preset"])
        held_back = self._held_back[preset]
        rows = np.arange(min(self._config.imitation.batch, len(held_back.actions)))
        with torch.no_grad():
            unseen = self._losses(preset, held_back, rows)[2]
        return {**metrics, **{f"unseen_{name}": value for name, value in unseen.items()}}

    def evaluate(self) -> Iterator[Row]:
        # Before PPO's first update, whose axis the curves of both stages share.
        where = {**self.labels, "update": 0}
        for row in evaluate_scenarios(self._config, self._net, self._games, self.device, self._workers, where):
            yield {**where, **row}

    def agent(self) -> bytes:
        return playable(playing_net(self._net, geometry_of(self._games[self._config.first_preset])))

    def failure(self, error: Exception) -> Row | None:
        return deadlock_row(error)

    def _draw(self, step: int) -> Choice:
        """The demonstrations of a step, of each scenario in turn."""
        preset = list(self._games)[step % len(self._games)]
        count = len(self._learned[preset].actions)
        return Choice(preset, self._random.integers(count, size=min(self._config.imitation.batch, count)))

    def _demonstrations(self, preset: str, log: Log) -> Demonstrations:
        config = self._config.imitation
        begin = time.perf_counter()
        demonstrations = collect_demonstrations(
            executor_for(config.workers),
            preset,
            config.teachers,
            config.opponents,
            config.games,
            config.epsilon,
            self._config.seed,
        )
        spent = time.perf_counter() - begin
        row: Row = {
            "stage": self.name,
            "preset": preset,
            "games": config.games,
            "decisions": len(demonstrations.actions),
        }
        if self.step == 0:
            log({**row, "seconds": spent})
        return demonstrations

    def _losses(
        self, preset: str, demonstrations: Demonstrations, rows: NDArray[np.int64]
    ) -> tuple[Tensor, Tensor, Row]:
        """The losses of policy and value on these demonstrations, and both with the agreement as metrics."""
        obs, masks = self._viewers[preset].show(demonstrations.states[rows])
        observed = torch.from_numpy(flat(obs)).to(self.device)
        mask = torch.from_numpy(masks).to(self.device)
        actions = torch.from_numpy(demonstrations.actions[rows]).to(self.device)
        scores = torch.from_numpy(demonstrations.scores[rows]).to(self.device)
        if self._net.geometry is not self._geometries[preset]:
            self._net.settle(self._geometries[preset])
        with autocast(self.device, self._config.ppo.amp):
            logits, value = self._net(observed)
        logits = logits.float().masked_fill(~mask, FORBIDDEN)
        policy_loss = cross_entropy(logits, actions)
        value_loss = 0.5 * (value.float() - scores).pow(2).mean()
        agreement = (logits.argmax(1) == actions).float().mean()
        metrics: Row = {
            "policy_loss": float(policy_loss.detach()),
            "value_loss": float(value_loss.detach()),
            "agreement": float(agreement),
        }
        return policy_loss, value_loss, metrics
