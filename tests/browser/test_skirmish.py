"""Skirmish in a real browser: the deployment's screen as the seed has it, then a battle by mouse and by keyboard."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, expect

from ludex.core.game import Json
from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.learn.runs import Run
from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen, languages
from tests.web.running import RunningServer

PANELS = ("roster-1", "roster-2", "unit-status-table-1", "unit-status-table-2")


@pytest.mark.parametrize("preset", ["default", pytest.param("mirror", marks=pytest.mark.full)])
def test_both_rosters_stand_above_both_tables_and_fold(screen: Screen, preset: str) -> None:
    screen.begin("skirmish", preset, "you", "you")
    order = screen.page.evaluate("[...document.querySelectorAll('.force')].map((one) => one.dataset.testid)")
    assert order == list(PANELS)
    tops = [(screen.test_id(name).bounding_box() or {"y": -1})["y"] for name in PANELS]
    assert tops[0] == tops[1]
    assert tops == sorted(tops)
    assert tops[0] > 0
    for name in ("roster-1", "roster-2"):
        assert screen.test_id(name).locator(".roster-unit").count() == 9
        expect(screen.page.locator(f"#{name}-body")).to_be_visible()
    for name in PANELS:
        toggle, body = screen.test_id(f"{name}-toggle"), screen.page.locator(f"#{name}-body")
        expect(toggle).to_have_attribute("aria-expanded", "true")
        toggle.click()
        expect(body).to_be_hidden()
        expect(toggle).to_have_attribute("aria-expanded", "false")
        toggle.click()
        expect(body).to_be_visible()


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.full), "fr"])
def test_both_rosters_are_seen_side_by_side_without_scrolling(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    with Screen(chrome, server, viewport={"width": 1366, "height": 768}) as screen:
        screen.tab.add_init_script(
            f"localStorage.setItem('ludex.preferences', JSON.stringify({{ language: '{language}' }}))"
        )
        screen.begin("skirmish", "people", "you", "you")
        boxes = [screen.test_id(name).bounding_box() for name in ("roster-1", "roster-2")]
        first, second = (box for box in boxes if box is not None)
        assert first["y"] == second["y"]
        assert first["x"] + first["width"] <= second["x"]
        for box in (first, second):
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 1366
            assert box["y"] + box["height"] <= 768
        for name in ("roster-1", "roster-2"):
            assert screen.test_id(name).locator(".roster-unit").count() == 9
            assert screen.page.evaluate(
                "(id) => [...document.getElementById(id).querySelectorAll('.roster-unit')]"
                ".every((unit) => unit.getBoundingClientRect().bottom <= window.innerHeight)",
                name,
            )
        assert screen.page.evaluate("window.scrollY") == 0


@pytest.mark.parametrize("preset", ["default", pytest.param("mirror", marks=pytest.mark.full)])
def test_a_hex_that_cannot_be_taken_says_why_and_the_turn_follows_the_order_mode(screen: Screen, preset: str) -> None:
    screen.begin("skirmish", preset, "you", "you")
    expect(screen.test_id("roster-1")).to_contain_text("places now")
    stage: Any = screen.stage()
    wall = next(h for h in stage["walls"] if h in stage["zones"][0])
    outside = stage["objectives"][0]["hex"]
    refusals = {
        wall: "A wall stands there: choose another hex.",
        outside: "The hex is not in your zone: choose one that is.",
    }
    for where, reason in refusals.items():
        screen.page.locator(f'.ground [data-hex="{where}"]').hover(force=True)
        expect(screen.test_id("reason")).to_have_text(reason)
    screen.page.locator(f'.ground [data-hex="{outside}"]').click()
    expect(screen.test_id("reason")).to_have_text(refusals[outside])
    assert screen.match()["plies"] == 0
    hexes = screen.match()["scene"]["legal"]["deploy"]["01"]
    screen.page.locator(f'.ground [data-hex="{hexes[0]}"]').click()
    screen.after(1)
    now, other = ("roster-2", "roster-1") if preset == "default" else ("roster-1", "roster-2")
    expect(screen.test_id(now)).to_contain_text("places now")
    expect(screen.test_id(other)).not_to_contain_text("places now")


def test_the_machine_places_a_force_and_a_phase_ends_at_once(screen: Screen) -> None:
    screen.begin("skirmish", "small", "you", "greedy")
    page = screen.page
    screen.test_id("roster-1-toggle").wait_for()
    expect(screen.test_id("roster-1-toggle")).to_have_attribute("aria-expanded", "true")
    page.get_by_role("button", name="Let the machine place my force").click()
    end = page.get_by_role("button", name="End moving")
    expect(end).to_be_visible()
    match = screen.match()
    assert (match["phase"], match["to_move"]) == ("move", 0)
    # A phase in which nothing was done yet may have begun unseen: its end is asked once, and the button stays in place.
    place = _box(end)
    end.click()
    expect(screen.test_id("order")).to_have_text("Units can still move.")
    end = page.get_by_role("button", name="End anyway?")
    assert _box(end) == place
    with page.expect_response("**/moves") as answered:
        end.click()
    moves = answered.value.json()["moves"][match["plies"] :]
    units = sorted(unit["id"] for unit in screen.stage()["units"] if unit["player"] == 1)
    own = [move["text"] for move in moves if move["player"] == 0]
    assert sorted(own) == sorted([*(f"activate/{unit}" for unit in units), *["wait"] * len(units)])


def test_the_roster_of_a_placed_force_is_folded(screen: Screen) -> None:
    screen.begin("skirmish", "mirror", "you", "you")
    screen.play("place_force")
    expect(screen.test_id("roster-1-toggle")).to_have_attribute("aria-expanded", "false")
    expect(screen.test_id("roster-2-toggle")).to_have_attribute("aria-expanded", "true")
    screen.test_id("roster-1-toggle").click()
    expect(screen.test_id("roster-1-toggle")).to_have_attribute("aria-expanded", "true")


def test_heat_is_where_the_policy_places(screen: Screen) -> None:
    game = make("skirmish", "default")
    match = Match(game, 0)
    view = game.view(match.state, match.to_move)
    decision = make_agent(game, "hard").decide(view, match.legal(), rng=generator(0, 0), limit=Limit())
    shares = [share or 0.0 for share in decision.overlay["policy"]]
    screen.begin("skirmish", "default", "you", "hard")
    screen.page.get_by_label("Adviser").select_option("hard")
    screen.page.locator("label", has_text="Heat").click()
    expect(screen.page.get_by_label("Heat")).to_be_checked()
    screen.page.wait_for_selector("use.heat", timeout=120_000)
    assert screen.page.locator("use.heat").count() == sum(share > 0.01 * max(shares) for share in shares) > 1


def test_the_home_page_offers_no_board_that_deadlocks(screen: Screen) -> None:
    card = screen.page.get_by_role("article", name="Skirmish")
    card.get_by_text("More", exact=True).click()
    board = card.get_by_label("Board")
    expect(board.locator("option")).to_have_count(4)
    assert board.locator('option[value="cramped"]').count() == 0


def test_a_deadlock_is_explained(screen: Screen) -> None:
    screen.make("skirmish", "cramped", "you", "you")
    game = make("skirmish", "cramped")
    match = Match(game, 1)
    while not match.over:
        match.play(int(match.legal().argmax()))
        screen.play(match.moves[-1].text)
    screen.look_at(screen.id)
    panel = screen.test_id("deadlock")
    expect(panel).to_contain_text("Player 1 cannot place any unit, and player 2 has placed all its own.")
    expect(panel).to_contain_text("zone of 3 hexes, 0 of them free")
    expect(panel).to_contain_text("Occupied hexes on the board: 7")
    expect(screen.page.locator(".status")).to_contain_text("the deployment cannot be finished")


def test_a_run_shows_where_units_were_placed_which_and_the_correlations(screen: Screen, home: Path) -> None:
    run = Run.create(home / "runs", "skirmish", "figures", "")
    for opponent, chosen in (("greedy", 3), ("objective", 5)):
        slots: list[Json] = [chosen * (slot == chosen) for slot in range(20)]
        run.log(
            {
                "preset": "small",
                "opponent": opponent,
                "hex_slots": slots,
                "unit_slots": [1, 2, 3],
                "placement_front_survival": 0.25,
            }
        )
    screen.open("/runs")
    figures = screen.page.locator(".run-figures")
    expect(figures.locator('[data-figure="map"] polygon.value')).to_have_count(18)
    # Of the last evaluation.
    expect(figures.locator('[data-figure="map"] polygon.value[fill-opacity="1"]')).to_have_count(1)
    expect(figures.locator('[data-figure="map"] g:has([fill-opacity="1"]) title')).to_contain_text("5 (100.0%)")
    expect(figures.locator('[data-figure="bars"] rect.value')).to_have_count(3)
    expect(figures.locator('[data-figure="table"]')).to_contain_text("0.25")
    figures.get_by_label("Evaluation of").select_option("0")
    expect(figures.locator('[data-figure="map"] g:has([fill-opacity="1"]) title')).to_contain_text("3 (100.0%)")


def test_people_take_units_back_and_confirm(screen: Screen) -> None:
    screen.make("skirmish", "people", "you", "you")
    # Until the last unit of each.
    while len(free := (view := screen.match())["scene"]["legal"]["deploy"]) > 1 or view["to_move"] == 1:
        unit = min(free.keys() - {"03"})
        screen.play(f"deploy/{unit}/{_name(screen, free[unit][0])}")
    screen.look_at(screen.id)
    screen.test_id("roster-1").locator('[data-unit="03"]').click()
    screen.page.locator(f'.ground [data-hex="{free["03"][0]}"]').click()
    plies = view["plies"]
    assert screen.after(plies + 1)["moves"][plies]["text"].startswith("deploy/03/")
    screen.play("place_force")
    screen.after(plies + 2)
    screen.page.locator('.tokens [data-unit="03"]').click()
    screen.page.locator('[data-word="undeploy"]').click()
    assert screen.after(plies + 3)["moves"][plies + 2]["text"] == "undeploy/03"
    while screen.match()["phase"] == "deployment":
        legal = screen.match()["scene"]["legal"]
        plies = screen.match()["plies"]
        if legal["deploy"]:
            screen.play("place_force")
        else:
            expect(screen.test_id("order")).to_contain_text("confirm")
            screen.page.locator('[data-word="confirm"]').click()
        screen.after(plies + 1)
    assert [move["text"] for move in screen.match()["moves"]].count("confirm") == 2
    assert screen.page.get_by_test_id("roster-1").count() == 0


BY_MOUSE = {"deploy", "activate", "move", "shoot", "charge"}


def test_every_kind_of_move_by_mouse(screen: Screen) -> None:
    screen.begin("skirmish", "small", "you", "you", seed=5)
    at = {hex_["hex"]: hex_ for hex_ in screen.stage()["hexes"]}
    objectives = [objective["hex"] for objective in screen.stage()["objectives"]]
    kinds: set[str] = set()
    while not kinds >= BY_MOUSE:
        match = screen.match()
        assert match["live"], f"the match is over, and only {kinds} were played"
        kind, target = _choice(match["scene"]["legal"], at, objectives[match["plies"] % len(objectives)])
        kinds.add(kind)
        screen.page.locator(target).click(force=True)
        screen.after(match["plies"] + 1)


SAID = {
    "en": ("choose where to go", "Move", "is placed on", "Hint"),
    "fr": ("où aller", "Mouvement", "prend place en", "Conseil"),
}


@pytest.mark.parametrize(("first", "then"), [("en", "fr"), pytest.param("fr", "en", marks=pytest.mark.full)])
def test_the_language_is_changed_in_the_middle_of_a_battle_and_nothing_is_lost(
    chrome: Browser, server: RunningServer, first: str, then: str
) -> None:
    with Screen(chrome, server, PHONE, "dark", first) as screen:
        screen.make("skirmish", "small", "you", "you", seed=5)
        for order in ("place_force", "place_force"):
            screen.play(order)
        while screen.match()["phase"] == "deployment":
            screen.play("place_force")
        screen.look_at(screen.id)
        page = screen.page
        plies = screen.match()["plies"]
        page.locator(".tokens .token.act-activate").first.tap(force=True)
        view = screen.after(plies + 1)
        expect(page.locator(".token.acting")).to_have_count(1)
        acting = page.locator(".token.acting").get_attribute("data-unit")
        for language in (first, then):
            if language != first:
                page.locator("header .switches button").first.tap()
            order, phase, placed, hint = SAID[language]
            expect(screen.test_id("order")).to_contain_text(order)
            expect(screen.test_id("phases").locator(".now")).to_have_text(phase)
            expect(screen.test_id("log")).to_contain_text(placed)
            expect(page.get_by_role("button", name=hint, exact=True)).to_be_visible()
            expect(page.locator("html")).to_have_attribute("lang", language)
        # The other language is nowhere, the unit still acts, and the game goes on.
        for word in SAID[first]:
            expect(page.locator("main")).not_to_contain_text(word)
        assert page.locator(".token.acting").get_attribute("data-unit") == acting
        assert screen.match()["version"] == view["version"]
        page.locator('[data-word="wait"]').tap()
        screen.after(view["plies"] + 1)
        # A refusal is said in both languages.
        body = {"version": screen.match()["version"], "text": "shoot/04"}
        status, refused = screen.ask("POST", f"/api/matches/{screen.id}/moves", body)
        assert (status, refused["code"]) == (422, "illegal_action")
        assert "phase de tir" in refused["text"]["fr"]


def test_units_are_placed_and_moved_by_keyboard(screen: Screen) -> None:
    screen.begin("skirmish", "small", "you", "greedy", seed=2)
    keyboard = screen.page.keyboard
    screen.page.locator(".skirmish-map").focus()
    keyboard.press("Tab")
    expect(screen.test_id("roster-1").locator('[aria-pressed="true"]')).to_contain_text("02")
    for plies in (2, 4, 6):
        # The first arrow puts the cursor on a hex that can be taken, the next ones go down the column.
        keyboard.press("ArrowDown")
        keyboard.press("Enter")
        view = screen.after(plies)
    assert [move["text"].split("/")[1] for move in view["moves"][::2]] == ["02", "01", "03"]
    assert view["phase"] == "move"
    expect(screen.test_id("order")).to_contain_text("Choose the unit")
    keyboard.press("Enter")
    assert screen.after(7)["moves"][6]["text"] == "activate/03"
    expect(screen.test_id("order")).to_contain_text("03: choose where to go")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        keyboard.press(key)
    assert screen.after(8)["moves"][7]["text"].startswith("move/3.")
    keyboard.press("Tab")
    keyboard.press("Enter")
    assert screen.after(9)["moves"][8]["text"].startswith("activate/")
    expect(screen.test_id("order")).to_contain_text("choose where to go")
    keyboard.press("w")
    assert screen.after(10)["moves"][9]["text"] == "wait"


@languages
def test_on_a_phone_the_map_fits_and_nothing_moves_under_the_finger(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    with Screen(chrome, server, PHONE, "dark", language) as screen:
        screen.begin("skirmish", "default", "you", "greedy")
        page, ground = screen.page, screen.page.locator(".skirmish-map")
        assert screen.overflow() <= 0
        before = _box(ground)
        assert before["x"] >= 0
        assert before["x"] + before["width"] <= 390
        # One line says what to do, and the actions are at the bottom of the screen.
        assert _box(screen.test_id("order"))["height"] < 30
        assert _box(page.locator(".orders"))["y"] > 700
        assert before["y"] + before["height"] < _box(page.locator(".orders"))["y"]
        hint = _box(page.get_by_role("button", name="Conseil" if language == "fr" else "Hint"))
        assert hint["y"] + hint["height"] <= _box(page.locator(".orders"))["y"], "under the bar"
        hexes = screen.match()["scene"]["legal"]["deploy"]["01"]
        # Hexes that are small for a finger are enlarged by the first tap, and chosen by the second.
        page.locator(f'.ground [data-hex="{hexes[0]}"]').tap()
        expect(ground).to_have_class(re.compile("enlarged"))
        assert screen.match()["plies"] == 0
        page.locator(f'.ground [data-hex="{hexes[0]}"]').tap()
        assert screen.after(1)["moves"][0]["text"].startswith("deploy/01/")
        screen.on_turn()
        while screen.match()["phase"] == "deployment":
            screen.play("place_force")
            screen.on_turn()
        page.locator(".tokens .token.act-activate").first.tap(force=True)
        expect(page.locator(".token.acting")).to_have_count(1)
        assert _box(ground) == before
        assert page.evaluate("scrollY") == 0
        # A hint lies over what is below the map.
        page.get_by_role("button", name={"en": "Hint", "fr": "Conseil"}[language], exact=True).click()
        expect(page.get_by_test_id("advice")).to_be_visible()
        assert _box(ground) == before


def test_a_hint_chooses_the_unit_that_a_tap_on_its_hex_places(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        screen.begin("skirmish", "default", "you", "greedy")
        page = screen.page
        page.get_by_role("button", name="Hint", exact=True).click()
        title, place = page.get_by_test_id("advice").locator("strong").inner_text().split(" → ")
        expect(screen.test_id("order")).to_contain_text(title)
        assert not title.endswith("01"), "the unit that is chosen without a hint"
        star = page.locator(".suggestion.drawn-hint use").first
        star.tap(force=True)
        # The map that the first tap enlarges stays so while the hint is on it.
        expect(page.locator(".skirmish-map")).to_have_class(re.compile("enlarged"))
        star.tap(force=True)
        assert screen.after(1)["moves"][0]["text"] == f"deploy/{title[-2:]}/{place}"


def test_two_fingers_enlarge_the_map_and_one_moves_it(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        screen.begin("skirmish", "small", "you", "you")
        page, ground = screen.page, screen.page.locator(".skirmish-map")
        whole, box = ground.get_attribute("viewBox"), _box(ground)
        fingers = page.context.new_cdp_session(page)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        def touch(kind: str, *places: float) -> None:
            points = [{"x": place, "y": y, "id": number} for number, place in enumerate(places)]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", x - 20, x + 20)
        for way in (30, 45, 60):
            touch("touchMove", x - way, x + way)
        touch("touchEnd")
        expect(ground).to_have_class(re.compile("enlarged"))
        enlarged = ground.get_attribute("viewBox")
        touch("touchStart", x)
        touch("touchMove", x + 40)
        touch("touchMove", x + 60)
        touch("touchEnd")
        expect(ground).not_to_have_attribute("viewBox", str(enlarged))
        assert screen.match()["plies"] == 0
        assert _box(ground) == pytest.approx(box, abs=0.5)
        for _ in range(4):
            if page.get_by_role("button", name="Shrink the map").is_enabled():
                page.get_by_role("button", name="Shrink the map").click()
        expect(ground).to_have_attribute("viewBox", str(whole))


@languages
def test_a_shot_shows_what_to_expect_then_its_dice_and_result_at_the_target(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    with Screen(chrome, server, language=language) as screen:
        screen.make("skirmish", "small", "you", "you", seed=5)
        at = {hex_["hex"]: hex_ for hex_ in screen.stage()["hexes"]}
        objectives = [objective["hex"] for objective in screen.stage()["objectives"]]
        while not (view := screen.match())["scene"]["legal"]["shoot"]:
            screen.play(_text(view["scene"]["legal"], at, objectives[view["plies"] % len(objectives)]))
        screen.look_at(screen.id)
        page, target = screen.page, view["scene"]["legal"]["shoot"][0]
        wounds = f"{target['wounds']:.1f}"
        expect(page.locator(".badge-shoot").first).to_contain_text(
            wounds if language == "en" else wounds.replace(".", ",")
        )
        expect(page.locator(".badge-shoot")).to_have_count(len(view["scene"]["legal"]["shoot"]))
        expect(screen.test_id("odds-legend")).to_be_visible()
        assert page.locator(".seen").count() == len(view["scene"]["sight"])
        page.locator(f'.tokens [data-unit="{target["id"]}"]').hover(force=True)
        expect(screen.test_id("inspection")).to_contain_text(
            re.compile({"en": "wounds expected", "fr": "blessures? attendues?"}[language])
        )
        # A phase that is not over by itself can be ended, and one in which a unit is under way says why not.
        expect(page.locator('[data-word="end_phase"]')).to_have_attribute("aria-disabled", "false")
        page.locator(f'.tokens [data-unit="{target["id"]}"]').click(force=True)
        effect = next(e for e in screen.after(view["plies"] + 1)["scene"]["effects"] if e["kind"] == "attack")
        expect(page.locator(".effects .die")).to_have_count(len(effect["rolls"]))
        expect(page.locator(".effects .die.good")).to_have_count(sum(good for _, _, good in effect["rolls"]))
        sentences = {
            "en": ["destroyed", "wound", "saved", "missed"],
            "fr": ["hors de combat", "blessure", "paré", "manqué", "sans"],
        }
        expect(page.locator(".effects .result")).to_have_text(re.compile("|".join(sentences[language])))
        # The log stands beside the board.
        log = _box(screen.test_id("log"))
        assert log["x"] >= _box(page.locator(".stage"))["x"] + _box(page.locator(".stage"))["width"]
        assert log["y"] < 700
        assert grave(page) == []


@languages
def test_the_other_players_turn_is_shown_action_by_action_and_can_be_skipped(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    with Screen(chrome, server, language=language) as screen:
        screen.begin("skirmish", "small", "you", "greedy")
        page = screen.page
        page.get_by_role("radio", name="Slow" if language == "en" else "Lent").check()
        page.locator('[data-word="place_force"]').click()
        # The other player's turn may have been played between two looks at the match.
        while (view := screen.match())["phase"] == "deployment" or view["scene"]["player"] == 1:
            if view["can"]["move"] and view["phase"] != "deployment":
                screen.play("end_phase")
            page.wait_for_function(
                "(plies) => document.querySelectorAll('.plies > li').length >= plies", arg=view["plies"]
            )
        skip = page.get_by_role("button", name="Skip" if language == "en" else "Passer")
        # The map shows an action of before, while the list has them all.
        page.wait_for_function("document.querySelector('.board-frame').ariaBusy === 'true'")
        expect(skip).to_be_enabled()
        expect(page.locator(".effects .way, .effects .verdict").first).to_be_attached()
        while not screen.match()["can"]["move"]:
            page.wait_for_timeout(50)
        skip.click()
        page.wait_for_function("document.querySelector('.board-frame').ariaBusy === 'false'")
        expect(skip).to_be_disabled()
        expect(page.locator(".tokens .token.act-activate").first).to_be_visible()


def test_a_phone_names_the_drawings_and_tells_what_the_machine_did(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        screen.begin("skirmish", "small", "greedy", "you")
        screen.on_turn()
        # The drawings on the units are explained below the map.
        expect(screen.test_id("symbols")).to_contain_text("Line Guard")
        while screen.match()["phase"] == "deployment":
            screen.play("place_force")
            screen.on_turn()
        expect(screen.test_id("report")).to_contain_text("Player 1 moved 3 units")
        units = screen.page.locator(".tokens .token.of-2.act-activate")
        assert units.count() > 0
        for unit in units.all():
            expect(unit).to_be_in_viewport(ratio=1)
        # The list of moves is in words, the notation is at hand.
        first = screen.page.locator(".ply").first
        expect(first).to_contain_text("Line Guard 01 →")
        expect(first).to_have_attribute("title", screen.match()["moves"][0]["text"])


def _box(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box is not None
    return box


def _name(screen: Screen, hex_number: int) -> str:
    return next(str(hex_["name"]) for hex_ in screen.stage()["hexes"] if hex_["hex"] == hex_number)


def _choice(legal: Any, at: dict[int, Any], goal: int) -> tuple[str, str]:
    """Something sensible to do, and what to click for it."""
    if legal["deploy"]:
        return "deploy", f'.ground [data-hex="{_nearest(legal["deploy"][min(legal["deploy"])], at, goal)}"]'
    for kind in ("shoot", "charge", "fight"):
        if legal[kind]:
            return kind, f'.tokens [data-unit="{legal[kind][0]["id"]}"]'
    if legal["activate"]:
        return "activate", f'.tokens [data-unit="{legal["activate"][0]}"]'
    for kind in ("move", "land"):
        if legal[kind]:
            return kind, f'.ground [data-hex="{_nearest(legal[kind], at, goal)}"]'
    return legal["words"][0], f'[data-word="{legal["words"][0]}"]'


def _text(legal: Any, at: dict[int, Any], goal: int) -> str:
    """The same as a move."""
    kind, _ = _choice(legal, at, goal)
    if kind == "deploy":
        unit = min(legal["deploy"])
        return f"deploy/{unit}/{at[_nearest(legal['deploy'][unit], at, goal)]['name']}"
    if kind in ("move", "land"):
        return f"{kind}/{at[_nearest(legal[kind], at, goal)]['name']}"
    if kind == "activate":
        return f"activate/{legal['activate'][0]}"
    return f"{kind}/{legal[kind][0]['id']}" if kind in ("shoot", "charge", "fight") else kind


def _nearest(hexes: list[int], at: dict[int, Any], goal: int) -> int:
    there = at[goal]
    return min(hexes, key=lambda h: (at[h]["x"] - there["x"]) ** 2 + (at[h]["y"] - there["y"]) ** 2)
