"""Stages with a network, as the trainer runs them: any, imitation of demonstrations, and masked PPO.

A game's own stages supply the network, the data, the losses and the environment.
"""

from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from ludex.core.errors import BadRun
from ludex.learn.checkpoints import give_weights
from ludex.learn.distributed import ALONE, Group
from ludex.learn.runs import Row
from ludex.learn.trainer import Stage

B = TypeVar("B")
SEED_BOUND = 1 << 63
"""torch's generators take seeds below it."""
IMITATED = "imitated.pt"
"""The file of the imitated network in the run's folder."""


class NetworkStage(Stage[B]):
    """A stage in which a network learns by an optimiser."""

    def __init__(
        self,
        net: nn.Module,
        optimizer: torch.optim.Optimizer,
        *,
        steps: int,
        checkpoint_every: int,
        eval_every: int | None = None,
        evaluate_first: bool = False,
        schedule: torch.optim.lr_scheduler.LRScheduler | None = None,
        generator: torch.Generator | None = None,
        group: Group = ALONE,
    ) -> None:
        super().__init__(
            steps=steps, checkpoint_every=checkpoint_every, eval_every=eval_every, evaluate_first=evaluate_first
        )
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
