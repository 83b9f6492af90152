"""Pictures of a board: the very text, a figure that can be drawn."""

import sys
from io import BytesIO
from typing import Any

import numpy as np
import pytest

from ludex.core.decision import Candidate, Decision
from ludex.core.errors import MissingDependency
from ludex.core.match import Match
from ludex.core.registry import make
from ludex.games.minesweeper.tools.formats import read_numbers
from ludex.games.minesweeper.tools.pictures import ascii_board, heat_map

NUMBERS, FLAGS = read_numbers(". 1 # #\n. 2 F #\n1 3 # #")
PROBABILITIES = np.array([[0.0, 0.0, 0.5, 0.002], [0.0, 0.0, 1.0, 0.998], [0.0, 0.0, 0.0, np.nan]])


def test_numbers_and_flags() -> None:
    assert ascii_board(NUMBERS, flags=FLAGS) == (
        "    a   b   c   d\n"  # the columns' names
        " 1  .   1   #   #\n"
        " 2  .   2   F   #\n"
        " 3  1   3   #   #"
    )


def test_the_best_moves_are_marked_and_listed() -> None:
    candidates = (
        Candidate(10, score=0.95, prob=0.5, terms={"safety": 1.0, "progress": 0.25}),
        Candidate(2, score=0.5),
        Candidate(12 + 6),
        Candidate(3, score=0.1),
    )
    assert ascii_board(NUMBERS, flags=FLAGS, decision=Decision(10, candidates=candidates)) == (
        "    a   b   c   d\n"
        " 1  .   1  (#)  #\n"
        " 2  .   2  (F)  #\n"
        " 3  1   3  [#]  #\n"
        "1. c3  score +0.95  chance 50.0%  safety 1  progress 0.25\n"
        "2. c1  score +0.5\n"
        "3. c2!"
    )
    assert ascii_board(NUMBERS, decision=Decision(11), top=1).splitlines()[3:] == [" 3  1   3   #  [#]", "1. d3"]


def test_probabilities_lie_over_hidden_cells() -> None:
    assert ascii_board(NUMBERS, flags=FLAGS, probabilities=PROBABILITIES, decision=Decision(10)) == (
        "       a      b      c      d\n"
        " 1     .      1     50     <1\n"
        " 2     .      2   F100    >99\n"
        " 3     1      3  [   0]     ?\n"
        "1. c3"
    )


def test_a_finished_game_shows_its_mines() -> None:
    match: Match[Any, Any] = Match(make("minesweeper", rows=1, cols=5, mines=3, start="none"), seed=4)
    match.play_text("a1!")
    while not match.over:
        match.play(int(match.legal().argmax()))
    text = ascii_board(match.game.view(match.state, 0))
    assert text.count("@") + text.count("*") + text.count("F") >= 3


def test_wide_boards_line_up() -> None:
    lines = ascii_board(np.full((12, 30), -1, np.int8)).splitlines()
    assert {len(line) for line in lines} == {3 + 5 * 30 - 1}
    assert lines[0].split()[25:28] == ["z", "aa", "ab"]


@pytest.mark.slow
def test_the_figure_shows_numbers_and_can_be_saved() -> None:
    figure = heat_map(PROBABILITIES, NUMBERS)
    board, bar = figure.axes
    assert [text.get_text() for text in board.texts] == ["0", "1", "0", "2", "1", "3"]
    assert bar.get_ylabel() == "probability of a mine"
    file = BytesIO()
    figure.savefig(file, format="png")
    assert file.getvalue().startswith(b"\x89PNG")
    assert not heat_map(PROBABILITIES).axes[0].texts


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependency, match=r"pip install 'ludex\[train\]'"):
        heat_map(PROBABILITIES)
