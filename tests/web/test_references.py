"""What visitors may set: options, but nothing that names files or takes memory of the server."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.playing import GENEROUS, Visitor
from tests.web.running import BEARER, RunningServer, server_fixture

MINE = Path(__file__).parents[1] / "core" / "outside_agents.py"

FILES = ["/etc/passwd", "..", "small"]


@pytest.mark.parametrize("file", FILES)
def test_no_file_of_the_server_is_named_as_a_board(ann: Visitor, file: str) -> None:
    body = {"game": "skirmish", "preset": f"default:scenario={file}", "seats": ["you", "random"]}
    problem = ann.refused(422, "bad_option", "POST", "/api/matches", body)
    assert problem["message"].startswith("scenario: it names a file")


@pytest.mark.parametrize(
    "machine", ["ranking:file=ranking.json", "ranking:file=/etc/passwd", 'ugi:"true"', "py:os:system"]
)
def test_no_file_of_the_server_is_named_as_a_machine(ann: Visitor, machine: str) -> None:
    body = {"game": "tictactoe", "seats": ["you", machine]}
    ann.refused(422, "bad_option", "POST", "/api/matches", body)
    match = ann.begin("tictactoe", "you", "random")
    ann.refused(422, "bad_option", "POST", f"/api/matches/{match['id']}/analysis", {"agent": machine})


@pytest.mark.parametrize("machine", ["master:hash=4096", "master:net=weights.npz"])
def test_no_memory_or_net_of_the_server_is_claimed(ann: Visitor, machine: str) -> None:
    ann.refused(422, "bad_option", "POST", "/api/matches", {"game": "quoridor", "seats": ["you", machine]})


@pytest.mark.parametrize(
    ("game", "preset", "machine", "status", "code", "complaint"),
    [
        ("tictactoe", "3x4x3", "ranking", 422, "bad_option", "supports 3x3x3 only"),
        ("tictactoe", "3x4x3", "ranking:ranking=shipped", 422, "bad_option", "no ranking ships for tictactoe 3x4x3"),
        ("tictactoe", "3x3x3:rows=5:cols=5", "perfect", 422, "unsupported", "too large to solve"),
        ("skirmish", "cramped", "hard:temperature=1", 422, "bad_net", "no network ships for a board of"),
        ("quoridor", "9x9", "hard:movetime=0", 422, "bad_option", "movetime must be a positive whole number"),
    ],
)
def test_a_machine_that_cannot_play_the_board_is_refused_when_the_match_begins(
    ann: Visitor, game: str, preset: str, machine: str, status: int, code: str, complaint: str
) -> None:
    body = {"game": game, "preset": preset, "seats": ["you", machine]}
    assert complaint in ann.refused(status, code, "POST", "/api/matches", body)["message"]


def test_options_may_be_set(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "perfect:ties=random", preset="3x3x3:rows=4")
    assert match["preset"] == "3x3x3:rows=4"
    assert match["seats"][1]["name"] == "perfect:ties=random"


# Its owner has listed a file of agents and allowed programs.
listing = server_fixture(*GENEROUS, "--agents-from", str(MINE), "--engines", "true", "--worker-memory-mb", "1024")


@pytest.fixture
def eve(listing: RunningServer) -> Iterator[Visitor]:
    """The administrator of that server."""
    with Visitor(listing) as visitor:
        visitor.client.headers.update(BEARER)
        yield visitor


@pytest.mark.parametrize(
    "machine",
    [
        f"py:{MINE}:First",
        "py:subprocess:Popen",
        "py:ludex.arena.ugi_agent:UgiAgent:command=true",
        'ugi:"true"',
        "ranking:file=/etc/passwd",
    ],
)
def test_the_administrator_names_nothing_that_the_owner_has_not_listed(ann: Visitor, machine: str) -> None:
    ann.client.headers.update(BEARER)
    ann.refused(422, "bad_option", "POST", "/api/matches", {"game": "tictactoe", "seats": ["you", machine]})
    match = ann.begin("tictactoe", "you", "random")
    ann.refused(422, "bad_option", "POST", f"/api/matches/{match['id']}/analysis", {"agent": machine})
    job = {"kind": "tournament", "game": "tictactoe", "agents": ["random", machine], "games": 2}
    ann.refused(422, "bad_option", "POST", "/api/jobs", job)
    assert ann.ask("GET", "/api/jobs").json()["jobs"] == []


@pytest.mark.parametrize(
    "machine", ["py:subprocess:Popen", f"py:{MINE.with_name('test_outside.py')}:Path", "ranking:file=/etc/passwd"]
)
def test_what_is_not_listed_is_refused_beside_what_is(eve: Visitor, machine: str) -> None:
    eve.refused(422, "bad_option", "POST", "/api/matches", {"game": "tictactoe", "seats": ["you", machine]})


def test_a_class_that_a_listed_file_imports_is_not_its_own(eve: Visitor) -> None:
    match = eve.begin("tictactoe", "you", "random")
    answer = eve.ask("POST", f"/api/matches/{match['id']}/analysis", {"agent": f"py:{MINE}:Decision"})
    assert answer.status_code == 422
    assert "has no class 'Decision' of its own" in answer.json()["message"]


def test_a_search_that_needs_more_memory_than_a_worker_has_says_so(eve: Visitor) -> None:
    path = f"/api/matches/{eve.begin('tictactoe', 'you', 'random')['id']}/analysis"
    answer = eve.ask("POST", path, {"agent": f"py:{MINE}:Hungry"})
    assert (answer.status_code, answer.json()["code"]) == (500, "agent_fault")
    assert "more than the 1,024 MB of a worker, LUDEX_WORKER_MEMORY_MB" in answer.json()["message"]
    assert eve.ask("POST", path, {"agent": "perfect"}).status_code == 200, "the worker goes on"


def test_a_program_plays_where_the_owner_allows_it(eve: Visitor) -> None:
    engine = f'ugi:"{sys.executable} -m ludex engine tictactoe --agent perfect"'
    match = eve.on_turn(eve.begin("tictactoe", engine, "you", practice=True, movetime_ms=500))
    assert match["plies"] == 1
    actions = [entry["action"] for entry in eve.ask("GET", "/api/administrator/audit").json()["entries"]]
    assert "run program" in actions
    del eve.client.headers["Authorization"]
    eve.refused(422, "bad_option", "POST", f"/api/matches/{match['id']}/analysis", {"agent": engine})


def test_only_the_administrator_names_a_class(eve: Visitor) -> None:
    names = [f"py:{MINE}:First:place=8", f"py:{MINE}:First"]
    body = {"game": "tictactoe", "seats": [names[0], "you"], "practice": True}
    match = eve.on_turn(eve.begin("tictactoe", names[0], "you", practice=True))
    assert match["moves"][0]["action"] == 8
    analysed = eve.ask("POST", f"/api/matches/{match['id']}/analysis", {"agent": names[1]})
    assert analysed.json()["action"] == 0
    fork = eve.ask("POST", f"/api/matches/{match['id']}/fork", {"ply": 1, "seats": ["you", names[1]]})
    assert fork.status_code == 201
    entries = eve.ask("GET", "/api/administrator/audit").json()["entries"]
    programs = [entry["subject"] for entry in entries if entry["action"] == "run program"]
    assert programs[:3] == [names[1], names[1], names[0]]
    del eve.client.headers["Authorization"]
    problem = eve.refused(422, "bad_option", "POST", "/api/matches", body)
    assert problem["message"].endswith("its owner has not listed it with --agents-from")
    eve.refused(422, "bad_option", "POST", f"/api/matches/{match['id']}/analysis", {"agent": names[1]})
