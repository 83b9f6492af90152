"""Large blocks go back to the system when they are freed, and what is remembered of visitors' boards is bounded."""

import gc
import subprocess
import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from itertools import product
from typing import Any

import pytest

from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.registry import resolve, spec
from ludex.web.boards import MOST_BOARDS, board
from ludex.web.memory import paused_collector

CODE = """
import os, sys
from pathlib import Path
import numpy as np
from ludex.web.memory import give_back_large_blocks

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

if sys.argv[1] == "set":
    give_back_large_blocks()
# After the first one is freed, malloc keeps the next ones.
del_me = np.ones(20 << 17); del del_me
begin = resident()
held, between = [], []
for _ in range(8):
    held.append(np.ones(10 << 17))
    between.append(np.ones(1 << 11))
full = resident()
del held
print(begin, full, resident())
"""


def measured(how: str) -> tuple[float, float, float]:
    output = subprocess.run([sys.executable, "-c", CODE, how], check=True, capture_output=True, text=True).stdout
    begin, full, end = map(float, output.split())
    return begin, full, end


@pytest.mark.slow
def test_what_is_freed_is_given_back() -> None:
    begin, full, end = measured("set")
    assert full - begin > 70
    assert end - begin < 8


def test_what_is_loaded_is_not_collected() -> None:
    frozen = gc.get_freeze_count()
    with paused_collector():
        assert not gc.isenabled()
        loaded = [[number] for number in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= frozen + len(loaded)
    gc.unfreeze()


BOARDS = {
    "minesweeper": [f"small:rows={rows}:cols={cols}:mines=1" for rows, cols in product(range(4, 13), repeat=2)],
    "tictactoe": [
        f"3x3x3:rows={rows}:cols={cols}:k={k}" for rows, cols, k in product(range(4, 8), range(3, 9), (2, 3, 4))
    ],
    "quoridor": [f"9x9:size={size}:walls={walls}" for size, walls in product(range(3, 12), range(1, 10))],
}


@pytest.mark.parametrize("game", BOARDS)
def test_few_boards_are_remembered(game: str) -> None:
    game_spec = spec(game)
    assert game_spec.screen.scene is not None
    # Other tests of this process may have filled caches of what is not a board.
    before = unbounded_caches()
    for preset in BOARDS[game]:
        match = Match(board(game, preset), seed=1)
        if game_spec.screen.board_model is not None:
            resolve(game_spec.screen.board_model)(match.game)
        resolve(game_spec.screen.scene)(match.game, match.game.view(match.state, 0), match.legal())
        match.play_text(match.game.action_text(match.state, legal_actions(match.legal())[0]))
    assert len(BOARDS[game]) > MOST_BOARDS
    kept = unbounded_caches()
    assert kept
    assert {name: size for name, size in kept.items() if size - before.get(name, 0) > MOST_BOARDS} == {}


def unbounded_caches() -> dict[str, int]:
    """How much those of Ludex's modules hold, by name."""
    return {f"{cache.__module__}.{cache.__qualname__}": cache.cache_info().currsize for cache in _caches()}


def _caches() -> Iterator["_lru_cache_wrapper[Any]"]:
    for name, module in [*sys.modules.items()]:
        if name.startswith("ludex."):
            caches = [value for value in vars(module).values() if isinstance(value, _lru_cache_wrapper)]
            yield from (cache for cache in caches if cache.cache_info().maxsize is None)
