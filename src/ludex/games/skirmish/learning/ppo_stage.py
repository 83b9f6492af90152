"""The part of stage two that both trainers share: curriculum, past networks, evaluations and checkpoints."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Generic, TypeVar

import torch

from ludex.core.errors import BadRun
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.network import SkirmishNet
from ludex.games.skirmish.learning.opponent_pool import Weights, extend_past
from ludex.games.skirmish.learning.scripted_opponents import OpponentWorkers
from ludex.learn.checkpoints import save_checkpoint
from ludex.learn.netfiles import give_weights
from ludex.learn.ppo import cosine_factor
from ludex.learn.runs import Row, Run

P = TypeVar("P")
"""A trainer's rollout of one scenario."""


class PpoStage(ABC, Generic[P]):
    """A run's stage two, from a network or from a checkpoint."""

    def __init__(
        self,
        config: SkirmishConfig,
        run: Run,
        net: SkirmishNet,
        games: dict[str, Skirmish],
        device: torch.device,
        workers: OpponentWorkers,
    ) -> None:
        self._config, self._run, self._net, self._device = config, run, net, device
        self._games, self._workers = games, workers
        self._optimizer = torch.optim.AdamW(net.parameters(), lr=config.ppo.lr, fused=device.type == "cuda")
        self._generator = torch.Generator(device).manual_seed((config.seed + 1) & (2**63 - 1))
        self._update = 0
        self._transitions = 0
        self._past: list[Weights] = []
        """Past networks, oldest first."""

    @abstractmethod
    def make_rollout(self, preset: str) -> P:
        """The rollout of a scenario, all games at their beginning."""

    @abstractmethod
    def close_rollout(self, rollout: P) -> None:
        """Release a rollout's resources."""

    @abstractmethod
    def learn(self, rollout: P) -> Row:
        """Play and learn once; returns the metrics."""

    def restore(self, state: Row, held: dict[str, Any]) -> None:
        """Resume from a checkpoint; games in progress start over."""
        give_weights(self._net, held["net"], f"run {self._run.name!r}", BadRun)
        self._optimizer.load_state_dict(held["optimizer"])
        self._generator.set_state(held["generator"].cpu())
        self._update, self._transitions = (int(str(state[name])) for name in ("update", "transitions"))
        self._past = held["past"]

    def train(self, advance: Callable[[int], None], evaluate: Callable[[Row], None]) -> None:
        """Work through the curriculum; `evaluate(row)` measures the network and logs with the row's keys."""
        config = self._config
        advance(self._update)
        if self._update == 0 and (config.stage == "ppo" or config.forget_placing):
            # After imitation in the same run the network has been evaluated already, before `forget_placing`.
            evaluate({"stage": "ppo", "update": 0})
        with ExitStack() as leaving:
            rollouts: dict[str, P] = {}
            while self._update < config.updates:
                preset = config.preset_at(self._update)
                if preset not in rollouts:
                    rollouts[preset] = self.make_rollout(preset)
                    leaving.callback(self.close_rollout, rollouts[preset])
                if self._update % config.opponents.keep_every == 0:
                    self._past = extend_past(self._past, self._net, config.opponents.kept)
                self.work(preset, rollouts[preset])
                advance(1)
                done = self._update == config.updates
                if self._update % config.evaluation.every == 0 or done:
                    evaluate({"stage": "ppo", "update": self._update})
                if self._update % config.checkpoint_every == 0 or done:
                    self._checkpoint()

    def work(self, preset: str, rollout: P) -> None:
        """One update, logged as one row of metrics."""
        ppo = self._config.ppo
        each = ppo.num_envs * ppo.steps_per_env
        begin = time.perf_counter()
        metrics = self.learn(rollout)
        spent = time.perf_counter() - begin
        rate = self._rate()
        self._update += 1
        self._transitions += each
        self._run.log(
            {
                "stage": "ppo",
                "update": self._update,
                "preset": preset,
                **metrics,
                "lr": rate,
                "seconds": spent,
                "transitions": self._transitions,
                "transitions_per_second": each / spent,
            }
        )

    def _rate(self) -> float:
        """The learning rate of the next update."""
        return self._config.ppo.lr * cosine_factor(self._update, self._config.updates)

    def _checkpoint(self) -> None:
        save_checkpoint(
            self._run,
            {
                "at": f"ppo-{self._update:06d}",
                "stage": "ppo",
                "update": self._update,
                "transitions": self._transitions,
            },
            {
                "net": self._net.state_dict(),
                "optimizer": self._optimizer.state_dict(),
                "generator": self._generator.get_state(),
                "past": self._past,
            },
        )
