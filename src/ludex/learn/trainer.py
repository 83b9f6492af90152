"""The trainer: stages that collect, update and evaluate, and checkpoints from which a killed run resumes.

A game's stages supply data, updates and evaluations; those with a network are in `stages.py`. The trainer runs their
steps, logs metrics and writes checkpoints. In a group every process runs the same steps, and the main one evaluates and
writes. It loads no torch: rankings are trained by it too.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import (
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    NotRequired,
    Protocol,
    TypeAlias,
    TypedDict,
    TypeVar,
    Unpack,
)

from ludex.core.errors import BadRun, RunPaused
from ludex.learn.run_agents import is_due, keep_agent
from ludex.learn.runs import Row, Run, int_value, text_value

T = TypeVar("T")
B = TypeVar("B")
"""What a stage collects for one update."""
Log: TypeAlias = Callable[[Row], None]


class Processes(Protocol):
    """The processes that train one run together; `ludex.learn.distributed.Group` has several."""

    @property
    def is_main(self) -> bool: ...

    def broadcast_object(self, find: Callable[[], T]) -> T: ...

    def barrier(self) -> None: ...


class SingleProcess:
    """A run that one process trains."""

    is_main = True

    def broadcast_object(self, find: Callable[[], T]) -> T:
        return find()

    def barrier(self) -> None:
        """There is no other process to wait for."""


class Due(TypedDict):
    """The length of a stage; evaluations and checkpoints are due after every so many steps and after the last."""

    steps: int
    checkpoint_every: int
    eval_every: NotRequired[int | None]
    evaluate_first: NotRequired[bool]
    """Whether there is an evaluation before the first step too."""


class Stage(ABC, Generic[B]):
    """A part of a run in which something is learned from one kind of data, step by step."""

    name: ClassVar[str]
    """The stage in metrics and checkpoints, such as `ppo`."""
    counter: ClassVar[str]
    """The name of the number of steps there, such as `update`."""
    digits: ClassVar[int] = 6
    """The digits of that number in the names of checkpoints."""
    board: str | None = None
    """The board that its agents play, if it is not the one of `TrainedAgentSpec.board`."""

    def __init__(self, **due: Unpack[Due]) -> None:
        self.steps, self.checkpoint_every = due["steps"], due["checkpoint_every"]
        self.eval_every, self.evaluate_first = due.get("eval_every"), due.get("evaluate_first", False)
        self.step = 0
        """How many steps are done."""

    @property
    def labels(self) -> Row:
        """What every row of the stage begins with."""
        return {"stage": self.name, self.counter: self.step}

    def progress(self, steps: int) -> int:
        """So many steps as people count them, such as games; by default their number."""
        return steps

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
        """Evaluate what was learned, in the main process only; yields rows of metrics."""
        return ()

    def note_evaluation(self, rows: list[Row]) -> None:
        """Take note of an evaluation, in every process."""

    def open(self, log: Log) -> None:
        """Prepare what the steps need, before the first one or the one that a resumed run begins with."""

    def close(self) -> None:
        """Release what steps or `open` acquired."""

    def finish(self, log: Log) -> None:
        """Write results once all steps are done; a run that was killed after that calls it again."""

    def agent(self) -> bytes | None:
        """What was learned so far as the file that `TrainingSpec.trained` says; None: the stage has no agent.

        Called in the main process only, by `agent_file`.
        """
        return None

    def agent_file(self) -> bytes | None:
        """`agent`, so that training goes on as if it had not been called."""
        return self.agent()

    def failure(self, error: Exception) -> Row | None:
        """What is logged of an error that ends the run, or None; the error is raised afterwards."""
        return None

    def check_processes(self, processes: Any) -> None:
        """Raise `GroupFailed` if the processes of a group have learned different things."""

    def state(self) -> Row:
        """Numbers that a checkpoint needs besides stage and step. Called in every process, as `tensors` is."""
        return {}

    def tensors(self) -> dict[str, Any]:
        """The tensors of a checkpoint; none for a stage without a network."""
        return {}

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        """Resume from a checkpoint. Raises `BadRun`, with the source, if it does not fit."""
        self.step = int_value(state, self.counter, source)

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

    def __init__(self, run: Run, advance: Callable[[int], None], group: Processes | None = None) -> None:
        """`advance` is called with the progress since its last call."""
        self._run, self._advance, self._group = run, advance, group or SingleProcess()
        self._before = 0
        """The steps of the stages before the current one."""

    def train(self, plans: Sequence[StagePlan]) -> None:
        """Run the stages in order, from the last checkpoint on.

        Raises `BadRun` if the checkpoint is of none of them, and `RunPaused`, after a checkpoint, on request.
        """
        checkpoint = self._group.broadcast_object(self._load)
        names = [plan.name for plan in plans]
        source = f"run {self._run.name!r}"
        current = names[0] if checkpoint is None else text_value(checkpoint[0], "stage", source)
        if current not in names:
            raise BadRun(f"{source}: its checkpoint is of stage {current!r}, its stages are {', '.join(names)}")
        for plan in plans[: names.index(current)]:
            self._advance(plan.steps)
            self._before += plan.steps
        for plan in plans[names.index(current) :]:
            stage = plan.make()
            if checkpoint is not None and plan.name == current:
                _restore(stage, *checkpoint, source)
            self._train(stage)
            self._before += plan.steps

    def _train(self, stage: Stage[Any]) -> None:
        self._advance(stage.progress(stage.step))
        try:
            self._work(stage)
        except Exception as error:
            row = stage.failure(error)
            if row is not None:
                self._log({**stage.labels, **row})
            raise
        finally:
            stage.close()

    def _work(self, stage: Stage[Any]) -> None:
        if stage.step == 0 and stage.evaluate_first:
            self.evaluate(stage)
        stage.open(self._log)
        if self._before + stage.step == 0:
            self._keep_agent(stage)
        while stage.step < stage.steps:
            self.step(stage)
            self._advance(stage.progress(stage.step) - stage.progress(stage.step - 1))
            if stage.eval_every is not None and stage.due(stage.eval_every):
                self.evaluate(stage)
            paused = self._group.broadcast_object(lambda: self._run.pause_requested)
            saved = paused or stage.due(stage.checkpoint_every)
            if saved or is_due(self._before + stage.step):
                self._keep_agent(stage)
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
            self._log({**stage.labels, **row})

    def evaluate(self, stage: Stage[Any]) -> None:
        """Evaluate a stage and log the rows."""
        stage.note_evaluation(self._group.broadcast_object(lambda: self._log_evaluation(stage)))

    def _log_evaluation(self, stage: Stage[Any]) -> list[Row]:
        rows: list[Row] = []
        for row in stage.evaluate():
            self._log({**stage.labels, **row})
            rows.append(row)
        return rows

    def _keep_agent(self, stage: Stage[Any]) -> None:
        """Keep what the stage has learned so far as an agent that can be played."""
        data = stage.agent_file() if self._group.is_main else None
        if data is not None:
            index, step = self._before + stage.step, self._before + stage.progress(stage.step)
            keep_agent(self._run, index, step, data, stage.board)

    def _checkpoint(self, stage: Stage[Any]) -> None:
        stage.check_processes(self._group)
        state, tensors = {"stage": stage.name, stage.counter: stage.step, **stage.state()}, stage.tensors()
        # A checkpoint is complete with the parts that other processes write: only then it replaces the one before.
        self._group.barrier()
        if not self._group.is_main:
            return
        if not tensors:
            self._run.checkpoint(state)
            return
        from ludex.learn.checkpoints import save_checkpoint

        save_checkpoint(self._run, {"at": f"{stage.name}-{stage.step:0{stage.digits}d}", **state}, tensors)

    def _load(self) -> tuple[Row, dict[str, Any]] | None:
        """The state and the tensors of the last checkpoint, if there is one; later metrics are dropped."""
        state = self._run.resume()
        if state is None:
            return None
        if "at" not in state:
            return state, {}
        import torch

        from ludex.learn.checkpoints import load_state_tensors

        return state, load_state_tensors(self._run, state, torch.device("cpu"))

    def _log(self, row: Row) -> None:
        if self._group.is_main:
            self._run.log(row)


def _restore(stage: Stage[Any], state: Row, tensors: dict[str, Any], source: str) -> None:
    """Resume a stage. Raises `BadRun` where the checkpoint is damaged or of another network, board or number of lanes.

    What is missing or of another shape ends in the error of its first reader: numpy, torch or a dictionary.
    """
    try:
        stage.restore(state, tensors, source)
    except (LookupError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadRun(
            f"{source}: its checkpoint of stage {stage.name!r} is damaged or of another run: {what}"
        ) from error
