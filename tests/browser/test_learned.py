"""What a run has learned, in the browser: its chart from the beginning, boards before and after, and a film."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from ludex.core.ranking import Entry
from ludex.core.registry import make, resolve, spec
from ludex.learn.learned import write_learned
from ludex.learn.run_agents import keep_agent
from ludex.learn.runs import Run
from ludex.operations.learned import announce_measurement, measure_learning
from ludex.operations.operation import Context
from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen
from tests.web.playing import prepare
from tests.web.running import RunningServer

LEARNED: Any = (
    [],
    [Entry("EEEEEEEEE", 0, 0.5)],
    [Entry("EEEEEEEEE", 4, 0.5), Entry("EEEEEEEEX", 4, 0.5)],
)

CUT = "(figures) => figures.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run that keeps three agents and will be measured."""
    monkeypatch.setenv("LUDEX_RUNS", str(home / "runs"))
    made = Run.create(home / "runs", "tictactoe", "minute", "")
    codec = resolve(str(spec("tictactoe").learning.rankings))(make("tictactoe"))
    announce_measurement(made)
    for index, entries in enumerate(LEARNED):
        made.log({"games": 3000 * index, "losing_lines": 100 - 50 * index})
        document = codec.export(entries, "2026-01-31T12:00:00Z")
        keep_agent(made, index, 3000 * index, json.dumps(document).encode())
    return made


def test_a_run_says_first_against_whom_it_gained_most(chrome: Browser, server: RunningServer, home: Path) -> None:
    made = Run.create(home / "runs", "skirmish", "minute", "")
    for step, beginner, random in ((60, 0.35, 0.1), (120, 0.3, 0.6)):
        made.log({"step": step, "opponent": "beginner", "win_rate": beginner})
        made.log({"step": step, "opponent": "random", "win_rate": random})
    with Screen(chrome, server) as screen:
        page = screen.open(f"/runs/{made.name}")
        expect(page.locator(".story")).to_have_text(
            "After 120 steps it wins 60% of the points against “Random”; after 60 steps it won 10%."
        )


def test_a_run_that_learned_nothing_says_so(chrome: Browser, server: RunningServer, run: Run) -> None:
    prepare(server, "tictactoe")
    run.finish({"games": 6000})
    nothing = measure_learning(run, 2, Context())
    flat = [strength.model_copy(update={"win_rate": 0.5, "ci95": (0.1, 0.9)}) for strength in nothing.strength]
    write_learned(run, nothing.model_copy(update={"strength": flat}))
    with Screen(chrome, server) as screen:
        page = screen.open(f"/runs/{run.name}")
        expect(page.locator(".story").first).to_contain_text("No progress shows: the difference is within chance.")


@pytest.mark.parametrize(
    ("viewport", "colours", "language", "words"),
    [
        pytest.param(
            DESKTOP,
            "light",
            "en",
            ("What machines have learned", "won 4% of its games at the start", "The whole training", "make play"),
            marks=pytest.mark.full,
        ),
        (
            PHONE,
            "dark",
            "fr",
            (
                "Ce que des machines ont appris",
                "gagnait 4\u202f% de ses parties au début",
                "Tout l’entraînement",
                "make play",
            ),
        ),
    ],
)
def test_a_visitor_sees_at_once_what_machines_have_learned(
    chrome: Browser,
    server: RunningServer,
    viewport: ViewportSize,
    colours: Literal["light", "dark"],
    language: str,
    words: tuple[str, ...],
) -> None:
    title, story, whole, own = words
    with Screen(chrome, server, viewport, colours, language=language) as screen:
        screen.make("minesweeper", "beginner", "you")
        page = screen.open("/lab")
        panel = page.locator(".lab-examples")
        expect(panel.get_by_role("heading", name=title)).to_be_visible()
        expect(panel.locator(".film-boards figure")).to_have_count(2)
        expect(panel.locator(".staircase [data-step]")).to_have_count(5)
        expect(page.get_by_text(own)).to_be_visible()
        panel.locator(".tabs button").nth(2).click()
        expect(panel.locator(".story")).to_contain_text(story)
        expect(panel.locator('.film-boards [data-game="minesweeper"] svg.board')).to_have_count(2)
        assert screen.overflow() <= 0
        assert grave(page) == []
        panel.get_by_role("link", name=whole).click()
        page.wait_for_url("**/runs/example-minesweeper")
        expect(page.locator(".plot canvas")).to_be_visible()
        expect(page.locator(".film-boards figure")).to_have_count(5)
        expect(page.locator(".before-after figcaption strong")).to_have_count(6, timeout=180_000)
        assert page.locator(".before-after figure").evaluate_all(CUT) == []
        assert screen.overflow() <= 0
        assert grave(page) == []


