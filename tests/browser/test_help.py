"""An engine's help in real browsers: shown once, agreed to before it ends a rating, and none between two people."""

import pytest
from playwright.sync_api import Browser, Page, expect

from ludex.core.messages import Language, Message
from tests.browser.browsing import Screen, sentences
from tests.web.running import RunningServer


def play_tictactoe(screen: Screen, *, rated: bool = True) -> None:
    """Begin a match against the machine from the home page; a new person's is unrated."""
    # A server that has just begun may still prepare the game; the page asks again.
    screen.foreseen = (*screen.foreseen, "503")
    card = screen.page.get_by_role("article", name="Tic-tac-toe")
    card.get_by_text("More", exact=True).click()
    card.get_by_label("Rated").set_checked(rated)
    card.get_by_role("button", name="Play Tic-tac-toe").click()
    screen.started()


def overlay(page: Page) -> str:
    return str(page.locator('input[name="overlay"]:checked').get_attribute("value"))


def test_a_hint_is_agreed_to_shown_once_and_recorded(screen: Screen) -> None:
    page = screen.page
    play_tictactoe(screen)
    screen.on_turn()
    expect(page.locator(".rating")).to_have_text("Rated, unless you use help or undo.")
    hint = page.get_by_role("button", name="Hint", exact=True)
    hint.click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("After a hint this match no longer counts.")
    expect(question).to_contain_text("A match that does not count")
    question.get_by_role("button", name="Keep it counting").click()
    expect(question).to_have_count(0)
    assert (screen.match()["rated"], screen.match()["help"]) == (True, [])
    hint.click()
    question.get_by_role("button", name="Go on anyway").click()
    expect(page.locator(".drawn-hint.drawn")).to_be_visible()
    expect(page.locator(".rating")).to_have_text("This match is not rated.")
    expect(page.locator(".helped")).to_contain_text("X, hint at move 1")
    assert overlay(page) == "none"
    view = screen.match()
    assert not view["rated"]
    assert view["help"] == [{"player": 0, "ply": 0, "kind": "hint"}]
    page.locator(f'[data-cell="{view["scene"]["moves"][0]["cells"][0]}"]').click()
    screen.after(2)
    # The hint was for one position: the next one shows none, and asks for none.
    expect(page.locator(".drawn")).to_have_count(0)
    assert len(screen.match()["help"]) == 1


def test_a_time_that_counts_is_not_spoiled_without_a_question(screen: Screen) -> None:
    document = {"game": "minesweeper", "preset": "small:no_guess=true", "seats": ["you"]}
    status, made = screen.ask("POST", "/api/matches", document)
    while made.get("code") == "preparing":
        status, made = screen.ask("POST", "/api/matches", document)
    assert status == 201
    screen.look_at(made["id"])
    page = screen.page
    expect(page.locator(".rating")).to_contain_text("Your time counts")
    page.locator("label", has_text="Heat").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("it this match no longer counts")
    question.get_by_role("button", name="Keep it counting").click()
    assert (overlay(page), screen.match()["help"]) == ("none", [])


def test_an_overlay_and_undo_ask_in_a_rated_match_and_not_in_practice(screen: Screen) -> None:
    page = screen.page
    play_tictactoe(screen)
    view = screen.on_turn()
    page.locator(f'[data-cell="{view["scene"]["moves"][0]["cells"][0]}"]').click()
    screen.after(2)
    expect(page.locator(".analysis .idle")).to_contain_text("what the machine considers is shown after the end")
    expect(page.locator(".candidate, .gauge, .analysis .note")).to_have_count(0)
    question = page.get_by_role("alertdialog")
    page.locator("label", has_text="Heat").click()
    expect(question).to_contain_text("This overlay shows what an engine thinks")
    question.get_by_role("button", name="Keep it counting").click()
    assert overlay(page) == "none"
    page.keyboard.press("u")
    expect(question).to_contain_text("After a move is taken back this match no longer counts.")
    question.get_by_role("button", name="Keep it counting").click()
    view = screen.match()
    assert (view["plies"], view["rated"], view["help"]) == (2, True, [])
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Sure?").click()
    # A move by mistake has a reason, and no value.
    expect(page.locator(".candidate, .gauge, .analysis .note").first).to_be_visible()
    page.goto("/")
    play_tictactoe(screen, rated=False)
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator(".drawn-hint.drawn")).to_be_visible()
    expect(question).to_have_count(0)


def test_a_remembered_overlay_waits_in_a_match_for_the_record(screen: Screen) -> None:
    page = screen.page
    wanted = {"game": "minesweeper", "preset": "beginner:no_guess=true", "seats": ["you"]}
    practice = screen.ask("POST", "/api/matches", {**wanted, "practice": True})[1]["id"]
    screen.look_at(practice)
    page.locator("label", has_text="Heat").click()
    page.wait_for_selector(".percent")
    screen.look_at(screen.ask("POST", "/api/matches", wanted)[1]["id"])
    assert overlay(page) == "none"
    begun = screen.match()
    assert not begun["rated"], "its time counts all the same"
    page.locator(f'[data-cell="{begun["scene"]["start"]}"]').click()
    assert screen.after(1)["help"] == []
    screen.look_at(practice)
    assert overlay(page) == "heat"


