"""Take a picture of every screen of the web app: `python -m docs.pictures.screens [NAME ...]`, in the root folder.

They are screens of a real server in a real browser, the ones the browser tests use.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, ViewportSize

import ludex
from tests.browser.browsing import PHONE, Screen, chromium
from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, served

FOLDER = Path(__file__).parent
LAPTOP: ViewportSize = {"width": 1200, "height": 780}
LARGEST_BYTES = 150_000
SEARCH_MS = 120_000
COLOURS = 256
LADDER = "quoridor-ladder"


def home(screen: Screen) -> None:
    """The four games."""
    screen.page.wait_for_selector(".daily-board svg.board", timeout=SEARCH_MS)
    screen.page.wait_for_selector(".card .preparing", state="detached", timeout=SEARCH_MS)


def tictactoe(screen: Screen) -> None:
    """Learned Q beside the exact value of every cell."""
    screen.begin("tictactoe", "3x3x3", "you", "you")
    played(screen, ["a1", "b1"])
    shown(screen, "Heat", ".board .outcome")


def quoridor(screen: Screen) -> None:
    """The engine's candidates in the middle of a game."""
    screen.begin("quoridor", "9x9", "you", "you")
    played(screen, ["e2", "e8", "e3", "e7", "e4", "e6", "d6h", "e3h", "c5v", "d3v", "e5", "c3h"])
    screen.page.get_by_label("paths").check()
    shown(screen, "Candidates", ".candidate-move")


def minesweeper(screen: Screen) -> None:
    """Exact probabilities, and the numbers that prove the next move."""
    screen.begin("minesweeper", "med", "you", seed=11)
    game = ludex.make("minesweeper", "med")
    match = ludex.play(game, [ludex.make_agent(game, "expert")], seed=11)
    played(screen, [move.text for move in match.moves[:14]])
    shown(screen, "Heat", ".percent")


def skirmish_deployment(screen: Screen) -> None:
    """Both rosters, and where the chosen unit may stand."""
    screen.begin("skirmish", "default", "you", "you", seed=4)
    played(screen, skirmish_moves()[:7])


def skirmish_battle(screen: Screen) -> None:
    """A battle in its second turn, with the odds of every shot."""
    screen.begin("skirmish", "default", "you", "you", seed=4)
    moves = skirmish_moves()
    shot = following(moves, "shoot", 0)
    # Each side moves and then shoots, turn by turn.
    for _ in range(2):
        shot = following(moves, "shoot", following(moves, "move", shot))
    played(screen, moves[:shot])
    screen.page.get_by_role("button", name="Hint").click()
    screen.page.wait_for_selector(".advice", timeout=SEARCH_MS)


def runs(screen: Screen) -> None:
    """Curves of two training runs."""
    screen.page.goto("/runs")
    screen.page.wait_for_selector(".plot canvas")
    for box in screen.page.locator(".run-list input").all():
        box.check()
    screen.page.get_by_label("Metric").select_option("losing_lines_O")
    screen.page.get_by_label("Smoothing").fill("0.6")
    screen.page.wait_for_timeout(500)


def tournament(screen: Screen) -> None:
    """A tournament's standings, who beat whom, and its curve."""
    screen.page.goto(f"/tournaments/{LADDER}")
    screen.page.wait_for_selector(".plot canvas")


def leaderboard(screen: Screen) -> None:
    """How strong the shipped agents are."""
    screen.page.goto("/leaderboard")
    screen.page.wait_for_selector(".standings")


def phone(screen: Screen) -> None:
    """A match on a phone."""
    screen.begin("quoridor", "7x7", "you", "you")
    played(screen, ["d2", "d6", "d3", "d5", "c4h", "e4v"])
    shown(screen, "Candidates", ".candidate-move")
    screen.page.evaluate("scrollTo(0, 0)")


def review(screen: Screen) -> None:
    """The review of a game that a mistake decided."""
    game = ludex.make("quoridor")
    agents = [ludex.make_agent(game, level) for level in ("casual", "regular")]
    screen.begin("quoridor", "9x9", "you", "you")
    played(screen, [move.text for move in ludex.play(game, agents, seed=5).moves])
    screen.page.get_by_role("link", name="Review").click()
    screen.page.wait_for_selector(".review-moments button", timeout=SEARCH_MS)
    screen.page.wait_for_selector(".review progress", state="detached", timeout=SEARCH_MS)
    screen.page.locator(".review-moments button").first.click()
    screen.page.wait_for_selector(".review-reason")


