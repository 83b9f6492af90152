"""Matches out of the database and back, and deleted."""

import csv
import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludex as package
from ludex.core.clock import Clock
from ludex.core.documents import digest
from ludex.core.record import Record
from ludex.store.database import Database
from ludex.store.hosting import HostedMatch, Hosting
from ludex.store.personal import PEOPLE_FILE, People
from ludex.store.timing import Timing
from tests.cli.conftest import Ludex, document_of

pytestmark = pytest.mark.slow

Contents = Callable[[], dict[str, bytes]]


@pytest.fixture
def ids(ludex: Ludex) -> list[str]:
    """Four matches of tic-tac-toe and two of Quoridor, newest first."""
    for game, games in (("tictactoe", "4"), ("quoridor", "2")):
        saved = ludex("match", game, "--agents", "random,random", "--games", games, "--save")
        assert saved.returncode == 0, saved.stderr
    return [row["id"] for row in document_of(ludex("matches", "list", "--json"))]


def kept() -> list[Record]:
    with Database.open() as database:
        return sorted(database.matches.records(), key=repr)


def test_a_list_of_one_game_and_no_longer_than_the_limit(ludex: Ludex, ids: list[str]) -> None:
    assert [row["id"] for row in document_of(ludex("matches", "list", "--game", "quoridor", "--json"))] == ids[:2]
    assert [row["id"] for row in document_of(ludex("matches", "list", "--limit", "3", "--json"))] == ids[:3]
    assert ludex("matches", "list").stdout == ludex("replay").stdout


def test_what_is_exported_and_deleted_comes_back(ludex: Ludex, ids: list[str], own_folders: Path) -> None:
    before, backup = kept(), own_folders / "new" / "backup"
    assert document_of(ludex("matches", "export", str(backup), "--json"))["written"] == ids
    assert {path.name for path in backup.iterdir()} == {"people.json"} | {f"{match_id}.json" for match_id in ids}
    assert document_of(ludex("matches", "delete", "--all", "--yes", "--json")) == {"deleted": ids}
    assert (kept(), document_of(ludex("matches", "list", "--json"))) == ([], [])
    brought = document_of(ludex("matches", "import", str(backup), "--json"))
    assert (sorted(brought["imported"]), brought["known"], kept() == before) == (sorted(ids), 0, True)
    again = document_of(ludex("matches", "import", str(backup), "--json"))
    assert (again, kept() == before) == ({"imported": [], "known": 6, "left_out": []}, True)
    (backup / "people.json").unlink()
    again = document_of(ludex("matches", "import", str(backup), "--json"))
    assert (again, kept() == before) == ({"imported": [], "known": 6, "left_out": []}, True)


@pytest.fixture
def hosted(own_folders: Path) -> list[HostedMatch]:
    """Matches of the web app: one record of two owners, a live one with clocks; and one without people."""
    game = package.make("tictactoe")
    over, live = package.Match(game, seed=1), package.Match(game, seed=2)
    for text in ("a1", "b1", "a2", "b2", "a3"):
        over.play_text(text)
    live.play_text("b2")
    done, people = Record.of(over, ("you", "perfect")), Record.of(live, ("you", "you"))
    timing = Timing(Clock(60_000, 500), (59_000,))
    with Database.open() as database:
        ids = [
            database.hostings.create(done, Hosting("ann", {0: "ann"}, movetime_ms=250)),
            database.hostings.create(done, Hosting("bob", {0: "bob"}, practice=True)),
            database.hostings.create(people, Hosting("ann", {0: "ann", 1: None}), timing),
            database.matches.create(done),
        ]
        database.hostings.take_seat(ids[2], 1, "cleo")
        return [database.hostings.get(match_id) for match_id in ids]


