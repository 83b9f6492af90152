"""The trainer: stages that collect, update and evaluate, and checkpoints from which a killed run resumes.

A slice's stages supply network, data, losses and evaluations. The trainer runs their steps, logs metrics and writes
checkpoints. In a group every process runs the same steps, and the main one evaluates and writes.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import torch
from torch import nn

from ludex.core.errors import BadRun, RunPaused
from ludex.learn.checkpoints import give_weights, load_checkpoint, save_checkpoint
from ludex.learn.distributed import ALONE, Group
from ludex.learn.run_agents import is_due, keep_agent
from ludex.learn.runs import Row, Run

CPU = torch.device("cpu")
B = TypeVar("B")
"""What a stage collects for one update."""
Log: TypeAlias = Callable[[Row], None]


class Stage(ABC, Generic[B]):
    """A part of a run in which a network learns from one kind of data, step by step."""

    name: ClassVar[str]
    """The stage in metrics and checkpoints, such as `ppo`."""
    counter: ClassVar[str]
    """The name of the number of steps there, such as `update`."""
    digits: ClassVar[int] = 6
    """The digits of that number in the names of checkpoints."""

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
    ) -> None:
        """Evaluations and checkpoints are due after every so many steps and after the last."""
        self.net, self.optimizer, self.schedule, self.generator = net, optimizer, schedule, generator
        self.steps, self.checkpoint_every, self.eval_every = steps, checkpoint_every, eval_every
        self.evaluate_first = evaluate_first
        """Whether the network is evaluated before the first step too."""
        self.step = 0
        """How many steps are done."""

    @abstractmethod
    def collect(self) -> B:
        """The data of the next update: a rollout, or a batch of demonstrations."""

    @abstractmethod
    def update(self, batch: B) -> Row:
        """Learn from what was collected; returns the metrics."""

    def row(self, metrics: Row, seconds: float) -> Row | None:
        """What is logged of a step that took so long, or None if nothing is due."""
        return metrics

    def evaluate(self) -> Iterable[Row]:
        """Evaluate the network, in the main process only; yields rows of metrics."""
        return ()

    def evaluated(self, rows: list[Row]) -> None:
        """Take note of an evaluation, in every process."""

    def open(self, log: Log) -> None:
        """Prepare what the steps need, before the first one or the one that a resumed run begins with."""

    def close(self) -> None:
        """Release what steps or `open` acquired."""

    def finish(self, log: Log) -> None:
        """Write results once all steps are done; a run that was killed after that calls it again."""

    def agent(self) -> bytes | None:
        """What was learned so far as the file that `TrainingSpec.trained` says; None: the stage has no agent.

        Called in the main process only, while torch's own generator is put aside.
        """
        return None

    def failure(self, error: Exception) -> Row | None:
        """What is logged of an error that ends the run, or None; the error is raised afterwards."""
        return None

    def state(self) -> Row:
        """Numbers that a checkpoint needs besides stage and step. Called in every process, as `tensors` is."""
        return {}

    def tensors(self) -> dict[str, Any]:
        """The tensors of a checkpoint."""
        found: dict[str, Any] = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict()}
        if self.schedule is not None:
            found["schedule"] = self.schedule.state_dict()
        if self.generator is not None:
            found["generator"] = self.generator.get_state()
        return found

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        """Resume from a checkpoint. Raises `BadRun`, with the source, if it does not fit."""
        give_weights(self.net, tensors["net"], source, BadRun)
        self.optimizer.load_state_dict(tensors["optimizer"])
        if self.schedule is not None:
            self.schedule.load_state_dict(tensors["schedule"])
        if self.generator is not None:
            self.generator.set_state(tensors["generator"].cpu())
        self.step = int(str(state[self.counter]))

    def due(self, every: int) -> bool:
        """Whether something that happens every so many steps, and after the last, happens now."""
        return self.step % every == 0 or self.step == self.steps


class StagePlan(NamedTuple):
    """A stage to come."""

    name: str
    steps: int
    make: Callable[[], Stage[Any]]
    """Called when the stages before it are done."""


class Trainer:
    """Runs the stages of a run."""

    def __init__(self, run: Run, advance: Callable[[int], None], group: Group = ALONE) -> None:
        """`advance` is called with the number of steps done since its last call."""
        self._run, self._advance, self._group = run, advance, group
        self._before = 0
        """The steps of the stages before the current one."""

    def train(self, plans: Sequence[StagePlan]) -> None:
        """Run the stages in order, from the last checkpoint on.

        Raises `BadRun` if the checkpoint is of none of them, and `RunPaused`, after a checkpoint, on request.
        """
        found = self._group.broadcast_object(lambda: load_checkpoint(self._run, CPU))
        names = [plan.name for plan in plans]
        current = names[0] if found is None else str(found[0]["stage"])
        source = f"run {self._run.name!r}"
        if current not in names:
            raise BadRun(f"{source}: its checkpoint is of stage {current!r}, its stages are {', '.join(names)}")
        for plan in plans[: names.index(current)]:
            self._advance(plan.steps)
            self._before += plan.steps
        for plan in plans[names.index(current) :]:
            stage = plan.make()
            if found is not None and plan.name == current:
                stage.restore(*found, source)
            self._train(stage)
            self._before += plan.steps

    def _train(self, stage: Stage[Any]) -> None:
        self._advance(stage.step)
        try:
            self._work(stage)
        except Exception as error:
            row = stage.failure(error)
            if row is not None:
                self._log({"stage": stage.name, stage.counter: stage.step, **row})
            raise
        finally:
            stage.close()

    def _work(self, stage: Stage[Any]) -> None:
        if stage.step == 0 and stage.evaluate_first:
            self.evaluate(stage)
        stage.open(self._log)
        if self._before + stage.step == 0:
            self._keep(stage)
        while stage.step < stage.steps:
            self.step(stage)
            self._advance(1)
            if stage.eval_every is not None and stage.due(stage.eval_every):
                self.evaluate(stage)
            paused = self._group.broadcast_object(lambda: self._run.pause_requested)
            saved = paused or stage.due(stage.checkpoint_every)
            if saved or is_due(self._before + stage.step):
                self._keep(stage)
            if saved:
                self._checkpoint(stage)
            if paused:
                raise RunPaused(f"run {self._run.name!r} is paused")
        stage.finish(self._log)

    def step(self, stage: Stage[Any]) -> None:
        """Collect, update and log once."""
        begin = time.perf_counter()
        metrics = stage.update(stage.collect())
        seconds = time.perf_counter() - begin
        stage.step += 1
        row = stage.row(metrics, seconds)
        if row is not None:
            self._log({"stage": stage.name, stage.counter: stage.step, **row})

    def evaluate(self, stage: Stage[Any]) -> None:
        """Evaluate a stage's network and log the rows."""
        stage.evaluated(self._group.broadcast_object(lambda: self._evaluated(stage)))

    def _evaluated(self, stage: Stage[Any]) -> list[Row]:
        rows: list[Row] = []
        for row in stage.evaluate():
            self._log({"stage": stage.name, stage.counter: stage.step, **row})
            rows.append(row)
        return rows

    def _keep(self, stage: Stage[Any]) -> None:
        """Keep what the stage has learned so far as an agent that can be played."""
        if not self._group.is_main:
            return
        with torch.random.fork_rng(devices=[]):
            data = stage.agent()
        if data is not None:
            step = self._before + stage.step
            keep_agent(self._run, step, step, data)

    def _checkpoint(self, stage: Stage[Any]) -> None:
        self._group.check_alike(stage.net)
        state, tensors = stage.state(), stage.tensors()
        # A checkpoint is complete with the parts that other processes write: only then it replaces the one before.
        self._group.barrier()
        if self._group.is_main:
            at = f"{stage.name}-{stage.step:0{stage.digits}d}"
            save_checkpoint(self._run, {"at": at, "stage": stage.name, stage.counter: stage.step, **state}, tensors)

    def _log(self, row: Row) -> None:
        if self._group.is_main:
            self._run.log(row)
