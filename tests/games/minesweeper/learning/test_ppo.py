"""Stage B's update as the seed calls it, and PPO from scratch."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.env import VecMinesweeper
from ludex.games.minesweeper.learning import ppo
from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig, MinesweeperPpoConfig
from ludex.games.minesweeper.learning.network import CNNPolicy, load_net
from ludex.games.minesweeper.learning.ppo import Finetuning, mine_loss, ppo_update
from ludex.games.minesweeper.learning.training import train
from ludex.learn.config import load_config
from ludex.learn.ppo import masked_log_probs, sample_actions
from ludex.learn.rollout import Batch
from ludex.learn.runs import Row
from tests.games.minesweeper.learning.support import new_run

CPU = torch.device("cpu")
TINY: dict[str, Any] = {
    "device": "cpu",
    "model.width": 8,
    "ppo.num_envs": 8,
    "ppo.steps_per_env": 8,
    "ppo.mini_batches": 2,
    "ppo.ppo_epochs": 1,
    "finetune.updates": 2,
    "finetune.eval_every": 2,
    "finetune.eval_games": 4,
}


def batch_of(model: CNNPolicy, *, labels: bool) -> Batch:
    """Transitions of the original document's environment after its first reveal."""
    vec = VecMinesweeper(16, EnvConfig(8, 8, 10), seed=0)
    vec.reset()
    observed, *_ = vec.step(np.full(16, 27))
    obs, mask = torch.from_numpy(observed["obs"].copy()), torch.from_numpy(observed["action_mask"].copy())
    with torch.no_grad():
        logits, values = model(obs)
        actions, logp = sample_actions(logits, mask, torch.Generator().manual_seed(0))
    mines = torch.from_numpy(vec.lanes.mine_mask.copy())
    return Batch(
        obs,
        actions,
        logp,
        torch.linspace(-1, 1, 16),
        torch.linspace(-1, 1, 16),
        values,
        mask,
        {"mine_labels": mines} if labels else {},
    )


@pytest.mark.parametrize(("weight", "labels"), [(0.1, True), (0.0, True), (0.1, False)])
def test_the_update_learns_mines_where_it_has_labels(weight: float, labels: bool) -> None:
    torch.manual_seed(0)
    model = CNNPolicy(in_channels=11)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    before = model.mine_head.weight.detach().clone()
    stats = ppo_update(model, optimizer, batch_of(model, labels=labels), MinesweeperPpoConfig(aux_mine_weight=weight))
    assert {"loss", "policy_loss", "value_loss", "entropy"} <= set(stats)
    assert all(type(value) is float for value in stats.values())
    learned = weight > 0 and labels
    assert (stats["auxiliary_loss"] > 0) == learned
    assert (not torch.equal(before, model.mine_head.weight)) == learned


def test_the_update_is_the_documents_on_advantages_as_they_are() -> None:
    """The document's losses and step to the letter, with advantages of mean and deviation of their own."""
    torch.manual_seed(0)
    cfg = MinesweeperPpoConfig(aux_mine_weight=0.0)
    literal, ours = CNNPolicy(in_channels=11), CNNPolicy(in_channels=11)
    ours.load_state_dict(literal.state_dict())
    made = batch_of(literal, labels=False)
    batch = replace(made, advantages=5.0 + made.advantages, old_logp=made.old_logp - 0.1)

    optimizer = torch.optim.AdamW(literal.parameters(), lr=3e-4)
    logits, value = literal(batch.obs)
    logp = logits.masked_fill(~batch.action_mask, -1e9).log_softmax(-1)
    ratio = (logp.gather(1, batch.actions[:, None])[:, 0] - batch.old_logp).exp()
    clipped = ratio.clamp(1 - cfg.clip_eps, 1 + cfg.clip_eps)
    policy_loss = -torch.min(ratio * batch.advantages, clipped * batch.advantages).mean()
    near = batch.values + (value - batch.values).clamp(-cfg.clip_eps_v, cfg.clip_eps_v)
    value_loss = 0.5 * torch.max((value - batch.returns) ** 2, (near - batch.returns) ** 2).mean()
    entropy = -(logp.exp() * logp).sum(-1).mean()
    (policy_loss + cfg.vf_coef * value_loss - cfg.ent_coef * entropy).backward()
    torch.nn.utils.clip_grad_norm_(literal.parameters(), cfg.max_grad_norm)
    optimizer.step()

    stats = ppo_update(ours, torch.optim.AdamW(ours.parameters(), lr=3e-4), batch, cfg)
    expected = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy}
    assert {name: stats[name] for name in expected} == pytest.approx(
        {name: float(loss.detach()) for name, loss in expected.items()}
    )
    for name, weights in literal.state_dict().items():
        torch.testing.assert_close(ours.state_dict()[name], weights)


def test_labels_of_games_that_go_on_are_not_learned() -> None:
    torch.manual_seed(0)
    model = CNNPolicy(in_channels=11)
    batch = batch_of(model, labels=True)
    batch.extras["settled"] = torch.zeros(16, dtype=torch.bool)
    stats = ppo_update(model, torch.optim.SGD(model.parameters(), lr=0.1), batch, MinesweeperPpoConfig())
    assert stats["auxiliary_loss"] == 0.0


