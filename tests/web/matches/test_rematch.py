"""Rematches between two people: offered, declined, offered again."""

import json

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
