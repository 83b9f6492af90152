"""Nicknames: chosen, changed and taken away, checked, and shown to everybody who sees a match."""

import asyncio

import pytest

from ludex.store.database import Database
from ludex.store.nicknames import BadNickname, checked_nickname
from ludex.web.nicknames import SECONDS, KnownNicknames
from ludex.web.offload import Offload
from tests.web.matches.test_agreements import seated
from tests.web.playing import Visitor


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
        now[0] = SECONDS
        seen.append(await known.of(["ann", "bob"]))
        offload.close()
        return seen

    with Database.open("sqlite://") as database:
        assert asyncio.run(look(database)) == [{"ann": "Ann"}, {"ann": "Anna"}]
