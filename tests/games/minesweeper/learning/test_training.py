"""The pipeline in miniature: it learns, equal seeds give equal runs, and a killed run goes on as if nothing was."""

import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from ludex.core.errors import BadConfig, BadNet, BadRun
from ludex.games.minesweeper.env.config import Channels, EnvConfig
from ludex.games.minesweeper.learning.config import METRICS, ModelConfig
from ludex.games.minesweeper.learning.demonstrations import Examples, ExampleTask, make_examples
from ludex.games.minesweeper.learning.imitation import Demonstration, demonstration_losses
from ludex.games.minesweeper.learning.network import build, load_net, save_net, shape_of
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.games.minesweeper.learning.training import train
from ludex.learn.checkpoints import load_tensors, save_tensors
from ludex.learn.curves import numbers
from ludex.learn.runs import Run
from ludex.learn.trainer import Trainer
from tests.games.minesweeper.learning.support import new_run, tiny
from tests.killing import Killed, killed_after

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")
TIMED = ("updates_per_second", "eta_seconds", "transitions_per_second")


def nothing(amount: int) -> None:
    pass


def untimed(run: Run) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in TIMED} for row in run.metrics()]


def weights(path: Path) -> dict[str, torch.Tensor]:
    return load_net(path, CPU).state_dict()


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    run = new_run(tmp_path_factory.mktemp("whole"), tiny())
    progress: list[int] = []
    summary = train(tiny(), run, progress.append)
    assert sum(progress) == tiny().amount == 16
    run.finish(summary)
    return run


def test_the_run_logs_both_stages(whole: Run) -> None:
    rows = whole.metrics()
    assert set(numbers([rows])) <= set(METRICS)
    imitated = [row for row in rows if row["stage"] == "il" and "mine_loss" in row]
    tuned = [row for row in rows if row["stage"] == "ppo" and "games" in row]
    assert [row["step"] for row in imitated] == [3, 6, 9, 12]
    assert [row["update"] for row in tuned] == [1, 2, 3, 4]
    for key in ("examples_seen", "updates_per_second", "eta_seconds", "policy_loss", "value_loss", "lr"):
        assert key in imitated[0]
    for key in ("approx_kl", "clip_fraction", "entropy", "reward_mean", "reward_progress", "invalid_share"):
        assert key in tuned[-1]
    assert {(row["board"], row["start"]) for row in rows if "win_rate" in row} == {("6x6x4", "zero"), ("6x6x4", "safe")}
    summary = whole.summary()
    assert summary is not None
    assert summary["parameters"] == sum(weight.numel() for weight in weights(whole.folder / "net.pt").values())


@pytest.mark.parametrize(
    ("changes", "heads"),
    [
        ({"finetune.updates": 1}, {"value_head"}),  # the fresh value head learns alone first
        ({"finetune.trained": "heads", "finetune.target_kl": 10.0}, {"value_head", "policy_head"}),
    ],
)
def test_heads_alone_are_moved_if_configured(
    tmp_path: Path, whole: Run, changes: dict[str, Any], heads: set[str]
) -> None:
    config = tiny(**changes, stage="ppo", start_from=str(whole.folder / "imitated.pt"))
    run = new_run(tmp_path, config)
    train(config, run, nothing)
    before, after = weights(whole.folder / "imitated.pt"), weights(run.folder / "net.pt")
    assert {name.split(".")[0] for name in before if not torch.equal(before[name], after[name])} == heads


def test_the_imitated_network_says_which_cells_are_sure_while_all_weights_move(tmp_path: Path) -> None:
    """One that learns would reveal the whole board here; the imitated one is sure of nothing."""
    rows = {}
    for sure in (0.0, 0.5):
        config = tiny(**{"finetune.sure": sure, "finetune.trained": "all"})
        torch.manual_seed(0)
        learner, imitated = build(config.model), build(config.model)
        learner.mine_head.bias.data -= 50.0  # type: ignore[union-attr, operator]
        imitated.mine_head.bias.data += 50.0  # type: ignore[union-attr, operator]
        run = new_run(tmp_path / str(sure), config)
        Trainer(run, nothing).step(Finetuning(config, learner, imitated, CPU))
        rows[sure] = untimed(run)
    assert rows[0.0] == rows[0.5]


