"""Matches with clocks over HTTP."""

from tests.web.playing import Visitor, path

HOUR = {"seconds": 3600, "increment": 2}


def test_a_match_is_begun_with_a_clock(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you", clock=HOUR)
    clock = match["clock"]
    assert (clock["seconds"], clock["increment"], clock["running"]) == (3600, 2, 0)
    assert 0 < clock["left_ms"][0] <= clock["left_ms"][1] == 3_600_000
    assert ann.begin("tictactoe", "you", "you")["clock"] is None
    assert ann.begin("tictactoe", "you", "you", clock={"seconds": 60})["clock"]["increment"] == 0


def test_a_game_for_one_has_no_clock(ann: Visitor) -> None:
    wish = {"game": "minesweeper", "seats": ["you"], "clock": HOUR}
    assert "one player" in ann.refused(422, "unsupported", "POST", "/api/matches", wish)["message"]


def test_moves_are_not_taken_back(ann: Visitor) -> None:
    for practice in (False, True):
        match = ann.begin("tictactoe", "you", "you", clock=HOUR, practice=practice)
        match = ann.move(match, "b2")
        assert not match["can"]["undo"]
        problem = ann.refused(403, "clocked", "POST", path(match, "undo"), {"version": match["version"]})
        assert "cannot be given back" in problem["message"]
    # A fork has no clocks.
    assert match["can"]["fork"]
    fork = ann.ask("POST", path(match, "fork"), {"ply": 1, "seats": ["you", "you"]}).json()
    assert (fork["clock"], fork["plies"]) == (None, 1)
