"""The rules of Connect Four, which the tutorial writes, against OpenSpiel, and its puzzles against an exact solver."""

import pyspiel
import pytest

import ludex
from benchmarks.connect_four_solver import WON, Solver
from ludex.coach.puzzles.collection import shipped_puzzles
from ludex.core import registry
from ludex.core.game import legal_actions
from ludex.core.messages import LANGUAGES, Language, read_catalogue
from ludex.core.scene import Scene
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


def test_the_stones_of_a_column_answer_a_click_while_it_has_a_free_cell() -> None:
    game = ludex.make("connect_four", "7x6")
    state = game.apply(game.initial(Rng(0)), 3, Rng(0))
    scene = registry.resolve(str(registry.spec("connect_four").screen.scene))(game, state, game.legal(state))
    assert isinstance(scene, Scene)
    names = [cell.name for cell in scene.board.cells]
    column = [(names[move.cells[0]], names[move.at or 0]) for move in scene.moves if move.text == "d"]
    assert sorted(column) == [(f"d{row}", "d2") for row in range(1, 7)]


def test_its_puzzles_agree_with_an_exact_solver() -> None:
    puzzles = shipped_puzzles("connect_four").values()
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
