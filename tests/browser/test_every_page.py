"""Every page in light and dark, for screen readers, and on a phone."""

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from ludex.learn.runs import Row, Run
from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen, half
from tests.web.running import RunningServer

Colours = Literal["light", "dark"]
# Each in the middle of a game, where most of its screen is shown.
MATCHES = {
    "tictactoe": ("3x3x3", ("you", "you"), ("b2", "a1")),
    "quoridor": ("9x9", ("you", "you"), ("e2", "e8", "e3h", "d5v")),
    "minesweeper": ("beginner", ("you",), ("e5", "a1!")),
    "skirmish": ("small", ("you", "greedy"), ()),
}


@pytest.fixture(scope="module")
def run(home: Path) -> str:
    """A training run with a curve; gives its name."""
    made = Run.create(home / "runs", "tictactoe", "negamax", "games: 30\n")
    for row in range(30):
        made.log({"games": 100 * row, "loss": 1 / (1 + row), "won": row / 30})
    made.finish({"games": 3000})
    return made.name


# A match of tic-tac-toe is among what people set and send.
@pytest.mark.parametrize("game", [pytest.param("tictactoe", marks=pytest.mark.full), *[*MATCHES][1:]])
@pytest.mark.parametrize("colours", ["light", pytest.param("dark", marks=pytest.mark.full)])
def test_a_match_has_no_grave_barrier(chrome: Browser, server: RunningServer, game: str, colours: Colours) -> None:
    with Screen(chrome, server, colours=colours) as screen:
        _in_the_middle(screen, game)
        screen.page.get_by_role("button", name="Hint").click()
        expect(screen.test_id("advice")).to_be_visible(timeout=120_000)
        screen.page.locator("label", has_text="Heat").click()
        assert grave(screen.page) == []
        screen.page.get_by_role("button", name="Keys").click()
        expect(screen.page.get_by_role("dialog")).to_be_visible()
        assert grave(screen.page, "dialog") == []


@pytest.mark.parametrize("colours", [pytest.param("light", marks=pytest.mark.full), "dark"])
def test_home_and_runs_have_no_grave_barrier(
    chrome: Browser, server: RunningServer, run: str, colours: Colours
) -> None:
    with Screen(chrome, server, colours=colours) as screen:
        _in_the_middle(screen, "tictactoe")
        screen.open("/")
        expect(screen.page.locator(".recent:not(.live) .matches li")).to_have_count(1)
        screen.page.get_by_text("More", exact=True).first.click()
        assert grave(screen.page) == []
        screen.page.goto("/runs")
        expect(screen.page.locator(".legend")).to_contain_text("Tic-tac-toe · ")
        expect(screen.page.locator(".plot canvas")).to_be_visible()
        assert grave(screen.page) == []


@pytest.mark.parametrize("colours", ["light", pytest.param("dark", marks=pytest.mark.full)])
def test_what_people_set_and_send_has_no_grave_barrier(
    chrome: Browser, server: RunningServer, colours: Colours
) -> None:
    """The settings, the administrator's login, an address that leads nowhere, and both ends of an invitation."""
    with Screen(chrome, server, PHONE, colours) as ann, Screen(chrome, server, colours=colours) as bob:
        bob.foreseen = ("404",)
        for path in ("/settings", "/administrator", "/nowhere"):
            bob.open(path)
            expect(bob.page.get_by_role("heading", level=1)).to_be_visible()
            assert grave(bob.page) == [], path
        ann.begin("tictactoe", "3x3x3", "you", "open")
        expect(ann.page.locator(".invitation")).to_be_visible()
        assert grave(ann.page) == []
        assert ann.overflow() <= 0
        invitation, actions = (
            ann.page.locator(f".side > {name}").bounding_box() for name in (".invitation", ".actions")
        )
        assert invitation is not None
        assert actions is not None
        assert invitation["y"] < actions["y"], "what is waited for comes first on a phone"
        bob.open(ann.page.locator(".invitation code").inner_text())
        expect(bob.page.get_by_role("button", name="Take the seat")).to_be_visible()
        assert grave(bob.page) == []
        bob.page.get_by_role("button", name="Take the seat").click()
        bob.started()
        bob.page.get_by_role("button", name="Offer a draw").click()
        expect(ann.page.locator(".offer")).to_be_visible()
        for screen in (ann, bob):
            assert grave(screen.page) == []


@pytest.mark.parametrize("game", half(MATCHES))
def test_a_match_fits_a_phone(chrome: Browser, server: RunningServer, game: str) -> None:
    with Screen(chrome, server, PHONE) as screen:
        _in_the_middle(screen, game)
        assert screen.overflow() <= 0
        board = screen.page.locator("svg.board").bounding_box()
        assert board is not None
        assert board["y"] + min(board["height"], 300) < 844, "the board is on the first screen"


