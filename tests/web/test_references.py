"""What visitors may set: options, but nothing that names files or takes memory of the server."""

import pytest

from tests.web.playing import Visitor

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
