"""What two people agree on: draws and rematches; and the signs that they give each other."""

import asyncio
import json
from typing import Any

from ludex.web.errors import RematchDeclined
from ludex.web.metrics import Metrics
from ludex.web.settings import Settings
from ludex.web.subscriptions import SubscriptionHub
from tests.waiting import PATIENCE
from tests.web.playing import View, Visitor, path
from tests.web.routes.test_live import heard, of_type, say
from tests.web.running import RunningServer


def test_a_sign_reaches_both_people_and_no_spectator(ann: Visitor, bob: Visitor, server: RunningServer) -> None:
    match = seated(ann, bob)
    with Visitor(server) as eve, ann.watch(match) as own, bob.watch(match) as other, eve.watch(match) as third:
        # A connection is open before it is one that signs go to; its first state says so.
        for socket in (own, other, third):
            heard(socket, of_type("state"))
        assert ann.ask("POST", path(match, "emotes"), {"emote": "hello"}).status_code == 204
        for socket in (own, other):
            assert heard(socket, of_type("emote")) == {"type": "emote", "player": 0, "emote": "hello"}
        eve.refused(403, "not_your_seat", "POST", path(match, "emotes"), {"emote": "hello"})
        say(third, "ping")
        kinds = []
        while "pong" not in kinds:
            kinds.append(json.loads(third.recv(timeout=PATIENCE))["type"])
        assert "emote" not in kinds
    # It is not stored, and no version of the match.
    assert ann.view(match)["version"] == match["version"]


