"""Positions that visitors draw, paste and drop: what is answered, analysed, played on from, and refused."""

from typing import Any

import ludex
from ludex.core.record import MatchFile
from tests.web.playing import Visitor, path
from tests.web.routes.test_teaching import read

MINES = "mines 3\n. 1 # #\n. 2 # #\n. 1 # #"


def edit(visitor: Visitor, game: str, **request: Any) -> Any:
    return read(visitor, f"/api/games/{game}/edit", "POST", request)


def put(tool: str, place: str) -> dict[str, str]:
    return {"kind": "put", "name": tool, "value": place}


def refused(visitor: Visitor, game: str, where: str = "", **request: Any) -> dict[str, str]:
    """What is said of a position in both languages."""
    edit(visitor, game)
    problem = visitor.refused(422, "bad_position", "POST", f"/api/games/{game}/edit{where}", request)
    assert problem["text"]["en"] != problem["text"]["fr"]
    return dict(problem["text"])


def test_clicks_and_settings_change_the_text(ann: Visitor) -> None:
    changes = [put("2", "b1"), put("flag", "c1"), {"kind": "set", "name": "cols", "value": "4"}]
    edited = edit(ann, "minesweeper", text="mines 2\n# # #\n# # #", changes=changes)
    assert edited["text"] == "mines 2\n# 2 F #\n# # # #"
    assert edited["title"]["en"] == "4×2, 2 mines"
    assert edited["position"]["scene"]["flags"] == [False, False, True, False] + [False] * 4
    quoridor = edit(ann, "quoridor", changes=[put("1", "e4"), put("2", "e4h")])
    assert quoridor["text"] == "pawns e4 e9\nleft 10 9\nturn 1\nwalls e4h"
    assert "wall" in refused(ann, "quoridor", text=quoridor["text"], changes=[put("1", "e4v")])["en"]


def test_an_analysis_has_the_words_of_a_match(ann: Visitor) -> None:
    edit(ann, "minesweeper")
    answer = ann.ask(
        "POST", "/api/games/minesweeper/edit/analysis", {"board": "small_8x8_10", "text": MINES, "agent": "exact"}
    )
    analysis = answer.json()
    assert analysis["agent"] == "exact"
    assert analysis["overlay"]["mine"][2] == 1.0
    assert analysis["explanation"][0]["text"]["fr"]
    best = ann.ask(
        "POST", "/api/games/tictactoe/edit/analysis", {"board": "3x3x3", "text": "X . O\n. X .\nO . ."}
    ).json()
    assert best["text"] == "c1"


def test_a_cell_of_ones_choice_is_explained_in_the_words_of_a_match(ann: Visitor) -> None:
    edit(ann, "minesweeper")
    board = {"board": "small_8x8_10", "text": MINES}
    notes = {
        place: ann.ask("POST", "/api/games/minesweeper/edit/analysis", {**board, "about": place}).json()["explanation"]
        for place in ("c2", "c1", "d3")
    }
    sentences = [reasons[0]["text"]["en"] for reasons in notes.values()]
    assert [sentence.partition(":")[0] for sentence in sentences[:2]] == ["c2 is safe", "c1 is a mine"]
    assert sentences[2].startswith("d3 is a mine in 33.3")
    match = ann.begin("minesweeper", "you", position=MINES, practice=True)
    asked = ann.ask("POST", path(match, "analysis"), {"about": "c2"}).json()
    assert asked["explanation"] == notes["c2"]
    assert asked["text"] == "c2"
    assert ann.ask("GET", f"/api/matches/{match['id']}").json()["help"][0]["kind"] == "analysis"
    ann.refused(422, "illegal_action", "POST", path(match, "analysis"), {"about": "b2"})
    other = ann.begin("tictactoe", "you", "you")
    ann.refused(422, "unsupported", "POST", path(other, "analysis"), {"about": "b2"})


def test_a_board_without_a_guess_follows_from_its_seed(ann: Visitor) -> None:
    preset = "small_8x8_10:rows=5:cols=6:mines=5:no_guess=true"
    game = ludex.make("minesweeper", preset)
    request = {"game": "minesweeper", "preset": preset, "seats": ["you"], "practice": True}
    ann.begin("minesweeper", "you")
    for seed in ("7", "8", "7"):
        match = ann.ask("POST", "/api/matches", {**request, "seed": seed}).json()
        assert match["scene"]["start"] == ludex.core.match.Match(game, int(seed)).state.start_cell
    # Boards that are made ahead have seeds of their own, which are shown at the end.
    for _ in range(4):
        match = ann.ask("POST", "/api/matches", {**request, "practice": False}).json()
        over = ann.change(match, "resign")
        first = ludex.core.match.Match(game, int(over["seed"])).state
        assert match["scene"]["start"] == first.start_cell
    crowded = "small_8x8_10:rows=3:cols=2:mines=4:start=safe:no_guess=true"
    ann.refused(422, "no_guess_board_not_found", "POST", "/api/matches", {**request, "preset": crowded})


