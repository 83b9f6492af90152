"""Stage one, imitation: learn the actions of scripted players and the scores of their games."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from ludex.core.errors import BadRun
from ludex.core.executor import executor_for
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.demonstrations import Demonstrations, collect_demonstrations
from ludex.games.skirmish.learning.geometry import geometry_of
from ludex.games.skirmish.learning.network import SkirmishNet
from ludex.games.skirmish.learning.network_files import flat
from ludex.games.skirmish.rules.batch import SkirmishBatch
from ludex.learn.checkpoints import save_checkpoint
from ludex.learn.netfiles import give_weights
from ludex.learn.ppo import FORBIDDEN, autocast, cosine
from ludex.learn.runs import Row, Run

HELD_BACK = 20
"""One decision in this many is held back for validation."""


class Imitation:
    """Demonstrations of every scenario of the curriculum, and a network that learns from each in turn."""

    def __init__(
        self, config: SkirmishConfig, run: Run, net: SkirmishNet, games: dict[str, Skirmish], device: torch.device
    ) -> None:
        self._config, self._run, self._net, self._device = config, run, net, device
        self._games = games
        self._geometries = {preset: geometry_of(game) for preset, game in games.items()}
        self._optimizer = torch.optim.AdamW(net.parameters(), lr=config.imitation.lr)
        self._schedule = cosine(self._optimizer, config.imitation.steps, warmup=min(100, config.imitation.steps // 10))
        self._random = np.random.default_rng(config.seed)
        self._step = 0

    def restore(self, state: Row, held: dict[str, Any]) -> None:
        """Resume from a checkpoint; the demonstrations are played again, with the same result."""
        give_weights(self._net, held["net"], f"run {self._run.name!r}", BadRun)
        self._optimizer.load_state_dict(held["optimizer"])
        self._schedule.load_state_dict(held["schedule"])
        self._step = int(str(state["step"]))

    def train(self, advance: Callable[[int], None]) -> None:
        config = self._config.imitation
        demonstrations = {preset: self._demonstrations(preset) for preset in self._games}
        viewers = {preset: SkirmishBatch(game, config.batch, turned=True) for preset, game in self._games.items()}
        advance(self._step)
        # Drawn from the first step on, so that a resumed run sees the same batches as an uninterrupted one.
        for step in range(config.steps):
            preset = list(self._games)[step % len(self._games)]
            learned = demonstrations[preset][0]
            chosen = self._random.integers(len(learned.actions), size=min(config.batch, len(learned.actions)))
            if step < self._step:
                continue
            metrics = self._learn(preset, learned, chosen, viewers[preset], learn=True)
            self._step = step + 1
            advance(1)
            if self._step % config.log_every == 0 or self._step == config.steps:
                held_back = demonstrations[preset][1]
                count = min(config.batch, len(held_back.actions))
                unseen = self._learn(preset, held_back, np.arange(count), viewers[preset], learn=False)
                self._run.log(
                    {
                        "stage": "il",
                        "step": self._step,
                        "preset": preset,
                        **metrics,
                        **{f"unseen_{name}": value for name, value in unseen.items()},
                    }
                )
            if self._step % self._config.checkpoint_every == 0 or self._step == config.steps:
                self._checkpoint()

    def _demonstrations(self, preset: str) -> tuple[Demonstrations, Demonstrations]:
        """Demonstrations for training, and those held back for validation."""
        config = self._config.imitation
        begin = time.perf_counter()
        found = collect_demonstrations(
            executor_for(config.workers),
            preset,
            config.teachers,
            config.opponents,
            config.games,
            config.wander,
            self._config.seed,
            lambda games: None,
        )
        spent = time.perf_counter() - begin
        row: Row = {"stage": "il", "preset": preset, "games": config.games, "decisions": len(found.actions)}
        if self._step == 0:
            self._run.log({**row, "seconds": spent})
        apart = np.arange(len(found.actions)) % HELD_BACK == 0
        return _chosen(found, ~apart), _chosen(found, apart)

    def _learn(
        self,
        preset: str,
        demonstrations: Demonstrations,
        chosen: NDArray[np.int64],
        viewer: SkirmishBatch,
        *,
        learn: bool,
    ) -> Row:
        obs, masks = viewer.show(demonstrations.states[chosen])
        observed = torch.from_numpy(flat(obs)).to(self._device)
        mask = torch.from_numpy(masks).to(self._device)
        actions = torch.from_numpy(demonstrations.actions[chosen]).to(self._device)
        scores = torch.from_numpy(demonstrations.scores[chosen]).to(self._device)
        if self._net.geometry is not self._geometries[preset]:
            self._net.settle(self._geometries[preset])
        with torch.set_grad_enabled(learn):
            with autocast(self._device, self._config.ppo.amp):
                logits, value = self._net(observed)
            logits = logits.float().masked_fill(~mask, FORBIDDEN)
            policy_loss = cross_entropy(logits, actions)
            value_loss = 0.5 * (value.float() - scores).pow(2).mean()
        if learn:
            self._optimizer.zero_grad(set_to_none=True)
            (policy_loss + self._config.imitation.value_weight * value_loss).backward()
            torch.nn.utils.clip_grad_norm_(self._net.parameters(), self._config.ppo.max_grad_norm)
            self._optimizer.step()
            self._schedule.step()
        agreement = (logits.argmax(1) == actions).float().mean()
        return {
            "policy_loss": float(policy_loss.detach()),
            "value_loss": float(value_loss.detach()),
            "agreement": float(agreement),
        }

    def _checkpoint(self) -> None:
        save_checkpoint(
            self._run,
            {"at": f"il-{self._step:06d}", "stage": "il", "step": self._step},
            {
                "net": self._net.state_dict(),
                "optimizer": self._optimizer.state_dict(),
                "schedule": self._schedule.state_dict(),
            },
        )


def _chosen(demonstrations: Demonstrations, which: NDArray[np.bool_]) -> Demonstrations:
    return Demonstrations(demonstrations.states[which], demonstrations.actions[which], demonstrations.scores[which])
