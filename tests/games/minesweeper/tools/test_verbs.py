"""What only Minesweeper can do on the command line: `ludex minesweeper VERB`."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

import tests.cli.conftest as cli
from ludex.core.limit import Limit
from ludex.core.match import Match, decide, play
from ludex.core.record import line_of, match_file
from ludex.core.registry import make, make_agent
from ludex.games.minesweeper.rules.layout import MINE
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.tools.formats import read_mbf, read_mines
from tests.cli.conftest import Ludex

ludex, process = cli.ludex, cli.process

POSITION = "1 1 1\n1 # #\n1 # F\n"
COIN = "1 #\n1 #\n"


def document_of(run: Ludex, *arguments: str, said: str = "") -> Any:
    result = run("minesweeper", *arguments, "--json", said=said)
    assert (result.returncode, result.stderr) == (0, "")
    return json.loads(result.stdout)


def opening(preset: str, **options: Any) -> str:
    """The expert's first cell."""
    game = make("minesweeper", preset, **options)
    match = Match(game, 0)
    return game.action_text(match.state, decide(match, make_agent(game, "expert"), Limit()).action)


@pytest.fixture
def position(own_folders: Path) -> str:
    (own_folders / "position.txt").write_text(POSITION)
    return "position.txt"


def test_a_hint_that_is_proven(ludex: Ludex, position: str) -> None:
    document = document_of(ludex, "hint", position, "--mines", "1")
    assert (document["text"], document["note"]) == ("c2", "c2 is safe: the 1 at a1 and the 1 at b1 prove it")
    assert document["stats"]["because"] == ["a1", "b1"]
    assert document["probabilities"] == [[None, None, None], [None, 1.0, 0.0], [None, 0.0, 0.0]]
    assert document["log_solutions"] == 0.0
    assert document["proofs"][0] == {"kind": "flag", "text": "b2", "because": ["a1"]}
    assert [candidate["text"] for candidate in document["candidates"]] == ["c2", "b3", "c3"]


def test_a_hint_that_is_a_guess(ludex: Ludex) -> None:
    document = document_of(ludex, "hint", "-", "--mines", "1", said=COIN)
    assert document["probabilities"] == [[None, 0.5], [None, 0.5]]
    assert math.isclose(document["log_solutions"], math.log(2))
    assert document["candidates"][0]["terms"]["safety"] == 0.5
    assert document["value"] == 0.5


def test_a_hint_for_people(ludex: Ludex, position: str) -> None:
    output = ludex("minesweeper", "hint", position, "--mines", "1").stdout
    assert "c2 is safe: the 1 at a1 and the 1 at b1 prove it" in output
    assert "[  0]" in output
    assert "one layout of the mines fits" in output
    wide = "\n".join(["# " * 30] * 16)
    narrow = ludex("minesweeper", "hint", "-", "--mines", "99", said=wide).stdout
    assert f"{opening('expert')} to begin with: the first reveal opens a region" in narrow
    assert max(map(len, narrow.splitlines())) <= 120
    assert "about 10^104.7 layouts of the mines fit" in narrow


def test_an_untouched_board_begins_as_its_rule_promises(ludex: Ludex) -> None:
    rows = "\n".join(["#########"] * 9)
    assert document_of(ludex, "hint", "-", "--mines", "10", said=rows)["text"] == opening("beginner")
    safe = document_of(ludex, "hint", "-", "--mines", "10", "--start", "safe", said=rows)
    assert safe["text"] == opening("beginner", start="safe") != opening("beginner")


def test_a_board_is_that_of_a_match_with_its_seed(ludex: Ludex) -> None:
    document = document_of(ludex, "board", "--preset", "beginner", "--seed", "5", "--first", "e5")
    match = Match(make("minesweeper", "beginner"), 5)
    match.play_text("e5")
    mines = read_mines("\n".join(document["board"]))
    assert mines.reshape(-1).tolist() == [bool(cell & MINE) for cell in match.state.cells]
    assert (document["rows"], document["cols"], document["mines"], document["first"]) == (9, 9, 10, "e5")
    assert (document["no_guess"], document["tries"], document["output"]) == (False, 1, None)
    assert 1 <= document["openings"] <= document["three_bv"]


def test_a_board_without_a_guess_goes_to_a_file_and_back(ludex: Ludex, own_folders: Path) -> None:
    arguments = ("board", "--preset", "expert", "--no-guess", "true", "--seed", "2", "--output", "board.mbf")
    document = document_of(ludex, *arguments)
    assert (document["no_guess"], document["output"]) == (True, "board.mbf")
    written = read_mbf((own_folders / "board.mbf").read_bytes())
    # A match with this seed begins there, on this board.
    begun = Match(make("minesweeper", "expert:no_guess=true"), 2).state
    assert written.reshape(-1).tolist() == [bool(cell & MINE) for cell in begun.cells]
    assert document["first"] == action_names(16, 30)[begun.start_cell]
    assert (written == read_mines("\n".join(document["board"]))).all()
    back = document_of(ludex, "convert", "board.mbf", "board.txt")
    assert {name: back[name] for name in ("rows", "cols", "mines", "three_bv", "openings", "board")} == {
        name: document[name] for name in ("rows", "cols", "mines", "three_bv", "openings", "board")
    }
    assert (own_folders / "board.txt").read_text().splitlines() == document["board"]
    document_of(ludex, "convert", "board.txt", "again.MBF")
    assert (own_folders / "again.MBF").read_bytes() == (own_folders / "board.mbf").read_bytes()


