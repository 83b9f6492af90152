"""Minesweeper in a real browser: by mouse, by keyboard, by finger, and what the machine shows."""

import json
import re
from typing import Any, Literal

import numpy as np
import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from ludex.core.limit import Limit
from ludex.core.match import Match, play, time_decision
from ludex.core.record import match_file
from ludex.core.registry import make, make_agent
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen
from tests.web.running import RunningServer

TINY = "beginner:rows=3:cols=4:mines=1:start=safe"


def won(preset: str) -> tuple[int, list[str]]:
    """A seed that the expert wins with, and its moves."""
    game = make("minesweeper", preset)
    for seed in range(50):
        match = play(game, [make_agent(game, "expert")], seed=seed)
        if match.outcome is not None and match.outcome.scores[0] > 0:
            return seed, [move.text for move in match.moves]
    raise AssertionError("the expert wins most games")


def test_a_whole_game_by_mouse(screen: Screen) -> None:
    seed, moves = won("small")
    screen.begin("minesweeper", "small", "you", seed=seed)
    names = screen.stage()["names"]
    assert screen.page.get_by_test_id("ending").count() == 0
    # Who plays alone needs no turn.
    expect(screen.page.locator(".status")).to_have_text("Game in progress")
    for ply, text in enumerate(moves):
        screen.page.locator(f'[data-cell="{names.index(text)}"]').click()
        screen.after(ply + 1)
    expect(screen.page.locator(".status")).to_contain_text("Cleared in")
    expect(screen.test_id("ending")).to_contain_text("3BV")
    expect(screen.test_id("ending")).to_contain_text("Guesses")
    expect(screen.test_id("ending")).to_contain_text(f"Seed{seed}")
    expect(screen.test_id("safe-left")).to_have_text("0")


@pytest.mark.full
def test_a_whole_game_by_keyboard(screen: Screen) -> None:
    seed, moves = won(TINY)
    screen.begin("minesweeper", TINY, "you", seed=seed)
    names = screen.stage()["names"]
    cursor = 1 * 4 + 2
    for ply, text in enumerate(moves):
        cell = names.index(text)
        down, right = cell // 4 - cursor // 4, cell % 4 - cursor % 4
        for key, steps in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
            for _ in range(steps):
                screen.page.keyboard.press(key)
        cursor = cell
        screen.page.keyboard.press("Enter")
        screen.after(ply + 1)
    assert screen.match()["outcome"]["reason"] == "cleared"


