"""Only the holder of a seat moves: cookies, invitations, spectators."""

import errno
import os
import re
import stat
from pathlib import Path

import pytest

from ludex.core.errors import FolderUnwritable
from ludex.web.errors import BadInvitation
from ludex.web.seats import COOKIE, Seats, secret_of
from ludex.web.settings import Settings
from tests.web.playing import GENEROUS, Visitor, path
from tests.web.running import RunningServer, served


def test_a_stranger_reads_and_does_nothing_else(ann: Visitor, bob: Visitor) -> None:
    match = ann.move(ann.begin("tictactoe", "you", "you"), "b2")
    seen = bob.view(match)
    assert [seat["you"] for seat in seen["seats"]] == [False, False]
    assert [seat["you"] for seat in match["seats"]] == [True, True]
    assert seen["scene"] == match["scene"]
    assert {name for name, allowed in seen["can"].items() if allowed} == {"fork", "download", "analyse"}
    now = {"version": match["version"]}
    bob.refused(403, "not_your_seat", "POST", path(match, "moves"), {**now, "text": "a1"})
    bob.refused(403, "not_your_seat", "POST", path(match, "undo"), now)
    bob.refused(403, "not_your_seat", "POST", path(match, "resign"), now)
    bob.refused(403, "not_your_seat", "POST", path(match, "invitation"))
    bob.refused(403, "not_your_seat", "DELETE", f"/api/matches/{match['id']}")
    assert ann.view(match) == match