def test_a_position_that_cannot_be_is_refused_with_its_reason(ann: Visitor) -> None:
    said = refused(ann, "minesweeper", "/analysis", board="small_8x8_10", text="mines 3\n. 1 #\n. 3 #")
    assert said == {
        "en": "b2 says 3 and has only 2 hidden neighbours",
        "fr": "b2 indique 3 et n’a que 2 voisines cachées",
    }
    edit(ann, "tictactoe")
    over = ann.refused(
        422, "bad_position", "POST", "/api/games/tictactoe/edit/analysis", {"board": "3x3x3", "text": "XXXOOEEEE"}
    )
    assert over["text"]["fr"].startswith("La partie est finie")
    begun = {"game": "tictactoe", "seats": ["you", "you"], "position": "X X .\n. . .\n. . ."}
    ann.refused(422, "bad_position", "POST", "/api/matches", begun)


def test_what_a_visitor_sends_is_bounded(ann: Visitor) -> None:
    for body in (
        {"text": "#" * 20_000},
        {"changes": [put("1", "a1")] * 65},
        {"file": {"name": "a.mbf", "data": "A" * 40_000}},
        {"file": {"name": "a.mbf", "data": "*"}},
        {"board": "small_8x8_10:rows=65"},
    ):
        edit(ann, "minesweeper")
        answer = ann.ask("POST", "/api/games/minesweeper/edit", body)
        assert answer.status_code == 422, body
    file = "skirmish small:scenario=/etc/passwd: deploy/01/0.0"
    edit(ann, "skirmish")
    assert ann.refused(422, "bad_option", "POST", "/api/games/skirmish/edit", {"text": file})


def test_a_match_begins_with_a_position_is_not_rated_and_replays(ann: Visitor) -> None:
    match = ann.begin("minesweeper", "you", position=MINES)
    assert (match["positioned"], match["rated"], match["board"]["en"]) == (True, False, "4×3, 3 mines")
    assert match["seed"] is None
    match = ann.move(match, "c1!")
    while match["live"]:
        match = ann.move(match, next(name for name in ("d1", "d2", "d3", "c1", "c2", "c3") if name in ann.legal(match)))
    file = ann.ask("GET", path(match, "file")).json()
    assert file["position"]["cells"].startswith("01")
    replayed = MatchFile.parse(file, "the file").replay(ludex.make("minesweeper", match["preset"]))
    assert [move.text for move in replayed.moves] == [move["text"] for move in match["moves"]]
    again = ann.view_of(ann.ask("POST", path(match, "fork"), {"ply": 0, "seats": ["you"]}), 201)
    assert (again["positioned"], again["plies"], again["scene"]["numbers"][:4]) == (True, 0, [0, 1, -1, -1])


def test_the_player_to_move_begins(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "perfect", "you", position="X . .\n. . .\n. . .")
    assert match["to_move"] == 1
    match = ann.on_turn(ann.move(match, "b2"))
    assert len(match["moves"]) == 2
    assert match["moves"][0]["player"] == 1
    quoridor = ann.begin("quoridor", "you", "random", position="pawns e7 e3\nturn 2\nleft 10 10", movetime_ms=50)
    assert ann.on_turn(quoridor)["plies"] == 1


def test_the_position_of_a_match_can_be_edited_and_counts_as_help(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "random")
    match = ann.on_turn(ann.move(match, "b2"))
    edited = ann.ask("POST", path(match, "edit"), {"ply": 1}).json()
    assert edited["text"] == ". . .\n. X .\n. . ."
    assert [used["kind"] for used in ann.view(match)["help"]] == ["analysis"]
    ann.refused(422, "bad_request", "POST", path(match, "edit"), {"ply": 99})
    hidden = ann.begin("minesweeper", "you", preset="small_8x8_10")
    assert bob.refused(403, "not_your_seat", "POST", path(hidden, "edit"), {})
    assert ann.ask("POST", path(hidden, "edit"), {}).json()["text"].startswith("mines 10\n# #")
