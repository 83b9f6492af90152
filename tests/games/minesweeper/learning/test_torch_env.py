"""The environment on a device equals the game, lane by lane, given the same mines; and places its own by the rules."""

import numpy as np
import pytest
import torch

from ludex.games.minesweeper.env.buffers import FLAGGING, REST
from ludex.games.minesweeper.env.config import Channels, EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.learning.torch_env import TorchMinesweeper

CPU = torch.device("cpu")
LANES = 16
EVERY_CHANNEL = dict.fromkeys(Channels.model_fields, True)
CONFIGS = [
    EnvConfig(reveal_only=True),
    EnvConfig(use_flag_shaping=True, flag_correct_reward=0.3, flag_incorrect_reward=-0.1, **EVERY_CHANNEL),
    EnvConfig(H=16, W=30, mine_count=40, reveal_only=True, obs_dtype="float16", progress_channel=True),
    EnvConfig(H=5, W=9, mine_count=12, guarantee_safe_neighborhood=False, reveal_only=True, obs_dtype="uint8"),
    EnvConfig(H=1, W=9, mine_count=2, guarantee_safe_neighborhood=False, first_click_safe=False),
    EnvConfig(H=6, W=6, mine_count=3, frontier_mask=True, max_steps=3, reveal_only=True),
    EnvConfig(H=6, W=6, mine_count=6, frontier_mask=True, frontier_channel=True, use_flag_shaping=True),
]


@pytest.mark.parametrize("cfg", CONFIGS)
def test_every_lane_is_the_game(cfg: EnvConfig) -> None:
    """Observations, masks, rewards and ends, with flags and with actions that the mask forbids."""
    lanes = Lanes(cfg, LANES, auto_reset=False)
    lanes.reset(7)
    env = TorchMinesweeper(cfg, LANES, CPU, seed=0, auto_reset=False)
    random = np.random.default_rng(0)
    outcomes, refused = set(), 0
    while not lanes.over.all():
        live = ~lanes.over
        masks = env.mask().numpy()
        assert np.array_equal(masks[live], lanes.mask[live])
        assert np.allclose(env.observe().numpy()[live], lanes.obs[live], atol=1e-3)
        assert env.observe().numpy().dtype == lanes.obs.dtype
        keys = random.random(masks.shape)
        keys[:, cfg.cells :] *= 0.9
        wild = random.random(LANES) < 0.2
        actions = np.where(wild, random.integers(-1, cfg.num_actions + 2, LANES), (masks * keys).argmax(1))
        actions[wild & (actions == REST)] = cfg.num_actions
        untouched = (lanes.numbers < 0).all((1, 2))
        lanes.step(np.where(live, actions, REST).astype(np.int64))
        first = torch.from_numpy(untouched & np.asarray(lanes.mine_mask.any((1, 2))))
        env.mine[first] = torch.from_numpy(lanes.mine_mask)[first]
        env.counts[first] = env._count(env.mine)[first]
        env.mines_placed |= first
        step = env.step(torch.from_numpy(actions))
        assert np.array_equal(np.maximum(env.numbers.numpy(), -1)[live], lanes.numbers[live])
        assert np.allclose(step.reward.numpy()[live], lanes.reward[live], atol=1e-6)
        assert np.allclose(step.flagging.numpy()[live], lanes.components[live, FLAGGING], atol=1e-6)
        assert np.array_equal(step.invalid.numpy()[live], lanes.invalid[live])
        assert np.array_equal(step.won.numpy(), lanes.won)
        assert np.array_equal(step.truncated.numpy()[live], lanes.truncated[live])
        assert np.array_equal(step.done.numpy()[live], (lanes.terminated | lanes.truncated)[live])
        assert np.array_equal(env.over.numpy(), lanes.over)
        outcomes |= set(zip(lanes.won[live].tolist(), lanes.terminated[live].tolist(), strict=True))
        refused += int(lanes.invalid[live].sum())
    assert (False, True) in outcomes
    assert refused > 0


