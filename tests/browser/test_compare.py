"""The comparison of runs: bands over seeds, what differs, the files, and the administrator's notes."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ludex.learn.runs import Run
from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.running import RunningServer


@pytest.fixture(scope="module")
def group(home: Path) -> str:
    """An experiment of three seeds and two values."""
    for epsilon in (0.1, 0.5):
        for seed in (1, 2, 3):
            changes = {"epsilon": epsilon, "seed": seed}
            config = f"games: 300\nepsilon: {epsilon}\nseed: {seed}\n"
            run = Run.create(home / "runs", "tictactoe", "negamax", config, group="exploration", changes=changes)
            for row in range(20):
                run.log(
                    {"games": 10 * row, "losing_lines": max(0, 40 - 3 * row - seed * 4 * epsilon * row), "keys": row}
                )
            run.finish({"games": 190})
    return "exploration"


def test_an_experiment_is_compared(chrome: Browser, server: RunningServer, group: str) -> None:
    with Screen(chrome, server, colours="dark") as screen:
        page = screen.open("/runs")
        page.get_by_text("What does this metric say?").click()
        expect(page.get_by_text("0 means it can no longer be beaten")).to_be_visible()
        page.get_by_role("link", name=f"experiment {group}").first.click()
        page.wait_for_url(f"**/runs/compare?runs={group}")
        expect(page.locator(".plot canvas")).to_be_visible()
        expect(page.locator(".legend")).to_contain_text("epsilon=0.1 (3 seeds)")
        expect(page.get_by_text("0 means it can no longer be beaten")).to_be_visible()
        expect(page.locator("table tbody tr")).to_have_count(2)
        expect(page.locator("pre").first).to_have_text(
            "ludex train tictactoe --config negamax --set epsilon=0.1 --set seed=1"
        )
        assert _blended(screen), "the band is drawn"
        assert grave(page) == []
        page.get_by_label("Metric").select_option("keys")
        expect(page.get_by_role("columnheader", name="Last value: Positions in the ranking")).to_be_visible()
        address = page.get_by_role("link", name="CSV").get_attribute("href")
        assert address is not None
        assert page.request.get(address).text().startswith("run,seed,epsilon,part,games,keys\n")
        assert page.get_by_role("heading", name="Notes").count() == 0, "a visitor sees none"


def test_only_runs_of_one_game_are_compared_and_a_link_to_others_leads_back(
    chrome: Browser, server: RunningServer, home: Path
) -> None:
    made = [Run.create(home / "runs", game, "minute", "seed: 0\n") for game in ("minesweeper", "skirmish", "skirmish")]
    for run in made:
        run.log({"step": 1, "policy_loss": 1.5})
        run.log({"step": 2, "policy_loss": 1.0})
        run.finish({"steps": 2})
    names = [run.name for run in made]
    with Screen(chrome, server) as screen:
        screen.foreseen = ("422",)
        page = screen.open("/runs")
        expect(page.locator(".plot canvas")).to_be_visible()
        for box in page.locator(".run-list input:checked").all():
            box.uncheck()
        for name in names[:2]:
            page.locator("li", has_text=name).get_by_role("checkbox").check()
        compare = page.get_by_role("link", name="Compare the ticked runs")
        expect(page.get_by_text("Only runs of one game can be compared.")).to_be_visible()
        expect(compare).to_have_count(0)
        page.locator("li", has_text=names[0]).get_by_role("checkbox").uncheck()
        expect(compare).to_have_count(0)
        page.locator("li", has_text=names[2]).get_by_role("checkbox").check()
        compare.click()
        legend = page.locator(".legend")
        expect(legend).to_contain_text("Skirmish · ")
        assert "seeds" not in legend.inner_text()
        page = screen.open(f"/runs/compare?runs={names[0]},{names[1]}")
        expect(page.get_by_role("link", name="Training runs").last).to_be_visible()


def test_the_administrator_writes_notes_on_a_phone(chrome: Browser, server: RunningServer, group: str) -> None:
    with Screen(chrome, server, PHONE) as screen:
        screen.log_in()
        page = screen.open(f"/runs/compare?runs={group}")
        page.get_by_label(group).fill("0.1 explores enough")
        page.get_by_role("button", name="Colours").click()
        page.get_by_role("button", name="Save").click()
        page.get_by_text("The note is saved.").wait_for()
        assert screen.overflow() <= 0
        assert grave(page) == []
        page.reload()
        expect(page.get_by_label(group)).to_have_value("0.1 explores enough")
        page.get_by_role("button", name="Language").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Comparer des entraînements")


def _blended(screen: Screen) -> bool:
    """Whether the canvas has many half-transparent points: only bands are."""
    return bool(
        screen.page.evaluate(
            """() => {
              const canvas = document.querySelector(".plot canvas");
              const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
              let found = 0;
              for (let at = 3; at < data.length; at += 4) if (data[at] > 40 && data[at] < 70) found += 1;
              return found > 1000;
            }"""
        )
    )
