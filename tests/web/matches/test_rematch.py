"""Rematches between two people: offered, declined, offered again."""

import asyncio
import json

from ludex.web.errors import RematchDeclined
from ludex.web.metrics import Metrics
from ludex.web.settings import Settings
from ludex.web.subscriptions import SubscriptionHub
from tests.web.matches.test_draws import seated
from tests.web.playing import Visitor, path


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


def test_the_polling_that_finds_a_match_missing_first_says_why_too() -> None:
    async def none_is_left(match_ids: list[str]) -> dict[str, int]:
        return {}

    async def scene() -> None:
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

    asyncio.run(asyncio.wait_for(scene(), 60))
