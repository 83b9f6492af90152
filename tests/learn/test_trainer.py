"""The trainer: the order of steps, evaluations and checkpoints, and where a run resumes."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from ludex.core.errors import BadRun, RunPaused
from ludex.learn import checkpoints
from ludex.learn.distributed import Group
from ludex.learn.run_agents import agents_of
from ludex.learn.runs import Row, Run, int_value
from ludex.learn.stages import NetworkStage
from ludex.learn.trainer import Log, StagePlan, Trainer


class Interrupted(Exception):
    pass


class Counting(NetworkStage[int]):
    """Adds 1 to a weight per step, and writes down what is called."""

    name = "counting"
    counter = "step"

    def __init__(self, net: nn.Linear, calls: list[str], *, steps: int = 5, **options: Any) -> None:
        optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
        super().__init__(net, optimizer, steps=steps, checkpoint_every=2, eval_every=3, **options)
        self._weight, self._calls = net.weight, calls
        self.evaluations = 0

    def open(self, log: Log) -> None:
        self._calls.append("open")
        if self.step == 0:
            log({"opened": True})

    def close(self) -> None:
        self._calls.append("close")

    def finish(self, log: Log) -> None:
        self._calls.append("finish")
        log({"finished": True})

    def collect(self) -> int:
        self._calls.append(f"collect {self.step}")
        return self.step

    def update(self, batch: int) -> Row:
        self._calls.append(f"update {batch}")
        self._weight.data += 1.0
        return {"batch": batch}

    def row(self, metrics: Row, seconds: float) -> Row | None:
        assert seconds > 0.0
        return metrics if self.step % 2 else None

    def evaluate(self) -> Iterator[Row]:
        yield {"weight": float(self._weight.detach())}

    def note_evaluation(self, rows: list[Row]) -> None:
        assert [row["weight"] for row in rows] == [float(self._weight.detach())]
        self.evaluations += 1

    def state(self) -> Row:
        return {"evaluations": self.evaluations}

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        super().restore(state, tensors, source)
        self.evaluations = int_value(state, "evaluations", source)


class Tuning(Counting):
    name = "tuning"
    counter = "update"


def weight() -> nn.Linear:
    net = nn.Linear(1, 1, bias=False)
    net.weight.data.zero_()
    return net


def plans(net: nn.Linear, calls: list[str]) -> list[StagePlan]:
    return [
        StagePlan("counting", 5, lambda: Counting(net, calls)),
        StagePlan("tuning", 4, lambda: Tuning(net, calls, steps=4, evaluate_first=True)),
    ]


def new_run(folder: Path) -> Run:
    return Run.create(folder, "toy", "toy", "")


def nothing(steps: int) -> None:
    pass


ROWS: list[Row] = [
    {"opened": True},
    {"stage": "counting", "step": 1, "batch": 0},
    {"stage": "counting", "step": 3, "batch": 2},
    {"stage": "counting", "step": 3, "weight": 3.0},
    {"stage": "counting", "step": 5, "batch": 4},
    {"stage": "counting", "step": 5, "weight": 5.0},
    {"finished": True},
    {"stage": "tuning", "update": 0, "weight": 5.0},
    {"opened": True},
    {"stage": "tuning", "update": 1, "batch": 0},
    {"stage": "tuning", "update": 3, "batch": 2},
    {"stage": "tuning", "update": 3, "weight": 8.0},
    {"stage": "tuning", "update": 4, "weight": 9.0},
    {"finished": True},
]


def test_stages_run_in_order_and_log_what_is_due(tmp_path: Path) -> None:
    run, calls, advanced = new_run(tmp_path), list[str](), list[int]()
    Trainer(run, advanced.append).train(plans(weight(), calls))
    assert run.metrics() == ROWS
    assert calls[:4] == ["open", "collect 0", "update 0", "collect 1"]
    assert calls[11:15] == ["finish", "close", "open", "collect 0"]
    assert sum(advanced) == 9
    assert [path.name for path in (run.folder / "checkpoints").glob("*.pt")] == ["tuning-000004.pt"]


@pytest.mark.parametrize(
    ("steps", "checkpoint", "again"),
    [
        pytest.param(2, None, "collect 0", id="before the first checkpoint"),
        pytest.param(5, "counting-000004.pt", "collect 4", id="in the first stage"),
        pytest.param(6, "counting-000005.pt", "finish", id="at the end of the first stage"),
        pytest.param(8, "tuning-000002.pt", "collect 2", id="in the second stage"),
    ],
)
def test_an_interrupted_run_resumes_from_its_checkpoint(
    tmp_path: Path, steps: int, checkpoint: str | None, again: str
) -> None:
    run, calls, left = new_run(tmp_path), list[str](), [steps]

    def advance(done: int) -> None:
        left[0] -= done
        if left[0] <= 0:
            raise Interrupted

    with pytest.raises(Interrupted):
        Trainer(run, advance).train(plans(weight(), calls))
    assert calls[-1] == "close"
    names = [path.name for path in (run.folder / "checkpoints").glob("*.pt")]
    assert names == ([] if checkpoint is None else [checkpoint])
    calls.clear()
    advanced: list[int] = []
    net = weight()
    Trainer(run, advanced.append).train(plans(net, calls))
    assert calls[:2] == ["open", again]
    assert run.metrics() == ROWS
    assert (sum(advanced), float(net.weight.detach())) == (9, 9.0)


def test_a_run_pauses_at_a_checkpoint_on_request_and_resumes_there(tmp_path: Path) -> None:
    run, calls, left = new_run(tmp_path), list[str](), [4]

    def advance(done: int) -> None:
        left[0] -= done
        if left[0] == 1:
            run.request_pause()

    with pytest.raises(RunPaused, match=f"run '{run.name}' is paused"), run.lock():
        Trainer(run, advance).train(plans(weight(), calls))
    assert calls[-2:] == ["update 2", "close"]
    # No checkpoint is due after three steps.
    assert [path.name for path in (run.folder / "checkpoints").glob("*.pt")] == ["counting-000003.pt"]
    net = weight()
    with run.lock():
        Trainer(run, nothing).train(plans(net, calls))
    assert (run.metrics(), float(net.weight.detach())) == (ROWS, 9.0)


def test_what_a_stage_says_of_an_error_is_logged_before_it_is_raised(tmp_path: Path) -> None:
    class Failing(Counting):
        def update(self, batch: int) -> Row:
            if batch == 1:
                raise Interrupted
            return super().update(batch)

        def failure(self, error: Exception) -> Row | None:
            self._calls.append("failure")
            return {"failed": isinstance(error, Interrupted)}

    run, calls = new_run(tmp_path), list[str]()
    with pytest.raises(Interrupted):
        Trainer(run, nothing).train([StagePlan("counting", 5, lambda: Failing(weight(), calls))])
    assert run.metrics()[-1] == {"stage": "counting", "step": 1, "failed": True}
    assert calls[-2:] == ["failure", "close"]


def test_what_a_stage_keeps_is_restored(tmp_path: Path) -> None:
    generator = torch.Generator().manual_seed(3)
    net = weight()
    stage = Counting(net, [], generator=generator)
    run = new_run(tmp_path)
    Trainer(run, nothing).train([StagePlan("counting", 5, lambda: stage)])
    drawn = torch.rand(2, generator=generator)
    resumed = Counting(weight(), [], generator=torch.Generator())
    Trainer(run, nothing).train([StagePlan("counting", 5, lambda: resumed)])
    assert resumed.evaluations == stage.evaluations == 2
    assert resumed.generator is not None
    assert torch.equal(torch.rand(2, generator=resumed.generator), drawn)


def test_a_stage_is_closed_if_it_cannot_be_opened(tmp_path: Path) -> None:
    class Shut(Counting):
        def open(self, log: Log) -> None:
            raise Interrupted

    calls: list[str] = []
    with pytest.raises(Interrupted):
        Trainer(new_run(tmp_path), nothing).train([StagePlan("counting", 5, lambda: Shut(weight(), calls))])
    assert calls == ["close"]


def test_a_checkpoint_of_another_stage_or_network_is_named(tmp_path: Path) -> None:
    run, calls = new_run(tmp_path), list[str]()
    Trainer(run, nothing).train(plans(weight(), calls)[:1])
    with pytest.raises(BadRun, match="its checkpoint is of stage 'counting', its stages are tuning"):
        Trainer(run, nothing).train(plans(weight(), calls)[1:])
    with pytest.raises(BadRun, match=f"run '{run.name}': weights of another network"):
        Trainer(run, nothing).train(plans(nn.Linear(2, 1, bias=False), calls))


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"optimizer": None}, "no 'optimizer'"),
        ({"generator": torch.zeros(3)}, "RNG state must be"),
        ({"optimizer": {"state": {}, "param_groups": []}}, "parameter groups?"),
        ({"net": [1.0]}, "Expected state_dict"),
    ],
)
def test_a_damaged_checkpoint_is_named(tmp_path: Path, broken: dict[str, Any], reason: str) -> None:
    run = new_run(tmp_path)

    def plan() -> list[StagePlan]:
        return [StagePlan("counting", 5, lambda: Counting(weight(), [], generator=torch.Generator()))]

    Trainer(run, nothing).train(plan())
    (path,) = (run.folder / "checkpoints").glob("*.pt")
    tensors = {**checkpoints.load_tensors(path, torch.device("cpu")), **broken}
    checkpoints.save_tensors(path, {name: value for name, value in tensors.items() if value is not None})
    with pytest.raises(BadRun, match=f"run '{run.name}': its checkpoint of stage 'counting' is damaged.*{reason}"):
        Trainer(run, nothing).train(plan())


def test_the_trainer_loads_no_torch() -> None:
    """Rankings are trained where torch is not installed."""
    check = "import sys, ludex.learn.trainer; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)


def test_only_the_main_process_writes(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    Trainer(run, nothing, Group(1, 2)).step(Counting(weight(), []))
    assert run.metrics() == []
    Trainer(run, nothing, Group(0, 2)).step(Counting(weight(), []))
    assert run.metrics() == [{"stage": "counting", "step": 1, "batch": 0}]


def test_a_checkpoint_waits_for_the_parts_of_every_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    class Shared(Counting):
        def tensors(self) -> dict[str, Any]:
            calls.append("tensors")
            return super().tensors()

    monkeypatch.setattr(Group, "broadcast_object", lambda group, find: find())
    monkeypatch.setattr(Group, "check_alike", lambda group, net: None)
    monkeypatch.setattr(Group, "barrier", lambda group: calls.append("barrier"))
    monkeypatch.setattr(checkpoints, "save_checkpoint", lambda *given: calls.append("written"))
    plan = StagePlan("counting", 2, lambda: Shared(weight(), [], steps=2))
    for rank in range(2):
        Trainer(new_run(tmp_path), nothing, Group(rank, 2)).train([plan])
    assert calls == ["tensors", "barrier", "written", "tensors", "barrier"]


class Playable(Counting):
    """A stage whose weight moves at random, and whose agents draw as well."""

    def __init__(self, net: nn.Linear, calls: list[str], *, keeps: bool, **options: Any) -> None:
        super().__init__(net, calls, **options)
        self._keeps = keeps

    def update(self, batch: int) -> Row:
        self._weight.data += torch.rand(())
        return {}

    def agent(self) -> bytes | None:
        return f"{torch.rand(()):.3f}".encode() if self._keeps else None


def test_keeping_agents_changes_nothing_of_the_training(tmp_path: Path) -> None:
    records = []
    for keeps in (True, False):
        run, net = Run.create(tmp_path / str(keeps), "tictactoe", "toy", ""), weight()
        torch.manual_seed(3)
        stages = [StagePlan("counting", 5, lambda net=net, keeps=keeps: Playable(net, [], keeps=keeps))]  # type: ignore[misc]
        Trainer(run, nothing).train(stages)
        kept = agents_of(run)
        assert ([] if kept is None else [agent.step for agent in kept.agents]) == ([*range(6)] if keeps else [])
        records.append((float(net.weight.detach()), torch.random.get_rng_state().tolist()))
    assert records[0] == records[1]