def test_the_mine_loss_is_the_documents_over_hidden_cells() -> None:
    torch.manual_seed(0)
    batch = batch_of(CNNPolicy(in_channels=11), labels=True)
    hidden, mines = batch.obs[:, 0] == 0, batch.extras["mine_labels"].float()
    assert not hidden.all()

    def document(logits: Tensor, cells: Tensor) -> Tensor:
        return binary_cross_entropy_with_logits(logits.squeeze(1)[cells], mines[cells])

    everywhere = torch.ones_like(hidden)
    logits = torch.randn(16, 1, 8, 8, requires_grad=True)
    torch.testing.assert_close(mine_loss(logits, batch), document(logits, hidden))
    assert not torch.isclose(mine_loss(logits, batch), document(logits, everywhere))
    for loss, learns_what_is_shown in ((mine_loss(logits, batch), False), (document(logits, everywhere), True)):
        (gradient,) = torch.autograd.grad(loss, logits)
        assert (gradient.squeeze(1)[~hidden] != 0).any() == learns_what_is_shown
    # A head that is sure of what it sees has the same loss, but for the number of cells that share it.
    sure = torch.where(hidden.unsqueeze(1), logits, torch.tensor(-100.0))
    torch.testing.assert_close(mine_loss(sure, batch), document(sure, everywhere) * hidden.numel() / hidden.sum())


def test_before_the_first_reveal_there_is_no_mine_to_learn() -> None:
    torch.manual_seed(0)
    batch = batch_of(CNNPolicy(in_channels=11), labels=True)
    batch.obs[:, 0] = 0
    assert mine_loss(torch.randn(16, 1, 8, 8), batch) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("frontier", [False, True])
def test_policy_masking_no_invalid_actions(frontier: bool) -> None:
    """However a network is weighted, what is drawn and what is best after masking is never invalid."""
    torch.manual_seed(1)
    vec = VecMinesweeper(64, EnvConfig(8, 8, 10, frontier_mask=frontier), seed=3)
    model = CNNPolicy(in_channels=vec.obs_channels())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(20.0)
    observed = vec.reset()
    random = torch.Generator().manual_seed(0)
    for turn in range(40):
        mask = torch.from_numpy(observed["action_mask"])
        with torch.no_grad():
            logits, _ = model(torch.from_numpy(observed["obs"]))
        logp = masked_log_probs(logits, mask)
        assert float(logp.exp()[~mask].sum()) == 0.0
        actions = sample_actions(logits, mask, random)[0] if turn % 2 else logp.argmax(1)
        observed, _, _, info = vec.step(actions.numpy())
        assert not info["invalid"].any()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small_8x8_10", "med_16x16_40"])
def test_ppo_runs_from_scratch(name: str, tmp_path: Path) -> None:
    """Milestone M1: the original document's own configurations with --stage ppo, and no network to begin with."""
    boards = [{"H": 8, "W": 8, "mine_count": 10, "weight": 1.0, "max_steps": 8}]
    short: dict[str, Any] = {"env.max_steps": 8} if name == "small_8x8_10" else {"boards": boards}
    config = load_config(MinesweeperConfig, CONFIGS, name, {**TINY, **short, "stage": "ppo"})
    run = new_run(tmp_path, config)
    summary = train(config, run, lambda steps: None)
    assert [row["update"] for row in run.metrics() if "games" in row] == [1, 2]
    assert all(row["invalid_share"] == 0.0 for row in run.metrics() if "games" in row)
    assert not (run.folder / "imitated.pt").exists()
    net = load_net(Path(str(summary["net"])), CPU)
    assert sum(parameter.numel() for parameter in net.parameters()) == summary["parameters"]


@pytest.mark.slow
def test_the_flag_half_of_the_policy_is_trained_where_flags_are_legal() -> None:
    for reveal_only in (False, True):
        config = load_config(
            MinesweeperConfig, CONFIGS, "small_8x8_10", {**TINY, "stage": "ppo", "env.reveal_only": reveal_only}
        )
        torch.manual_seed(0)
        net = CNNPolicy(config.env.channels, 8)
        before = net.policy_head.weight.detach().clone()
        stage = Finetuning(config, net, None, CPU)
        rollout = stage.collect()
        assert bool((rollout.buffer.actions >= 64).any()) != reveal_only
        # Without weight decay a head that is not trained stays as it was.
        stage.optimizer.param_groups[0]["weight_decay"] = 0.0
        stage.update(rollout)
        moved = (net.policy_head.weight != before).flatten(1).any(1)
        assert moved.tolist() == [True, not reveal_only]


@pytest.mark.slow
def test_the_best_network_is_kept_and_logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of evaluations 0, 1 and 2 the second wins most: the run ends with its weights, also when it was interrupted."""
    changes = {**TINY, "finetune.updates": 4, "finetune.checkpoint_every": 2, "finetune.keep_best": True}
    config = load_config(MinesweeperConfig, CONFIGS, "small_8x8_10", {**changes, "stage": "ppo"})
    won = {0: 0, 2: 3, 4: 1}
    weights: dict[int, Tensor] = {}

    def measure_boards(config: MinesweeperConfig, net: CNNPolicy, *rest: Any, **more: Any) -> list[Row]:
        update = len(weights) * 2
        weights[update] = net.policy_head.weight.detach().clone()
        return [{"board": "8x8x10", "start": "zero", "win_rate": won[update] / 4}]

    monkeypatch.setattr(ppo, "measure_boards", measure_boards)
    run = new_run(tmp_path, config)

    def interrupt(steps: int) -> None:
        if len(weights) == 2 and any("games" in row and row["update"] == 3 for row in run.metrics()):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(config, run, interrupt)
    summary = train(config, run, lambda steps: None)
    assert summary["win_rates"] == {"8x8x10 zero": 0.75}
    assert [row["best_update"] for row in run.metrics() if "best_update" in row] == [2]
    net = load_net(Path(str(summary["net"])), CPU)
    assert isinstance(net, CNNPolicy)
    assert torch.equal(net.policy_head.weight, weights[2])
    assert not torch.equal(weights[4], weights[2])