def test_matches_come_back_to_their_people(ludex: Ludex, hosted: list[HostedMatch], own_folders: Path) -> None:
    ids = [match.stored.id for match in hosted]
    creators = {match.hosting.creator for match in hosted if match.hosting is not None}
    with Database.open() as database:
        for number, creator in enumerate(sorted(creators)):
            database.nicknames.set(creator, f"Ann {number}")
        named = database.nicknames.of(creators)
    assert len(named) == len(creators) > 0
    assert ludex("matches", "export", "backup", *ids[:2]).returncode == 0
    assert ludex("matches", "export", "backup", *ids[2:]).returncode == 0
    brought = document_of(ludex("matches", "import", "backup", "--json", LUDEX_DATA=str(own_folders / "fresh")))
    assert sorted(brought["imported"]) == sorted(ids)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDEX_DATA", str(own_folders / "fresh"))
        with Database.open() as database:
            hostings = [database.hostings.get(match_id) for match_id in ids]
            assert database.nicknames.of(creators) == named
    live, begun = hostings[2], hosted[2].stored
    assert live.stored.updated_utc > begun.updated_utc  # no player loses the time between export and import
    hostings[2] = replace(live, stored=replace(live.stored, updated_utc=begun.updated_utc))
    assert hostings == hosted


def test_a_match_that_went_on_is_left_as_it_is(ludex: Ludex, hosted: list[HostedMatch], own_folders: Path) -> None:
    live, text = hosted[2].stored, f"backup/{hosted[2].stored.id}.json"
    assert ludex("matches", "export", "backup").returncode == 0
    with Database.open() as database:
        further = replace(live.record, actions=(*live.record.actions, 0))
        database.hostings.update(live.id, further, live.version, Timing(Clock(60_000, 500), (59_000, 58_000)))
    result = ludex("matches", "import", text, "--json")
    assert (result.returncode, json.loads(result.stdout)["left_out"][0]["id"]) == (4, live.id)
    assert f"match {live.id!r} is stored with other moves" in result.stderr
    with Database.open() as database:
        assert database.matches.get(live.id).record == further


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda people, _: people.update(formatVersion=2), "people.json: key 'formatVersion'"),
        (lambda people, ids: people["matches"][ids[0]]["hosting"]["seats"].update({"1": "eve"}), "people sit at [0]"),
        (lambda people, ids: people["matches"][ids[2]]["timing"].update(left_ms=[]), "clocks of 0 turns"),
        (
            lambda people, ids: people["matches"][ids[2]]["timing"]["clock"].update(remaining_ms=-1),
            "whole milliseconds",
        ),
        (
            lambda people, ids: people["matches"][ids[2]]["timing"]["clock"].update(increment_ms=0.5),
            "whole milliseconds",
        ),
        (lambda people, ids: people["matches"][ids[0]].update(updated_utc="yesterday"), "updated_utc"),
        (None, "people.json: the digest does not fit"),
    ],
)
def test_people_that_do_not_fit_are_refused(
    ludex: Ludex, hosted: list[HostedMatch], own_folders: Path, data_bytes: Contents, change: Any, complaint: str
) -> None:
    assert ludex("matches", "export", "backup").returncode == 0
    path = own_folders / "backup" / "people.json"
    if change is None:
        path.write_text(path.read_text().replace('"ann"', '"eve"'))
    else:
        people = json.loads(path.read_text())
        change(people, [match.stored.id for match in hosted])
        del people["digest"]
        path.write_text(json.dumps({**people, "digest": digest(people)}))
    before = data_bytes()
    result = ludex("matches", "import", "backup")
    assert (result.returncode, result.stdout) == (4, "")
    assert complaint in result.stderr
    assert data_bytes() == before


def test_a_nickname_is_read_as_it_would_be_stored(tmp_path: Path) -> None:
    (tmp_path / PEOPLE_FILE).write_text(People(nicknames={"ann": "  Ann  B. "}).document())
    assert People.read(tmp_path).nicknames == {"ann": "Ann B."}


def test_a_table_has_a_row_per_match(ludex: Ludex, ids: list[str], own_folders: Path) -> None:
    assert document_of(ludex("matches", "export", "all.csv", "--csv", "--json"))["rows"] == 6
    with (own_folders / "all.csv").open(newline="") as file:
        rows = [*csv.DictReader(file)]
    assert [row["id"] for row in rows] == ids
    replayed = json.loads(ludex("replay", ids[0], "--json").stdout)
    assert rows[0]["moves"].split() == [move["text"] for move in replayed["moves"]]
    assert (rows[0]["game"], rows[0]["player_1"], int(rows[0]["plies"])) == (
        "quoridor",
        "random",
        len(replayed["moves"]),
    )
    assert {float(row["score_1"]) + float(row["score_2"]) for row in rows} == {0.0}