def test_home_and_runs_fit_a_phone(chrome: Browser, server: RunningServer, run: str) -> None:
    with Screen(chrome, server, PHONE) as screen:
        _in_the_middle(screen, "tictactoe")
        screen.open("/")
        expect(screen.page.locator(".card")).to_have_count(4)
        for card in screen.page.get_by_text("More", exact=True).all():
            card.click()
            assert screen.overflow() <= 0
        screen.open("/runs")
        expect(screen.page.locator(".plot canvas")).to_be_visible()
        assert screen.page.get_by_text(run).count() > 0
        assert screen.overflow() <= 0


def test_dark_follows_the_system_and_the_switch(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, colours="dark") as screen:
        assert _ground(screen) < 100
        screen.page.emulate_media(color_scheme="light")
        assert _ground(screen) > 200
        switch = screen.page.get_by_role("button", name="Colours")
        for theme, dark in (("light", False), ("dark", True)):
            switch.click()
            expect(switch).to_have_attribute("aria-label", f"Colours: {theme}")
            assert (_ground(screen) < 100) is dark
        # It is kept, and stronger than the system.
        screen.page.reload()
        expect(switch).to_have_attribute("aria-label", "Colours: dark")
        assert _ground(screen) < 100
        switch.click()
        assert _ground(screen) > 200


def test_curves_are_compared_and_follow_a_run_that_goes_on(screen: Screen, home: Path, run: str) -> None:
    going = Run.create(home / "runs", "tictactoe", "going", "games: 1\n")
    going.log({"games": 1, "loss": 0.5})
    screen.open("/runs")
    # The newest is ticked at first.
    line = screen.page.locator(".run-list li", has_text=going.name)
    expect(line.get_by_role("checkbox")).to_be_checked()
    expect(line).to_contain_text("1 row")
    screen.page.locator(".run-list li", has_text=run).get_by_role("checkbox").check()
    expect(screen.page.locator(".legend li")).to_have_count(2)
    going.log({"games": 2, "loss": 0.4})
    expect(line).to_contain_text("2 rows")
    screen.page.get_by_label("Metric").select_option("loss")
    screen.page.get_by_label("Smoothing").fill("0.8")
    expect(screen.page.get_by_label("Smoothing 80%")).to_be_visible()
    expect(screen.page.locator(".plot canvas")).to_be_visible()
    going.finish({})
    expect(line).to_contain_text("finished")


def test_evaluations_have_a_line_for_each_opponent_along_the_updates(screen: Screen, home: Path) -> None:
    made = Run.create(home / "runs", "skirmish", "lines", "seed: 0\n")
    rates = {"random": (0.5, 0.75, 1.0), "aggressive": (0.0, 0.25, 0.5)}
    for update in range(3):
        # Games of a rollout, which are no count that grows, and a metric of no opponent.
        rollout: Row = {"stage": "ppo", "update": update, "preset": "small", "games": 9 - update}
        made.log({**rollout, "deployment_steps_mean": 3.0})
        for opponent, rate in rates.items():
            met: Row = {"stage": "ppo", "update": update, "preset": "small", "opponent": opponent, "games": 40}
            made.log({**met, "win_rate": rate[update], "deployment_steps_mean": 3.0})
    screen.open("/runs")
    metric, axis = screen.page.get_by_label("Metric"), screen.page.get_by_label("Against")
    title = "Skirmish · lines"
    named = [f"{title} · Random", f"{title} · Attacker"]
    expect(metric).to_have_value("win_rate")
    expect(metric.locator("option:checked")).to_have_text("Points won")
    expect(axis).to_have_value("update")
    expect(screen.page.locator(".legend li")).to_have_text(named)
    metric.select_option("deployment_steps_mean")
    expect(screen.page.locator(".legend li")).to_have_text([title, *named])
    assert screen.page.evaluate(LINES, [title, made.metrics()]) == [
        {"name": f"{title} · {name}", "x": [0, 1, 2], "y": list(rate)} for name, rate in rates.items()
    ]
    # A chosen axis stays while it can be drawn.
    axis.select_option("")
    metric.select_option("win_rate")
    expect(axis).to_have_value("")
    expect(screen.page.locator(".legend li")).to_have_text(named)
    made.finish({})


LINES = """async ([name, rows]) => {
  const { linesOf } = await import("/static/shell/lines.js");
  return linesOf({ name, rows }, "win_rate", "update");
}"""


def _in_the_middle(screen: Screen, game: str) -> None:
    preset, seats, moves = MATCHES[game]
    screen.make(game, preset, *seats)
    for text in moves:
        screen.play(text)
    screen.look_at(screen.id)
    expect(screen.page.locator(".plies > li")).to_have_count(len(moves))


def _ground(screen: Screen) -> int:
    """How bright the page's ground is, 0 to 255."""
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    return int(screen.page.evaluate(f"Number({colour}.match(/[0-9]+/)[0])"))
