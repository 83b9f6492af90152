"""The original document's environment, sentence by sentence, with the rulings that make it precise."""

from typing import Any

import numpy as np
import pytest

from ludex.core.seeding import generator
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.env import MinesweeperEnv, VecMinesweeper
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.rules.layout import EpisodeOver
from tests.games.minesweeper.support import field_of
from tests.reference import minesweeper as reference

SMALL = EnvConfig()


def env_of(seed: int = 0, **changes: Any) -> MinesweeperEnv:
    env = MinesweeperEnv(EnvConfig(**changes), seed)
    env.reset()
    return env


def safe_cells(env: MinesweeperEnv) -> list[int]:
    return np.flatnonzero(~env.mine_mask & ~env.revealed).tolist()


def mine_cells(env: MinesweeperEnv) -> list[int]:
    return np.flatnonzero(env.mine_mask).tolist()


def finished(env: MinesweeperEnv, *, won: bool) -> tuple[float, dict[str, Any], int]:
    """Play to a win, or to a mine at the second step; the last reward, info and new cells."""
    _, reward, done, info = env.step(27)
    while not done:
        _, reward, done, info = env.step(safe_cells(env)[0] if won else mine_cells(env)[0])
    return reward, info, info["new_cells"]


def test_a_reset_gives_observation_mask_and_numbers_about_the_board() -> None:
    env = MinesweeperEnv(SMALL, seed=0)
    observed = env.reset()
    assert (observed["obs"].shape, observed["obs"].dtype) == ((11, 8, 8), np.float32)
    assert not observed["obs"].any()
    assert (observed["action_mask"].shape, observed["action_mask"].dtype) == ((128,), np.bool_)
    assert observed["action_mask"].all()
    assert observed["aux"] == {"step": 0, "mines": 10, "remaining_mines_ratio": 1.0, "progress": 0.0}
    assert (env.action_space, env.obs_channels) == (128, 11)


@pytest.mark.parametrize("start", ["zero", "safe", "none"])
def test_env_initial_click_safe(start: str) -> None:
    """No first click of any cell hits a mine under `zero` and `safe`; under `zero` it opens a region."""
    cfg = EnvConfig(
        mine_count=20, guarantee_safe_neighborhood=start == "zero", first_click_safe=start != "none", max_steps=4
    )
    lost = opened_one = 0
    for cell in range(64):
        for seed in range(4):
            env = MinesweeperEnv(cfg, seed)
            env.reset()
            before = env.first_click_done
            assert not env.mine_mask.any()
            _, _, _, info = env.step(cell)
            assert (before, env.first_click_done) == (False, True)
            assert env.mine_mask.sum() == 20
            lost += info["terminated"] and not info["won"]
            opened_one += info["new_cells"] == 1
            if start == "zero":
                assert env.adjacent_counts.flat[cell] == 0
                assert not env.mine_mask.flat[cell]
    assert (lost > 0) == (start == "none")
    assert (opened_one > 0) == (start != "zero")


def test_the_board_can_be_inspected() -> None:
    env = env_of(3)
    env.step(27)
    env.step(64 + safe_cells(env)[0])
    board = field_of(env._lanes.cells[0])
    assert {(r, c): int(env.adjacent_counts[r, c]) for r, c in board.squares} == {
        square: board.number(square) for square in board.squares
    }
    assert {(r, c) for r, c in board.squares if env.flags[r, c]} == board.flags
    assert {(r, c) for r, c in board.squares if env.revealed[r, c]} == board.revealed
    assert {(r, c): n for (r, c), n in np.ndenumerate(env.numbers) if n >= 0} == board.shown


@pytest.mark.slow
def test_action_mask_consistency() -> None:
    """The mask is what the reference allows, after every step; what it forbids is invalid and what it allows is not."""
    rng = np.random.default_rng(0)
    for seed in range(20):
        env = env_of(seed)
        observed = env.step(27)[0]
        for _ in range(30):
            mask = observed["action_mask"]
            assert mask.tolist() == reference.mask(field_of(env._lanes.cells[0]), flags=True, frontier=False)
            action = int(rng.integers(128))
            observed, _, done, info = env.step(action)
            assert info["invalid"] != mask[action]
            if done:
                assert not observed["action_mask"].any()
                break