def test_some_are_exported_and_replayed(ludex: Ludex, ids: list[str], own_folders: Path) -> None:
    assert ludex("matches", "export", "some", ids[0], ids[0]).stdout == "wrote 1 matches to some\n"
    assert ludex("replay", f"some/{ids[0]}.json").returncode == 0
    assert document_of(ludex("matches", "export", "games", "--game", "tictactoe", "--json"))["written"] == ids[2:]


def test_one_is_deleted_and_the_others_stay(ludex: Ludex, ids: list[str], data_bytes: Contents) -> None:
    before = data_bytes()
    assert ludex("matches", "delete", ids[1], "--yes").stdout == "deleted 1 matches\n"
    assert data_bytes() == {key: value for key, value in before.items() if key != ids[1]}
    assert (
        document_of(ludex("matches", "delete", "--all", "--game", "tictactoe", "--yes", "--json"))["deleted"] == ids[2:]
    )
    assert set(data_bytes()) == {ids[0]}


@pytest.mark.parametrize("said", ["n\n", ""])
def test_nothing_is_deleted_unless_it_is_meant(ludex: Ludex, ids: list[str], data_bytes: Contents, said: str) -> None:
    before = data_bytes()
    result = ludex("matches", "delete", "--all", said=said)
    assert (result.returncode, "delete 6 matches in" in result.stderr, data_bytes() == before) == (1, True, True)
    assert ludex("matches", "delete", ids[0], said="y\n").returncode == 0
    assert set(data_bytes()) == set(before) - {ids[0]}


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("delete",), 2, "name the matches to delete, or say --all"),
        (("delete", "ID", "--all"), 2, "name the matches to delete, or say --all"),
        (("delete", "--game", "tictactoe"), 2, "name the matches to delete, or say --all"),
        (("delete", "ID", "unknown", "--yes"), 5, "no match has the id 'unknown'"),
        (("export", "there", "unknown"), 5, "no match has the id 'unknown'"),
        (("export", "there", "ID", "--game", "quoridor"), 2, "--game chooses among all matches"),
        (("import", "missing.json"), 4, "cannot read missing.json"),
        (("import", "empty"), 2, "empty: expected match files"),
        (("import", "changed"), 4, "ID.json: the digest does not fit"),
        (("list", "--limit", "0"), 2, "--limit"),
    ],
)
def test_bad_input_changes_nothing(
    ludex: Ludex,
    ids: list[str],
    own_folders: Path,
    data_bytes: Contents,
    arguments: tuple[str, ...],
    code: int,
    complaint: str,
) -> None:
    (own_folders / "empty").mkdir()
    assert ludex("matches", "export", "changed").returncode == 0
    changed = own_folders / "changed" / f"{ids[0]}.json"
    changed.write_text(changed.read_text().replace('"seed": "', '"seed": "1'))
    before = data_bytes()
    result = ludex("matches", *(ids[0] if word == "ID" else word for word in arguments))
    assert (result.returncode, result.stdout) == (code, "")
    assert complaint.replace("ID", ids[0]) in result.stderr
    assert data_bytes() == before


def test_a_damaged_match_is_left_out_reported_and_can_be_deleted(
    ludex: Ludex, ids: list[str], own_folders: Path
) -> None:
    with Database.open() as database:
        file = database.name.removeprefix("sqlite:///")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE matches SET actions = 'nonsense' WHERE id = ?", (ids[0],))
    connection.close()
    saved = ludex("matches", "export", "rest", "--json")
    document = json.loads(saved.stdout)
    assert (saved.returncode, document["written"]) == (4, ids[1:])
    assert [(match["id"], match["code"]) for match in document["left_out"]] == [(ids[0], "bad_record")]
    assert f"left out {ids[0]}: match" in saved.stderr
    assert ludex("matches", "delete", ids[0], "--yes").returncode == 0
    assert [row["id"] for row in document_of(ludex("matches", "list", "--json"))] == ids[1:]