@pytest.mark.parametrize(
    ("language", "option", "words", "heat"),
    [
        pytest.param("en", "no guess needed", "Begin at the marked cell", "Heat", marks=pytest.mark.full),
        ("fr", "sans deviner", "Commencez par la case marquée", "Chaleur"),
    ],
)
def test_a_board_without_a_guess_is_chosen_and_begins_at_its_marked_cell(
    chrome: Browser, server: RunningServer, language: str, option: str, words: str, heat: str
) -> None:
    with Screen(chrome, server, language=language) as screen:
        card = screen.page.locator(".card", has=screen.page.locator("#card-minesweeper"))
        card.locator(".switches").get_by_label(option).check()
        # Another size keeps the choice.
        card.locator(".chip").nth(1).click()
        card.locator(".start button").click()
        screen.started()
        match = screen.match()
        start = match["scene"]["start"]
        assert match["preset"].endswith(":no_guess=True")
        expect(screen.page.locator(".mines .start")).to_have_count(1)
        expect(screen.page.locator(".mines-notice")).to_contain_text(words)
        assert match["scene"]["reveal"] == [start]
        other = 0 if start else 1
        name = screen.stage()["names"][start]
        screen.page.locator(f'[data-cell="{other}"]').click()
        expect(screen.page.locator(".mines-notice")).to_have_text(f"{words} {name}.")
        screen.page.locator("label", has_text=heat).click()
        expect(screen.page.locator(f'[data-cell="{start}"] .percent')).to_have_text("0")
        expect(screen.page.locator(f'[data-cell="{start}"] .start')).to_have_count(1)
        screen.page.locator(f'[data-cell="{start}"]').click()
        assert screen.after(1)["moves"][0]["text"] == name
        expect(screen.page.locator(".mines .start")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "device", "words"),
    [
        pytest.param(
            "en",
            DESKTOP,
            ("Cleared in", "Your first time on this board", "3BV per second", "no guess"),
            marks=pytest.mark.full,
        ),
        ("fr", PHONE, ("Grille ouverte en", "Votre premier temps", "3BV par seconde", "sans deviner")),
    ],
)
def test_a_time_is_shown_at_the_end_on_the_own_page_and_beside_those_of_others(
    chrome: Browser, server: RunningServer, language: str, device: ViewportSize, words: tuple[str, ...]
) -> None:
    with Screen(chrome, server, device, language=language) as screen:
        page = screen.page
        while True:
            preset = "beginner:rows=5:cols=6:mines=6:no_guess=true"
            begun = screen.ask("POST", "/api/matches", {"game": "minesweeper", "preset": preset, "seats": ["you"]})[1]
            screen.look_at(begun["id"])
            plies = 0
            while (match := screen.match())["live"]:
                scene = match["scene"]
                risk = mine_probabilities(np.array(scene["numbers"], np.int8).reshape(5, 6), 6).reshape(-1)
                page.locator(f'[data-cell="{min(scene["reveal"], key=lambda cell: float(risk[cell]))}"]').click()
                screen.after(plies := plies + 1)
            if plies > 1:
                break
        cleared, first, speed, no_guess = words
        expect(page.locator(".status")).to_contain_text(cleared)
        own = screen.test_id("own-time")
        expect(own).to_contain_text(first)
        expect(own).to_contain_text(speed)
        time = own.locator("dd").first.inner_text()
        assert re.fullmatch(r"\d+[.,]\d\ss", time)
        assert grave(page, ".standing") == []
        assert screen.overflow() <= 0
        screen.ask("PUT", "/api/me/nickname", {"nickname": "Ada"})
        own.get_by_role("link").click()
        board = screen.test_id("best-times")
        expect(board).to_be_in_viewport()
        expect(board).to_contain_text(no_guess)
        expect(board.locator(".yours")).to_contain_text(time)
        expect(board.locator(".yours")).to_contain_text("Ada")
        assert screen.overflow() <= 0
        assert grave(page, "#times") == []
        screen.open("/me")
        expect(screen.test_id("times")).to_contain_text(time)
        assert screen.overflow() <= 0


def test_flags_chords_and_a_gentle_refusal(screen: Screen) -> None:
    game = make("minesweeper", TINY)
    seed = next(seed for seed in range(500) if _corner(game, seed))
    screen.begin("minesweeper", TINY, "you", seed=seed)
    cell = screen.page.locator
    cell('[data-cell="1"]').click()
    screen.after(1)
    cell('[data-cell="0"]').click(button="right")
    screen.after(2)
    expect(screen.test_id("mines-left")).to_have_text("0")
    cell('[data-cell="0"]').click()
    expect(cell(".mines-notice")).to_contain_text("a1 has a flag")
    assert screen.match()["plies"] == 2
    cell('[data-cell="1"]').click()
    view = screen.after(3)
    assert view["scene"]["safe_left"] == 0
    assert view["moves"][2]["text"] == "c1"


def _corner(game: object, seed: int) -> bool:
    """Whether the mine lies in the corner and the first reveal, beside it, opens nothing else."""
    assert isinstance(game, Minesweeper)
    match = Match(game, seed)
    match.play_text("b1")
    return bool(match.state.cells[0] & 0x10)