def test_signs_are_few(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    statuses = [ann.ask("POST", path(match, "emotes"), {"emote": "nice"}).status_code for _ in range(5)]
    assert statuses == [204, 204, 204, 429, 429]
    assert bob.ask("POST", path(match, "emotes"), {"emote": "oops"}).status_code == 204
    ann.refused(422, "bad_request", "POST", path(match, "emotes"), {"emote": "rude"})
    machine = bob.begin("tictactoe", "you", "perfect")
    bob.refused(403, "not_your_seat", "POST", path(machine, "emotes"), {"emote": "hello"})


def test_a_declined_rematch_is_deleted_and_its_waiting_player_told(ann: Visitor, bob: Visitor) -> None:
    match = ann.change(seated(ann, bob), "resign")
    bob.refused(409, "no_rematch", "POST", path(match, "rematch/decline"))
    offered = ann.ask("POST", path(match, "rematch")).json()
    assert bob.view(match)["rematch"] == {"id": offered["id"], "yours": False}
    # Who has offered it deletes it instead.
    ann.refused(409, "no_rematch", "POST", path(match, "rematch/decline"))
    with ann.watch(offered) as socket:
        socket.recv(timeout=60)
        declined = bob.ask("POST", path(match, "rematch/decline")).json()
        # A game whose kernels become ready has every match sent again.
        while (fault := json.loads(socket.recv(timeout=60)))["type"] == "state":
            pass
    assert (declined["rematch"], declined["can"]["rematch"]) == (None, True)
    assert (fault["type"], fault["problem"]["code"]) == ("fault", "rematch_declined")
    assert fault["problem"]["text"]["fr"].endswith("a refusé la revanche.")
    ann.refused(404, "unknown_match", "GET", f"/api/matches/{offered['id']}")
    again = ann.ask("POST", path(match, "rematch")).json()
    assert again["id"] != offered["id"]
    assert bob.ask("POST", path(match, "rematch")).json()["id"] == again["id"]


def test_a_move_is_taken_back_if_the_other_person_agrees(ann: Visitor, bob: Visitor) -> None:
    match = ann.move(seated(ann, bob), "b2")
    bob.refused(422, "nothing_to_undo", "POST", path(match, "undo"), {"version": match["version"]})
    match = bob.move(match, "a1")
    asked = ann.change(match, "undo")
    assert (asked["plies"], asked["takeback"], asked["draw"]) == (2, {"player": 0, "yours": True}, None)
    assert bob.view(match)["takeback"] == {"player": 0, "yours": False}
    # Once per move: declined, the other person is not asked again, and a move withdraws the request.
    declined = bob.change(asked, "draw/decline")
    assert (declined["plies"], declined["takeback"]) == (2, None)
    text = ann.refused(409, "draw_offered", "POST", path(match, "undo"), {"version": declined["version"]})["text"]
    assert text["fr"].startswith("Vous avez déjà demandé")
    moved = ann.move(declined, "c3")
    asked = bob.change(moved, "undo")
    agreed = ann.change(asked, "undo")
    assert [move["text"] for move in agreed["moves"]] == ["b2"]
    assert (agreed["takeback"], agreed["to_move"]) == (None, 1)
    over = ann.change(agreed, "resign")
    ann.refused(403, "not_your_seat", "POST", path(match, "undo"), {"version": over["version"]})


async def test_the_polling_that_finds_a_match_missing_first_says_why_too() -> None:
    async def none_is_left(match_ids: list[str]) -> dict[str, int]:
        return {}

    hub = SubscriptionHub(Metrics(), Settings(poll_ms=50))
    waiting = hub.join("ab" * 8, "ann", "127.0.0.1")
    await waiting.next_update()
    polling = asyncio.create_task(hub.poll(none_is_left))
    with hub.explaining(waiting.match_id, RematchDeclined("declined")):
        await waiting.next_update()
    # It stays the reason when the polling finds nothing again.
    await waiting.next_update()
    polling.cancel()
    assert waiting.gone is not None
    assert waiting.gone.code == "rematch_declined"


def seated(ann: Visitor, bob: Visitor, **terms: Any) -> View:
    """A match between two people, begun by the first; both have seen it."""
    match = ann.begin("tictactoe", "you", "open", **terms)
    bob.join(match, ann.invite(match))
    return ann.view(match)


def test_an_offer_that_is_accepted_ends_the_match_as_drawn(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    offered = ann.change(match, "draw")
    assert offered["draw"] == {"player": 0, "yours": True}
    seen = bob.view(match)
    assert (seen["draw"], seen["can"]["draw"]) == ({"player": 0, "yours": False}, True)
    over = bob.change(seen, "draw")
    assert (over["live"], over["outcome"]) == (False, {"scores": [0.0, 0.0], "reason": "agreement"})
    assert (over["status"], over["draw"]) == ("Draw by agreement.", None)
    file = ann.ask("GET", path(match, "file")).json()
    taken = ann.ask("POST", "/api/matches/import", file)
    assert taken.json()["outcome"] == over["outcome"]


def test_a_move_withdraws_an_offer(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    offered = bob.change(match, "draw")
    moved = ann.move(offered, "b2")
    assert (moved["draw"], bob.view(match)["draw"]) == (None, None)
    bob.refused(409, "stale_match", "POST", path(match, "draw/decline"), {"version": offered["version"]})
    # After a move a new offer is possible.
    assert bob.change(moved, "draw")["draw"]["yours"]


def test_an_offer_is_declined_or_withdrawn_and_made_once_per_position(ann: Visitor, bob: Visitor) -> None:
    match = seated(ann, bob)
    offered = ann.change(match, "draw")
    ann.refused(409, "draw_offered", "POST", path(match, "draw"), {"version": offered["version"]})
    declined = bob.change(offered, "draw/decline")
    assert (declined["live"], declined["draw"]) == (True, None)
    bob.refused(409, "no_draw_offer", "POST", path(match, "draw/decline"), {"version": declined["version"]})
    ann.refused(409, "draw_offered", "POST", path(match, "draw"), {"version": declined["version"]})
    withdrawn = bob.change(bob.change(declined, "draw"), "draw/decline")
    assert withdrawn["draw"] is None
    assert ann.move(withdrawn, "b2")["plies"] == 1


def test_a_draw_is_agreed_between_two_people_only(ann: Visitor, bob: Visitor) -> None:
    alone, machine = ann.begin("tictactoe", "you", "you"), ann.begin("tictactoe", "you", "perfect")
    waiting = ann.begin("tictactoe", "you", "open")
    for match in (alone, machine, waiting):
        assert not match["can"]["draw"]
        ann.refused(403, "not_your_seat", "POST", path(match, "draw"), {"version": match["version"]})
    match = seated(ann, bob)
    over = ann.change(match, "resign")
    ann.refused(422, "game_over", "POST", path(match, "draw"), {"version": over["version"]})
