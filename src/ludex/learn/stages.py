"""Stages with a network, as the trainer runs them: any, imitation of demonstrations, and masked PPO.

A game's own stages supply the network, the data, the losses and the environment.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, Unpack

import torch
from torch import Tensor, nn

from ludex.core.errors import BadRun
from ludex.learn.checkpoints import give_weights
from ludex.learn.distributed import ALONE, Group
from ludex.learn.ppo import cosine, cosine_factor
from ludex.learn.ppo_config import PpoConfig
from ludex.learn.rollout import Batch, RolloutBuffer
from ludex.learn.runs import Row
from ludex.learn.trainer import Due, Log, Stage

B = TypeVar("B")
IMITATED: Final = "imitated.pt"
"""The file of the imitated network in the run's folder."""


class NetworkStage(Stage[B]):
    """A stage in which a network learns by an optimiser."""

    def __init__(
        self,
        net: nn.Module,
        optimizer: torch.optim.Optimizer,
        *,
        schedule: torch.optim.lr_scheduler.LRScheduler | None = None,
        generator: torch.Generator | None = None,
        group: Group = ALONE,
        **due: Unpack[Due],
    ) -> None:
        super().__init__(**due)
        self.net, self.optimizer, self.schedule, self.generator = net, optimizer, schedule, generator
        self.group = group

    def minimise(self, loss: Tensor, max_grad_norm: float | None = None) -> None:
        """One step of the optimiser, and of the schedule if there is one; longer gradients are cut to the norm."""
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        self.group.average_gradients(self.net)
        if max_grad_norm is not None:
            nn.utils.clip_grad_norm_(self.net.parameters(), max_grad_norm)
        self.optimizer.step()
        if self.schedule is not None:
            self.schedule.step()

    def agent_file(self) -> bytes | None:
        with torch.random.fork_rng(devices=[]):
            return self.agent()

    def check_processes(self, processes: Any) -> None:
        self.group.check_alike(self.net)

    def tensors(self) -> dict[str, Any]:
        saved: dict[str, Any] = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict()}
        if self.schedule is not None:
            saved["schedule"] = self.schedule.state_dict()
        if self.generator is not None:
            saved["generator"] = self.generator.get_state()
        return saved

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        give_weights(self.net, tensors["net"], source, BadRun)
        self.optimizer.load_state_dict(tensors["optimizer"])
        if self.schedule is not None:
            self.schedule.load_state_dict(tensors["schedule"])
        if self.generator is not None:
            self.generator.set_state(tensors["generator"].cpu())
        super().restore(state, tensors, source)


class ImitationStage(NetworkStage[B]):
    """A network learns what demonstrations show; the imitated one is written to the run's folder."""

    name = "il"
    counter = "step"

    def __init__(
        self,
        net: nn.Module,
        folder: Path,
        device: torch.device,
        *,
        lr: float,
        weight_decay: float,
        warmup: int,
        max_grad_norm: float,
        generator: torch.Generator | None = None,
        group: Group = ALONE,
        **due: Unpack[Due],
    ) -> None:
        """The learning rate rises over the steps of `warmup` and falls as a cosine; gradients are cut to the norm."""
        optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=weight_decay, fused=device.type == "cuda")
        schedule = cosine(optimizer, due["steps"], warmup)
        super().__init__(net, optimizer, schedule=schedule, generator=generator, group=group, **due)
        self.device, self._folder, self._max_grad_norm = device, folder, max_grad_norm

    @abstractmethod
    def loss(self, batch: B) -> tuple[Tensor, Row]:
        """The loss of a batch of demonstrations, and its metrics."""

    @abstractmethod
    def save(self, path: Path) -> None:
        """Write the network."""

    def update(self, batch: B) -> Row:
        loss, metrics = self.loss(batch)
        self.minimise(loss, self._max_grad_norm)
        return metrics

    def finish(self, log: Log) -> None:
        if self.group.is_main:
            self.save(self._folder / IMITATED)


class PpoStage(NetworkStage[B]):
    """A network learns from its own play; a step is one rollout and what PPO learns from it."""

    name = "ppo"
    counter = "update"

    def __init__(
        self,
        net: nn.Module,
        ppo: PpoConfig,
        device: torch.device,
        *,
        seed: int,
        group: Group = ALONE,
        **due: Unpack[Due],
    ) -> None:
        """Weights that need no gradient are not learned."""
        learned = [weights for weights in net.parameters() if weights.requires_grad]
        self.draws = torch.Generator(device).manual_seed((seed + 1) & (2**63 - 1))
        optimizer = torch.optim.AdamW(learned, lr=ppo.lr, fused=device.type == "cuda")
        super().__init__(net, optimizer, generator=self.draws, group=group, **due)
        self.ppo, self.device = ppo, device
        self.transitions = ppo.num_envs * ppo.steps_per_env
        """Those of one update."""

    @abstractmethod
    def learn(self, batch: B) -> Row:
        """Learn from a rollout; returns the metrics."""

    def update(self, batch: B) -> Row:
        for parameters in self.optimizer.param_groups:
            parameters["lr"] = self.rate(self.step)
        return self.learn(batch)

    def rate(self, step: int) -> float:
        """The learning rate of an update, from 0 on."""
        return self.ppo.lr * cosine_factor(step, self.steps)

    def row(self, metrics: Row, seconds: float) -> Row:
        speed = self.transitions / seconds
        return {**metrics, "transitions": self.step * self.transitions, "transitions_per_second": speed}

    def state(self) -> Row:
        return {"transitions": self.step * self.transitions}

    def learn_batches(
        self,
        buffer: RolloutBuffer,
        size: int,
        learn: Callable[[Batch], dict[str, Tensor]],
        *,
        selected: Tensor | None = None,
        target_kl: float | None = None,
        whole_epochs: bool = False,
    ) -> list[dict[str, Tensor]]:
        """The metrics of every mini-batch, over some epochs of a rollout or of its `selected` transitions.

        Learning ends once the policy has moved further than `target_kl` in a batch or, with `whole_epochs`, on average
        over an epoch.
        """
        rows: list[dict[str, Tensor]] = []
        for _ in range(self.ppo.ppo_epochs):
            epoch: list[Tensor] = []
            for batch in buffer.get_minibatches(size, generator=self.draws, selected=selected, group=self.group):
                rows.append(learn(batch))
                if target_kl is None:
                    continue
                epoch.append(rows[-1]["approx_kl"])
                if not whole_epochs and float(epoch[-1]) > target_kl:
                    return rows
            if target_kl is not None and whole_epochs and float(torch.stack(epoch).mean()) > target_kl:
                break
        return rows


def mean_metrics(rows: Sequence[Mapping[str, Tensor]]) -> Row:
    """The means of the metrics of mini-batches; empty without any."""
    return {name: float(torch.stack([row[name] for row in rows]).double().mean()) for name in (rows[0] if rows else ())}