def test_heat_is_the_exact_probability_and_proofs_are_ringed(screen: Screen) -> None:
    screen.begin("minesweeper", "beginner", "you", seed=7)
    screen.page.locator('[data-cell="40"]').click()
    scene = screen.after(1)["scene"]
    screen.page.locator("label", has_text="Heat").click()
    screen.page.wait_for_selector(".percent", timeout=120_000)
    numbers = np.array(scene["numbers"], np.int8).reshape(9, 9)
    exact = mine_probabilities(numbers, 10).reshape(-1)
    for cell in range(81):
        label = screen.page.locator(f'[data-cell="{cell}"] .percent')
        if scene["numbers"][cell] >= 0:
            assert label.count() == 0
            continue
        chance = exact[cell]
        rounded = str(min(99, max(1, int(np.floor(100 * chance + 0.5)))))
        assert label.text_content() == ("0" if chance <= 0 else "!" if chance >= 1 else rounded)
    expect(screen.test_id("why")).to_contain_text("is safe")
    assert screen.page.locator(".mines .proof").count() > 0
    assert screen.page.locator(".mines .proven").count() == 1


ASKED = """() => [...document.querySelectorAll(".mines .proof")].length"""


@pytest.mark.parametrize(
    ("language", "device", "words"),
    [
        pytest.param(
            "en", DESKTOP, ("Heat", "is safe", "is a mine", "of all layouts that fit"), marks=pytest.mark.full
        ),
        ("fr", PHONE, ("Chaleur", "est sûre", "est une mine", "des répartitions possibles")),
    ],
)
def test_any_hidden_cell_is_explained_by_a_click_a_tap_or_a_key(
    chrome: Browser, server: RunningServer, language: str, device: ViewportSize, words: tuple[str, ...]
) -> None:
    heat, safe, mined, risky = words
    with Screen(chrome, server, device, language=language) as screen:
        screen.make("minesweeper", "beginner", "you", seed=7)
        screen.play("e5")
        screen.look_at(screen.id)
        page, why = screen.page, screen.test_id("why")
        expect(screen.test_id("ask-why")).to_have_count(0)
        page.locator("label", has_text=heat).click()
        page.wait_for_selector(".percent")
        numbers = np.array(screen.match()["scene"]["numbers"], np.int8).reshape(9, 9)
        chances = mine_probabilities(numbers, 10).reshape(-1)
        mode = screen.test_id("ask-why")
        mode.click()
        expect(mode).to_have_attribute("aria-pressed", "true")
        sure = int(np.flatnonzero(chances == 0.0)[0])
        mine = int(np.flatnonzero(chances == 1.0)[0])
        risk = int(np.flatnonzero((chances > 0.0) & (chances < 1.0))[0])
        for cell, sentence in ((sure, safe), (mine, mined), (risk, risky)):
            page.locator(f'[data-cell="{cell}"]').click()
            expect(why.locator("p").first).to_contain_text(sentence)
            expect(page.locator(".mines-notice")).to_contain_text(sentence)
            assert page.evaluate(ASKED) > 0 or cell == risk
        assert screen.match()["plies"] == 1, "nothing was revealed"
        assert grave(page, ".mines") == []
        assert screen.overflow() <= 0
        mode.click()
        page.locator(f'[data-cell="{sure}"]').focus()
        page.keyboard.press("w")
        expect(why.locator("p").first).to_contain_text(safe)
        page.keyboard.press("Enter")
        screen.after(2)
        expect(page.locator(".mines-notice")).not_to_contain_text(safe)


