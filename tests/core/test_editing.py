"""Texts and files as positions, and matches that begin with one."""

import pytest

import ludex
from ludex.core.documents import parse_json
from ludex.core.editing import Draft, begin_match, draft_of, read_draft, read_file
from ludex.core.errors import BadPosition, BadRecord, LudexError, Unsupported
from ludex.core.match import Match
from ludex.core.messages import Message, Texts
from ludex.core.record import MatchFile, Record, line_of, match_file, replay

FORK = "X . O\n. X .\nO . ."
MINES = "mines 3\n. 1 # #\n. 2 # #\n. 1 # #"


def draft(game: str, text: str, board: str | None = None) -> Draft:
    return read_draft(ludex.make(game, board), text)


def refusal(game: str, text: str, board: str | None = None) -> Texts:
    """What is said of a text, or of the position that it describes."""
    with pytest.raises(BadPosition) as error:
        begin_match(draft(game, text, board), seed=1)
    assert isinstance(error.value.explanation, Message)
    texts = error.value.explanation.texts()
    assert texts["en"] != texts["fr"]
    return texts


def test_a_line_a_match_file_and_no_text_are_positions_too() -> None:
    assert draft("tictactoe", "tictactoe 3x3x3: b2 a1 c3").text == ". . X\n. X .\nO . ."
    match = Match(ludex.make("quoridor", "5x5"), seed=4)
    for text in ("c2", "c4", "b2h"):
        match.play_text(text)
    read = draft("quoridor", match_file(match, ("you", "master")))
    assert read.text == draft_of(match).text == "pawns c2 c4\nleft 3 4\nturn 2\nwalls b2h"
    assert read.game.info.preset == "5x5"
    assert draft("tictactoe", "  ").text == ". . .\n. . .\n. . ."


def test_a_text_of_another_game_is_refused_before_it_is_played() -> None:
    with pytest.raises(BadPosition, match="this is a match of quoridor, expected one of tictactoe"):
        draft("tictactoe", "quoridor 9x9: e2")


def test_files_are_read_by_their_ending() -> None:
    board = bytes([4, 3, 0, 2, 3, 0, 3, 2])
    game = ludex.make("minesweeper")
    assert read_file(game, "one.MBF", board).text == "mines 2\n. . 1 #\n. . 2 #\n. . 1 #"
    assert read_file(game, "one.txt", b"\xef\xbb\xbf1 #\n# #").text == "mines 3\n1 #\n# #"
    with pytest.raises(BadPosition, match="neither text nor a format"):
        read_file(game, "one.png", b"\x89PNG\xff")
    with pytest.raises(LudexError, match="the file ends after 8 bytes"):
        read_file(game, "one.mbf", bytes([4, 3, 0, 9, 3, 0, 3, 2]))


def test_a_match_begins_with_a_position_and_replays() -> None:
    match = begin_match(draft("tictactoe", FORK), seed=3)
    assert (match.to_move, match.ply) == (0, 0)
    match.play_text("b1")
    record = Record.of(match, ("you", "you"))
    assert record.position == {"cells": "XEOEXEOEE"}
    again = replay(match.game, record)
    assert (again.state, again.position) == (match.state, match.position)
    text = match_file(match, ("you", "you"))
    file = MatchFile.parse(parse_json(text, "the file", BadRecord), "the file")
    assert file.replay(match.game).state == match.state
    assert match.branch(0).state == begin_match(draft("tictactoe", FORK), seed=3).state
    match.undo()
    assert match.state == again.positions[0]


def test_a_record_whose_position_cannot_be_is_refused() -> None:
    record = Record("tictactoe", 1, "3x3x3", 1, (), ("you", "you"), None, position={"cells": "XXXXXXXXX"})
    with pytest.raises(BadRecord, match="the position that the match begins with: X has as many marks"):
        replay(ludex.make("tictactoe"), record)


def test_a_line_of_moves_cannot_say_where_a_match_begins() -> None:
    with pytest.raises(Unsupported, match="use a match file"):
        line_of(begin_match(draft("tictactoe", FORK), seed=3))


def test_what_is_hidden_is_drawn_from_the_seed() -> None:
    untold = "mines 4\n. 1 # # #\n. 1 # # #\n. 1 # # #\n. 1 # # #"
    boards = [begin_match(draft("minesweeper", untold), seed=seed).position for seed in (1, 1, 2, 3, 4, 5)]
    assert boards[0] == boards[1]
    assert len({str(board) for board in boards}) > 1
    match = begin_match(draft("minesweeper", MINES), seed=1)
    assert draft_of(match).text == MINES


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        ("tictactoe", "X X .\n. . .\n. . .", "X has as many marks as O or one more, found 2 X and 0 O"),
        ("tictactoe", "X X X\nO O .\n. . .", "the game is over in this position: there is nothing to decide"),
        ("tictactoe", "X ? .\n. . .\n. . .", "'?' is no mark: expected X, O or . per cell"),
        ("tictactoe", "X O", "this board has 3 rows of 3 cells, the text has 2 cells"),
        ("minesweeper", "mines 3\n. 1 #\n. 3 #", "b2 says 3 and has only 2 hidden neighbours"),
        ("minesweeper", "mines 3\n1 #\n1 #", "there are 3 mines and only 2 hidden cells"),
        (
            "minesweeper",
            "mines 2\n1 # 1 # 1",
            "no layout of 2 mines fits these numbers: they contradict each other, or their number is wrong",
        ),
        ("minesweeper", "1 #\n1", "line 2, column 1: the row ends after 1 cells, expected 2 as in line 1"),
        ("minesweeper", "mines 9999\n1 #", "Mines: expected a whole number from 1 to 1, found '9999'"),
        ("quoridor", "pawns e1 e1", "both pawns stand on e1"),
        ("quoridor", "pawns e1 e8\nwalls e3h e3v", "the wall e3v overlaps or crosses another"),
        ("quoridor", "pawns e1 e8\nwalls a1h c1h e1h g1h h1v", "Blue has no path to its goal"),
        ("quoridor", "pawns e1 z9", "'z9' is not on this board: expected a square such as e1 or a wall such as e3h"),
        ("quoridor", "pawns e9 e8", "the game is over in this position: there is nothing to decide"),
        ("skirmish", "hello", "'hello': expected lines such as 'phase move'"),
        (
            "skirmish",
            "phase move\nunit 01 0.0 5 deployed",
            "the scenario has no such position: 'units': expected 01, 02",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_both_languages(game: str, text: str, said: str) -> None:
    assert said in refusal(game, text, "small" if game == "skirmish" else None)["en"]


def test_a_unit_with_too_many_wounds_is_refused_in_french_words() -> None:
    written = draft_of(Match(ludex.make("skirmish", "small"), seed=1)).text
    unit = next(line for line in written.splitlines() if line.startswith("unit "))
    _, name, place, wounds, *marks = unit.split()
    said = refusal("skirmish", written.replace(unit, " ".join(("unit", name, place, "50", *marks))), "small")
    assert said["fr"] == f"unité {name}\u00a0: il faut de 0 à {wounds} points de vie, et non 50"
