"""What the slice's tests share: boards, walks in step with the reference, rankings, runs."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ludex.core.agent import AnyAgent
from ludex.core.decision import Decision
from ludex.core.limit import Limit
from ludex.core.ranking import Entry, MemoryRankings
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.games.tictactoe.agents.policy import RankingPolicy
from ludex.games.tictactoe.agents.ranking_files import shipped_rankings
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.learning.training import TrainingConfig
from ludex.games.tictactoe.rules.board import MnkBoard
from ludex.games.tictactoe.rules.position import Position
from ludex.learn.config import load_config
from ludex.learn.runs import Run
from tests.games.support import TRAP
from tests.reference import tictactoe as reference
from tests.reference.tictactoe import Grid

CONFIGS = "ludex.games.tictactoe.learning.configs"

SHAPES = ((3, 3, 3), (3, 4, 3), (4, 4, 4), (2, 5, 2), (5, 2, 4), (4, 3, 2), (2, 2, 2), (3, 5, 4), (6, 3, 3), (5, 5, 3))
"""Square, flat and tall boards, with lines shorter than, as long as, and longer than a side."""


shapes = st.sampled_from(SHAPES)
choices = st.lists(st.integers(0, 59), max_size=25)


@cache
def game_of(rows: int = 3, cols: int = 3, k: int = 3) -> TicTacToe:
    game = make("tictactoe", rows=rows, cols=cols, k=k)
    assert isinstance(game, TicTacToe)
    return game


def preset_of(reference: str) -> TicTacToe:
    """The game of a preset, with options if the reference has any."""
    game = make("tictactoe", reference)
    assert isinstance(game, TicTacToe)
    return game


THREE = game_of().board


def position_of(grid: Grid, k: int) -> Position:
    marks = reference.key(grid)
    x, o = (sum(1 << cell for cell, mark in enumerate(marks) if mark == side) for side in "XO")
    return Position(x, o, reference.winner(grid, k) is not None)


def grid_of(board: MnkBoard, position: Position) -> Grid:
    marks = ["X" if position.x >> cell & 1 else "O" if position.o >> cell & 1 else "E" for cell in range(board.cells)]
    return reference.grid_of_key("".join(marks), board.cols)


def at(key: str, cols: int = 3, k: int = 3) -> Position:
    """The position of a text of `E`, `O` and `X`; blanks only group its rows."""
    return position_of(reference.grid_of_key(key.replace(" ", ""), cols), k)


def walked(shape: tuple[int, int, int], steps: Iterable[int]) -> tuple[TicTacToe, Position, Grid]:
    """Play the same moves on our board and on the reference's, until they or the game are over."""
    rows, cols, k = shape
    game, grid = game_of(*shape), reference.empty(rows, cols)
    position = game.initial(TRAP)
    for step in steps:
        open_cells = reference.moves(grid, k)
        if not open_cells:
            break
        cell = open_cells[step % len(open_cells)]
        position, grid = game.apply(position, cell, TRAP), reference.play(grid, cell)
    return game, position, grid


@cache
def all_grids() -> tuple[Grid, ...]:
    """Every reachable position of 3x3x3, by the reference."""
    return tuple(sorted(reference.reachable(3, 3, 3)))


@cache
def live_grids() -> tuple[Grid, ...]:
    return tuple(grid for grid in all_grids() if not reference.over(grid, 3))


@cache
def canonical_live() -> tuple[Grid, ...]:
    return tuple(grid for grid in live_grids() if reference.canonical_key(grid) == reference.key(grid))


@cache
def canonical_entries() -> tuple[tuple[str, int], ...]:
    """Every canonical (state, move) key of 3x3x3."""
    keys = {(reference.key(grid), reference.canonical_move(grid, cell)) for grid, cell in canonical_moves()}
    return tuple(sorted(keys))


def canonical_moves() -> Iterator[tuple[Grid, int]]:
    return ((grid, cell) for grid in canonical_live() for cell in reference.moves(grid, 3))


@cache
def shipped() -> MemoryRankings:
    return shipped_rankings(game_of())


def q_by_key(entries: Iterable[Entry]) -> dict[tuple[str, int], float]:
    return {(state, move): q for state, move, q in entries}


def policy_on(entries: Iterable[Entry] = (), board: MnkBoard = THREE) -> RankingPolicy:
    return RankingPolicy(board, MemoryRankings(entries))


def decision_of(agent: AnyAgent, game: TicTacToe, position: Position, rng: Rng | None = None) -> Decision:
    return agent.decide(position, game.legal(position), rng=rng or TRAP, limit=Limit())


def config(name: str = "negamax", **changes: Any) -> TrainingConfig:
    return load_config(TrainingConfig, CONFIGS, name, changes)


def new_run(folder: Path, name: str = "negamax") -> Run:
    return Run.create(folder, "tictactoe", name, "")


def silent(_: int) -> None:
    """Ignores the progress."""


def q_values(run: Run) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = json.loads((run.folder / "ranking.json").read_text())["qValues"]
    return values


def interrupted_after(calls: int) -> Callable[[int], None]:
    """A progress callback that behaves like Ctrl-C at the given call."""
    left = [calls]

    def advance(_: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    return advance