def test_boards_for_people(ludex: Ludex) -> None:
    output = ludex("minesweeper", "board", "--no-guess", "true", "--output", "board.txt").stdout
    assert "8x8, 10 mines, 3BV " in output
    assert "no guess, found at try " in output
    assert "wrote board.txt" in output
    output = ludex("minesweeper", "convert", "board.txt", "board.mbf").stdout
    assert "8x8, 10 mines, 3BV " in output
    assert "wrote board.mbf" in output
    narrow = ludex("minesweeper", "board", "--preset", "expert", COLUMNS="40").stdout.splitlines()
    assert [len(line) for line in narrow[:16]] == [30] * 16


def test_the_luck_of_a_file(ludex: Ludex, own_folders: Path) -> None:
    game = make("minesweeper", "beginner")
    match = play(game, [make_agent(game, "random")], seed=4)
    (own_folders / "match.json").write_text(match_file(match, ("random",)))
    document = document_of(ludex, "luck", "match.json")
    assert (document["agents"], document["seed"], document["outcome"]) == (["random"], 4, "mine")
    guesses = [reveal for reveal in document["reveals"] if reveal["guess"]]
    assert document["guesses"] == len(guesses) > 0
    assert document["needless"] == sum(guess["needless"] for guess in guesses) > 0
    assert document["luck"] == pytest.approx(math.prod(guess["safety"] for guess in guesses))
    output = ludex("minesweeper", "luck", "match.json").stdout
    assert f"{match.ply} reveals, {len(guesses)} of them guesses" in output
    assert "needless: another cell was certain" in output
    (own_folders / "match.line").write_text(line_of(match))
    assert document_of(ludex, "luck", "match.line")["reveals"] == document["reveals"]


@pytest.mark.slow
def test_where_to_begin(ludex: Ludex) -> None:
    arguments = ("start", "--rows", "4", "--cols", "4", "--mines", "4", "--start", "safe")
    document = document_of(ludex, *arguments)
    assert (document["won"], document["layouts"]) == (961, 1365)
    assert document["win_rate"] == pytest.approx(0.704029, abs=1e-6)
    assert "best play wins 961 of 1,365 layouts, 0.704029" in ludex("minesweeper", *arguments).stdout


@pytest.mark.slow
def test_profiling_the_environment(ludex: Ludex) -> None:
    arguments = ("profile", "--lanes", "16", "--dtype", "uint8", "--seconds", "0.02", "--no-flags")
    document = document_of(ludex, *arguments)
    assert (document["lanes"], document["threads"], document["dtype"], document["flags"]) == (16, 1, "uint8", False)
    assert document["ns_per_step"] == pytest.approx(document["sampling_ns"] + document["stepping_ns"])
    assert document["steps_per_cpu_second"] == pytest.approx(1e9 / document["ns_per_step"])
    assert min(document["sampling_ns"], document["steps_per_second"]) > 0
    assert "steps per CPU-second" in ludex("minesweeper", *arguments).stdout


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        ("hint position.txt --mines 3", 4, "error [inconsistent_position]: no layout of 3 mines fits"),
        ("hint position.txt --mines 9", 4, "error [bad_board]: mines must be in 0..4"),
        ("hint position.txt", 2, "--mines"),
        ("hint nowhere.txt --mines 1", 4, "error [bad_board]: cannot read nowhere.txt"),
        ("hint - --mines 1", 4, "error [bad_board]: standard input: the board is empty"),
        ("hint done.txt --mines 1", 3, "error [game_over]: there is nothing to reveal: all 1 hidden cells are mines"),
        ("hint mine.txt --mines 1", 4, "error [bad_board]: mine.txt: line 1, column 1: a mine"),
        ("board --first z9", 2, "error [bad_option]: --first: 'z9' names no action"),
        ("board --first a1!", 2, "error [bad_option]: --first: expected a cell to reveal, found the flag 'a1!'"),
        ("board --output board.png", 2, "error [bad_option]: board.png: expected a name that ends in .mbf or .txt"),
        ("board --random-first-click true", 2, "error [bad_option]: random_first_click"),
        ("board --mines 60", 2, "error [bad_option]"),
        ("board --no-guess true --mines 30 --tries 7", 2, "error [no_guess_board_not_found]: None of 7 layouts of 30"),
        ("convert position.txt board.mbf", 4, "error [bad_board]: position.txt: line 2, column 3: a hidden cell"),
        ("convert nowhere.mbf board.txt", 4, "error [bad_board]: cannot read nowhere.mbf"),
        ("convert short.mbf board.txt", 4, "error [bad_board]: short.mbf: an MBF file begins with 4 bytes"),
        ("convert mine.txt board", 2, "error [bad_option]: board: expected a name that ends in"),
        ("luck nowhere.json", 4, "error [bad_record]: cannot read nowhere.json"),
        ("luck position.txt", 4, "error [bad_record]: position.txt: not valid JSON"),
        ("start", 2, "error [unsupported]: 8x8 with 10 mines"),
        ("profile --threads 10000", 2, "error [bad_option]: --threads"),
        ("profile --lanes 0", 2, "--lanes"),
    ],
)
def test_bad_input(ludex: Ludex, own_folders: Path, position: str, arguments: str, code: int, complaint: str) -> None:
    (own_folders / "done.txt").write_text("1 # 1")
    (own_folders / "mine.txt").write_text("* 1 .")
    (own_folders / "short.mbf").write_bytes(b"\x01")
    result = ludex("minesweeper", *arguments.split())
    assert (result.returncode, result.stdout) == (code, "")
    assert complaint in " ".join(result.stderr.split())
    assert not (own_folders / "board.mbf").exists()
