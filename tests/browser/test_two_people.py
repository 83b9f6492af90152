"""Draws and signs between two people in real browsers."""

from playwright.sync_api import Browser, expect

from tests.browser.browsing import Screen, languages
from tests.browser.test_help import seat_two_people
from tests.web.running import RunningServer


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
        for screen in (ann, bob):
            expect(screen.page.locator(".given")).to_contain_text("O: Hello!")
        ann.page.get_by_role("checkbox", name="Signs").click()
        # It is said what that means, and where it can be undone.
        expect(ann.page.locator(".message")).to_contain_text("Signs are off in all your matches")
        bob.page.get_by_role("button", name="Oops!").click()
        expect(bob.page.locator(".given")).to_contain_text("O: Oops!")
        expect(ann.page.locator(".given")).to_have_count(0)
        expect(ann.page.get_by_role("button", name="Hello!")).to_have_count(0)
        ann.page.reload()
        expect(ann.page.get_by_role("checkbox", name="Signs")).not_to_be_checked()
        ann.page.get_by_role("checkbox", name="Signs").click()
        expect(ann.page.get_by_role("button", name="Hello!")).to_be_visible()


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
