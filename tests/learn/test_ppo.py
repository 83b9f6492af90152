"""Masked PPO: its probabilities against a reference, tasks whose answers are known, and repeatable runs."""

import math
import warnings

import pytest
import torch
from torch import Tensor, nn

from ludex.learn.device import optimized_for
from ludex.learn.ppo import autocast, cosine, masked_log_probs, ppo_step, sample_actions
from ludex.learn.ppo_config import PpoConfig
from ludex.learn.rollout import Batch, RolloutBuffer
from tests.reference.ppo import masked_probabilities

CPU = torch.device("cpu")


def config(**changes: float) -> PpoConfig:
    return PpoConfig.model_validate({"num_envs": 64, "steps_per_env": 8, "lr": 0.02, "ent_coef": 0.0} | changes)


def test_masked_probabilities_are_the_references() -> None:
    random = torch.Generator().manual_seed(0)
    logits = torch.randn(50, 7, generator=random) * 20
    mask = torch.rand(50, 7, generator=random) < 0.5
    mask[:, 3] = True
    probabilities = masked_log_probs(logits, mask).exp()
    for row in range(50):
        expected = masked_probabilities(logits[row].tolist(), mask[row].tolist())
        assert probabilities[row].tolist() == pytest.approx(expected, abs=1e-6)


def test_actions_are_drawn_by_their_probabilities_and_never_forbidden() -> None:
    logits = torch.tensor([0.0, math.log(3.0), 50.0]).expand(20_000, 3)
    mask = torch.tensor([True, True, False]).expand(20_000, 3)
    actions, logp = sample_actions(logits, mask, torch.Generator().manual_seed(0))
    assert actions.max() == 1
    assert float((actions == 1).float().mean()) == pytest.approx(0.75, abs=0.01)
    assert float(logp[actions == 1][0].exp()) == pytest.approx(0.75)


class Table(nn.Module):
    """Logits and a value for each of several states, given by index."""

    def __init__(self, states: int, actions: int) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(states, actions))
        self.value = nn.Parameter(torch.zeros(states))

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        place = obs[:, 0].long()
        return self.logits[place], self.value[place]


def one_batch(model: Table, obs: Tensor, actions: Tensor, advantages: Tensor) -> Batch:
    logits, value = model(obs)
    mask = torch.ones_like(logits, dtype=torch.bool)
    logp = masked_log_probs(logits, mask).gather(1, actions.unsqueeze(1)).squeeze(1).detach()
    return Batch(obs, actions, logp, advantages, advantages, value.detach(), mask)


def test_the_first_step_follows_the_policy_gradient() -> None:
    """With the ratio at 1 the gradient of the loss is that of -E[advantage * log pi], which is known here."""
    model = Table(1, 2)
    batch = one_batch(model, torch.zeros(2, 1), torch.tensor([0, 1]), torch.tensor([1.0, 0.0]))
    metrics = ppo_step(
        model, torch.optim.SGD(model.parameters(), lr=1.0), batch, config(vf_coef=0.0, max_grad_norm=9.0)
    )
    # d/dlogits of -(log pi(0))/2 at equal logits is (-1/4, 1/4).
    assert model.logits.tolist() == [pytest.approx([0.25, -0.25])]
    assert float(metrics["approx_kl"]) == pytest.approx(0.0, abs=1e-7)
    assert float(metrics["clip_fraction"]) == 0.0
    assert float(metrics["auxiliary_loss"]) == 0.0


def test_a_ratio_beyond_the_clip_moves_nothing() -> None:
    model = Table(1, 2)
    batch = one_batch(model, torch.zeros(1, 1), torch.tensor([0]), torch.tensor([1.0]))
    with torch.no_grad():
        model.logits[0, 0] = 1.0
    before = model.logits.detach().clone()
    metrics = ppo_step(model, torch.optim.SGD(model.parameters(), lr=1.0), batch, config(vf_coef=0.0))
    assert torch.equal(model.logits.detach(), before)
    assert float(metrics["clip_fraction"]) == 1.0


def test_an_auxiliary_loss_is_added_and_reported() -> None:
    model = Table(1, 2)
    batch = one_batch(model, torch.zeros(1, 1), torch.tensor([0]), torch.tensor([0.0]))
    metrics = ppo_step(
        model,
        torch.optim.SGD(model.parameters(), lr=0.1),
        batch,
        config(),
        auxiliary=lambda answer, batch: 3.0 * answer[0][:, 1].mean() + 1.0,
    )
    assert float(metrics["auxiliary_loss"]) == 1.0
    assert model.logits[0, 1] < 0.0


