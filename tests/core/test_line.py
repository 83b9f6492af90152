"""A match as one line of text, in and out."""

import pytest

from ludex.core.errors import (
    BadRecord,
    GameOver,
    IllegalAction,
    LudexError,
    MalformedAction,
    UnknownGame,
    UnknownPreset,
)
from ludex.core.game import legal_actions
from ludex.core.line import is_line, line_of, match_of, play_line
from ludex.core.match import Match
from ludex.core.registry import make
from ludex.core.seeding import generator


@pytest.mark.parametrize(
    ("game", "preset"), [("tictactoe", "3x3x3"), ("tictactoe", "3x3x3:k=2"), ("quoridor", "9x9"), ("quoridor", "3x3")]
)
def test_random_matches_survive_the_round_trip(game: str, preset: str) -> None:
    for seed in range(5):
        match, rng = Match(make(game, preset), seed=0), generator(seed, 0)
        while not match.over and match.ply < 60:
            match.play(rng.choice(legal_actions(match.legal())))
        line = line_of(match)
        again = match_of(f"  {line}\n")
        assert again.actions == match.actions
        assert again.game.info == match.game.info
        assert line_of(again) == line


def test_a_match_without_moves_is_a_line() -> None:
    assert line_of(match_of("quoridor 5x5:")) == "quoridor 5x5:"


@pytest.mark.parametrize(
    ("line", "fault", "complaint"),
    [
        ("e2 e8", BadRecord, "expected GAME PRESET"),
        ("", BadRecord, "expected GAME PRESET"),
        ("chess 8x8: e4", UnknownGame, "chess"),
        ("quoridor 8x9: e2", UnknownPreset, "8x9"),
        ("quoridor 9x9: e2 e8 e9", IllegalAction, "move 3, 'e9'"),
        ("quoridor 9x9: e2 e8 e3h e3v", IllegalAction, "move 4, 'e3v'"),
        ("quoridor 9x9: e2 z8", MalformedAction, "move 2, 'z8'"),
        ("quoridor 3x3: b2 b1 b3 a1", GameOver, "move 3, 'b3'"),
    ],
)
def test_a_bad_line_is_named(line: str, fault: type[LudexError], complaint: str) -> None:
    with pytest.raises(fault, match=complaint):
        match_of(line)


def test_a_refused_move_leaves_the_match_as_it_was() -> None:
    match = match_of("quoridor 9x9: e2")
    before = match.state
    with pytest.raises(IllegalAction):
        play_line(match, "e8 e3 e2")
    assert (match.ply, match.state) == (1, before)


@pytest.mark.parametrize("text", ["match.json", "runs/a b.json", "0f3a", "quoridor", "C:game"])
def test_names_of_files_and_matches_are_no_lines(text: str) -> None:
    assert not is_line(text)