def test_rewards_are_the_seeds() -> None:
    env = env_of(1)
    _, reward, _, info = env.step(27)
    assert reward == pytest.approx(0.01 * info["new_cells"] - 1e-4)
    assert info["components"] == pytest.approx(
        {"progress": 0.01 * info["new_cells"], "win": 0, "loss": 0, "step": -1e-4, "invalid": 0, "flag": 0}
    )
    _, reward, done, info = env.step(64 + mine_cells(env)[0])
    assert reward == pytest.approx(-1e-4)
    assert not done
    assert info["components"]["flag"] == 0.0


def test_the_terminal_tick_pays_outcome_and_progress_and_no_step_penalty() -> None:
    reward, info, new = finished(env_of(1), won=True)
    assert new > 0
    assert reward == pytest.approx(1.0 + 0.01 * new)
    assert (info["won"], info["terminated"], info["truncated"]) == (True, True, False)
    reward, info, _ = finished(env_of(1), won=False)
    assert reward == pytest.approx(-1.0)
    assert (info["won"], info["terminated"], info["truncated"]) == (False, True, False)
    assert info["components"]["step"] == 0.0


def test_an_invalid_action_costs_its_penalty_alone_changes_nothing_and_counts_as_a_step() -> None:
    env = env_of(1)
    observed = env.step(27)[0]
    revealed = int(np.flatnonzero(env.revealed)[0])
    before = env._lanes.cells.copy()
    for count, action in enumerate((revealed, 64 + revealed, 128, -1, -64, 10**9), 2):
        again, reward, done, info = env.step(action)
        assert reward == pytest.approx(-1e-3)
        assert (done, info["invalid"]) == (False, True)
        assert sum(info["components"].values()) == pytest.approx(-1e-3)
        assert again["aux"]["step"] == count
        assert (again["obs"] == observed["obs"]).all()
        assert (again["action_mask"] == observed["action_mask"]).all()
        assert (env._lanes.cells == before).all()


def test_removing_a_flag_takes_back_what_setting_it_paid() -> None:
    env = env_of(1, use_flag_shaping=True)
    _, reward, _, _ = env.step(64 + 27)
    assert reward == pytest.approx(-1e-4), "before the mines are placed nothing is right or wrong"
    env.step(64 + 27)
    env.step(27)
    mine, safe = mine_cells(env)[0], safe_cells(env)[0]
    for cell, worth in ((mine, 0.002), (safe, -0.002)):
        assert env.step(64 + cell)[1] == pytest.approx(worth - 1e-4)
        assert env.flags.sum() == 1
        assert env.step(64 + cell)[1] == pytest.approx(-worth - 1e-4)
        assert not env.flags.any()
    env.step(64 + safe)
    components = env.step(safe)[3]["components"]
    assert components["flag"] == pytest.approx(0.002), "revealing a flagged cell removes its flag"


@pytest.mark.parametrize("seed", range(5))
def test_flag_rewards_are_the_worth_of_the_flags_that_stand(seed: int) -> None:
    """Whatever is done, in whatever order, the rewards for flags add up to the worth of the flags on the board."""
    cfg = EnvConfig(use_flag_shaping=True, flag_correct_reward=0.3, flag_incorrect_reward=-0.2)
    env = MinesweeperEnv(cfg, seed)
    observed, done, paid = env.reset(), False, 0.0
    rng = np.random.default_rng(seed)
    while not done:
        actions = np.flatnonzero(observed["action_mask"])
        # Flags first, among them some before the mines are placed, and now and then a reveal.
        flags = actions[actions >= 64]
        action = int(rng.choice(actions if rng.random() < 0.1 else flags))
        observed, _, done, info = env.step(action)
        paid += info["components"]["flag"]
        if env.first_click_done or done:
            right, wrong = (env.flags & env.mine_mask).sum(), (env.flags & ~env.mine_mask).sum()
            assert paid == pytest.approx(0.3 * right - 0.2 * wrong, abs=1e-5)
        else:
            assert paid == 0.0


