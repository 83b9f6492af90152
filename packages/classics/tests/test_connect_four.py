"""The rules of Connect Four, which the tutorial writes, against OpenSpiel, and its puzzles against an exact solver."""

import pyspiel
import pytest

import ludex
from benchmarks.connect_four_solver import WON, Solver
from ludex.coach.puzzles.collection import shipped
from ludex.core.game import legal_actions
from ludex.core.messages import LANGUAGES, Language, read_catalogue
from ludex.core.seeding import Rng, generator

GAMES = 500


@pytest.mark.parametrize(("cols", "rows"), [(7, 6), (6, 5)])
def test_it_agrees_with_open_spiel(cols: int, rows: int) -> None:
    game = ludex.make("connect_four", f"{cols}x{rows}")
    other = pyspiel.load_game(f"connect_four(columns={cols},rows={rows})")
    for number in range(GAMES):
        rng, state, spiel = generator(8, number), game.initial(Rng(0)), other.new_initial_state()
        while (outcome := game.outcome(state)) is None:
            legal = legal_actions(game.legal(state))
            assert legal == spiel.legal_actions()
            assert game.to_move(state) == spiel.current_player()
            action = rng.choice(legal)
            state = game.apply(state, action, rng)
            spiel.apply_action(action)
        assert spiel.is_terminal()
        assert spiel.returns() == [*outcome.scores]


def test_its_puzzles_agree_with_an_exact_solver() -> None:
    puzzles = shipped("connect_four").values()
    assert len(puzzles) == 30
    solvers = {board: Solver(int(board[0]), int(board[2]), bits=16) for board in ("7x6", "6x5")}
    for puzzle in puzzles:
        board = puzzle.position.board
        solver = solvers[board]
        mover, stones = solver.bits(ludex.make("connect_four", board).load(puzzle.position.position))
        won = [col for col in solver.playable(stones) if solver.keeps(mover, stones, WON, col)]
        assert tuple("abcdefg"[col] for col in won) == puzzle.proof.accept


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_sentences_are_those_of_the_tutorial_beside_its_own_of_puzzles_and_effects(language: Language) -> None:
    ours = read_catalogue("connect_four", "ludex_classics.connect_four:messages", language)
    example = read_catalogue("connect_four", "connect_four:messages", language)
    own = ("puzzle_", "effect_")
    assert {name: text for name, text in ours.items() if not name.startswith(own)} == example