def trained(seed: int, corridor: bool, updates: int = 60) -> Table:
    """A bandit of three arms that pay 0.2, 0.5 and 0.8, or a corridor of five cells with the prize at its right end."""
    torch.manual_seed(seed)
    cells, lanes, steps = (5, 64, 8) if corridor else (1, 64, 8)
    actions = 2 if corridor else 3
    model = Table(cells, actions)
    cfg = config(gamma=0.9)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    random = torch.Generator().manual_seed(seed)
    buffer = RolloutBuffer(lanes, steps, (1,), actions, CPU)
    place = torch.zeros(lanes)
    for _ in range(updates):
        buffer.clear()
        while not buffer.full:
            obs = place.unsqueeze(1)
            with torch.no_grad():
                logits, value = model(obs)
            mask = torch.ones_like(logits, dtype=torch.bool)
            if corridor:
                mask[:, 0] = place > 0
            chosen, logp = sample_actions(logits, mask, random)
            if corridor:
                place = place + (2 * chosen - 1)
                done = place == cells - 1
                reward = done.float()
                place = torch.where(done, 0.0, place)
            else:
                pays = torch.tensor([0.2, 0.5, 0.8])[chosen]
                reward = (torch.rand(lanes, generator=random) < pays).float()
                done = torch.ones(lanes, dtype=torch.bool)
            buffer.add(obs, chosen, logp, reward, done, value, mask)
        with torch.no_grad():
            last = model(place.unsqueeze(1))[1]
        buffer.compute_gae(last, cfg.gamma, 0.95)
        buffer.normalise()
        for _ in range(3):
            for batch in buffer.get_minibatches(128, generator=random):
                ppo_step(model, optimizer, batch, cfg)
    return model.requires_grad_(False)


@pytest.mark.slow
def test_a_bandit_is_solved() -> None:
    model = trained(0, corridor=False)
    assert float(model.logits[0].softmax(0)[2]) > 0.9
    assert float(model.value[0]) == pytest.approx(0.8, abs=0.1)


@pytest.mark.slow
def test_a_corridor_is_solved() -> None:
    model = trained(1, corridor=True)
    right = model.logits[1:4].softmax(1)[:, 1]
    assert right.min() > 0.9
    # The prize is four steps from the start, each of which discounts it.
    assert [float(one) for one in model.value[:4]] == pytest.approx([0.9**3, 0.9**2, 0.9, 1.0], abs=0.1)


@pytest.mark.slow
def test_equal_seeds_give_equal_runs() -> None:
    first, second, other = (trained(seed, corridor=True, updates=3) for seed in (4, 4, 5))
    assert torch.equal(first.logits, second.logits)
    assert torch.equal(first.value, second.value)
    assert not torch.equal(first.logits, other.logits)


def test_the_learning_rate_rises_and_falls_as_a_cosine() -> None:
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=2.0)
    schedule = cosine(optimizer, 100, warmup=10)
    rates = []
    for _ in range(101):
        rates.append(schedule.get_last_lr()[0])
        optimizer.step()
        schedule.step()
    assert rates[0] == pytest.approx(0.2)
    assert rates[10] == pytest.approx(2.0)
    assert rates[55] == pytest.approx(2.0 * (0.01 + 0.99 / 2))
    assert rates[100] == pytest.approx(0.02)


def test_mixed_precision_is_bfloat16_on_cuda_alone() -> None:
    mixed = autocast(torch.device("meta"), on=True), autocast(torch.device("cuda"), on=False)
    assert not any(isinstance(context, torch.autocast) for context in mixed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "CUDA is not available or torch_xla is imported")
        context = autocast(torch.device("cuda"), on=True)
    assert isinstance(context, torch.autocast)
    assert context.fast_dtype is torch.bfloat16


def test_a_network_is_compiled_on_cuda_only_and_only_if_configured() -> None:
    net = nn.Linear(2, 3)
    assert optimized_for(torch.device("cpu"), net, compiled=True) is net
    assert optimized_for(torch.device("cuda"), net, compiled=False) is net
