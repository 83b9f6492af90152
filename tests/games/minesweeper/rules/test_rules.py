"""The rules: against the reference on random play, and small fields that a person can check."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core.errors import IllegalAction, MalformedAction
from ludex.core.seeding import Rng, generator
from ludex.games.minesweeper.game import CLEARED, MINE_HIT, STEP_LIMIT, Minesweeper
from ludex.games.minesweeper.options import Start, most_mines
from ludex.games.minesweeper.rules.position import Position
from tests.games.minesweeper.support import (
    SHAPES,
    cells_of,
    drawn,
    field_of,
    game_and_position,
    game_of,
    played,
    squares_of,
)
from tests.games.support import examples
from tests.reference import minesweeper as reference
from tests.reference.minesweeper import Field

steps = st.lists(st.tuples(st.integers(0, 4095), st.integers(0, 4)), max_size=40)


@pytest.mark.slow
@examples(150)
@given(
    st.sampled_from(SHAPES), st.sampled_from(["zero", "safe", "none"]), st.booleans(), st.integers(0, 2**64 - 1), steps
)
def test_every_move_does_what_the_reference_does(
    shape: tuple[int, int, int], start: Start, random_first: bool, seed: int, moves: list[tuple[int, int]]
) -> None:
    rows, cols, mines = shape
    mines = min(mines, max(1, most_mines(rows, cols, start)))
    if most_mines(rows, cols, start) < 1:
        start = "safe"
    game = game_of(rows, cols, mines, start, random_first)
    state = game.initial(generator(seed, 0))
    board = field_of(cells_of(game, state))
    for pick, kind in moves:
        hidden = sorted(board.hidden)
        square = hidden[pick % len(hidden)]
        cell = square[0] * cols + square[1]
        # Mostly reveals, or most games would end at their step limit.
        state = game.apply(state, cell + game.cells * (kind == 0), generator(seed, state.plies + 1))
        if kind == 0:
            board.toggle(square)
        else:
            if not board.mines:
                board.mines = squares_of(cells_of(game, state) & 0x10)
                assert len(board.mines) == mines
                assert not board.mines & board.kept_free(start, square)
            opened = board.reveal(square)
            assert state.opened == len(board.revealed - board.mines)
            assert opened or board.lost
        compare(game, state, board)
        if board.lost or board.won:
            assert game.outcome(state) == (CLEARED if board.won else MINE_HIT)
            assert game.view(state, 0).mine_cells == tuple(sorted(r * cols + c for r, c in board.mines))
            return
        assert game.outcome(state) is None
        assert game.view(state, 0).mine_cells is None
        assert game.legal(state).tolist() == reference.mask(board, flags=True, frontier=False)


def compare(game: Minesweeper, state: Position, board: Field) -> None:
    view = game.view(state, 0)
    assert {(r, c): int(n) for (r, c), n in np.ndenumerate(view.numbers) if n >= 0} == board.shown
    assert squares_of(view.flags) == board.flags
    planes = game.observe(view)["planes"]
    assert planes.dtype == np.uint8
    assert planes.tolist() == reference.planes(board, [], len(board.mines) or 1)


def test_flood_fill_counts_new_cells() -> None:
    """The flood opens a region of zeros and its border, each cell once; what was open before does not count again."""
    game, state = game_and_position("...1* ..... ..... *....")
    after = played(game, state, "b2")
    assert drawn(game, after) == ["0001*", "00011", "11000", "*1000"]
    assert (state.opened, after.opened) == (1, 18)


def test_a_number_opens_alone() -> None:
    game, state = game_and_position("1*. ... ...")
    assert drawn(game, played(game, state, "c2")) == ["1*.", "..1", "..."]


def test_a_flood_stops_at_flags_and_goes_around_them() -> None:
    game, state = game_and_position(".....* .....1 ......")
    flagged = played(game, state, "b2!", "a1")
    assert drawn(game, flagged) == ["00001*", "0f0011", "000000"]
    assert game.outcome(flagged) is None
    freed = played(game, flagged, "b2!")
    assert drawn(game, freed)[1] == "0.0011"
    assert game.outcome(played(game, freed, "b2")) == CLEARED


def test_a_flagged_cell_can_be_revealed_and_loses_its_flag() -> None:
    game, state = game_and_position("1*. ... ...")
    flagged = played(game, state, "c3!")
    assert game.legal(flagged)[game.parse_action(flagged, "c3")]
    after = played(game, flagged, "c3")
    assert drawn(game, after) == ["1*.", "111", "000"]
    assert not game.view(after, 0).flags.any()


def test_win_loss_detection() -> None:
    game, state = game_and_position("1*. 11. ...")
    lost = played(game, state, "b1")
    assert (game.outcome(lost), lost.exploded, bool(game.legal(lost).any())) == (MINE_HIT, 1, False)
    assert drawn(game, lost) == ["1X.", "11.", "..."]
    won = played(game, state, "c3", "c1")
    assert (game.outcome(won), won.exploded, bool(game.legal(won).any())) == (CLEARED, None, False)
    for over in (lost, won):
        with pytest.raises(IllegalAction, match="the game is over"):
            played(game, over, "c3!")


def test_the_mine_that_went_off_is_revealed_and_shows_no_number() -> None:
    game, state = game_and_position("1*. ... ...")
    view = game.view(played(game, state, "b1"), 0)
    assert view.exploded == 1
    assert view.mine_cells == (1,)
    assert view.numbers.tolist() == [[1, -1, -1], [-1, -1, -1], [-1, -1, -1]]
    planes = game.observe(view)["planes"]
    assert planes[0].tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert planes[2:].sum(0).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_flags_may_be_set_before_the_first_reveal_and_prove_nothing() -> None:
    game = game_of(8, 8, 10, "zero")
    state = played(game, game.initial(generator(0, 0)), "d4!", "e5!", "e5!")
    assert not state.mines_placed
    assert game.view(state, 0).flags.sum() == 1
    after = played(game, state, "d4")
    assert after.mines_placed
    assert not game.view(after, 0).flags.any()


def test_toggling_flags_ends_at_the_step_limit() -> None:
    game = game_of(2, 2, 1)
    state = game.initial(generator(0, 0))
    for _ in range(game.info.max_plies):
        assert game.outcome(state) is None
        state = played(game, state, "a1!")
    assert game.info.max_plies == 16
    assert game.outcome(state) == STEP_LIMIT
    assert game.view(state, 0).mine_cells is None


def test_a_refused_action_says_why() -> None:
    game, state = game_and_position("1*. ... ...")
    with pytest.raises(IllegalAction, match="a1! cannot be played: a1 is already revealed"):
        played(game, state, "a1!")
    with pytest.raises(IllegalAction, match=r"action 18 does not exist: expected 0\.\.17"):
        game.apply(state, 18, Rng(0))


@pytest.mark.parametrize("text", ["", "a0", "a9", "i1", "a1!!", "!a1", "A1", "a01", "1a", "a1 ", "aa1"])
def test_the_error_for_a_text_that_names_no_action_says_what_would(text: str) -> None:
    game = game_of(8, 8, 10)
    with pytest.raises(MalformedAction, match="expected a cell from a1 to h8"):
        game.parse_action(game.initial(Rng(0)), text)


def test_texts_count_rows_from_the_top_and_columns_as_a_spreadsheet_does() -> None:
    game = game_of(16, 30, 99)
    state = game.initial(Rng(0))
    assert [game.action_text(state, action) for action in (0, 29, 30, 479, 480)] == ["a1", "ad1", "a2", "ad16", "a1!"]
    assert game.parse_action(state, "ad16!") == 959


@pytest.mark.slow
def test_a_random_first_click_opens_a_live_board() -> None:
    game = game_of(8, 8, 10, "zero", True)
    firsts = set()
    for seed in range(200):
        state = game.initial(generator(seed, 0))
        assert state.plies == 0
        assert game.outcome(state) is None
        board = field_of(cells_of(game, state))
        assert len(board.mines) == 10
        assert 0 in board.shown.values()
        firsts |= {square for square, number in board.shown.items() if number == 0}
    assert firsts == board.squares


@pytest.mark.parametrize(("rows", "cols", "mines", "start"), [(3, 3, 8, "safe"), (1, 2, 1, "none"), (2, 2, 3, "none")])
def test_a_random_first_click_that_would_end_the_game_is_left_out(rows: int, cols: int, mines: int, start: str) -> None:
    game = game_of(rows, cols, mines, start, True)
    for seed in range(30):
        state = game.initial(generator(seed, 0))
        assert state == Position(bytes(rows * cols))