def test_two_fingers_or_two_buttons_enlarge_the_largest_board_on_a_phone(
    chrome: Browser, server: RunningServer
) -> None:
    with Screen(chrome, server, PHONE, "dark", language="fr") as screen:
        screen.begin("minesweeper", "expert", "you", seed=3)
        page, cell = screen.page, screen.page.locator('[data-cell="5"] .face')

        def width() -> float:
            box = cell.bounding_box()
            assert box is not None
            return box["width"]

        usual = width()
        larger, smaller = page.get_by_label("Cases plus grandes"), page.get_by_label("Cases plus petites")
        smaller.click()
        expect(smaller).to_be_disabled()
        assert width() < 14
        larger.click()
        larger.click()
        assert width() == pytest.approx(1.5 * usual, rel=0.02)
        larger.click()
        assert width() > 44
        assert screen.overflow() <= 0
        smaller.click()
        touch = page.context.new_cdp_session(page)

        def fingers(kind: str, apart: int) -> None:
            points = [{"x": 195 + way * apart, "y": 420, "id": way} for way in (-1, 1)] if apart else []
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        fingers("touchStart", 120)
        fingers("touchMove", 60)
        fingers("touchMove", 50)
        fingers("touchEnd", 0)
        expect(smaller).to_be_disabled()
        assert screen.match()["plies"] == 0, "no finger pressed a cell"
        assert screen.overflow() <= 0


def test_a_finger_flags_by_a_long_press_and_the_page_fits_a_phone(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE, "dark") as screen:
        screen.begin("minesweeper", "expert", "you", seed=3)
        page = screen.page
        box = page.locator('[data-cell="5"]').bounding_box()
        assert box is not None
        touch = page.context.new_cdp_session(page)
        where = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [where]})
        page.wait_for_timeout(700)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        view = screen.after(1)
        assert view["moves"][0]["text"] == "f1!"
        assert box["width"] >= 24
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def chained() -> dict[str, Any]:
    """A match in which the next safe cell follows by several steps, as a match file."""
    game = make("minesweeper", "beginner")
    agent = make_agent(game, "rules:guess=uniform")
    for seed in range(50):
        match = Match(game, seed)
        while not match.over:
            decision, _ = time_decision(match, agent, Limit())
            if len(decision.explanation) > 2:
                document: dict[str, Any] = json.loads(match_file(match, ("you",)))
                return document
            match.play(decision.action)
    raise AssertionError("every cell follows by one step")


def test_a_proof_is_shown_step_by_step_on_the_board_in_the_language_of_the_screen(screen: Screen) -> None:
    screen.bring(chained())
    page = screen.page
    page.get_by_label("Adviser").select_option("rules")
    page.get_by_role("button", name="Hint", exact=True).click()
    why = screen.test_id("why")
    steps = why.get_by_role("listitem")
    expect(steps.first).to_be_visible()
    named = set(re.findall(r"the \d at ([a-z]\d)", why.locator("p").first.inner_text()))
    assert named == {name for text in steps.all_inner_texts() for name in re.findall(r"the \d at ([a-z]\d)", text)}
    expect(page.locator(".mines .proof")).to_have_count(len(named))
    for step in steps.all():
        step.get_by_role("button").click()
        numbers = set(re.findall(r"the \d at ([a-z]\d)", step.inner_text()))
        expect(page.locator(".mines .proof")).to_have_count(len(numbers))
        assert page.locator(".mines .proven").count() > 0
    page.get_by_role("button", name="Language").click()
    expect(why).to_contain_text("est sûre")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_flood_opens_outward_from_its_cell(screen: Screen, motion: Literal["no-preference", "reduce"]) -> None:
    screen.tab.emulate_media(reduced_motion=motion)
    screen.begin("minesweeper", "small_8x8_10", "you")
    expect(screen.page.locator(".mines .opened")).to_have_count(0)
    cell = screen.stage()["names"].index("e4")
    screen.page.locator(f'[data-cell="{cell}"]').click()
    screen.after(1)
    delays = [
        screen.page.locator(f".mines .{ring} .face").first.evaluate("(face) => getComputedStyle(face).animationDelay")
        for ring in ("ring-0", "ring-1", "ring-2")
    ]
    assert delays == (["0s", "0.045s", "0.09s"] if motion == "no-preference" else ["0s"] * 3)
    expect(screen.page.locator(f'[data-cell="{cell}"].ring-0')).to_have_count(1)
    # What was open before stays still.
    screen.page.reload()
    screen.page.wait_for_selector(".board")
    expect(screen.page.locator(".mines .opened")).to_have_count(0)
