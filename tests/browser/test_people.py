"""People and their seats in real browsers: taking back, coming back, watching, invitations, draws and signs."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ludex.core.messages import Language
from tests.browser.browsing import PHONE, Screen, languages, sentences
from tests.browser.test_help import seat_two_people
from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, served

# The browser itself writes of a server that is not there, for as long as the page looks for it.
ABSENT = ("net::ERR_CONNECTION_", "WebSocket connection to")


def test_undo_takes_back_to_ones_own_turn(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "perfect")
    undo = screen.page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    screen.page.locator('[data-cell="4"]').click()
    screen.after(2)
    undo.click()
    expect(screen.page.locator(".board .piece")).to_have_count(0)
    assert screen.match()["plies"] == 0
    screen.page.locator('[data-cell="0"]').click()
    screen.after(2)
    expect(screen.page.locator(".board .piece")).to_have_count(2)
    screen.page.keyboard.press("u")
    expect(screen.page.locator(".board .piece")).to_have_count(0)


# Every drawing of the page sets its title.
COUNT_DRAWINGS = """() => {
  const title = Object.getOwnPropertyDescriptor(Document.prototype, "title");
  window.drawings = 0;
  const set = (text) => { window.drawings += 1; title.set.call(document, text); };
  Object.defineProperty(document, "title", {get: title.get, set});
}"""
# A state that is sent again, as when a game has been prepared, is no news.
COUNT_STATES = """
window.versions = new Set();
window.WebSocket = class extends WebSocket {
  constructor(...address) {
    super(...address);
    this.addEventListener("message", ({data}) => {
      const message = JSON.parse(data);
      if (message.type === "state") window.versions.add(message.match.version);
    });
  }
};
"""


def test_a_move_draws_its_own_page_once(screen: Screen) -> None:
    """The answer and the WebSocket bring the same state: the page draws the click, then the state, and no more."""
    screen.tab.add_init_script(COUNT_STATES)
    screen.begin("tictactoe", "3x3x3", "you", "you")
    screen.page.wait_for_function("() => window.versions.size === 1")
    screen.page.evaluate(COUNT_DRAWINGS)
    for plies, cell in enumerate((4, 0, 8), start=1):
        # The cell under the pointer shows the move before it is played.
        screen.page.locator(f'[data-cell="{cell}"]').hover()
        screen.page.locator(f'[data-cell="{cell}"]').focus()
        screen.page.evaluate("window.drawings = 0")
        screen.page.locator(f'[data-cell="{cell}"]').click()
        screen.after(plies)
        screen.page.wait_for_function("(versions) => window.versions.size === versions", arg=1 + plies)
        assert screen.page.evaluate("window.drawings") == 2


def test_the_past_is_looked_at_and_played_on_from(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "you")
    for text in ("a1", "b2", "c3"):
        screen.play(text)
    expect(screen.page.locator(".board .piece")).to_have_count(3)
    screen.page.locator(".ply", has_text="b2").click()
    expect(screen.page.locator(".board .piece")).to_have_count(2)
    expect(screen.page.locator(".status")).to_have_text("Move 2 of 3")
    screen.page.keyboard.press("Home")
    expect(screen.page.locator(".board .piece")).to_have_count(0)
    # Nothing can be played in the past.
    screen.page.locator('[data-cell="5"]').click()
    screen.page.keyboard.press("PageDown")
    expect(screen.page.locator(".board .piece")).to_have_count(1)
    assert screen.match()["plies"] == 3
    first = screen.id
    screen.page.get_by_role("button", name="Play on from here").click()
    screen.page.wait_for_url(lambda url: "/match/" in url and first not in url)
    screen.started()
    assert [move["text"] for move in screen.match()["moves"]] == ["a1"]


def test_a_reload_finds_the_same_seat_and_position(screen: Screen) -> None:
    screen.begin("quoridor", "5x5", "you", "you")
    for text in ("c2", "c4", "b2h"):
        screen.play(text)
    before = screen.after(3)
    screen.page.reload()
    expect(screen.page.locator(".plies > li")).to_have_count(3)
    expect(screen.page.locator(".board .wall")).to_have_count(1)
    after = screen.match()
    assert (after["version"], after["scene"], after["seats"]) == (before["version"], before["scene"], before["seats"])
    assert after["can"]["move"]


def test_a_move_without_a_server_is_reported_and_the_page_goes_on_later(chrome: Browser, tmp_path: Path) -> None:
    with served(tmp_path, *GENEROUS, "--workers", "1") as first, Screen(chrome, first) as screen:
        screen.foreseen = ABSENT
        screen.begin("tictactoe", "3x3x3", "you", "you")
        screen.page.locator('[data-cell="4"]').click()
        screen.after(1)
        first.kill()
        expect(screen.page.locator(".status")).to_have_text("Reconnecting…")
        screen.page.locator('[data-cell="0"]').click()
        expect(screen.page.locator(".message.fault")).to_contain_text("The server does not answer")
        expect(screen.page.locator(".board .piece")).to_have_count(1)
        port = first.url.rpartition(":")[2]
        with served(tmp_path, *GENEROUS, "--workers", "1", "--port", port):
            expect(screen.page.locator(".status")).to_have_text("O to move")
            screen.page.locator('[data-cell="0"]').click()
            view = screen.after(2)
            assert [move["action"] for move in view["moves"]] == [4, 0]
            expect(screen.page.locator(".board .piece")).to_have_count(2)
        assert screen.faults


def test_a_second_person_watches_and_cannot_move(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server) as ann, Screen(chrome, server) as bob:
        ann.begin("tictactoe", "3x3x3", "you", "you")
        bob.look_at(ann.id)
        expect(bob.page.locator(".preset")).to_contain_text("You are watching")
        for name in ("Undo", "Resign", "Delete"):
            expect(bob.page.get_by_role("button", name=name)).to_have_count(0)
        bob.page.locator('[data-cell="4"]').click()
        bob.page.keyboard.press("5")
        ann.page.locator('[data-cell="0"]').click()
        expect(bob.page.locator(".board .piece")).to_have_count(1)
        assert [move["action"] for move in ann.match()["moves"]] == [0]
        assert not bob.match()["can"]["move"]


@pytest.mark.parametrize(
    ("language", "title", "local"),
    [("en", "Tic-tac-toe", "fonctionne que sur cet ordinateur"), ("fr", "Morpion", "works on this computer only")],
    ids=["en", "fr"],
)
def test_an_invitation_gives_the_other_seat_once(
    chrome: Browser, server: RunningServer, language: str, title: str, local: str
) -> None:
    page, home, invitation, join, settings, frame = (
        sentences(language, *place.split("."))
        for place in ("match.page", "home.page", "people.invitation", "me.join", "me.settings", "shell.frame")
    )
    with (
        Screen(chrome, server, language=language) as ann,
        Screen(chrome, server, language=language) as bob,
        Screen(chrome, server, language=language) as eve,
    ):
        # The game may still be compiled.
        ann.foreseen = ("503",)
        ann.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        card = ann.page.get_by_role("article", name=title)
        card.get_by_role("button", name=home["invite"]).click()
        ann.started()
        # The name that the invitation asks for, and back.
        ann.page.get_by_role("link", name=invitation["choose"]).click()
        ann.page.get_by_label(settings["nickname"]).fill("Ann")
        ann.page.get_by_role("button", name=settings["save"]).click()
        expect(ann.page.locator(".message")).to_contain_text(settings["saved"].format(name="Ann"))
        ann.page.get_by_role("link", name=settings["back"]).click()
        ann.started()
        ann.page.get_by_role("button", name=invitation["copy"]).click()
        expect(ann.page.locator(".message").last).to_contain_text(frame["copied"])
        link = ann.page.evaluate("navigator.clipboard.readText()")
        expect(ann.page.locator(".invitation code")).to_have_text(link)
        # The servers of the tests are for this machine only: the page says so, and has no code for a phone.
        expect(ann.page.locator(".qr")).to_have_count(0)
        expect(ann.page.get_by_text(invitation["local"])).to_be_visible()
        expect(ann.page.get_by_text(invitation["host"])).to_be_hidden()
        ann.page.get_by_text(invitation["elsewhere"]).click()
        expect(ann.page.get_by_text(invitation["host"])).to_be_visible()
        ann.page.get_by_role("button", name=frame["language"]).click()
        expect(ann.page.locator(".invitation .local")).to_contain_text(local)
        ann.page.get_by_role("button", name=re.compile("Langu(e|age)")).click()
        for person in (bob, eve):
            person.open(link)
            expect(person.page.get_by_role("heading")).to_have_text(join["ask_by"].format(name="Ann", title=title))
        bob.page.get_by_role("button", name=join["take"]).click()
        bob.started()
        expect(ann.page.locator(".invitation")).to_have_count(0)
        ann.page.locator('[data-cell="0"]').click()
        expect(bob.page.locator(".status")).to_have_text(page["your_turn_as"].format(side="O"))
        bob.page.locator('[data-cell="1"]').click()
        expect(ann.page.locator(".board .piece")).to_have_count(2)
        # The browser writes of every refused request, sooner or later.
        eve.foreseen = ("status of 409",)
        eve.page.get_by_role("button", name=join["take"]).click()
        expect(eve.page.locator(".message.fault")).to_be_visible()
        for person, names in ((ann, (frame["you"], frame["guest"])), (bob, ("Ann", frame["you"]))):
            person.open("/")
            expect(person.page.locator(".recent:not(.live) .matches .seated").first).to_have_text(
                " \u2013 ".join(names)
            )


def test_a_resignation_needs_confirmation(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "perfect")
    screen.page.get_by_role("button", name="Resign").click()
    assert screen.match()["live"]
    screen.page.get_by_role("button", name="Sure?").click()
    expect(screen.page.locator(".status")).to_have_text("You lost: resignation")


def test_an_agent_in_line_shows_its_place_and_does_not_look_busy(screen: Screen, server: RunningServer) -> None:
    terms = {"game": "quoridor", "preset": "11x11", "seats": ["master", "you"], "movetime_ms": 60_000}
    with server.client() as greedy:
        begun = greedy.post("/api/matches", json=terms).json()["id"]
        screen.begin("quoridor", "5x5", "master", "you")
        expect(screen.page.locator(".status")).to_have_text("Engine: 1st in line")
        expect(screen.page.locator(".panel.analysis")).to_have_attribute("aria-busy", "false")
        assert greedy.delete(f"/api/matches/{begun}").status_code == 204
        screen.after(1)


def test_a_paused_match_outlives_a_reload_and_goes_on_by_single_moves(screen: Screen) -> None:
    page = screen.tab
    _, match = screen.ask("POST", "/api/matches", {"game": "quoridor", "preset": "9x9", "seats": ["random", "random"]})
    # The game shall not end before the page has opened.
    screen.ask("PUT", f"/api/matches/{match['id']}/pace", {"paused": False, "ms": 5000})
    screen.look_at(match["id"])
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".status")).to_contain_text("Paused")
    page.reload()
    expect(page.locator(".status")).to_contain_text("Paused")
    plies = screen.match()["plies"]
    page.get_by_role("button", name="Next move").click()
    expect(page.locator(".plies > li")).to_have_count(plies + 1)
    expect(page.locator(".status")).to_contain_text("Paused")
    page.get_by_label("Slow").check(force=True)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert screen.match()["pace"] == {"paused": False, "ms": 2500, "least_ms": 20}


def test_a_draw_is_offered_withdrawn_declined_and_accepted(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server) as ann, Screen(chrome, server) as bob:
        seat_two_people(ann, bob, practice=False)
        bob.page.get_by_role("button", name="Offer a draw").click()
        expect(ann.page.locator(".offer")).to_contain_text("O offers a draw.")
        # Played on the version before the offer, the move still counts: the position is the same.
        ann.page.locator('[data-cell="4"]').click()
        expect(bob.page.locator(".board .piece")).to_have_count(1)
        expect(bob.page.locator(".offer")).to_have_count(0)
        bob.page.get_by_role("button", name="Offer a draw").click()
        ann.page.get_by_role("button", name="Decline").click()
        expect(bob.page.locator(".message")).to_contain_text("The other player has declined the draw.")
        bob.page.locator('[data-cell="0"]').click()
        bob.page.get_by_role("button", name="Offer a draw").click()
        # A person who withdraws an offer gets no message of it.
        bob.page.locator(".message button").click()
        bob.page.get_by_role("button", name="Withdraw the offer").click()
        expect(bob.page.locator(".offer")).to_have_count(0)
        expect(bob.page.locator(".message")).to_have_count(0)
        ann.page.get_by_role("button", name="Offer a draw").click()
        bob.page.get_by_role("button", name="Accept the draw").click()
        for screen in (ann, bob):
            expect(screen.page.locator(".status")).to_have_text("Draw: agreed by both players")


def test_a_sign_is_seen_and_can_be_switched_off(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server) as ann, Screen(chrome, server) as bob:
        seat_two_people(ann, bob, practice=False)
        bob.page.get_by_role("button", name="Hello!").click()
        for screen, message in ((ann, "O: Hello!×"), (bob, "You: Hello!×")):
            expect(screen.page.locator(".message")).to_have_text(message)
            expect(screen.page.locator(".message")).to_be_in_viewport()
            screen.page.locator(".message button").click()
        ann.page.get_by_role("checkbox", name="Signs").click()
        # It is said what that means, and where it can be undone.
        expect(ann.page.locator(".message")).to_contain_text("Signs are off in all your matches")
        bob.page.get_by_role("button", name="Oops!").click()
        expect(bob.page.locator(".message")).to_contain_text("You: Oops!")
        expect(ann.page.locator(".message", has_text="Oops!")).to_have_count(0)
        expect(ann.page.get_by_role("button", name="Hello!")).to_have_count(0)
        ann.page.reload()
        expect(ann.page.get_by_role("checkbox", name="Signs")).not_to_be_checked()
        ann.page.get_by_role("checkbox", name="Signs").click()
        expect(ann.page.get_by_role("button", name="Hello!")).to_be_visible()


@languages
def test_no_message_hides_what_a_phone_is_asked(chrome: Browser, server: RunningServer, language: Language) -> None:
    page, people = (sentences(language, part, "page") for part in ("match", "people"))
    with (
        Screen(chrome, server, PHONE, language=language) as ann,
        Screen(chrome, server, language=language) as bob,
    ):
        seat_two_people(ann, bob, practice=False, language=language)
        ann.page.locator('[data-cell="4"]').click()
        bob.page.get_by_role("button", name=people["draw"]).click()
        bob.page.get_by_role("button", name=people["hello"]).click()
        message, offer = ann.page.locator(".message"), ann.page.locator(".offer")
        expect(message).to_contain_text(people["hello"])
        below, above = offer.bounding_box(), message.bounding_box()
        assert below is not None
        assert above is not None
        assert above["y"] + above["height"] <= below["y"]
        message.get_by_role("button").click()
        ann.page.get_by_role("button", name=people["draw_decline"]).click()
        for name in (page["resign"], page["sure"]):
            bob.page.get_by_role("button", name=name).click()
        # The offer lies over the page wherever that is scrolled to: no message repeats it.
        ann.page.evaluate("scrollTo(0, 200)")
        bob.page.get_by_role("button", name=page["rematch"]).click()
        expect(offer).to_contain_text(people["rematch_theirs"])
        expect(message).to_have_count(0)
        # The finished match's actions are one row, and its menu one column.
        ann.page.get_by_role("button", name=people["draw_decline"]).click()
        row = ann.page.locator(".actions > :is(button, a)")
        expect(row).to_have_count(3)
        tops = row.evaluate_all("(all) => all.map((one) => Math.round(one.getBoundingClientRect().top))")
        assert len(set(tops)) == 1
        ann.page.get_by_role("button", name=page["more"]).click()
        menu = ann.page.locator("#more-actions :is(button, a):visible")
        assert len(set(menu.evaluate_all(TEXT_EDGES))) == 1


# Where the words of elements begin.
TEXT_EDGES = """(all) => all.map((one) => {
  const range = document.createRange();
  const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    range.selectNodeContents(words.currentNode);
    const { left, width } = range.getBoundingClientRect();
    if (width > 4) return Math.round(left);
  }
})"""

WORDS = {
    "en": ("Undo", "asks to take a move back", "Let them take it back", "Live now", "You are watching"),
    "fr": ("Annuler le coup", "demande à reprendre un coup", "Accepter la reprise", "En direct", "spectateur"),
}


@languages
def test_a_move_is_taken_back_if_both_agree_and_a_third_person_watches(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    undo, asks, accept, live, watching = WORDS[language]
    with (
        Screen(chrome, server, language=language) as ann,
        Screen(chrome, server, language=language) as bob,
        Screen(chrome, server, language=language) as eve,
    ):
        wish = {"game": "tictactoe", "seats": ["you", "open"]}
        while "id" not in (made := ann.ask("POST", "/api/matches", wish)[1]):
            assert made["code"] == "preparing"
        ann.id = made["id"]
        token = ann.ask("POST", f"/api/matches/{ann.id}/invitation", None)[1]["path"].partition("=")[2]
        bob.ask("POST", f"/api/matches/{ann.id}/join", {"invitation": token})
        for screen in (ann, bob):
            screen.look_at(ann.id)
        ann.page.locator('[data-cell="4"]').click()
        expect(bob.page.locator(".board .piece")).to_have_count(1)
        bob.page.locator('[data-cell="0"]').click()
        expect(ann.page.locator(".board .piece")).to_have_count(2)
        ann.page.get_by_role("button", name=undo, exact=True).click()
        expect(bob.page.locator(".offer")).to_contain_text(asks)
        assert ann.match()["plies"] == 2
        bob.page.get_by_role("button", name=accept).click()
        for screen in (ann, bob):
            expect(screen.page.locator(".board .piece")).to_have_count(0)
            expect(screen.page.locator(".offer")).to_have_count(0)
        # Both are seen in the list of live matches.
        listed = eve.page.locator(".recent.live")
        expect(listed.get_by_role("heading")).to_contain_text(live)
        listed.locator(f'a[href="/match/{ann.id}"]').click()
        expect(eve.page.locator("p.preset")).to_contain_text(watching)
        ann.page.locator('[data-cell="4"]').click()
        expect(eve.page.locator(".board .piece")).to_have_count(1)
