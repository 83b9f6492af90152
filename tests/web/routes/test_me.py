"""A person's own page, and their data: taken away as one file, or deleted."""

import asyncio
import json
from typing import Any

import pytest

from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped_puzzles
from ludex.store.database import Database
from ludex.store.nicknames import BadNickname, checked_nickname
from ludex.web.offload import Offload
from ludex.web.people import KNOWN_SECONDS, KnownNicknames
from tests.web.matches.test_agreements import seated
from tests.web.playing import Visitor
from tests.web.routes.test_teaching import read


def lost_match(visitor: Visitor) -> str:
    """A finished match against a level."""
    match = visitor.begin("tictactoe", "you", "unbeatable")
    assert not visitor.change(match, "resign")["live"]
    return str(match["id"])


def fail_puzzles(visitor: Visitor, count: int) -> None:
    for puzzle in of_theme([*shipped_puzzles("tictactoe").values()], "fork")[:count]:
        body = {"move": puzzle.proof.reasons[0].moves[0]}
        assert read(visitor, f"/api/puzzles/tictactoe/{puzzle.id}", "POST", body)["counted"]


def test_the_page_counts_matches_and_finds_weak_themes(ann: Visitor, bob: Visitor) -> None:
    lost_match(ann)
    fail_puzzles(ann, 5)
    page = read(ann, "/api/me/page")
    (game,) = page["games"]
    assert (game["game"], game["matches"], game["losses"]) == ("tictactoe", 1, 1)
    assert len(page["ratings"]) == 1
    assert len(page["puzzle_ratings"]) == 5
    assert [theme["theme"] for theme in page["weak"]] == ["fork"]
    assert page["next"][0]["href"] == "/puzzles/tictactoe/fork"
    other = read(bob, "/api/me/page")
    assert (other["games"], other["weak"], other["puzzle_ratings"]) == ([], [], [])
    hrefs = [suggestion["href"] for suggestion in other["next"]]
    assert hrefs == [f"/puzzles/{game}" for game in games_with_puzzles()][:4], "each new game has a link of its own"


def test_everything_is_exported_and_deleted(ann: Visitor, bob: Visitor) -> None:
    over = lost_match(ann)
    live, shared = (str(ann.begin("tictactoe", "you", other)["id"]) for other in ("beginner", "open"))
    invitation = read(ann, f"/api/matches/{shared}/invitation", "POST")["path"].split("invitation=")[-1]
    read(bob, f"/api/matches/{shared}/join", "POST", {"invitation": invitation})
    fail_puzzles(ann, 2)
    read(ann, "/api/me/nickname", "PUT", {"nickname": "Ann"})
    answer = ann.ask("GET", "/api/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    document = json.loads(answer.text)
    assert document["nickname"] == "Ann"
    assert {match["id"] for match in document["matches"]} == {over, live, shared}
    seeds = {match["id"]: match["seed"] for match in document["matches"]}
    assert seeds[over] is not None
    assert seeds[live] is None, "the seed of a live match is secret"
    assert len(document["puzzles"]["attempts"]) == 2

    assert ann.ask("POST", "/api/me/delete", {"confirm": "yes"}).status_code == 422
    deleted = read(ann, "/api/me/delete", "POST", {"confirm": "delete everything"})
    assert deleted == {"matches": 2, "left": 1, "attempts": 2}
    assert ann.ask("GET", f"/api/matches/{over}").json()["code"] == "unknown_match"
    assert ann.ask("GET", f"/api/matches/{live}").json()["code"] == "unknown_match"
    after = json.loads(ann.ask("GET", "/api/me/export").text)
    assert (after["nickname"], after["matches"], after["puzzles"]["attempts"]) == (None, [], [])
    # The other person has won the match and keeps it, without Ann.
    assert read(bob, f"/api/matches/{shared}")["outcome"]["scores"] == [-1.0, 1.0]
    seats: list[dict[str, Any]] = read(bob, f"/api/matches/{shared}")["seats"]
    assert [seat["you"] for seat in seats] == [False, True]
    assert not any(seat["you"] for seat in read(ann, f"/api/matches/{shared}")["seats"])


def test_a_nickname_is_seen_in_matches_and_lists_and_can_be_changed(ann: Visitor, bob: Visitor) -> None:
    assert ann.ask("GET", "/api/me").json() == {"nickname": None}
    assert ann.ask("PUT", "/api/me/nickname", {"nickname": " Ann  O'Neil "}).json() == {"nickname": "Ann O'Neil"}
    match = seated(ann, bob)
    assert [seat["nickname"] for seat in bob.view(match)["seats"]] == ["Ann O'Neil", None]
    line = next(one for one in bob.ask("GET", "/api/matches").json()["matches"] if one["id"] == match["id"])
    assert (line["nicknames"], line["you"], line["open"]) == (["Ann O'Neil", None], [False, True], [False, False])
    # Ann chooses it on the page of settings, and looks at no match.
    with bob.watch(match) as socket:
        socket.recv(timeout=60)
        ann.ask("PUT", "/api/me/nickname", {"nickname": "Élodie"})
        assert '"nickname":"Élodie"' in str(socket.recv(timeout=60))
    ann.ask("PUT", "/api/me/nickname", {"nickname": None})
    assert bob.view(match)["seats"][0]["nickname"] is None


@pytest.mark.parametrize(
    "nickname", ["a", "x" * 21, "<script>", "12 34", "a\u202eb", "tab\tx&y", "\u200bab", "Administrator"]
)
def test_a_bad_nickname_is_refused(ann: Visitor, nickname: str) -> None:
    ann.refused(422, "bad_nickname", "PUT", "/api/me/nickname", {"nickname": nickname})
    assert ann.ask("GET", "/api/me").json() == {"nickname": None}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a", "2 to 20 characters, found 1"),
        ("a<b", "found '<'"),
        ("1234", "one letter"),
        ("ad\u115fmin", "visible letters"),
        ("\u3164\u3164x", "visible letters"),
        ("e\u0301\u0302\u0303x", "at most 2 marks"),
        ("Adm\u0456nistrator", "letters of one alphabet"),
        *((name, "a name of the server's own") for name in ("Administrator", "a d-m.1 n", "Syst\u00e8me", "YOU")),
        *((name, "a name of the server's own") for name in ("The Administrator", "ludex_team", "real Adm1n")),
        ("\u0251dmin", "letters of one alphabet"),
    ],
)
def test_a_complaint_says_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(BadNickname, match=complaint):
        checked_nickname(text)


@pytest.mark.parametrize(
    "name",
    [
        "\u00c9lodie",
        "Nguy\u1ec5n V\u0103n",
        "\u0938\u0940\u0924\u093e",
        "\ud55c\uad6d\uc0ac\ub78c",
        "Adminka",
        "Root Beer",
    ],
)
def test_names_of_many_scripts_are_good(name: str) -> None:
    assert checked_nickname(name) == name


def test_the_change_of_another_server_is_seen_after_a_while() -> None:
    async def look(database: Database) -> list[dict[str, str]]:
        now = [0.0]
        offload = Offload()
        known = KnownNicknames(database.nicknames, offload, monotonic=lambda: now[0])
        await known.set("ann", "Ann")
        database.nicknames.set("ann", "Anna")
        seen = [await known.of(["ann", "bob"])]
        now[0] = KNOWN_SECONDS
        seen.append(await known.of(["ann", "bob"]))
        offload.close()
        return seen

    with Database.open("sqlite://") as database:
        assert asyncio.run(look(database)) == [{"ann": "Ann"}, {"ann": "Anna"}]
