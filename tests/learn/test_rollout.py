"""Rollouts: advantages against a slow reference, also of two players in a lane; mini-batches with every transition."""

import pytest
import torch
from torch import Tensor

from ludex.learn.rollout import RolloutBuffer, turn_gae
from tests.reference.ppo import advantage, turn_advantages

CPU = torch.device("cpu")
STEPS, LANES = 40, 12


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


def test_selected_transitions_come_in_whole_batches() -> None:
    buffer, last = filled(5, 4, 0)
    buffer.compute_gae(last)
    selected = torch.tensor([1, 3, 5, 7, 9, 11, 13])
    batches = list(buffer.get_minibatches(3, selected=selected))
    lanes = torch.cat([batch.obs[:, 0] for batch in batches]).long().tolist()
    assert [len(batch.actions) for batch in batches] == [3, 3]
    assert len(set(lanes)) == 6
    assert set(lanes) <= set(selected.tolist())


def test_advantages_are_normalised_over_what_is_learned_from() -> None:
    buffer, last = filled(6, 5, 3)
    buffer.compute_gae(last)
    selected, others = torch.arange(0, 30, 2), torch.arange(1, 30, 2)
    before = buffer.advantages.flatten()[others].clone()
    buffer.normalise(selected)
    assert torch.equal(buffer.advantages.flatten()[others], before)
    normalised = buffer.advantages.flatten()[selected]
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


def turns(values: torch.Tensor, dones: torch.Tensor) -> RolloutBuffer:
    buffer = RolloutBuffer(LANES, STEPS, (1,), 2, CPU)
    for at in range(STEPS):
        nothing = torch.zeros(LANES)
        actions, masks = nothing.long(), torch.ones(LANES, 2, dtype=torch.bool)
        buffer.add(nothing.unsqueeze(1), actions, nothing, nothing, dones[at], values[at], masks)
    return buffer


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 1.0), (0.9, 0.8), (0.99, 0.0)])
def test_each_player_is_judged_by_its_own_steps(gamma: float, lam: float) -> None:
    random = torch.Generator().manual_seed(7)
    values = torch.randn(STEPS, LANES, generator=random)
    dones = torch.rand(STEPS, LANES, generator=random) < 0.1
    players = torch.randint(0, 2, (STEPS, LANES), generator=random)
    rewards = torch.randn(STEPS, LANES, 2, generator=random)
    last_players, last_values = torch.randint(0, 2, (LANES,), generator=random), torch.randn(LANES, generator=random)
    buffer = turns(values, dones)
    turn_gae(buffer, players, rewards, last_players, last_values, gamma, lam)
    for lane in range(LANES):
        expected = turn_advantages(
            players[:, lane].tolist(),
            [(float(one), float(two)) for one, two in rewards[:, lane].tolist()],
            values[:, lane].tolist(),
            dones[:, lane].tolist(),
            int(last_players[lane]),
            float(last_values[lane]),
            gamma,
            lam,
        )
        assert buffer.advantages[:, lane].tolist() == pytest.approx(expected, abs=1e-4)
    assert torch.allclose(buffer.returns, buffer.advantages + buffer.values)
