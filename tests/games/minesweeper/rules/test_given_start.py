"""Boards without a guess as an option of the game: a given start, one board per seed, and no luck anywhere."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from pydantic import ValidationError

import ludex
from ludex.core.conformance import check_batch, check_game
from ludex.core.errors import BadOption, BadPosition, IllegalAction, Unsupported
from ludex.core.seeding import Rng, generator
from ludex.games.minesweeper.agents.luck import luck_of
from ludex.games.minesweeper.env import register
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import MinesweeperBatch
from ludex.games.minesweeper.game import Minesweeper, vary_secret
from ludex.games.minesweeper.learning.config import Teacher
from ludex.games.minesweeper.learning.demonstrations import ExampleTask, make_examples
from ludex.games.minesweeper.rules.layout import MINE
from ludex.games.minesweeper.tools.evaluation import evaluate

BOARD = "beginner:no_guess=true"


def board(name: str = BOARD) -> Minesweeper:
    game = ludex.make("minesweeper", name)
    assert isinstance(game, Minesweeper)
    return game


@pytest.mark.parametrize("name", ["small:no_guess=true", "small:mines=6:start=safe:no_guess=true"])
def test_the_rules_keep_the_contract(name: str) -> None:
    vary: Any = vary_secret
    check_game(board(name), vary_secret=vary)


def test_every_lane_of_a_batch_is_the_match_of_its_seed() -> None:
    game = board("small:no_guess=true")
    check_batch(MinesweeperBatch(game, 3), game)


@pytest.mark.parametrize("agent", ["rules:guess=uniform:pairs=true", "exact", "net"])
def test_agents_on_many_boards_begin_at_the_given_cells(agent: str) -> None:
    config = EnvConfig(no_guess=True)
    figures = evaluate(agent, config, episodes=4)
    assert figures["invalid_share"] == 0.0
    assert figures["win_rate"] == 1.0 or agent != "exact"
    assert figures["guesses"] == 0.0 or agent != "exact"


def test_a_gymnasium_environment_takes_the_option() -> None:
    register()
    env = gymnasium.make("ludex/Minesweeper-v0", no_guess=True, reveal_only=True)
    _, info = env.reset(seed=4)
    first = np.flatnonzero(info["action_mask"])
    match = ludex.core.match.Match(board("small:no_guess=true"), 4)
    assert first.tolist() == [match.state.start_cell]
    observation, _, terminated, _, info = env.step(first[0])
    match.play(int(first[0]))
    assert not terminated
    assert (observation[0] == (match.game.view(match.state, 0).numbers >= 0)).all()
    assert info["action_mask"].sum() == 64 - info["new_cells"]


@pytest.mark.parametrize("teacher", ["exact", "forced_pairs"])
def test_demonstrations_of_boards_without_a_guess_never_guess(teacher: Teacher) -> None:
    examples = make_examples(ExampleTask(EnvConfig(no_guess=True), 3, 4, teacher))
    assert len(examples.won) > 10
    assert examples.won.all()


@pytest.mark.parametrize("name", [BOARD, "med:no_guess=true", "small:start=none:no_guess=true"])
def test_exact_play_clears_every_board_without_a_guess(name: str) -> None:
    game = board(name)
    for seed in range(3):
        match = ludex.play(game, [ludex.make_agent(game, "exact")], seed=seed)
        assert match.outcome is not None
        assert match.outcome.reason == "cleared"
        assert match.moves[0].action == match.positions[0].start_cell
        assert luck_of(match).guesses == ()


def test_the_seed_alone_decides_the_board() -> None:
    game = board()
    first, again, other = (game.initial(generator(seed, 0)) for seed in (1, 1, 2))
    assert first == again != other
    assert sum(cell & MINE != 0 for cell in first.cells) == game.mines
    assert first.start_cell is not None
    begun = [game.apply(first, first.start_cell, Rng(seed)) for seed in (3, 4)]
    assert begun[0] == begun[1]


@pytest.mark.parametrize("agent", ["random", "rules", "heuristic", "expert", "net", "mcts:simulations=20"])
def test_agents_begin_at_the_given_cell(agent: str) -> None:
    game = board("small:no_guess=true")
    state = game.initial(generator(5, 0))
    decision = ludex.make_agent(game, agent).decide(
        game.view(state, 0), game.legal(state), rng=Rng(0), limit=ludex.Limit()
    )
    assert decision.action == state.start_cell


def test_nothing_can_be_done_before_the_start_cell_is_revealed() -> None:
    game = board()
    state = game.initial(generator(1, 0))
    assert state.start_cell is not None
    other = (state.start_cell + 1) % game.cells
    for action in (other, game.cells + state.start_cell):
        with pytest.raises(IllegalAction, match="begin at the marked cell") as error:
            game.apply(state, action, Rng(0))
        assert error.value.explanation is not None
        assert "commencez par la case marquée" in error.value.explanation.texts()["fr"]


def test_positions_that_no_play_reaches_are_refused() -> None:
    game = board()
    state = game.initial(generator(1, 0))
    assert state.start_cell is not None
    data = game.dump(state)
    assert isinstance(data, dict)
    assert game.load(data) == state
    mine = next(cell for cell, byte in enumerate(state.cells) if byte & MINE)
    begun = game.dump(game.apply(state, state.start_cell, Rng(0)))
    assert isinstance(begun, dict)
    hidden = str(begun["cells"]).index(".")
    for wrong in (
        {"cells": data["cells"], "plies": 0},
        {**data, "start": mine},
        {**data, "start": -1},
        {**begun, "start": hidden},
    ):
        with pytest.raises(BadPosition, match="start"):
            game.load(wrong)


def test_what_cannot_be_is_refused_with_a_reason() -> None:
    with pytest.raises(BadOption, match="has a start cell of its own"):
        board("small:no_guess=true:random_first_click=true")
    with pytest.raises(ValidationError, match="no_guess=true contradicts random_first_click=true"):
        EnvConfig(no_guess=True, random_first_click=True)
    with pytest.raises(Unsupported, match="None of 2000 layouts of 4 mines on 3×2 cells"):
        board("small:rows=2:cols=3:mines=4:start=safe:no_guess=true").initial(generator(0, 0))