def test_two_people_have_no_engine_help_unless_they_agreed(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server) as ann, Screen(chrome, server) as bob:
        for practice in (False, True):
            seat_two_people(ann, bob, practice=practice)
            hint = ann.page.get_by_role("button", name="Hint", exact=True)
            if practice:
                hint.click()
                # What one of them sees is open to both.
                expect(ann.page.locator(".drawn-hint.drawn")).to_be_visible()
                expect(bob.page.locator(".analysis .note")).to_be_visible()
                for screen in (ann, bob):
                    expect(screen.page.locator(".helped")).to_contain_text("X, hint at move 1")
            else:
                expect(ann.page.locator(".analysis")).to_contain_text("No engine helps in a match between two people")
                expect(hint).to_have_count(0)
                assert ann.page.locator(".candidate").count() == 0
                assert not bob.match()["can"]["analyse"]


def seat_two_people(ann: Screen, bob: Screen, *, practice: bool, language: Language = "en") -> None:
    """A match of two people, by an invitation that names its terms."""
    join = sentences(language, "me", "join")
    wish = {"game": "tictactoe", "seats": ["you", "open"], "practice": practice}
    _, made = ann.ask("POST", "/api/matches", wish)
    while made.get("code") == "preparing":
        ann.foreseen = (*ann.foreseen, "503")
        _, made = ann.ask("POST", "/api/matches", wish)
    ann.look_at(made["id"])
    link = ann.ask("POST", f"/api/matches/{ann.id}/invitation", None)[1]["path"]
    bob.open(link)
    expect(bob.page.get_by_text(join["practice" if practice else "no_help"])).to_be_visible()
    # The side, who begins and the rules are there before the seat is taken.
    expect(bob.test_id("your-side")).to_have_text(join["second"].format(side="O"))
    bob.page.get_by_role("button", name=join["rules"]).click()
    expect(bob.page.locator("dialog.rules")).to_be_visible()
    bob.page.keyboard.press("Escape")
    bob.page.get_by_role("button", name=join["take"]).click()
    bob.started()


@pytest.mark.parametrize(
    ("language", "title", "names"), [("en", "Tic-tac-toe", " and "), ("fr", "Morpion", " et ")], ids=["en", "fr"]
)
def test_a_rematch_swaps_the_seats_and_is_accepted(
    chrome: Browser, server: RunningServer, language: Language, title: str, names: str
) -> None:
    page, people, join, frame = (
        sentences(language, *place.split(".")) for place in ("match.page", "people.page", "me.join", "shell.frame")
    )
    with (
        Screen(chrome, server, language=language) as ann,
        Screen(chrome, server, language=language) as bob,
        Screen(chrome, server, language=language) as eve,
    ):
        seat_two_people(ann, bob, practice=False, language=language)
        first = ann.id
        for name in (page["resign"], page["sure"]):
            bob.page.get_by_role("button", name=name).click()
        offer = ann.page.get_by_role("button", name=page["rematch"])
        offer.click()
        ann.page.wait_for_url(lambda url: "/match/" in url and first not in url)
        ann.started()
        # Nobody else is invited.
        waiting = sentences(language, "people", "invitation")["rematch"].format(name=frame["guest"])
        expect(ann.page.locator(".status")).to_have_text(waiting)
        expect(ann.page.locator(".invitation code")).to_have_count(0)
        bob.page.get_by_role("button", name=people["draw_decline"]).click()
        expect(ann.page.locator(".message")).to_contain_text(Message("ludex.error_rematch_declined").text(language))
        # The finished match is where both talk about another one.
        ann.page.wait_for_url(f"**/match/{first}")
        offer.click()
        ann.page.wait_for_url(lambda url: "/match/" in url and first not in url)
        ann.started()
        # Bob may have the seat before Ann's page asks for an invitation to it.
        ann.foreseen = (*ann.foreseen, "status of 409")
        accept = bob.page.get_by_role("button", name=people["rematch_accept"])
        expect(accept).to_be_in_viewport()
        accept.click()
        bob.page.wait_for_url(lambda url: "/match/" in url and first not in url)
        bob.started()
        assert bob.id == ann.id
        expect(bob.page.locator(".status")).to_have_text(page["your_turn_as"].format(side="X"))
        bob.page.locator('[data-cell="4"]').click()
        expect(ann.page.locator(".status")).to_have_text(page["your_turn_as"].format(side="O"))
        # An invitation that was used says who plays, and offers to watch.
        eve.open(f"/join/{first}?invitation=used")
        expect(eve.page.get_by_role("heading", level=1)).to_have_text(join["used"])
        seated = names.join(join["person"].format(number=number) for number in (1, 2))
        expect(eve.page.locator(".alone")).to_contain_text(join["who"].format(title=title, names=seated))
        eve.page.get_by_role("link", name=join["look"]).click()
        expect(eve.page.locator(".preset")).to_contain_text(page["spectator"].removesuffix("."))
