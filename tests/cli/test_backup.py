"""`ludex backup` and `ludex restore`: people and ids survive the loss of the data folder."""

import json
import shutil
from pathlib import Path

import pytest

import ludex as package
from ludex.core.errors import BadBackup
from ludex.core.kept_agents import keep, kept_agents, remove
from ludex.core.record import Record
from ludex.core.spec import TrainedAgentSpec
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.web.seats import Seats, secret_of
from ludex.web.settings import Settings
from tests.cli.conftest import Ludex


@pytest.fixture
def person() -> tuple[str, str]:
    """The cookie of a person and the id of a match that the person holds a seat in."""
    seats = Seats(secret_of(Settings()))
    cookie = seats.new_cookie()
    known = str(seats.known_as(cookie))
    match = package.Match(package.make("tictactoe"), seed=1)
    match.play_text("b2")
    with Database.open() as database:
        return cookie, database.hostings.create(Record.of(match, ("you", "perfect")), Hosting(known, {0: known}))


def test_what_is_destroyed_comes_back_with_its_people(ludex: Ludex, own_folders: Path, person: tuple[str, str]) -> None:
    cookie, match_id = person
    with Database.open() as database:
        before = database.hostings.get(match_id)
    backup = own_folders / "ludex.backup"
    written = ludex("backup", str(backup), "--json")
    document = json.loads(written.stdout)
    assert (document["rows"]["matches"], document["secret"]) == (1, True)
    shutil.rmtree(own_folders / "data")
    assert json.loads(ludex("restore", str(backup), "--check", "--json").stdout) == document
    assert not (own_folders / "data").exists()
    restored = ludex("restore", str(backup), "--json")
    assert json.loads(restored.stdout) == document, restored.stderr
    known = Seats(secret_of(Settings())).known_as(cookie)
    with Database.open() as database:
        assert database.hostings.get(match_id) == before
        assert database.hostings.usage_of(str(known), "").live == 1


def test_nothing_is_replaced_without_force(ludex: Ludex, own_folders: Path, person: tuple[str, str]) -> None:
    backup, secret = own_folders / "ludex.backup", own_folders / "data" / "web-secret"
    written = ludex("backup", str(backup)).stdout
    assert written.startswith("wrote 1 match and ")
    assert "/ludex.dbto" in "".join(written.split())
    before = backup.read_bytes()
    again = ludex("backup", str(backup))
    assert (again.returncode, backup.read_bytes()) == (2, before)
    assert ludex("backup", str(backup), "--force").returncode == 0
    refused = ludex("restore", str(backup))
    assert refused.returncode == 5
    assert "store_in_use" in refused.stderr
    original = secret.read_text()
    secret.write_text("another secret that signs")
    ludex("matches", "delete", "--all", "--yes")
    refused = ludex("restore", str(backup))
    assert (refused.returncode, "its people would not be recognised" in refused.stderr) == (5, True)
    assert ludex("restore", str(backup), "--force").returncode == 0
    assert secret.read_text() == original
    assert len(ludex("matches", "list").stdout.splitlines()) == 2


def test_kept_agents_come_back_under_their_names(ludex: Ludex, own_folders: Path, person: tuple[str, str]) -> None:
    trained = TrainedAgentSpec(agent="ranking", option="file", format="json")
    agents = [
        keep(title=title, game="tictactoe", board="3x3x3", trained=trained, data=title.encode(), origin="run:first@3")
        for title in ("My first", "My second")
    ]
    damaged = keep(title="Damaged", game="tictactoe", board="3x3x3", trained=trained, data=b"whole", origin="run:x@1")
    damaged.path.write_bytes(b"other")
    backup = own_folders / "ludex.backup"
    written = ludex("backup", str(backup))
    assert "left out kept:damaged" in written.stderr
    assert "2 kept agents" in written.stdout
    shutil.rmtree(own_folders / "data")
    assert ludex("restore", str(backup)).returncode == 0
    assert kept_agents()[0] == sorted(agents, key=lambda one: (one.created_utc, one.name))
    assert [one.path.read_bytes() for one in agents] == [b"My first", b"My second"]
    ludex("matches", "delete", "--all", "--yes")
    remove("my-first")
    result = ludex("restore", str(backup))
    assert (result.returncode, "the data folder keeps kept:my-second" in result.stderr) == (5, True)
    assert ludex("restore", str(backup), "--force").returncode == 0
    assert {agent.name for agent in kept_agents()[0]} == {"my-first", "my-second"}


def test_an_agent_that_is_not_its_cards_changes_nothing(ludex: Ludex, own_folders: Path) -> None:
    trained = TrainedAgentSpec(agent="ranking", option="file", format="json")
    agent = keep(title="Mine", game="tictactoe", board="3x3x3", trained=trained, data=b"whole", origin="run:x@1")
    backup = own_folders / "ludex.backup"
    with Database.open() as database, pytest.raises(BadBackup, match="not the one that its card describes"):
        database.back_up(backup, agents=[(agent.model_dump_json(), "AAAA")])
    assert not backup.exists()


def test_a_secret_of_the_environment_stays_there(ludex: Ludex, own_folders: Path, person: tuple[str, str]) -> None:
    outside = {"LUDEX_SECRET": "sixteen and more characters"}
    for number, (flags, variables) in enumerate([((), outside), (("--no-secret",), {})]):
        backup = own_folders / f"{number}.backup"
        assert not json.loads(ludex("backup", str(backup), *flags, "--json", **variables).stdout)["secret"]
    whole = own_folders / "whole.backup"
    assert json.loads(ludex("backup", str(whole), "--json").stdout)["secret"]
    shutil.rmtree(own_folders / "data")
    assert ludex("restore", str(whole), **outside).returncode == 0
    assert not (own_folders / "data" / "web-secret").exists()


def test_a_database_that_is_not_there_is_named_and_not_created(ludex: Ludex, own_folders: Path) -> None:
    for variables in ({}, {"LUDEX_DB": f"sqlite:///{own_folders / 'data' / 'ludex.db'}"}):
        result = ludex("backup", "empty.backup", **variables)
        assert (result.returncode, result.stdout) == (5, "")
        assert "ludex.db does not exist" in result.stderr
        assert "LUDEX_DATA" in result.stderr
    assert not (own_folders / "data").exists()
    assert not (own_folders / "empty.backup").exists()
