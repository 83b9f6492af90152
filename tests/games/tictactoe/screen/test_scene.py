"""The scene of a position, against the reference."""

import pytest
from hypothesis import given

from ludex.core.registry import make_agent
from ludex.core.scene import Board
from ludex.core.seeding import generator
from ludex.games.tictactoe.screen.scene import counters, scene
from tests.games.tictactoe.support import at, choices, decision_of, examples, game_of, shapes, walked
from tests.reference import tictactoe as reference

pytestmark = pytest.mark.slow

GAME = game_of()


def key(board: Board) -> str:
    """The marks of a board in the letters of keys."""
    return "".join(str(cell.pieces[0].label) if cell.pieces else "E" for cell in board.cells)


def test_every_cell_is_named_from_the_top_left() -> None:
    game = game_of(2, 3, 2)
    position = game.initial(generator(1, 0))
    cells = scene(game, position, game.legal(position)).board.cells
    assert [cell.name for cell in cells] == ["a2", "b2", "c2", "a1", "b1", "c1"]
    assert [(cell.row, cell.col) for cell in cells] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


@examples(200)
@given(shapes, choices)
def test_a_scene_is_what_the_reference_sees(shape: tuple[int, int, int], steps: list[int]) -> None:
    game, position, grid = walked(shape, steps)
    picture = scene(game, position, game.legal(position))
    assert key(picture.board) == reference.key(grid)
    assert [cell for move in picture.moves for cell in move.cells] == reference.moves(grid, shape[2])
    (panel,) = picture.panels
    assert panel.board is not None
    assert key(panel.board) == panel.code == reference.canonical_key(grid)
    winner = reference.winner(grid, shape[2])
    assert bool(picture.board.lines) == (winner is not None)
    for line in picture.board.lines:
        assert len(line.cells) == shape[2]
        assert {key(picture.board)[cell] for cell in line.cells} == {winner}


def test_a_mark_that_completes_two_lines_shows_both() -> None:
    position = at("XXX XOO XOO")
    lines = scene(GAME, position, GAME.legal(position)).board.lines
    assert [line.cells for line in lines] == [(0, 1, 2), (0, 3, 6)]


def test_the_transform_to_the_canonical_board_is_named() -> None:
    position = at("EEX EEE EEE")
    document = scene(GAME, position, GAME.legal(position)).document()
    (panel,) = document["panels"]
    assert panel["code"] == "EEEEEEEEX"
    assert panel["lines"][0] == {"en": "After a quarter turn (Rot90)", "fr": "Après un quart de tour (Rot90)"}
    assert document["reasons"]["line"] == {"en": "a complete line", "fr": "une ligne complète"}


def test_shortcuts_of_a_machine_are_counted_and_nothing_else() -> None:
    agent = make_agent(GAME, "ranking")
    expected = {"XXE OOE EEE": {"winIn1": 1}, "XEE EOE EEX": {}, "XXE OEE EEE": {"blockIn1": 1}}
    for key, names in expected.items():
        decision = decision_of(agent, GAME, at(key))
        assert counters(GAME, at(key), decision.action, decision.stats) == names
    assert counters(GAME, at("EEE EEE EEE"), 0, {}) == {}
