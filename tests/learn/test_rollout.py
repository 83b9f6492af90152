"""Rollouts: advantages against a slow reference, and mini-batches that hold every transition once."""

import pytest
import torch
from torch import Tensor

from ludex.learn.rollout import RolloutBuffer
from tests.reference.ppo import advantage

CPU = torch.device("cpu")


def filled(steps: int, lanes: int, seed: int) -> tuple[RolloutBuffer, Tensor]:
    """A buffer of random transitions whose observation is their number, and the values after it."""
    random = torch.Generator().manual_seed(seed)
    buffer = RolloutBuffer(lanes, steps, (1,), 3, CPU, extras={"note": ((2,), torch.int64)})
    for step in range(steps):
        numbers = torch.arange(lanes) + step * lanes
        buffer.add(
            numbers.float().unsqueeze(1),
            numbers % 3,
            -torch.rand(lanes, generator=random),
            torch.randn(lanes, generator=random),
            torch.rand(lanes, generator=random) < 0.3,
            torch.randn(lanes, generator=random),
            torch.ones(lanes, 3, dtype=torch.bool),
            {"note": torch.stack([numbers, -numbers], 1)},
        )
    return buffer, torch.randn(lanes, generator=random)


@pytest.mark.parametrize(("steps", "lanes", "gamma", "lam"), [(1, 1, 0.9, 0.5), (9, 4, 0.995, 0.95), (6, 3, 1.0, 0.0)])
def test_advantages_are_the_references(steps: int, lanes: int, gamma: float, lam: float) -> None:
    for seed in range(20):
        buffer, last = filled(steps, lanes, seed)
        buffer.compute_gae(last, gamma, lam)
        for lane in range(lanes):
            rewards, values, dones = (held[:, lane].tolist() for held in (buffer.rewards, buffer.values, buffer.dones))
            for step in range(steps):
                expected = advantage(step, rewards, values, dones, float(last[lane]), gamma, lam)
                assert float(buffer.advantages[step, lane]) == pytest.approx(expected, abs=1e-5)
                assert float(buffer.returns[step, lane]) == pytest.approx(expected + values[step], abs=1e-5)


def test_mini_batches_hold_every_transition_once_and_together() -> None:
    buffer, last = filled(5, 4, 0)
    buffer.compute_gae(last)
    batches = list(buffer.get_minibatches(8, generator=torch.Generator().manual_seed(1)))
    assert [len(batch.actions) for batch in batches] == [8, 8, 4]
    numbers = torch.cat([batch.obs[:, 0] for batch in batches]).long()
    assert numbers.sort().values.tolist() == list(range(20))
    assert numbers.tolist() != list(range(20))
    for batch in batches:
        places = batch.obs[:, 0].long()
        assert torch.equal(batch.actions, places % 3)
        assert torch.equal(batch.extras["note"], torch.stack([places, -places], 1))
        assert torch.equal(batch.advantages, buffer.advantages.flatten()[places])
        assert torch.equal(batch.returns, buffer.returns.flatten()[places])


def test_chosen_transitions_come_in_whole_batches() -> None:
    buffer, last = filled(5, 4, 0)
    buffer.compute_gae(last)
    chosen = torch.tensor([1, 3, 5, 7, 9, 11, 13])
    batches = list(buffer.get_minibatches(3, chosen=chosen))
    found = torch.cat([batch.obs[:, 0] for batch in batches]).long().tolist()
    assert [len(batch.actions) for batch in batches] == [3, 3]
    assert len(set(found)) == 6
    assert set(found) <= set(chosen.tolist())


def test_advantages_are_normalised_over_what_is_learned_from() -> None:
    buffer, last = filled(6, 5, 3)
    buffer.compute_gae(last)
    chosen, others = torch.arange(0, 30, 2), torch.arange(1, 30, 2)
    before = buffer.advantages.flatten()[others].clone()
    buffer.normalise(chosen)
    assert torch.equal(buffer.advantages.flatten()[others], before)
    normalised = buffer.advantages.flatten()[chosen]
    assert float(normalised.mean()) == pytest.approx(0.0, abs=1e-6)
    assert float(normalised.std()) == pytest.approx(1.0, abs=1e-5)


def test_misuse_raises() -> None:
    buffer, last = filled(2, 2, 0)
    with pytest.raises(ValueError, match="the buffer is full: it holds 2 steps"):
        buffer.add(last, last, last, last, last, last, last, {"note": last})
    buffer.clear()
    with pytest.raises(ValueError, match=r"expected the extras \['note'\], found \[\]"):
        buffer.add(last, last, last, last, last, last, last)
    with pytest.raises(ValueError, match="0 of 2 steps"):
        buffer.compute_gae(last)
    with pytest.raises(ValueError, match=r"batch_size must be in 1\.\.4, found 5"):
        next(buffer.get_minibatches(5))
