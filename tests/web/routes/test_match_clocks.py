"""Matches with clocks over HTTP. What must take long takes as long as it likes; nothing has to be fast."""

from tests.web.playing import Visitor, path
from tests.web.routes.test_live import heard

HOUR = {"seconds": 3600, "increment": 2}
SECOND = {"seconds": 1, "increment": 0}


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


def test_a_player_out_of_time_loses_without_a_move(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you", clock=SECOND)
    with ann.watch(match) as socket:
        # The socket asks for nothing: the server has noticed by itself.
        ended = heard(socket, lambda message: message["type"] == "state" and not message["match"]["live"])["match"]
    assert ended["outcome"] == {"scores": [-1.0, 1.0], "reason": "time forfeit"}
    assert ended["status"] == "Player 2 wins by time forfeit."
    assert ended["clock"] == {**SECOND, "left_ms": [0, 1000], "running": None}
    ann.refused(422, "game_over", "POST", path(match, "moves"), {"version": ended["version"], "text": "b2"})
    # A file knows no clocks, but how it ended.
    file = ann.ask("GET", path(match, "file")).json()
    again = ann.ask("POST", "/api/matches/import", file).json()
    assert (again["outcome"], again["clock"]) == (ended["outcome"], None)


def test_a_machine_shares_its_time_out(ann: Visitor) -> None:
    """It gets its remaining time: without a clock it would search for as long as the server allows."""
    match = ann.begin("quoridor", "master", "you", preset="5x5", clock={"seconds": 30, "increment": 0}, practice=True)
    match = ann.on_turn(match)
    assert match["live"]
    assert 0 < match["analysis"]["ms"] < 30_000
    left = match["clock"]["left_ms"][0]
    assert abs(30_000 - match["analysis"]["ms"] - left) <= 1
    assert match["clock"]["running"] == 1


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
