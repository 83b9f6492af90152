"""The page of a review: the graph, the moves with their classes, and a mistake that is tried again."""

from playwright.sync_api import APIResponse, Browser, Route, WebSocketRoute, expect

from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.running import RunningServer

LOST = ("a1", "b1", "b2", "c2", "c3")


def reviewed(screen: Screen) -> None:
    """A finished match, and its review by the button of the match."""
    screen.make("tictactoe", "3x3x3", "you", "you")
    for text in LOST:
        screen.play(text)
    screen.look_at(screen.id)
    screen.page.get_by_role("link", name="Review").click()
    expect(screen.page.locator(".review-moments li")).to_have_count(1)
    expect(screen.page.locator(".review progress")).to_have_count(0)


def test_the_graph_leads_to_the_mistake_and_a_better_move_is_found(screen: Screen) -> None:
    reviewed(screen)
    page = screen.page
    expect(page.locator(".review-accuracies li").first).to_contain_text("100%")
    expect(page.locator(".plies .blunder")).to_contain_text("b1 ??")
    graph = page.locator(".review-graph")
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] * 2 / 5, "y": 20})
    # The notation of a move keeps its small letters at the beginning of a sentence.
    expect(page.locator(".review-move")).to_contain_text("b1 loses to a fork at a3")
    expect(page.locator(".review-reason.sentence")).to_have_count(0)
    assert grave(page) == []
    # The played move and the better one are drawn where the choice was, and both lines can be played through.
    expect(page.locator('[data-drawn="b1"].drawn-played')).to_be_visible()
    expect(page.locator('[data-drawn="b2"].drawn-better')).to_be_visible()
    # Arrow keys go through the moves, but not away from a board on which a move is looked for.
    page.keyboard.press("ArrowRight")
    expect(page.locator(".review-move")).to_contain_text("3. ")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".review-move")).to_contain_text("b1 loses to a fork at a3")
    page.locator(".drawn-played .ply", has_text="b1").click()
    expect(page.get_by_role("gridcell", name="b1, O")).to_be_visible()
    page.get_by_role("button", name="What follows").click()
    expect(page.locator(".review-lines [aria-current]")).to_have_text("b2")
    page.get_by_role("button", name="Compare both").click()
    expect(page.locator("[data-drawn]")).to_have_count(2)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Try again")).to_be_visible()
    expect(page.locator(".board .hint")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    page.get_by_role("gridcell", name="c3").click()
    expect(page.locator(".review-retry .wrong")).to_contain_text("c3 gives away 50%")
    page.get_by_role("gridcell", name="b2").click()
    expect(page.locator(".review-retry .right")).to_contain_text("b2 keeps the chances")
    assert grave(page, ".review-retry") == []
    page.get_by_role("button", name="Back to the review").click()
    expect(page.locator(".review-graph")).to_be_visible()
    # The link can be shared: it leads another person to the same place.
    address = page.url
    page.goto("/")
    page.goto(address)
    expect(page.locator(".review-move")).to_contain_text("b1 loses to a fork at a3")


def test_a_long_match_is_listed_as_far_as_its_last_move(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        screen.make("tictactoe", "4x4x4", "you", "you")
        for text in ["a1", "c1", "b1", "d1", "c2", "a2", "d2", "b2", "a3", "c3", "b3", "d3", "c4", "a4", "d4", "b4"]:
            screen.play(text)
        page = screen.open(f"/review/{screen.id}")
        listed, last = page.locator(".plies"), page.locator(".plies [aria-current]")
        expect(last).to_contain_text("b4")
        around, one = listed.bounding_box(), last.bounding_box()
        assert around is not None
        assert one is not None
        assert around["y"] <= one["y"]
        assert one["y"] + one["height"] <= around["y"] + around["height"] + 1
        assert listed.evaluate("(list) => list.scrollTop") > 0


def test_the_page_waits_for_a_game_that_is_being_prepared_and_may_join_late(screen: Screen) -> None:
    answers: list[APIResponse] = []
    joined: list[WebSocketRoute] = []

    def answer(route: Route) -> None:
        answers.append(route.fetch())
        route.fulfill(response=answers[-1])

    def join_late(socket: WebSocketRoute) -> None:
        """Connect the page of the review when there is nothing more to hear of it."""
        while "/review/" in screen.tab.url and not joined:
            view = screen.match()
            if answers and screen.ask("GET", f"/api/matches/{view['id']}/review", None)[1]["complete"]:
                joined.append(socket)
        socket.connect_to_server()

    screen.tab.route("**/api/matches/*/review", answer, times=1)
    screen.tab.route_web_socket("**/live", join_late)
    reviewed(screen)
    page, screen.foreseen = screen.page, ("503",)
    while not joined:
        page.wait_for_timeout(10)
    preparation = {"game": "tictactoe", "kernels": "player", "state": "compiling", "done": 1, "total": 2}
    unready = {"code": "preparing", "message": "tictactoe is being prepared", "preparation": preparation}
    page.route("**/review", lambda route: route.fulfill(status=503, json=unready))
    page.goto(page.url)
    expect(page.locator(".alone .preparing")).to_have_text("Preparing, 1 of 2")
    page.unroute("**/review")
    expect(page.locator(".review-moments li")).to_have_count(1)


def test_a_review_that_fails_can_be_requested_again_and_an_end_says_its_result(screen: Screen) -> None:
    screen.foreseen = ("500",)
    fault = {"code": "agent_fault", "message": "it was not ready to search in time"}
    screen.tab.route("**/review", lambda route: route.fulfill(status=500, json=fault))
    screen.make("tictactoe", "3x3x3", "you", "you")
    for text in LOST:
        screen.play(text)
    page = screen.open(f"/review/{screen.id}")
    expect(page.get_by_role("alert")).to_contain_text("it was not ready to search in time")
    screen.tab.unroute("**/review")
    page.get_by_role("button", name="Review again").click()
    expect(page.locator(".review-moments li")).to_have_count(1)
    expect(page.locator(".review-under")).to_contain_text("wins")
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".review-under")).to_contain_text("% to win")


