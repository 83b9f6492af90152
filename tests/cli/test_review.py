"""`ludex review`."""

import json
from pathlib import Path

from ludex.coach.review import fingerprint
from ludex.core.record import Record, match_of
from ludex.store.database import Database
from tests.cli.conftest import Ludex

LINE = "tictactoe 3x3x3: a1 b1 b2 c2 c3"


def test_a_line_is_reviewed(ludex: Ludex, own_folders: Path) -> None:
    result = ludex("review", LINE, "--export", "game.pgn")
    assert "blunder" in result.stdout
    assert "bars: the chances of X after each move" in result.stdout
    assert "X: accuracy 100" in result.stdout
    assert "2. b1??" in (own_folders / "game.pgn").read_text()
    document = json.loads(ludex("review", LINE, "--json").stdout)
    assert document["moves"][1]["class"] == "blunder"


def test_a_stored_live_match_and_an_empty_one_are_refused(ludex: Ludex) -> None:
    ludex("play", "tictactoe", "--agent", "perfect", said="a1\n")
    (stored,) = json.loads(ludex("replay", "--json").stdout)
    result = ludex("review", stored["id"])
    assert (result.returncode, "live" in result.stderr) == (2, True), result
    assert ludex("review", "tictactoe 3x3x3:").returncode == 4


def test_the_review_of_a_stored_match_is_made_once(ludex: Ludex) -> None:
    match = match_of(LINE)
    with Database.open() as database:
        stored = database.matches.create(Record.of(match, ("ann", "bob")))
    made = json.loads(ludex("review", stored, "--json").stdout)
    with Database.open() as database:
        document = database.reviews.of([stored])[stored]
        document["accuracies"][0] = 12.0
        database.reviews.put(stored, fingerprint(match), document)
    assert "ann: accuracy 12" in ludex("review", stored).stdout
    again = json.loads(ludex("review", stored, "--json").stdout)
    assert again == {**made, "accuracies": [12.0, made["accuracies"][1]]}
