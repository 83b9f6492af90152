"""Many boards at once: what `check_batch` does not ask, and kernels that a second process does not compile again."""

from pathlib import Path

import numpy as np
import pytest

from ludex.core.errors import IllegalAction
from ludex.games.tictactoe.env.batch import TicTacToeBatch
from tests.games.tictactoe.support import game_of
from tests.second_process import compiled_files, run_in_a_process


def arrays(batch: TicTacToeBatch) -> list[bytes]:
    return [array.tobytes() for held in vars(batch).values() if isinstance(held, tuple) for array in held]


@pytest.mark.parametrize("count", [0, 2, 4])
def test_actions_for_another_number_of_lanes_are_refused(count: int) -> None:
    batch = TicTacToeBatch(game_of(), 3)
    batch.reset(0)
    before = arrays(batch)
    with pytest.raises((ValueError, IllegalAction)):
        batch.step(np.zeros(count, np.int64))
    assert arrays(batch) == before


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


@pytest.mark.full
def test_a_second_process_runs_every_kernel_from_the_cache_without_compiling(tmp_path: Path) -> None:
    run_in_a_process(WARM_UP, tmp_path)
    written = compiled_files(tmp_path)
    for kernel in ("fill_scores", "first_illegal", "step_lanes", "_sample"):
        assert any(kernel in path for path in written)
    lines = run_in_a_process(PLAY, tmp_path).splitlines()
    assert lines == [str([[0.0, 0.0]] * 4 + [[1.0, 1.0]]), "True Exact(value=0, distance=9, score=0)"]
    assert compiled_files(tmp_path) == written
