"""Whole games of every kind over HTTP, with clocks too, and every way in which a request for a match is refused."""

import random
from itertools import pairwise

import pytest

import ludex
from ludex.core import registry
from ludex.core.record import MatchFile
from ludex.games.skirmish.options import SHIPPED
from ludex.web.schemas.matches import MatchList
from tests.web.playing import View, Visitor, path

GAMES = [
    ("tictactoe", None, ["you", "random"]),
    ("tictactoe", "4x4x4", ["random", "you"]),
    ("quoridor", "5x5", ["you", "random"]),
    ("minesweeper", "small_8x8_10", ["you"]),
    ("skirmish", "small", ["you", "random"]),
    # Another seat of the same person asks by the same requests.
    pytest.param("skirmish", "small", ["you", "you"], marks=pytest.mark.full),
]


@pytest.mark.parametrize(("game", "preset", "seats"), GAMES)
def test_a_whole_game(ann: Visitor, game: str, preset: str | None, seats: list[str]) -> None:
    choice = random.Random(f"{game} {seats}")
    match = ann.begin(game, *seats, preset=preset, movetime_ms=50)
    stage = ann.ask("GET", path(match, "stage")).json()["stage"]
    assert (stage is None) == (registry.spec(game).screen.board_model is None)
    version = match["version"]
    match = ann.on_turn(match)
    while match["live"]:
        assert match["seed"] is None
        assert match["scene"] is not None
        match = ann.move(match, choice.choice(ann.legal(match)))
        assert match["version"] > version
        version = match["version"]
        match = ann.on_turn(match)
    assert match["outcome"] is not None or match["aborted"] is not None
    assert match["to_move"] is None
    assert match["seed"] is not None
    assert ann.legal(match) == []
    assert not match["can"]["move"]
    ann.refused(422, "game_over", "POST", path(match, "moves"), {"version": match["version"], "action": 0})
    replayed = MatchFile.parse(ann.ask("GET", path(match, "file")).json(), "the file").replay(
        ludex.make(game, match["preset"])
    )
    assert [move["text"] for move in match["moves"]] == [move.text for move in replayed.moves]
    assert replayed.outcome is not None
    assert match["outcome"]["scores"] == [*replayed.outcome.scores]