def test_toggling_flags_is_truncated_at_max_steps() -> None:
    env = env_of(max_steps=5)
    for step in range(1, 6):
        _, reward, done, info = env.step(64)
        assert done == (step == 5)
    assert (info["truncated"], info["terminated"]) == (True, False)
    assert reward == pytest.approx(-1e-4)
    assert EnvConfig(H=16, W=30, mine_count=99).max_steps == 1920


def test_a_win_in_the_last_step_is_no_truncation() -> None:
    env = MinesweeperEnv(EnvConfig(H=4, W=4, mine_count=1, max_steps=1), seed=3)
    for _ in range(40):
        env.reset()
        _, _, done, info = env.step(0)
        assert done
        assert info["terminated"] != info["truncated"]
        assert info["terminated"] == info["won"]


@pytest.mark.slow
@pytest.mark.parametrize("games", [8, pytest.param(40, marks=pytest.mark.full)])
@pytest.mark.parametrize("reveal_only", [False, True])
def test_the_frontier_mask_never_empties(reveal_only: bool, games: int) -> None:
    env = env_of(2, frontier_mask=True, reveal_only=reveal_only)
    observed = env.reset()
    assert observed["action_mask"].all(), "with no frontier every hidden cell is open"
    rng = np.random.default_rng(0)
    for _ in range(games):
        observed, done = env.reset(), False
        while not done:
            board = field_of(env._lanes.cells[0] & 0x7F)
            mask = observed["action_mask"]
            assert mask.any()
            assert mask.tolist() == reference.mask(board, flags=not reveal_only, frontier=True)
            observed, _, done, info = env.step(int(rng.choice(np.flatnonzero(mask))))
            assert not info["invalid"]


def test_a_flag_that_is_kept_goes_only_with_its_cell() -> None:
    env = env_of(2, keep_flags=True)
    observed = env.step(27)[0]
    [cell, *_] = np.flatnonzero(observed["action_mask"][:64])
    mask = env.step(64 + int(cell))[0]["action_mask"]
    assert env.flags.flat[cell]
    assert mask[cell], "a flagged cell may be revealed"
    assert not mask[64 + cell]
    assert mask[64:].sum() == observed["action_mask"][64:].sum() - 1
    assert env.step(64 + int(cell))[3]["invalid"]
    assert env.flags.flat[cell]
    env.step(int(cell))
    assert not env.flags.flat[cell]


def test_games_whose_flags_are_kept_end_without_a_limit_of_steps() -> None:
    lanes = Lanes(EnvConfig(H=5, W=5, mine_count=4, keep_flags=True, max_steps=10_000), 8, auto_reset=False)
    lanes.reset(0)
    steps = 0
    while not lanes.over.all():
        # Flags as long as there are any to set: what an agent does that stalls.
        lanes.step(np.where(lanes.over, REST, lanes.mask.shape[1] - 1 - lanes.mask[:, ::-1].argmax(1)))
        steps += 1
    assert steps <= 2 * 25


def test_flags_cannot_be_kept_where_there_are_none() -> None:
    with pytest.raises(ValueError, match="keep_flags=true means nothing with reveal_only=true"):
        EnvConfig(keep_flags=True, reveal_only=True)