KILLED = """
import os, signal, sys
from pathlib import Path
from ludex.games.minesweeper.learning.training import train
from ludex.learn.runs import Run
from tests.games.minesweeper.learning.support import tiny
left = [int(sys.argv[2])]
def advance(amount):
    left[0] -= amount
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
train(tiny(), Run(Path(sys.argv[1])), advance)
"""


def kill_process(run: Run, updates: int) -> None:
    result = subprocess.run([sys.executable, "-c", KILLED, str(run.folder), str(updates)], env=os.environ, check=False)
    assert result.returncode == -signal.SIGKILL


def break_off(run: Run, updates: int) -> None:
    with pytest.raises(Killed):
        train(tiny(), run, killed_after(updates))


@pytest.mark.parametrize(
    ("updates", "checkpoint", "end"),
    [
        pytest.param(9, "il-0000008.pt", kill_process, id="stage A, killed", marks=pytest.mark.full),
        pytest.param(15, "ppo-000002.pt", kill_process, id="stage B, killed", marks=pytest.mark.full),
        pytest.param(15, "ppo-000002.pt", break_off, id="stage B"),
    ],
)
def test_a_killed_run_goes_on_as_if_nothing_was(
    tmp_path: Path, whole: Run, updates: int, checkpoint: str, end: Callable[[Run, int], None]
) -> None:
    cut = new_run(tmp_path, tiny())
    end(cut, updates)
    assert not (cut.folder / "net.pt").exists()
    assert [path.name for path in (cut.folder / "checkpoints").glob("*.pt")] == [checkpoint]
    train(tiny(), cut, nothing)
    assert untimed(cut) == untimed(whole)
    assert same(weights(cut.folder / "net.pt"), weights(whole.folder / "net.pt"))


def test_a_checkpoint_of_another_network_is_refused(tmp_path: Path, whole: Run) -> None:
    old = Run(Path(shutil.copytree(whole.folder, tmp_path / "old")))
    (path,) = (old.folder / "checkpoints").glob("ppo-*.pt")
    tensors = load_tensors(path, CPU)
    first = next(iter(tensors["net"]))
    tensors["net"][first] = tensors["net"][first][:, :-1].clone()
    save_tensors(path, tensors)
    with pytest.raises(BadRun, match=f"run 'old': weights of another network.*size mismatch for {first}"):
        train(tiny(), old, nothing)


def test_losses_are_what_they_are_called() -> None:
    numbers = torch.tensor([[[1, -1, -1]]], dtype=torch.int8)
    demonstration = Demonstration(
        numbers,
        torch.tensor([1]),
        torch.tensor([[[0.0, 1.0, 0.0]]]),
        torch.tensor([[False, False, True]]),
        torch.tensor([1.0]),
    )
    mask = demonstration.action_mask(
        EnvConfig(H=1, W=3, mine_count=1, reveal_only=True, guarantee_safe_neighborhood=False)
    )
    mine_logits = torch.tensor([[[[5.0, 2.0, -1.0]]]])
    logits = torch.tensor([[9.0, 0.5, 1.5, 7.0, 7.0, 7.0]])
    mine, move, value = demonstration_losses((logits, torch.tensor([0.25]), mine_logits), demonstration, mask).tolist()
    touched, inland = math.log(1 + math.exp(-2.0)), math.log(1 + math.exp(-1.0))
    assert mine == pytest.approx((touched + 0.1 * inland) / 1.1)
    assert move == pytest.approx(-math.log(math.exp(1.5) / (math.exp(0.5) + math.exp(1.5))))
    assert value == pytest.approx(0.75**2)