def test_every_ply_can_be_looked_at(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    for text in ("b2", "a1", "c3"):
        match = ann.move(match, text)
    seen = [ann.view(match, ply) for ply in range(4)]
    assert [view["ply"] for view in seen] == [0, 1, 2, 3]
    assert {view["plies"] for view in seen} == {3}
    assert [view["to_move"] for view in seen] == [0, 1, 0, 1]
    marks = [sum("pieces" in cell for cell in view["scene"]["board"]["cells"]) for view in seen]
    assert marks == [0, 1, 2, 3]
    # The board as text is drawn on request.
    assert {view["picture"] for view in seen} == {""}
    pictures = [ann.view(match, ply, picture=True)["picture"] for ply in range(4)]
    assert all(before != after for before, after in pairwise(pictures))
    assert seen[3] == ann.view(match)
    ann.refused(422, "bad_request", "GET", f"/api/matches/{match['id']}", ply=4)
    ann.refused(422, "bad_request", "GET", f"/api/matches/{match['id']}", ply=-1)


def test_a_move_by_its_index(ann: Visitor) -> None:
    match = ann.change(ann.begin("tictactoe", "you", "you"), "moves", action=4)
    assert match["moves"] == [{"player": 0, "action": 4, "text": "b2", "words": None}]
    move = path(match, "moves")
    ann.refused(422, "illegal_action", "POST", move, {"version": match["version"], "action": 4})
    ann.refused(422, "illegal_action", "POST", move, {"version": match["version"], "action": 999})
    ann.refused(422, "bad_request", "POST", move, {"version": match["version"]})
    ann.refused(422, "bad_request", "POST", move, {"version": match["version"], "action": 1, "text": "a1"})


def test_refused_moves_change_nothing(ann: Visitor) -> None:
    match = ann.move(ann.begin("tictactoe", "you", "you"), "b2")
    move = path(match, "moves")
    problem = ann.refused(422, "illegal_action", "POST", move, {"version": match["version"], "text": "b2"})
    assert problem["legal"] == ann.legal(match)
    assert ann.refused(422, "malformed_action", "POST", move, {"version": match["version"], "text": "zz"})["legal"]
    stale = {"version": match["version"] - 1, "text": "a1"}
    assert "version" in ann.refused(409, "stale_match", "POST", move, stale)["message"]
    ann.refused(409, "stale_match", "POST", move, {"version": match["version"] + 1, "text": "a1"})
    ann.refused(409, "stale_match", "POST", path(match, "undo"), {"version": 77})
    ann.refused(409, "stale_match", "POST", path(match, "resign"), {"version": 77})
    assert ann.view(match) == match


def test_a_machine_is_not_played_for(ann: Visitor) -> None:
    match = ann.begin("quoridor", "master", "you", movetime_ms=3000)
    problem = ann.refused(422, "out_of_turn", "POST", path(match, "moves"), {"version": match["version"], "text": "e2"})
    assert "player 1" in problem["message"]
    assert match["searching"]
    assert match["status"] == "master's turn."


@pytest.mark.parametrize("match_id", ["aaaaaaaaaa", "nothing", "%00", "..%2F..", "AAAAAAAAAA", "é" * 10])
def test_unknown_matches(ann: Visitor, match_id: str) -> None:
    for what in ("", "/legal", "/stage", "/file"):
        answer = ann.client.get(f"/api/matches/{match_id}{what}")
        assert (answer.status_code, answer.json()["code"]) in {(404, "unknown_match"), (404, "not_found")}
    ann.refused(404, "unknown_match", "GET", "/api/matches", before="aaaaaaaaaa")
    ann.refused(404, "unknown_match", "GET", "/api/matches", before="\x00")


@pytest.mark.parametrize(
    ("status", "code", "wish"),
    [
        (404, "unknown_game", {"game": "chess", "seats": ["you", "you"]}),
        (404, "unknown_preset", {"game": "tictactoe", "preset": "9x9x9", "seats": ["you", "you"]}),
        (404, "unknown_agent", {"game": "tictactoe", "seats": ["you", "hal"]}),
        (422, "bad_option", {"game": "tictactoe", "preset": "3x3x3:rows=1000", "seats": ["you", "you"]}),
        (422, "bad_option", {"game": "quoridor", "seats": ["you", "hard:depth=x"]}),
        (422, "bad_option", {"game": "quoridor", "seats": ["you", 'ugi:"rm -rf /"']}),
        (422, "bad_option", {"game": "quoridor", "seats": ["you", "x" * 300]}),
        (422, "bad_request", {"game": "tictactoe", "seats": ["you"]}),
        (422, "bad_request", {"game": "minesweeper", "seats": ["you", "you"]}),
        (422, "bad_request", {"game": "tictactoe", "seats": []}),
        (422, "bad_request", {"game": "tictactoe", "seats": ["you", "you"], "colour": "red"}),
        (422, "bad_request", {"game": "minesweeper", "seats": ["you"], "seed": 5}),
        (422, "bad_request", {"game": "tictactoe", "seats": ["you", "you"], "seed": 2**53}),
        (422, "bad_request", {"game": "tictactoe", "seats": ["you", "you"], "movetime_ms": 1}),
        (422, "bad_request", {"seats": ["you", "you"]}),
        (422, "bad_request", []),
    ],
)
def test_matches_that_cannot_begin(ann: Visitor, status: int, code: str, wish: object) -> None:
    ann.refused(status, code, "POST", "/api/matches", wish)


def test_a_trial_plays_nothing(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("quoridor", "you", "you")
    judged = ann.ask("POST", path(match, "try"), {"text": "e2"}).json()
    assert judged == {"legal": True, "code": None, "message": None, "text": None}
    document = bob.ask("POST", path(match, "try"), {"text": "e5"}).json()
    assert (document["legal"], document["code"]) == (False, "illegal_action")
    assert document["message"]
    assert ann.ask("POST", path(match, "try"), {"text": "?"}).json()["code"] == "malformed_action"
    assert ann.view(match) == match


def test_a_text_that_stands_for_several_moves(ann: Visitor) -> None:
    chords = 0
    for seed in range(20):
        match = ann.begin("minesweeper", "you", preset="small_8x8_10", practice=True, seed=seed)
        names = ann.ask("GET", path(match, "stage")).json()["stage"]["names"]
        match = ann.move(match, "d4")
        for _ in range(10):
            if not match["live"]:
                break
            if match["scene"]["chord"]:
                before = match
                match = ann.move(match, f"chord:{names[match['scene']['chord'][0]]}")
                assert match["version"] == before["version"] + 1
                assert match["plies"] > before["plies"]
                chords += 1
                break
            match = _opened_further(ann, match, names)
        if match["live"]:
            text = {"version": match["version"], "text": "chord:zz"}
            ann.refused(422, "malformed_action", "POST", path(match, "moves"), text)
    assert chords >= 5


def _opened_further(ann: Visitor, match: View, names: list[str]) -> View:
    """Flag a mine that a number proves, else reveal the next cell."""
    numbers, flags = match["scene"]["numbers"], match["scene"]["flags"]
    for cell, number in enumerate(numbers):
        row, col = divmod(cell, 8)
        near = [8 * r + c for r in (row - 1, row, row + 1) for c in (col - 1, col, col + 1) if {r, c} <= {*range(8)}]
        hidden = [other for other in near if numbers[other] == -1]
        unflagged = [other for other in hidden if not flags[other]]
        if number == len(hidden) and unflagged:
            return ann.move(match, f"{names[unflagged[0]]}!")
    return ann.move(match, names[next(cell for cell in match["scene"]["reveal"] if not flags[cell])])


def test_the_list_shows_newest_first_in_pages(ann: Visitor, bob: Visitor) -> None:
    begun = [ann.begin("tictactoe", "you", "you")["id"] for _ in range(5)]
    other = bob.begin("quoridor", "you", "you")["id"]
    first = ann.ask("GET", "/api/matches", limit=2, yours=True).json()
    assert [line["id"] for line in first["matches"]] == begun[:2:-1]
    second = ann.ask("GET", "/api/matches", limit=3, yours=True, before=first["before"]).json()
    assert [line["id"] for line in second["matches"]] == begun[2::-1]
    assert second["before"] is None
    answer = ann.ask("GET", "/api/matches", limit=6)
    assert MatchList.model_validate_json(answer.text).model_dump(mode="json") == answer.json()
    everyone = answer.json()["matches"]
    assert [line["id"] for line in everyone] == [other, *begun[::-1]]
    assert [line["yours"] for line in everyone] == [False, *[True] * 5]
    quoridor = ann.ask("GET", "/api/matches", game="quoridor", limit=1).json()["matches"]
    assert [(line["id"], line["title"], line["live"]) for line in quoridor] == [(other, "Quoridor", True)]
    ann.refused(422, "bad_request", "GET", "/api/matches", limit=0)
    ann.refused(422, "bad_request", "GET", "/api/matches", limit="many")


def test_games_and_their_machines(ann: Visitor) -> None:
    games = {card["id"]: card for card in ann.ask("GET", "/api/games").json()["games"]}
    assert [*games][:4] == ["tictactoe", "quoridor", "minesweeper", "skirmish"]
    assert games["minesweeper"]["information"] == "hidden"
    assert games["skirmish"]["chance"] == "sampled"
    # Tic-tac-toe is drawn from its scene.
    assert [card["renderer"] for card in games.values()][:4] == [None, "quoridor", "minesweeper", "skirmish"]
    assert "depth" in games["quoridor"]["agents"][0]["options"]["properties"]
    analysts = {name: card["analyst"] for name, card in games.items()}
    assert analysts.items() >= {"tictactoe": "ranking", "quoridor": "master", "skirmish": "objective"}.items()


def test_addresses_that_are_none(ann: Visitor) -> None:
    assert ann.client.get("/api/nothing").json()["code"] == "not_found"
    assert ann.client.put("/api/matches").json()["code"] == "method_not_allowed"
    assert ann.client.get("/static/nothing.js").status_code == 404
    assert ann.client.get("/static/../app.py").status_code == 404


def test_an_analysis_of_any_ply(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    for text in ("a1", "b2", "a2"):
        match = ann.move(match, text)
    analysis = ann.ask("POST", path(match, "analysis"), {"agent": "perfect"}).json()
    assert (analysis["text"], analysis["player"], analysis["ply"], analysis["final"]) == ("a3", 1, 3, True)
    first = bob.ask("POST", path(match, "analysis"), {"agent": "perfect", "ply": 0}).json()
    assert (first["ply"], first["value"]) == (0, 0.0)
    ann.refused(422, "bad_request", "POST", path(match, "analysis"), {"ply": 4})
    ann.refused(404, "unknown_agent", "POST", path(match, "analysis"), {"agent": "hal"})
    ann.refused(422, "bad_option", "POST", path(match, "analysis"), {"agent": "ugi:sh"})
    over = ann.change(match, "resign")
    assert ann.ask("POST", path(over, "analysis"), {"agent": "perfect"}).json()["text"] == "a3"


def test_what_people_play_now_is_listed_for_others(ann: Visitor, bob: Visitor) -> None:
    def listed(visitor: Visitor) -> set[str]:
        page = visitor.ask("GET", "/api/matches/live").json()
        assert "matches" in page, page
        return {line["id"] for line in page["matches"]}

    match = ann.begin("tictactoe", "you", "perfect")
    waiting = ann.begin("tictactoe", "you", "open")
    assert match["id"] in listed(bob)
    assert waiting["id"] not in listed(bob), "its open seat is for a friend"
    assert match["id"] not in listed(ann), "one's own matches are listed elsewhere"
    ann.change(match, "resign")
    assert match["id"] not in listed(bob)


def test_a_link_is_a_picture_that_phones_read(ann: Visitor) -> None:
    answer = ann.ask("GET", "/api/qr", link="http://192.168.1.2:8000/join/abc?invitation=x.y")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.text.startswith("<svg")
    refused = ann.ask("GET", "/api/qr", link="javascript:alert(1)")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_request")


OTHERS = [pytest.param(preset, marks=pytest.mark.full) for preset in SHIPPED if preset != "small"]


@pytest.mark.parametrize("preset", ["small", *OTHERS])
def test_the_same_first_placement_has_the_same_answer(ann: Visitor, preset: str) -> None:
    for level in registry.levels(registry.make("skirmish", preset)):
        answers = set()
        for seed in range(3):
            match = ann.begin("skirmish", "you", level, preset=preset, practice=True, seed=seed)
            # Where players deploy one after the other, the first places everything before it is answered.
            while len(match["moves"]) == len(ours := [move for move in match["moves"] if move["player"] == 0]):
                match = ann.on_turn(ann.move(match, ann.legal(match)[0]))
            answer = match["moves"][len(ours)]["text"]
            assert answer.startswith("deploy/")
            answers.add(answer)
        assert len(answers) == 1, (level, answers)


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
