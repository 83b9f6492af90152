"""What axe-core, the accessibility checker that browsers' own tools use, finds on a page."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")

# What axe would load first serves a rule that is off.
_RUN = """async (part) => (await axe.run(part, {resultTypes: ["violations"], preload: false})).violations.flatMap(
  ({id, impact, nodes}) => nodes.map((node) => [impact, `${id}: ${node.target.join(" ")}: ${node.failureSummary}`]))"""


@cache
def _axe() -> str:
    assert AXE.exists(), "axe-core is missing: npm ci"
    return AXE.read_text()


def grave(page: Page, part: str = "html") -> list[str]:
    """Every serious or critical violation on the page, or in the parts of a selector, which takes half the time."""
    # What appears with a transition has its colours when it has ended.
    page.evaluate(
        "Promise.all(document.getAnimations().filter((a) => a.effect.getTiming().iterations !== Infinity)"
        ".map((a) => a.finished.catch(() => null)))"
    )
    page.evaluate(_axe())
    return [description for impact, description in page.evaluate(_RUN, part) if impact in GRAVE]
