"""The rules, texts and refusals of the game, beside the reference."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from ludex.core.errors import BadOption, BadPosition, IllegalAction, MalformedAction
from ludex.core.game import legal_actions
from ludex.core.registry import make
from ludex.games.tictactoe.agents.policy import tactics
from ludex.games.tictactoe.rules.board import from_state_key, legal_moves, to_state_key
from ludex.games.tictactoe.rules.position import Position
from tests.games.support import TRAP, examples
from tests.games.tictactoe.support import (
    SHAPES,
    THREE,
    at,
    choices,
    game_of,
    grid_of,
    position_of,
    preset_of,
    shapes,
    walked,
)
from tests.reference import tictactoe as reference

Shape = tuple[int, int, int]


@pytest.mark.slow
@examples(200)
@given(shapes, choices)
def test_a_walk_is_the_references(shape: Shape, steps: list[int]) -> None:
    """Marks, planes, legal moves, wins and threats, and the end."""
    game, position, grid = walked(shape, steps)
    assert grid_of(game.board, position) == grid
    assert position == position_of(grid, shape[2])
    planes = game.observe(game.view(position, 0))["planes"]
    assert planes.dtype == np.uint8
    assert planes.tolist() == [[[int(mark == side) for mark in row] for row in grid] for side in "XO"]
    expected = reference.moves(grid, shape[2])
    assert legal_moves(game.board, position) == legal_actions(game.legal(position)) == expected
    outcome = game.outcome(position)
    if not reference.over(grid, shape[2]):
        assert outcome is None
        assert "XO"[game.to_move(position)] == reference.to_move(grid)
        wins, threats = tactics(game.board, position)
        assert list(wins) == reference.wins(grid, shape[2])
        assert list(threats) == reference.threats(grid, shape[2])
    else:
        assert outcome is not None
        ends = {"X": ((1.0, -1.0), "line"), "O": ((-1.0, 1.0), "line"), "draw": ((0.0, 0.0), "board full")}
        assert (outcome.scores, outcome.reason) == ends[reference.result(grid, shape[2])]


def test_cells_are_named_by_column_letter_and_row_from_below() -> None:
    assert " ".join(THREE.names) == "a3 b3 c3 a2 b2 c2 a1 b1 c1"
    assert " ".join(game_of(2, 5, 2).board.names) == "a2 b2 c2 d2 e2 a1 b1 c1 d1 e1"


@pytest.mark.parametrize(
    ("shape", "count"), [((3, 3, 3), 8), ((3, 4, 3), 14), ((4, 4, 4), 10), ((2, 5, 2), 21), ((2, 2, 2), 6)]
)
def test_a_board_has_this_many_distinct_lines(shape: Shape, count: int) -> None:
    lines = game_of(*shape).board.lines
    assert len(set(lines)) == len(lines) == count


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_line_is_what_the_reference_calls_won(shape: Shape) -> None:
    rows, cols, k = shape
    for line in game_of(*shape).board.lines:
        marks = "".join("X" if line >> cell & 1 else "E" for cell in range(rows * cols))
        assert marks.count("X") == k
        assert reference.winner(reference.grid_of_key(marks, cols), k) == "X"


def test_ruling_3_the_state_key_is_nine_characters_row_by_row() -> None:
    position = Position(x=1 << 0 | 1 << 5, o=1 << 4)
    assert to_state_key(THREE, position) == "XEE EOX EEE".replace(" ", "")
    assert to_state_key(THREE, Position()) == "EEEEEEEEE"


def test_ruling_3_the_first_mover_is_x_in_the_key() -> None:
    game = game_of()
    first = game.apply(Position(), 8, TRAP)
    second = game.apply(first, 0, TRAP)
    assert to_state_key(THREE, first) == "EEEEEEEEX"
    assert to_state_key(THREE, second) == "OEEEEEEEX"


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(3, 3, 3), (2, 4, 2), (2, 4, 3), (4, 2, 2)], ids=str)
def test_a_key_is_a_position_exactly_if_play_can_reach_it(shape: Shape) -> None:
    rows, cols, k = shape
    board = game_of(*shape).board
    accepted = set()
    for marks in product("EOX", repeat=rows * cols):
        key = "".join(marks)
        try:
            position = from_state_key(board, key)
        except BadPosition:
            continue
        assert to_state_key(board, position) == key
        accepted.add(position)
    assert accepted == {position_of(grid, k) for grid in reference.reachable(*shape)}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "one text, 'cells'"),
        ([], "one text, 'cells'"),
        ({}, "one text, 'cells'"),
        ({"cells": "E" * 9, "more": 1}, "one text, 'cells'"),
        ({"cells": 3}, "one text, 'cells'"),
        ({"cells": "E" * 8}, "expected 9 cells"),
        ({"cells": "E" * 10}, "expected 9 cells"),
        ({"cells": "xEEEEEEEE"}, "found 'x'"),
        ({"cells": "XXEEEEEEE"}, "found 2 X and 0 O"),
        ({"cells": "OEEEEEEEE"}, "found 0 X and 1 O"),
        ({"cells": "XXXOOOEEE"}, "X, whose turn it is, already has a line"),
    ],
)
def test_a_document_that_is_no_position_is_refused(data: Any, said: str) -> None:
    with pytest.raises(BadPosition, match=said):
        game_of().load(data)


def test_lines_that_no_single_move_completed_are_refused() -> None:
    with pytest.raises(BadPosition, match="no single move completes all the lines that stand"):
        from_state_key(game_of(2, 5, 2).board, "XXEXXOEOEO")


@pytest.mark.parametrize(
    ("key", "action", "said"),
    [
        ("EEEEEEEEE", 9, "cell 9 is not on the board: expected 0..8"),
        ("EEEEEEEEE", -1, "cell -1 is not on the board"),
        ("XEEEEEEEE", 0, "a3 is already marked X"),
        ("XEEEOEEEE", 4, "b2 is already marked O"),
        ("XXXOOEEEE", 8, "c1 cannot be marked: the game is over"),
        ("XOXXOOOXX", 4, "b2 is already marked O"),
    ],
)
def test_an_illegal_action_is_refused_with_its_reason(key: str, action: int, said: str) -> None:
    with pytest.raises(IllegalAction, match=said):
        game_of().apply(at(key), action, TRAP)


@pytest.mark.parametrize("text", ["", "a", "a0", "a4", "d1", "A1", "11", "a1 ", "a01", "pass", "á1"])
def test_a_malformed_action_is_refused_with_what_is_expected(text: str) -> None:
    with pytest.raises(MalformedAction, match="a1 to c3"):
        game_of().parse_action(Position(), text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rows": 1}, "'rows'"),
        ({"cols": 27}, "'cols'"),
        ({"k": 1}, "'k'"),
        ({"k": "three"}, "'k'"),
        ({"columns": 3}, "unknown key 'columns'; known keys: cols, k, rows"),
        ({"k": 4}, "4 marks in a row do not fit a 3×3 board"),
        ({"rows": 8, "cols": 8}, "more than 60 cells"),
    ],
)
def test_an_impossible_board_is_refused_with_the_key(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption, match=said):
        make("tictactoe", **options)


def test_ruling_8_other_boards_are_presets_of_the_same_slice() -> None:
    boards = {preset: preset_of(preset).board for preset in ("3x3x3", "3x4x3", "4x4x4")}
    shapes_found = {preset: (board.rows, board.cols, board.k) for preset, board in boards.items()}
    assert shapes_found == {"3x3x3": (3, 3, 3), "3x4x3": (3, 4, 3), "4x4x4": (4, 4, 4)}


def test_the_greatest_board_is_played_to_its_end() -> None:
    game, position, grid = walked((6, 10, 6), [0] * 60)
    assert reference.over(grid, 6)
    assert game.outcome(position) is not None
    assert not game.legal(position).any()