def test_a_stranger_is_refused_before_anything_is_revealed(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    for body in ({"version": 99, "text": "b2"}, {"version": match["version"], "text": "zz"}):
        bob.refused(403, "not_your_seat", "POST", path(match, "moves"), body)


def test_an_invitation_gives_the_other_seat(ann: Visitor, bob: Visitor, server: RunningServer) -> None:
    match = ann.begin("tictactoe", "you", "open")
    assert [seat["open"] for seat in match["seats"]] == [False, True]
    bob.refused(403, "not_your_seat", "POST", path(match, "invitation"))
    invitation = ann.ask("POST", path(match, "invitation")).json()
    assert invitation["player"] == 1
    assert invitation["path"].startswith(f"/join/{match['id']}?invitation=")
    token = invitation["path"].partition("=")[2]
    match = ann.move(match, "b2")
    assert match["status"] == "Waiting for player 2 to join."
    ann.refused(422, "out_of_turn", "POST", path(match, "moves"), {"version": match["version"], "text": "a1"})
    joined = bob.join(match, token)
    assert [(seat["you"], seat["open"]) for seat in joined["seats"]] == [(False, False), (True, False)]
    assert joined["version"] == match["version"] + 1
    assert bob.join(match, token) == joined
    with Visitor(server) as eve:
        eve.refused(409, "seat_taken", "POST", path(match, "join"), {"invitation": token})
    ann.refused(409, "seat_taken", "POST", path(match, "invitation"))
    assert bob.move(joined, "a1")["status"] == "Player 1's turn."
    match = ann.view(match)
    assert match["status"] == "Your turn."
    bob.refused(422, "out_of_turn", "POST", path(match, "moves"), {"version": match["version"], "text": "a2"})
    over = bob.change(match, "resign")
    assert over["outcome"]["scores"] == [1.0, -1.0]
    assert over["status"] == "Player 1 wins: resignation."
    assert ann.view(match)["status"] == "You win: resignation."


def test_invitations_that_do_not_hold(ann: Visitor, bob: Visitor) -> None:
    first, second = (ann.begin("tictactoe", "you", "open") for _ in range(2))
    token = ann.invite(first)
    for match, shown in ((second, token), (first, token[:-1]), (first, "x" + token), (first, ""), (first, "a.b.c")):
        bob.refused(403, "bad_invitation", "POST", path(match, "join"), {"invitation": shown})
    assert bob.view(first)["seats"][1]["open"]
    closed = ann.begin("tictactoe", "you", "random")
    ann.refused(409, "seat_taken", "POST", path(closed, "invitation"))


def test_a_forged_cookie_is_a_new_person(ann: Visitor, server: RunningServer) -> None:
    match = ann.begin("tictactoe", "you", "you")
    cookie = ann.client.cookies[COOKIE]
    person, _, signature = cookie.rpartition(".")
    for forged in (f"{person}x.{signature}", f"{person}.", person, "", "x" * 5000, f"{person}.{signature[::-1]}"):
        with Visitor(server) as eve:
            eve.client.cookies.set(COOKIE, forged, domain="127.0.0.1")
            answer = eve.client.get(f"/api/matches/{match['id']}")
            assert not any(seat["you"] for seat in answer.json()["seats"])
    with Visitor(server) as again:
        again.client.cookies.set(COOKIE, cookie, domain="127.0.0.1")
        assert again.view(match)["can"]["move"]


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(server: RunningServer) -> None:
    with Visitor(server) as visitor:
        visitor.client.cookies.clear()
        page = visitor.client.get("/")
        cookie = page.headers["set-cookie"]
        assert re.fullmatch(rf"{COOKIE}=[\w.-]+; Path=/; Max-Age=\d+; HttpOnly; SameSite=Lax", cookie)
        assert "set-cookie" not in visitor.client.get("/api/games").headers
        assert "set-cookie" not in visitor.client.get("/static/main.js").headers


@pytest.mark.parametrize(("practice", "plies"), [(False, 2), (True, 0)])
def test_two_people_take_moves_back_alone_in_practice_only(
    ann: Visitor, bob: Visitor, practice: bool, plies: int
) -> None:
    match = ann.begin("tictactoe", "you", "open", practice=practice)
    match = bob.join(match, ann.invite(match))
    match = bob.move(ann.move(match, "b2"), "a1")
    assert ann.view(match)["can"]["undo"]
    undone = ann.change(match, "undo")
    assert undone["plies"] == plies
    assert undone["takeback"] == (None if practice else {"player": 0, "yours": True})


def test_a_match_is_deleted_by_its_people_only(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "random", "random")
    assert ann.view(match)["can"]["delete"]
    bob.refused(403, "not_your_seat", "DELETE", f"/api/matches/{match['id']}")
    assert ann.ask("DELETE", f"/api/matches/{match['id']}").status_code == 204
    ann.refused(404, "unknown_match", "GET", f"/api/matches/{match['id']}")
    ann.refused(404, "unknown_match", "DELETE", f"/api/matches/{match['id']}")


def test_a_live_match_of_two_people_is_deleted_by_neither(ann: Visitor, bob: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "open")
    assert ann.view(match)["can"]["delete"]
    joined = bob.join(match, ann.invite(match))
    for person in (ann, bob):
        assert not person.view(match)["can"]["delete"]
        problem = person.refused(403, "not_your_seat", "DELETE", f"/api/matches/{match['id']}")
        assert "another person plays in this match" in problem["message"]
    bob.change(joined, "resign")
    assert bob.view(match)["can"]["delete"]
    assert bob.ask("DELETE", f"/api/matches/{match['id']}").status_code == 204


@pytest.mark.slow
def test_one_person_has_so_many_matches(tmp_path: Path) -> None:
    limits = ("--matches-per-person", "2", "--matches-per-hour", "3")
    with served(tmp_path, *GENEROUS, *limits) as small, Visitor(small) as ann, Visitor(small) as bob:
        wish = {"game": "tictactoe", "seats": ["you", "you"]}
        matches = [ann.begin("tictactoe", "you", "you") for _ in range(2)]
        answer = ann.ask("POST", "/api/matches", wish)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_matches")
        assert int(answer.headers["retry-after"]) > 0
        fork = {"ply": 0, "seats": ["you", "you"]}
        ann.refused(429, "too_many_matches", "POST", path(matches[0], "fork"), fork)
        ann.change(matches[0], "resign")
        ann.change(ann.begin("tictactoe", "you", "you"), "resign")
        assert "in an hour" in ann.refused(429, "too_many_matches", "POST", "/api/matches", wish)["message"]
        bob.begin("tictactoe", "you", "you")


def test_the_secret_is_drawn_once_and_kept_from_others(own_folders: Path) -> None:
    settings = Settings.read(environment={})
    secret = secret_of(settings)
    assert secret == secret_of(settings)
    assert len(secret) >= 32
    (file,) = (own_folders / "data").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    given = "0f1e8d2c7b3a69584f0e1d8c2b7a3695"
    assert secret_of(Settings.read(environment={"LUDEX_SECRET": given})) == given.encode()


def test_a_secret_that_exists_needs_no_room(own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings.read(environment={})
    secret = secret_of(settings)

    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "open", fail)
    assert secret_of(settings) == secret
    (own_folders / "data" / "web-secret").unlink()
    with pytest.raises(FolderUnwritable, match="No space left on device; set LUDEX_SECRET"):
        secret_of(settings)


def test_what_one_secret_signs_another_does_not_read() -> None:
    ours, theirs = Seats(b"ours"), Seats(b"theirs")
    cookie = ours.new_cookie()
    assert ours.known_as(cookie) is not None
    assert theirs.known_as(cookie) is None
    assert ours.known_as(None) is None
    assert cookie.partition(".")[0] not in str(ours.known_as(cookie))
    invitation = ours.invitation("aaaaaaaaaa", 1)
    assert ours.invited_to(invitation, "aaaaaaaaaa") == 1
    for seats, match_id in ((theirs, "aaaaaaaaaa"), (ours, "bbbbbbbbbb")):
        with pytest.raises(BadInvitation):
            seats.invited_to(invitation, match_id)
    with pytest.raises(BadInvitation):
        ours.invited_to(cookie, "aaaaaaaaaa")
