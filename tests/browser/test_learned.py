"""What a run has learned, in the browser: its chart from the beginning, boards before and after, and a film."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from ludex.core.ranking import Entry
from ludex.core.registry import make, resolve, spec
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
                "What it has learned",
                "Step 6000 would play",
                "Move 0 of",
                "Play the film",
                "Against “Exact solver”, whom nobody beats, it lost",
                "After 6,000 games there are 0 lines of play in which it can lose; at the start there were 100.",
            ),
            marks=pytest.mark.full,
        ),
        (
            PHONE,
            "fr",
            (
                "Ce qu’elle a appris",
                "L’étape 6000 jouerait",
                "Coup 0 sur",
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
        # The same game at each step.
        slider = page.get_by_role("slider", name=move)
        plies = int(str(slider.get_attribute("max")))
        page.get_by_role("button", name=play).click()
        expect(page.locator(f'input[type=range][max="{plies}"]').last).to_have_js_property("value", str(plies))
        page.locator(".learned select").select_option("2")
        expect(page.locator(".film-board svg.board")).to_be_visible()
        assert screen.overflow() <= 0
        assert grave(page) == []