def test_ones_own_mistakes_are_tried_and_a_friend_is_given_the_position(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "perfect", "you")
    screen.after(1)
    screen.play("b3")
    screen.ask("POST", f"/api/matches/{screen.id}/resign", {"version": screen.after(3)["version"]})
    page = screen.page
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".review-accuracies")).to_contain_text("You (O): 8%")
    page.get_by_role("button", name="Your mistakes, one by one (1)").click()
    expect(page.locator(".review-retry")).to_contain_text("You (O): find something better than b3")
    page.get_by_role("gridcell", name="b2").click()
    expect(page.locator(".review-retry .right")).to_be_visible()
    page.get_by_role("button", name="Back to the review").click()
    page.get_by_role("button", name="One move back").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as text").click()
    assert "b3??" in saved.value.path().read_text()
    page.get_by_role("button", name="Challenge a friend from here").click()
    expect(page.locator(".ghost")).to_contain_text("from move 2 on")
    expect(page.locator(".ghost tbody tr")).to_contain_text("8%")


def test_a_review_fits_a_phone_in_the_dark_and_in_french(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE, "dark") as screen:
        reviewed(screen)
        screen.page.get_by_role("button", name="EN:").click()
        expect(screen.page.get_by_role("heading", name="Moments clés")).to_be_visible()
        screen.page.locator(".review-moments button").click()
        expect(screen.page.locator(".review-move")).to_contain_text("fourchette")
        expect(screen.page.locator(".drawn-played.drawn")).to_be_visible()
        # What is said of the moment is not behind the board, which stays in sight.
        edge = "(found, side) => Math.round(found.getBoundingClientRect()[side])"
        stage, words = (screen.page.locator(place) for place in (".review > .stage", ".review-move"))
        assert words.evaluate(edge, "top") >= stage.evaluate(edge, "bottom")
        screen.page.get_by_role("button", name="Réessayer").click()
        screen.page.get_by_role("button", name="Montrer le meilleur coup").click()
        expect(screen.page.locator(".review-retry")).to_contain_text("Mieux valait b2")
        expect(screen.page.locator('[data-drawn="b2"].drawn-better')).to_be_visible()
        screen.page.get_by_role("button", name="Voir la suite").click()
        expect(screen.page.locator(".review-lines [aria-current]")).to_have_text("b2")
        # The board stays on the screen with the text that is about it.
        back = screen.page.get_by_role("button", name="Revenir à l’analyse")
        back.scroll_into_view_if_needed()
        for element in (back, screen.page.locator(".stage .board")):
            expect(element).to_be_in_viewport(ratio=0.9)
        assert screen.overflow() <= 0
        assert grave(screen.page) == []


def test_a_failed_review_says_so_in_both_languages_and_begins_again_by_its_button(screen: Screen) -> None:
    reviewed(screen)
    page, asked = screen.page, []

    def refuse(route: Route) -> None:
        asked.append(route.request.method)
        if route.request.method == "POST":
            route.continue_()
        else:
            fault = {"code": "agent_fault", "message": "'perfect' failed: ZeroDivisionError: planted"}
            route.fulfill(status=500, json={**fault, "text": {"en": "Take your move back.", "fr": "Annulez."}})

    screen.foreseen = ("500",)
    page.route("**/api/matches/*/review", refuse)
    for language, said, button in (
        ("fr", "L’analyse n’a pas pu être terminée.", "Relancer l’analyse"),
        ("en", "The review could not be finished.", "Review again"),
    ):
        page.evaluate(f"localStorage.setItem('ludex.preferences', JSON.stringify({{ language: '{language}' }}))")
        page.goto(page.url)
        failure = page.get_by_role("alert").filter(has_text=said)
        expect(failure.locator("code")).to_have_text("'perfect' failed: ZeroDivisionError: planted")
        expect(failure.get_by_role("button", name=button)).to_be_visible()
        assert grave(page) == []
    failure.get_by_role("button").click()
    expect(page.locator(".review-moments li")).to_have_count(1)
    expect(failure).to_have_count(0)
    assert "POST" in asked
