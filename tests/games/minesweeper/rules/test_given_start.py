"""Boards without a guess as an option of the game: a given start, one board per seed, and no luck anywhere."""

from typing import Any

import pytest

import ludex
from ludex.core.conformance import check_game
from ludex.core.errors import BadOption, BadPosition, IllegalAction, Unsupported
from ludex.core.seeding import Rng, generator
from ludex.games.minesweeper.agents.luck import luck_of
from ludex.games.minesweeper.env.lanes import MinesweeperBatch
from ludex.games.minesweeper.game import Minesweeper, vary_secret
from ludex.games.minesweeper.rules.layout import MINE

BOARD = "beginner:no_guess=true"


def board(name: str = BOARD) -> Minesweeper:
    game = ludex.make("minesweeper", name)
    assert isinstance(game, Minesweeper)
    return game


@pytest.mark.parametrize("name", ["small:no_guess=true", "small:mines=6:start=safe:no_guess=true"])
def test_the_rules_keep_the_contract(name: str) -> None:
    vary: Any = vary_secret
    check_game(board(name), vary_secret=vary)


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
        with pytest.raises(IllegalAction, match="begin at the marked cell") as refused:
            game.apply(state, action, Rng(0))
        assert refused.value.explanation is not None
        assert "commencez par la case marquée" in refused.value.explanation.texts()["fr"]


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
    with pytest.raises(Unsupported, match="batches place mines at random"):
        MinesweeperBatch(board(), 2)
    with pytest.raises(Unsupported, match="None of 2000 layouts of 4 mines on 3×2 cells"):
        board("small:rows=2:cols=3:mines=4:start=safe:no_guess=true").initial(generator(0, 0))