def test_imitation_learns(tmp_path: Path) -> None:
    """A few updates bring the loss of mine probabilities down on examples that were not learned from."""
    config = tiny(**{"imitation.steps": 60, "imitation.eval_every": 60, "stage": "il", "imitation.lr": 0.01})
    run = new_run(tmp_path, config)
    train(config, run, nothing)
    cfg = EnvConfig(H=6, W=6, mine_count=4, random_first_click=True, reveal_only=True)
    fresh = make_examples(ExampleTask(cfg, 99, 30))
    trained, untrained = load_net(run.folder / "net.pt", CPU), build(config.model)
    assert _mine_loss(trained, fresh) < 0.8 * _mine_loss(untrained, fresh)


@torch.no_grad()
def _mine_loss(net: torch.nn.Module, examples: Examples) -> float:
    from ludex.games.minesweeper.learning.network import encode

    numbers, chance = torch.from_numpy(examples.numbers), torch.from_numpy(examples.chance).float()
    demonstration = Demonstration(
        numbers,
        torch.from_numpy(examples.mines),
        chance,
        (numbers < 0).flatten(1),
        torch.from_numpy(examples.won).float(),
    )
    answer = net(encode(numbers, demonstration.mines), return_mine=True)
    return float(demonstration_losses(answer, demonstration, demonstration.good)[0])


def test_more_mines_than_fit_are_refused() -> None:
    with pytest.raises(BadConfig, match="more than the 27 mines that fit"):
        tiny(boards=[{"H": 6, "W": 6, "mine_count": 26, "weight": 1.0}], **{"imitation.density_spread": 0.1})


def test_a_network_of_another_shape_is_refused(tmp_path: Path) -> None:
    model = ModelConfig(kind="residual", width=4, depth=2)
    save_net(tmp_path / "net.pt", build(model), model)
    with pytest.raises(BadNet, match=r"a network of .*width=4.*expected .*width=8"):
        load_net(tmp_path / "net.pt", CPU, shape_of(ModelConfig(kind="residual", width=8, depth=2)))
    with pytest.raises(BadNet, match=r"expected .*mine_share_channel=False"):
        load_net(tmp_path / "net.pt", CPU, shape_of(model, Channels()))


def test_boards_join_by_win_rate(tmp_path: Path) -> None:
    boards = [{"H": 4, "W": 4, "mine_count": 2, "weight": 1.0}, {"H": 6, "W": 6, "mine_count": 4, "weight": 1.0}]
    changes = {"boards": boards, "starts": ["zero"]}
    for promote_at, before, after in ((1.0, 1, 1), (0.01, 1, 2), (0.0, 2, 2)):
        config = tiny(**changes, **{"finetune.promote_at": promote_at, "finetune.eval_games": 64})
        torch.manual_seed(0)
        stage = Finetuning(config, build(config.model), build(config.model), CPU)
        assert stage.unlocked == before
        Trainer(new_run(tmp_path, config), nothing).evaluate(stage)
        assert stage.unlocked == after


@pytest.mark.parametrize(("win_rate", "joins", "document"), [(0.49, 1, 1), (0.5, 2, 1), (0.51, 2, 2)])
def test_a_board_joins_at_the_threshold_where_the_document_wants_more(
    win_rate: float, joins: int, document: int
) -> None:
    boards = [{"H": size, "W": size, "mine_count": 2, "weight": 1.0} for size in (4, 6)]
    config = tiny(boards=boards, starts=["zero"], **{"finetune.promote_at": 0.5})
    stage = Finetuning(config, build(config.model), build(config.model), CPU)
    stage.note_evaluation([{"win_rate": win_rate}, {"win_rate": 0.0}])
    assert stage.unlocked == joins
    assert 1 + (win_rate > config.finetune.promote_at) == document
