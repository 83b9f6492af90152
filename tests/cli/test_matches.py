"""Matches out of the database and back, and deleted."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludex.core.record import Record
from ludex.store.database import Database
from tests.cli.conftest import Ludex

pytestmark = pytest.mark.slow

Contents = Callable[[], dict[str, bytes]]


@pytest.fixture
def ids(ludex: Ludex) -> list[str]:
    """Four matches of tic-tac-toe and two of Quoridor, newest first."""
    for game, games in (("tictactoe", "4"), ("quoridor", "2")):
        saved = ludex("match", game, "--agents", "random,random", "--games", games, "--save")
        assert saved.returncode == 0, saved.stderr
    return [row["id"] for row in document_of(ludex("matches", "list", "--json"))]


def document_of(result: Any) -> Any:
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def kept() -> list[Record]:
    with Database.open() as database:
        return sorted((match.record for match in database.matches.list(100)), key=repr)  # type: ignore[union-attr]


def test_a_list_of_one_game_and_no_longer_than_the_limit(ludex: Ludex, ids: list[str]) -> None:
    assert [row["id"] for row in document_of(ludex("matches", "list", "--game", "quoridor", "--json"))] == ids[:2]
    assert [row["id"] for row in document_of(ludex("matches", "list", "--limit", "3", "--json"))] == ids[:3]
    assert ludex("matches", "list").stdout == ludex("replay").stdout


def test_what_is_exported_and_deleted_comes_back(ludex: Ludex, ids: list[str], own_folders: Path) -> None:
    before, backup = kept(), own_folders / "new" / "backup"
    assert document_of(ludex("matches", "export", str(backup), "--json"))["written"] == ids
    assert sorted(path.name for path in backup.iterdir()) == sorted(f"{match_id}.json" for match_id in ids)
    assert document_of(ludex("matches", "delete", "--all", "--yes", "--json")) == {"deleted": ids}
    assert (kept(), document_of(ludex("matches", "list", "--json"))) == ([], [])
    brought = document_of(ludex("matches", "import", str(backup), "--json"))
    assert (len(brought["imported"]), brought["known"], kept() == before) == (6, 0, True)
    again = document_of(ludex("matches", "import", str(backup), "--json"))
    assert (again, kept() == before) == ({"imported": [], "known": 6}, True)


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
    refused = ludex("matches", *(ids[0] if word == "ID" else word for word in arguments))
    assert (refused.returncode, refused.stdout) == (code, "")
    assert complaint.replace("ID", ids[0]) in refused.stderr
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
    assert [(one["id"], one["code"]) for one in document["left_out"]] == [(ids[0], "bad_record")]
    assert f"left out {ids[0]}: match" in saved.stderr
    assert ludex("matches", "delete", ids[0], "--yes").returncode == 0
    assert [row["id"] for row in document_of(ludex("matches", "list", "--json"))] == ids[1:]