@pytest.mark.parametrize("game", ["minesweeper", "skirmish"])
def test_the_chart_of_a_run_picks_its_metric_when_rows_come(
    chrome: Browser, server: RunningServer, home: Path, game: str
) -> None:
    training = spec(game).learning.training
    assert training is not None
    assert training.headline is not None
    made = Run.create(home / "runs", game, "minute", "")
    with Screen(chrome, server) as screen:
        page = screen.open(f"/runs/{made.name}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        made.log({"step": 1, "policy_loss": 1.5})
        made.log({"step": 2, "policy_loss": 1.4})
        metric = page.get_by_label("Metric")
        expect(metric).to_have_value("policy_loss")
        expect(page.locator(".plot canvas")).to_be_visible()
        for step in (2, 4):
            made.log({"step": step, training.headline: step / 10})
        expect(metric).to_have_value(training.headline)
        metric.select_option("policy_loss")
        made.log({"step": 6, training.headline: 0.6})
        expect(page.get_by_text("5 rows")).to_be_visible()
        assert metric.input_value() == "policy_loss", "a person's choice stays"
        made.finish({"steps": 6})


@pytest.mark.parametrize(
    ("viewport", "language", "words"),
    [
        pytest.param(
            DESKTOP,
            "en",
            (
                "What it has learned, and how one knows",
                "Step 6000 would play",
                "Move",
                "Play the film",
                "Against “Exact solver”, which cannot be beaten, it lost",
                "After 6,000 games there are 0 lines of play in which it can lose; at the start there were 100.",
            ),
            marks=pytest.mark.full,
        ),
        (
            PHONE,
            "fr",
            (
                "Ce qu’elle a appris, et comment on le sait",
                "L’étape 6000 jouerait",
                "Coup",
                "Lancer le film",
                "que personne ne bat, elle perdait",
                "il reste 0 suites de coups qui la font perdre\u202f; au début, il y en avait 100.",
            ),
        ),
    ],
)
def test_a_person_sees_what_was_learned(
    chrome: Browser,
    server: RunningServer,
    run: Run,
    viewport: ViewportSize,
    language: str,
    words: tuple[str, ...],
) -> None:
    title, would, move, play, measured, story = words
    prepare(server, "tictactoe")
    with Screen(chrome, server, viewport, language=language) as screen:
        page = screen.open(f"/runs/{run.name}")
        expect(page.locator(".plot canvas")).to_be_visible()
        assert page.locator(".learned").count() == 0
        run.finish({"games": 6000})
        # The page waits for the measurement.
        learned = measure_learning(run, 2, Context())
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        assert [strength.step for strength in learned.strength] == [0, 3000, 6000]
        expect(page.locator(".staircase [data-step]")).to_have_count(3)
        assert "6000" in str(page.locator(".staircase svg").get_attribute("aria-label"))
        # The first lines of the page say it in words.
        expect(page.locator(".story").first).to_contain_text(measured)
        expect(page.locator(".story").last).to_contain_text(story)
        # Side by side, with different first choices.
        expect(page.locator(".before-after")).to_have_count(len(learned.positions))
        pair = page.locator(".before-after").first
        expect(pair.get_by_text(would)).to_be_visible()
        choices = pair.locator("figcaption strong").all_inner_texts()
        assert len(set(choices)) == 2, choices
        # The choice of any step: the slider goes back to the first one.
        page.locator(".checkpoints input[type=range]").fill("0")
        expect(pair.locator('[data-step="0"]')).to_have_count(2)
        # The same game at each step, from its end to its beginning, and again.
        boards = page.locator(".film-boards svg.board")
        expect(boards).to_have_count(3)
        results = page.locator(".film-boards figcaption strong")
        assert "" not in results.all_inner_texts()
        slider = page.get_by_role("slider", name=move)
        plies = str(slider.get_attribute("max"))
        expect(slider).to_have_js_property("value", plies)
        slider.fill("0")
        expect(results.first).to_be_empty()
        page.get_by_role("button", name=play).click()
        expect(slider).to_have_js_property("value", plies)
        assert screen.overflow() <= 0
        assert grave(page) == []
