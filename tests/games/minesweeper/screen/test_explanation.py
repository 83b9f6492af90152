"""Why a hidden cell is safe, a mine or a risk: what is said is true, and the numbers named prove it."""

import numpy as np
import pytest

import ludex
from ludex.core.errors import IllegalAction
from ludex.core.match import Match
from ludex.core.messages import LANGUAGES
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.forced_moves import proofs
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.layout import HIDDEN, surroundings
from ludex.games.minesweeper.rules.position import Position
from ludex.games.minesweeper.screen.explanation import explain


def begun(preset: str, seed: int, moves: int) -> tuple[Minesweeper, Position]:
    """A position after some moves of the exact player."""
    game = ludex.make("minesweeper", preset)
    assert isinstance(game, Minesweeper)
    match, agent = Match(game, seed), ludex.make_agent(game, "exact")
    for _ in range(moves):
        if not match.over:
            decision = agent.decide(game.view(match.state, 0), match.legal(), rng=match.rng(1), limit=ludex.Limit())
            match.play(decision.action)
    return game, match.state


@pytest.mark.parametrize(("preset", "seed", "moves"), [("beginner", 7, 1), ("small", 3, 4), ("med", 2, 12)])
def test_every_hidden_cell_is_explained_by_what_is_true(preset: str, seed: int, moves: int) -> None:
    game, state = begun(preset, seed, moves)
    view = game.view(state, 0)
    chances = mine_probabilities(view.numbers, game.mines).reshape(-1)
    kinds = set()
    for cell in np.flatnonzero(view.numbers.reshape(-1) == HIDDEN).tolist():
        text = game.action_text(state, cell)
        decision = explain(game, view, text)
        whole, *steps = decision.explanation
        kind = whole.id.removeprefix("minesweeper.")
        kinds.add(kind.partition("_")[0])
        expected = {
            0.0: ("proof_one", "proof_many", "safe_always"),
            1.0: ("proof_mine_one", "proof_mine_many", "mine_always"),
        }
        assert kind in expected.get(float(chances[cell]), ("risk_beside", "risk_apart"))
        assert decision.action == cell == whole.cells[-1]
        assert decision.overlay["mine"][cell] == chances[cell]
        for language in LANGUAGES:
            assert text in whole.text(language)
            assert all(step.text(language) for step in steps)
        if kind.startswith("proof"):
            named = whole.cells[:-1]
            proven = {(move.cell, move.kind) for move in proofs(view.numbers, clues=named)}
            assert (cell, "flag" if chances[cell] else "reveal") in proven
        for step in steps:
            if step.id == "minesweeper.step_share":
                count, cells = step.parameters["count"], step.cells[1:]
                assert step.parameters["cells"] == len(cells)
                # As many mines are expected among the cells as the number still misses.
                assert sum(chances[other] for other in cells) == pytest.approx(count)
    assert {"proof", "risk"} <= kinds


def test_before_the_first_reveal_every_cell_is_the_same() -> None:
    game = ludex.make("minesweeper", "beginner")
    assert isinstance(game, Minesweeper)
    view = game.view(Match(game, 1).state, 0)
    assert explain(game, view, "a1").note == "a1 is a mine as often as any other cell: 10 mines lie among 81 cells"
    given = ludex.make("minesweeper", "small:no_guess=true")
    assert isinstance(given, Minesweeper)
    state = Match(given, 1).state
    assert state.start_cell is not None
    name = given.action_text(state, state.start_cell)
    begin = explain(given, given.view(state, 0), name)
    assert "the start cell is given" in begin.note
    # A region opens there: no neighbour is a mine, and the mines lie among all other cells.
    near = {state.start_cell, *surroundings(given.rows, given.cols)[state.start_cell].tolist()}
    heat = np.array(begin.overlay["mine"])
    assert {*np.flatnonzero(heat == 0.0).tolist()} == near
    assert heat.sum() == pytest.approx(given.mines)
    beside = given.action_text(state, min(near - {state.start_cell}))
    assert "is safe" in explain(given, given.view(state, 0), beside).note


def test_an_open_cell_is_refused() -> None:
    game, state = begun("beginner", 7, 1)
    view = game.view(state, 0)
    open_cell = int(np.flatnonzero(view.numbers.reshape(-1) != HIDDEN)[0])
    with pytest.raises(IllegalAction, match="is open: choose a hidden cell"):
        explain(game, view, game.action_text(state, open_cell))
