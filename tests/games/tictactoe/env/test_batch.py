"""Many boards at once, each equal to the single game; kernels that a second process does not compile again."""

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludex.core.errors import IllegalAction
from ludex.core.game import legal_actions
from ludex.games.tictactoe.env.batch import TicTacToeBatch
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.position import Position
from tests.games.tictactoe.support import TrapRng, game_of


class Lane:
    """The single game beside one lane of a batch."""

    def __init__(self, game: TicTacToe, seed: int) -> None:
        self.game = game
        self.position = Position()
        self.episode = 0
        self.choice = random.Random(seed).choice

    def step(self) -> tuple[int, float, bool]:
        """Play a random move: the action, the mover's reward, whether the game ended."""
        action = self.choice(legal_actions(self.game.legal(self.position)))
        mover = self.game.to_move(self.position)
        self.position = self.game.apply(self.position, action, TrapRng())
        outcome = self.game.outcome(self.position)
        return action, 0.0 if outcome is None else outcome.scores[mover], outcome is not None

    def renew(self) -> None:
        self.position = Position()
        self.episode += 1


@pytest.mark.parametrize("shape", [(3, 3, 3), (3, 4, 3), (2, 5, 2)], ids=str)
def test_every_lane_is_the_single_game(shape: tuple[int, int, int]) -> None:
    game = game_of(*shape)
    batch = TicTacToeBatch(game, 5)
    lanes = [Lane(game, seed) for seed in range(5)]
    batch.reset(1)
    for _ in range(60):
        played = [lane.step() for lane in lanes]
        obs, reward, terminated, truncated, info = batch.step(np.array([action for action, _, _ in played]))
        assert reward.tolist() == [score for _, score, _ in played]
        assert terminated.tolist() == [ended for _, _, ended in played]
        assert not truncated.any()
        for index, lane in enumerate(lanes):
            if terminated[index]:
                final = game.observe(lane.position)["planes"]
                assert np.array_equal(info["final_obs"]["planes"][index], final)
                lane.renew()
            assert np.array_equal(obs["planes"][index], game.observe(lane.position)["planes"])
            assert np.array_equal(info["mask"][index], game.legal(lane.position))
            assert (info["player"][index], info["episode"][index]) == (game.to_move(lane.position), lane.episode)
    assert min(lane.episode for lane in lanes) > 2


def arrays(batch: TicTacToeBatch) -> list[bytes]:
    return [array.tobytes() for array in vars(batch).values() if isinstance(array, np.ndarray)]


@pytest.mark.parametrize("lane", [0, 1, 2])
@pytest.mark.parametrize("bad", [4, -1, 9, 1 << 40])
def test_an_illegal_action_in_one_lane_leaves_all_untouched(bad: int, lane: int) -> None:
    batch = TicTacToeBatch(game_of(), 3)
    batch.reset(0)
    batch.step(np.array([4, 4, 4]))
    before = arrays(batch)
    actions = np.array([0, 1, 2])
    actions[lane] = bad
    with pytest.raises(IllegalAction, match=f"lane {lane}: action {bad} is illegal; no lane has moved"):
        batch.step(actions)
    assert arrays(batch) == before


def test_of_several_illegal_actions_the_first_lane_is_named() -> None:
    batch = TicTacToeBatch(game_of(), 3)
    batch.reset(0)
    with pytest.raises(IllegalAction, match="lane 1: action 9 "):
        batch.step(np.array([0, 9, -1]))


@pytest.mark.parametrize("count", [0, 2, 4])
def test_actions_for_another_number_of_lanes_are_refused(count: int) -> None:
    batch = TicTacToeBatch(game_of(), 3)
    batch.reset(0)
    before = arrays(batch)
    with pytest.raises((ValueError, IllegalAction)):
        batch.step(np.zeros(count, np.int64))
    assert arrays(batch) == before


def test_a_reset_begins_episode_zero_everywhere() -> None:
    batch = TicTacToeBatch(game_of(), 2)
    batch.reset(0)
    for cell in range(9):
        _, _, terminated, _, info = batch.step(np.array([cell, cell]))
        if terminated.all():
            break
    assert info["episode"].tolist() == [1, 1]
    batch.step(np.array([0, 1]))
    obs, info = batch.reset(0)
    assert info["episode"].tolist() == [0, 0]
    assert info["player"].tolist() == [0, 0]
    assert info["mask"].all()
    assert not obs["planes"].any()


WARM_UP = """
from ludex.kernels.warmup import load_kernels
load_kernels("tictactoe", through="on_demand")
"""

PLAY = """
import numpy as np
from ludex.core.registry import make
from ludex.kernels.sampling import RandomActions
from ludex.games.tictactoe.env.batch import TicTacToeBatch
from ludex.games.tictactoe.rules.position import Position
from ludex.games.tictactoe.agents.solver import solver
game = make("tictactoe")
batch = TicTacToeBatch(game, 2)
_, info = batch.reset(0)
print([batch.step(np.array([cell, cell]))[1].tolist() for cell in (0, 3, 1, 4, 2)])
print(RandomActions(2, 0, 0).draw(info["mask"]).max() < 9, solver(game.board).position(Position()))
"""


def run_in_a_process(program: str, cache: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment | {"LUDEX_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def compiled(cache: Path) -> dict[str, int]:
    """The compiled files with the time each was written."""
    return {str(path): path.stat().st_mtime_ns for path in cache.rglob("*.nb*")}


@pytest.mark.full
def test_a_second_process_runs_every_kernel_from_the_cache_without_compiling(tmp_path: Path) -> None:
    run_in_a_process(WARM_UP, tmp_path)
    written = compiled(tmp_path)
    for kernel in ("fill_scores", "first_illegal", "step_lanes", "_sample"):
        assert any(kernel in path for path in written)
    lines = run_in_a_process(PLAY, tmp_path).splitlines()
    assert lines == [str([[0.0, 0.0]] * 4 + [[1.0, 1.0]]), "True Exact(value=0, distance=9, score=0)"]
    assert compiled(tmp_path) == written