def test_a_cell_off_the_frontier_is_invalid_while_the_mask_is_on() -> None:
    env = env_of(2, frontier_mask=True)
    mask = env.step(27)[0]["action_mask"]
    far = next(cell for cell in range(64) if not mask[cell] and not env.revealed.flat[cell])
    assert env.step(far)[3]["invalid"]
    assert mask[64 + far], "flags are free"
    env.set_frontier_mask(False)
    assert not env.step(far)[3]["invalid"]


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "games"), [("float16", 5), pytest.param("float32", 15, marks=pytest.mark.full)])
def test_optional_channels_show_what_they_say(dtype: str, games: int) -> None:
    env = env_of(
        4,
        frontier_channel=True,
        remaining_mines_channel=True,
        progress_channel=True,
        obs_dtype=dtype,
        density_band=(0.1, 0.2),
    )
    assert env.obs_channels == 14
    rng = np.random.default_rng(1)
    for _ in range(games):
        observed, done = env.reset(), False
        while not done:
            board = field_of(env._lanes.cells[0] & 0x7F)
            mines = observed["aux"]["mines"]
            planes = np.array(reference.planes(board, ["frontier", "remaining", "progress"], mines))
            assert observed["obs"].dtype == dtype
            assert (observed["obs"] == planes.astype(dtype)).all()
            assert observed["aux"]["progress"] == len(board.shown) / (64 - mines)
            assert observed["aux"]["remaining_mines_ratio"] == max(0, mines - len(board.flags)) / mines
            observed, _, done, _ = env.step(int(rng.choice(np.flatnonzero(observed["action_mask"]))))


def test_more_flags_than_mines_leave_none_remaining() -> None:
    env = env_of(remaining_mines_channel=True)
    for cell in range(12):
        observed = env.step(64 + cell)[0]
    assert observed["aux"]["remaining_mines_ratio"] == 0.0
    assert not observed["obs"][11].any()


def test_a_density_band_draws_every_count_in_it() -> None:
    env = MinesweeperEnv(EnvConfig(density_band=(0.12, 0.2)), seed=0)
    counts = {env.reset()["aux"]["mines"] for _ in range(200)}
    assert counts == set(range(8, 14))
    for _ in range(20):
        mines = env.reset()["aux"]["mines"]
        env.step(0)
        assert env.mine_mask.sum() == mines


def test_a_random_first_click_begins_with_an_open_region() -> None:
    env = MinesweeperEnv(EnvConfig(random_first_click=True), seed=0)
    observed = env.reset()
    assert observed["aux"]["step"] == 0
    assert observed["aux"]["progress"] > 0
    assert env.first_click_done


def test_the_generator_is_the_cores() -> None:
    env = MinesweeperEnv(SMALL, 9, lane=3)
    env.reset()
    assert env.rng.state == generator(9, 1, lane=3).state
    env.step(64)
    assert env.rng.state == generator(9, 2, lane=3).state
    env.reset()
    assert env.rng.state == generator(9, 1, lane=3, episode=1).state


def test_the_vector_environment_has_the_seeds_face() -> None:
    vec = VecMinesweeper(num_envs=5, cfg=SMALL, seed=0)
    with pytest.raises(EpisodeOver, match="call reset"):
        vec.step(np.zeros(5, np.int32))
    observed = vec.reset()
    assert observed["obs"].shape == (5, 11, 8, 8)
    assert observed["action_mask"].shape == (5, 128)
    assert (vec.obs_channels(), vec.action_space) == (11, 128)
    observed, reward, done, info = vec.step(np.full(5, 27, np.int32))
    assert (reward.dtype, done.dtype) == (np.dtype(np.float32), np.dtype(np.bool_))
    assert (reward.shape, done.shape) == ((5,), (5,))
    assert info["new_cells"].min() > 0
    assert info["components"].shape == (5, 6)
    assert info["components"].sum(1) == pytest.approx(reward)
    observed, reward, _, info = vec.step(np.full(5, -1))
    assert info["invalid"].all()
    assert reward == pytest.approx(np.full(5, -1e-3))


@pytest.mark.parametrize("actions", [np.zeros(4, np.int64), np.zeros(5), np.zeros((5, 1), np.int64)])
def test_actions_of_another_form_are_refused(actions: Any) -> None:
    vec = VecMinesweeper(5, SMALL, 0)
    vec.reset()
    with pytest.raises(ValueError, match=r"actions must be integers \[5\], one per lane, found"):
        vec.step(actions)
