"""What visitors may set: options, but nothing that names files or takes memory of the server."""

from pathlib import Path

import pytest

from tests.web.playing import Visitor
from tests.web.running import BEARER

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


def test_only_the_administrator_names_a_class(ann: Visitor) -> None:
    names = [f"py:{MINE}:First:place=8", f"py:{MINE}:First"]
    body = {"game": "tictactoe", "seats": [names[0], "you"], "practice": True}
    problem = ann.refused(422, "bad_option", "POST", "/api/matches", body)
    assert problem["message"].endswith("only its administrator may name one")
    ann.client.headers.update(BEARER)
    match = ann.on_turn(ann.begin("tictactoe", names[0], "you", practice=True))
    assert match["moves"][0]["action"] == 8
    analysed = ann.ask("POST", f"/api/matches/{match['id']}/analysis", {"agent": names[1]})
    assert analysed.json()["action"] == 0
    fork = ann.ask("POST", f"/api/matches/{match['id']}/fork", {"ply": 1, "seats": ["you", names[1]]})
    assert fork.status_code == 201
    entries = ann.ask("GET", "/api/administrator/audit").json()["entries"]
    assert [entry["subject"] for entry in entries if entry["action"] == "run class"] == [names[1], names[1], names[0]]
    ann.refused(422, "bad_option", "POST", "/api/matches", {"game": "tictactoe", "seats": ['ugi:"true"', "you"]})
    del ann.client.headers["Authorization"]
    ann.refused(422, "bad_option", "POST", f"/api/matches/{match['id']}/analysis", {"agent": names[1]})