@pytest.mark.parametrize("start", ["zero", "safe", "none"])
def test_mines_are_placed_by_the_start_rule(start: str) -> None:
    cfg = EnvConfig(
        H=5,
        W=6,
        mine_count=14,
        guarantee_safe_neighborhood=start == "zero",
        first_click_safe=start != "none",
    )
    env = TorchMinesweeper(cfg, 2000, CPU, seed=1, auto_reset=False)
    step = env.step(torch.full((2000,), 8))
    assert torch.equal(env.mine.flatten(1).sum(1), torch.full((2000,), 14))
    share = env.mine.float().mean(0)
    kept = {"zero": {(row, col) for row in range(3) for col in range(1, 4)}, "safe": {(1, 2)}, "none": set()}[start]
    for row in range(5):
        for col in range(6):
            expected = 0.0 if (row, col) in kept else 14 / (30 - len(kept))
            assert float(share[row, col]) == pytest.approx(expected, abs=0.05 if expected else 0.0)
    if start == "zero":
        assert bool((env.numbers[:, 1, 2] == 0).all())
    assert bool((step.done & ~step.won).any()) == (start == "none")


def test_numbers_of_mines_spread_over_the_band() -> None:
    cfg = EnvConfig(H=10, W=10, mine_count=15, density_band=(0.12, 0.18))
    env = TorchMinesweeper(cfg, 500, CPU, seed=2)
    assert torch.unique(env.mines).tolist() == list(range(12, 19))
    env.step(torch.zeros(500, dtype=torch.int64))
    assert torch.equal(env.mine.flatten(1).sum(1), env.mines)


def test_a_lane_that_ends_begins_anew_in_the_same_step() -> None:
    cfg = EnvConfig(H=4, W=4, mine_count=5, guarantee_safe_neighborhood=False)
    env = TorchMinesweeper(cfg, 64, CPU, seed=3)
    random = torch.Generator().manual_seed(0)
    games = 0
    for _ in range(30):
        masks = env.mask()[:, :16]
        assert bool(masks.any(1).all())
        step = env.step((masks * torch.rand(64, 16, generator=random)).argmax(1))
        games += int(step.done.sum())
        assert not bool(env.revealed[step.done].any())
        assert not bool(env.mine[step.done].any())
        assert bool((env.steps[step.done] == 0).all())
    assert games > 64


def test_a_random_first_cell_never_ends_the_game() -> None:
    cfg = EnvConfig(H=4, W=4, mine_count=3, guarantee_safe_neighborhood=False, random_first_click=True)
    env = TorchMinesweeper(cfg, 500, CPU, seed=4)
    opened = env.revealed.flatten(1).sum(1)
    assert int(opened.max()) < 13
    assert int((opened > 0).sum()) > 400
    assert not bool((env.revealed & env.mine).any())


def test_more_cells_may_be_revealed_in_one_step() -> None:
    cfg = EnvConfig(H=4, W=4, mine_count=3, guarantee_safe_neighborhood=False)
    env = TorchMinesweeper(cfg, 2, CPU, seed=5, auto_reset=False)
    mine = torch.zeros(2, 4, 4, dtype=torch.bool)
    mine[:, 3, 1:] = True
    env.place_mines(mine)
    also = torch.zeros_like(mine)
    also[0, 3, 0] = True
    also[1, 3, 3] = True
    env.step(torch.tensor([5, 5]), also)
    assert env.revealed.flatten(1).sum(1).tolist() == [12, 12]
    step = env.step(torch.tensor([12, 12]), also)
    assert step.won.tolist() == [True, False]
    assert env.over.tolist() == [True, True]


def test_equal_seeds_give_equal_games() -> None:
    cfg = EnvConfig(random_first_click=True)
    first, second, other = (TorchMinesweeper(cfg, 8, CPU, seed) for seed in (6, 6, 7))
    assert torch.equal(first.numbers, second.numbers)
    assert not torch.equal(first.numbers, other.numbers)
