"""The boards that PPO plays on a device are the lanes, and what it may do beyond a single action."""

import numpy as np
import pytest
import torch

from ludex.games.minesweeper.env.buffers import FLAGGING, PROGRESS
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.learning.tensor_lanes import TensorLanes
from ludex.games.minesweeper.rules.layout import FLAG, HIDDEN
from ludex.learn.distributed import Group

CPU = torch.device("cpu")
LANES = 16
CFG = EnvConfig(use_flag_shaping=True, frontier_channel=True, progress_channel=True, random_first_click=True)


def drawn(mask: torch.Tensor, turn: int) -> torch.Tensor:
    """A legal action per lane, and in one lane an action that there is none of."""
    keys = torch.rand(mask.shape, generator=torch.Generator().manual_seed(turn))
    actions = (mask * keys).argmax(1)
    actions[turn % len(mask)] = 10_000
    return actions


def test_the_tensors_are_the_lanes() -> None:
    env, lanes = TensorLanes(CFG, LANES, CPU, seed=5), Lanes(CFG, LANES)
    lanes.reset(5)
    for turn in range(60):
        obs, mask, mine = env.observe(), env.mask(), env.mine
        assert np.array_equal(obs.numpy(), lanes.obs)
        assert np.array_equal(mask.numpy(), lanes.mask)
        assert np.array_equal(mine.numpy(), lanes.mine_mask)
        actions = drawn(mask, turn)
        copy = obs.clone()
        step = env.step(actions)
        lanes.step(actions.numpy())
        assert torch.equal(obs, copy), "what was observed does not change with the board"
        for tensor, array in (
            (step.reward, lanes.reward),
            (step.done, lanes.terminated | lanes.truncated),
            (step.won, lanes.won),
            (step.truncated, lanes.truncated),
            (step.progress, lanes.components[:, PROGRESS]),
            (step.flagging, lanes.components[:, FLAGGING]),
            (step.invalid, lanes.invalid),
        ):
            assert np.array_equal(tensor.numpy(), array)
    assert lanes.episode.min() > 0


def test_a_restored_environment_goes_on_the_same() -> None:
    first, second = TensorLanes(CFG, LANES, CPU, seed=5), TensorLanes(CFG, LANES, CPU, seed=6)
    for turn in range(9):
        first.step(drawn(first.mask(), turn))
    second.restore(first.state())
    for turn in range(9, 40):
        assert torch.equal(first.observe(), second.observe())
        actions = drawn(first.mask(), turn)
        assert torch.equal(first.step(actions).reward, second.step(actions).reward)


@pytest.mark.parametrize(
    "other", [TensorLanes(CFG, 1, CPU, seed=5), TensorLanes(EnvConfig(H=5, W=5), LANES, CPU, seed=5)]
)
def test_games_of_other_lanes_are_refused(other: TensorLanes) -> None:
    env = TensorLanes(CFG, LANES, CPU, seed=5)
    before = env.observe()
    with pytest.raises(ValueError, match="of the lanes must be uint8"):
        env.restore(other.state())
    assert torch.equal(env.observe(), before)


def test_processes_share_the_lanes_of_one() -> None:
    whole = TensorLanes(CFG, LANES, CPU, seed=5)
    halves = [TensorLanes(CFG, LANES // 2, CPU, seed=5, group=Group(rank, 2)) for rank in (0, 1)]
    for turn in range(20):
        assert torch.equal(whole.observe(), torch.cat([half.observe() for half in halves]))
        actions = drawn(whole.mask(), turn)
        whole.step(actions)
        for half, part in zip(halves, actions.chunk(2), strict=True):
            half.step(part)
    halves[1].restore(whole.state())
    assert torch.equal(halves[1].observe(), whole.observe()[LANES // 2 :])


def test_more_cells_may_be_revealed_in_one_step() -> None:
    """Safe ones by the same step; the first mine among them ends the game; nothing more on an untouched board."""
    cfg = EnvConfig(H=6, W=6, mine_count=6, progress_reward=0.5, use_flag_shaping=True, flag_correct_reward=0.25)
    lanes = Lanes(cfg, 3, auto_reset=False)
    lanes.reset(3)
    every = np.ones((3, 6, 6), np.bool_)
    lanes.step(np.zeros(3, np.int64), every)
    assert not lanes.terminated.any()
    assert (lanes.new_cells < 30).all()
    safe = (lanes.numbers == HIDDEN) & ~lanes.mine_mask
    action = np.array([np.flatnonzero(board)[0] for board in safe])
    also = safe.copy()
    also[1] = False
    also[2] |= lanes.mine_mask[2]
    before = lanes.opened.copy()
    mine = int(np.flatnonzero(lanes.mine_mask[2])[0])
    lanes.step(np.array([action[0], action[1], cfg.cells + mine]), also)
    assert lanes.won.tolist() == [True, False, False]
    assert lanes.terminated.tolist() == [True, False, True]
    assert lanes.opened[0] == 30
    assert np.array_equal(lanes.new_cells, lanes.opened - before)
    assert np.allclose(lanes.components[:, PROGRESS], 0.5 * lanes.new_cells)
    assert np.allclose(lanes.reward, lanes.components.sum(1))
    assert lanes.components[2, FLAGGING] == 0.0, "the flag that the action set is gone with the cell"


def test_a_lane_that_revealed_more_begins_anew() -> None:
    """The observation of the next game shows nothing of the last one."""
    cfg = EnvConfig(H=6, W=6, mine_count=6, frontier_channel=True)
    lanes = Lanes(cfg, 8)
    lanes.reset(1)
    ended = 0
    for turn in range(40):
        actions = drawn(torch.from_numpy(lanes.mask), turn).numpy()
        lanes.step(actions, np.random.default_rng(turn).random((8, 6, 6)) < 0.2)
        done = lanes.terminated | lanes.truncated
        ended += int(done.sum())
        assert not lanes.obs[done].any()
        assert (lanes.numbers[done] == HIDDEN).all()
        assert np.array_equal(lanes.obs[:, 0] > 0, lanes.numbers != HIDDEN)
    assert ended > 8


@pytest.mark.parametrize(
    ("name", "column", "complaint"),
    [("ledger", 32, "lane 0: opened is"), ("cells", 0, "lane 0: flags is 0"), ("opened", 1, "opened names cells")],
)
def test_a_state_whose_counters_are_not_those_of_its_cells_is_refused(name: str, column: int, complaint: str) -> None:
    lanes = Lanes(EnvConfig(), 2)
    lanes.reset(1)
    lanes.step(np.array([27, 27]))
    state = lanes.state()
    state[name][0, column] ^= FLAG
    with pytest.raises(ValueError, match=complaint):
        lanes.restore(state)