def review_phone(screen: Screen) -> None:
    """A mistake on a phone, below its board."""
    screen.begin("tictactoe", "3x3x3", "you", "you")
    played(screen, ["a1", "b1", "b2", "c2", "c3"])
    screen.page.get_by_role("link", name="Review").click()
    screen.page.wait_for_selector(".review-moments button", timeout=SEARCH_MS)
    screen.page.locator(".review-moments button").first.click()
    screen.page.wait_for_selector(".review-reason")
    screen.page.locator(".review-graph").scroll_into_view_if_needed()


SCREENS: dict[str, tuple[Callable[[Screen], None], ViewportSize, bool]] = {
    "home-light": (home, {"width": 1200, "height": 860}, False),
    "home-dark": (home, {"width": 1200, "height": 860}, True),
    "tictactoe": (tictactoe, LAPTOP, False),
    "quoridor": (quoridor, LAPTOP, False),
    "minesweeper": (minesweeper, LAPTOP, False),
    "skirmish-deployment": (skirmish_deployment, {"width": 1200, "height": 1000}, False),
    "skirmish-battle": (skirmish_battle, {"width": 1200, "height": 1000}, True),
    "tournament": (tournament, {"width": 1200, "height": 960}, False),
    "leaderboard": (leaderboard, {"width": 1200, "height": 900}, True),
    "runs": (runs, LAPTOP, True),
    "phone": (phone, PHONE, True),
    "review": (review, {"width": 1200, "height": 860}, False),
    "review-phone": (review_phone, PHONE, True),
}


def skirmish_moves() -> list[str]:
    """The moves of two machines; the same seed gives the page the same dice."""
    game = ludex.make("skirmish", "default")
    agents = [ludex.make_agent(game, "objective"), ludex.make_agent(game, "aggressive")]
    return [move.text for move in ludex.play(game, agents, seed=4).moves]


def following(moves: list[str], kind: str, after: int) -> int:
    """Where the next move of a kind is."""
    return next(index for index in range(after, len(moves)) if moves[index].startswith(kind))


def played(screen: Screen, moves: list[str]) -> None:
    """Play the moves behind the screen's back, and wait until it shows the last one."""
    for text in moves:
        screen.play(text)
    screen.page.wait_for_function("plies => document.querySelectorAll('.plies > li').length === plies", arg=len(moves))


def shown(screen: Screen, overlay: str, what: str) -> None:
    """Turn an overlay on, and wait for what it draws."""
    screen.page.get_by_label(overlay, exact=True).check(force=True)
    screen.page.wait_for_selector(what, timeout=SEARCH_MS)


def trained(folder: Path) -> None:
    """Two short training runs."""
    for config in ("negamax", "v1_01"):
        command = [sys.executable, "-m", "ludex", "train", "tictactoe", "--config", config, "--games", "2000"]
        subprocess.run(command, env={**os.environ, "LUDEX_RUNS": str(folder)}, check=True, stdout=subprocess.DEVNULL)


def held(folder: Path) -> None:
    """A tournament of a few minutes."""
    command = [sys.executable, "-m", "ludex", "tournament", "quoridor", "--agents", "hard,normal,easy,walker,random"]
    command += ["--games", "20", "--opening-plies", "4", "--seed", "5", "--name", LADDER]
    environment = {**os.environ, "LUDEX_TOURNAMENTS": str(folder)}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


def take(browser: Browser, server: RunningServer, name: str) -> None:
    """Prepare one screen and write its picture."""
    prepare, viewport, dark = SCREENS[name]
    path = FOLDER / f"{name}.png"
    with Screen(browser, server, viewport, "dark" if dark else "light") as screen:
        prepare(screen)
        screen.page.mouse.move(0, 0)
        # Messages go away, and what moves comes to rest.
        screen.page.wait_for_timeout(600)
        screen.page.screenshot(path=path, animations="disabled")
    # Screens have few colours: a palette makes the file half as large.
    Image.open(path).convert("RGB").quantize(COLOURS, kmeans=1, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path.name}: {size // 1000} KB")
    if size > LARGEST_BYTES:
        raise RuntimeError(f"{path.name} has {size} bytes, and {LARGEST_BYTES} are the most")


def main() -> None:
    """Take all pictures, or those that are named."""
    names = sys.argv[1:] or list(SCREENS)
    unknown = [name for name in names if name not in SCREENS]
    if unknown:
        sys.exit(f"unknown screen {unknown[0]!r}; known: {', '.join(SCREENS)}")
    with tempfile.TemporaryDirectory() as folder:
        if "runs" in names:
            trained(Path(folder) / "runs")
        if "tournament" in names:
            held(Path(folder) / "tournaments")
        with served(Path(folder), *GENEROUS) as server, chromium() as browser:
            for name in names:
                take(browser, server, name)


if __name__ == "__main__":
    main()
