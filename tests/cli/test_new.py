"""`ludex new` and `ludex check`: what is written passes at once, and mistakes are named."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludex.core import registry
from scripts.lines_of_code import files_of, lines_of_code
from tests.cli.conftest import Ludex, document_of
from tests.packages import foreign_packages

__all__ = ["foreign_packages"]

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("flags", "checks"),
    [
        (("--board", "square"), 18),
        (("--board", "hex", "--players", "1"), 13),
        pytest.param(("--board", "none"), 16, marks=pytest.mark.full),
    ],
)
@pytest.mark.usefixtures("foreign_packages")
def test_a_new_game_passes_at_once(ludex: Ludex, own_folders: Path, flags: tuple[str, ...], checks: int) -> None:
    result = ludex("new", "game", "my_game", *flags, "--into", str(own_folders))
    assert result.returncode == 0, result.stderr
    again = ludex("new", "game", "my_game", "--into", str(own_folders))
    assert (again.returncode, "nothing was written" in again.stderr) == (2, True)
    report = ludex("check", str(own_folders / "my_game"), "--json")
    assert report.returncode == 0, report.stdout
    document = json.loads(report.stdout)
    assert document["ok"]
    assert len(document["checks"]) == checks
    assert {row["part"] for row in document["checks"]} >= {"spec", "game", "agent", "environment"}


@pytest.mark.usefixtures("foreign_packages")
def test_a_folder_is_a_game_in_every_command(ludex: Ludex, own_folders: Path) -> None:
    folder = str(own_folders / "my_game")
    ludex("new", "game", "my_game", "--into", str(own_folders))
    document = document_of(ludex("match", folder, "--agents", "random,mcts:simulations=9", "--games", "2", "--json"))
    assert document["game"] == "my_game"
    assert ludex("games", folder).returncode == 0
    assert ludex(folder, "--help").returncode == 0
    (own_folders / "my_game" / "pyproject.toml").write_text('[project.entry-points."ludex.games"]\n')
    registry.refresh()
    result = ludex("perft", folder)
    assert (result.returncode, "has no entry points" in result.stderr) == (4, True), result


@pytest.mark.parametrize(
    "flags",
    [("--board", "square"), *(pytest.param(("--board", one), marks=pytest.mark.full) for one in ("hex", "none"))],
)
def test_the_tests_of_a_new_game_pass(ludex: Ludex, own_folders: Path, flags: tuple[str, ...]) -> None:
    """They are the same for every kind of board."""
    ludex("new", "game", "my_game", *flags, "--into", str(own_folders))
    assert passed(own_folders / "my_game") == 0


def test_a_small_game_is_short(ludex: Ludex, own_folders: Path) -> None:
    """Rules, kernels, batches, a board, the spec, the rules in words and a tutorial."""
    ludex("new", "game", "my_game", "--into", str(own_folders))
    assert sum(map(lines_of_code, files_of(own_folders / "my_game"))) <= 60


def test_the_folders_of_a_new_game_point_one_way(ludex: Ludex, own_folders: Path) -> None:
    """The package has the contract of the games that ship, and it holds."""
    ludex("new", "game", "my_game", "--into", str(own_folders))
    folder = own_folders / "my_game"
    contracts = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert contracts[0]["layers"] == next(one["layers"] for one in ours if one["name"] == contracts[0]["name"])
    assert lint_imports(folder) == 0
    rules = folder / "src" / "my_game" / "game.py"
    rules.with_name("screen.py").write_text("from ludex.kit.screen import draw as draw\n")
    rules.write_text(rules.read_text() + "\nfrom my_game.screen import draw as draw\n")
    assert lint_imports(folder) == 1


@pytest.mark.usefixtures("foreign_packages")
def test_a_new_agent_passes_at_once(ludex: Ludex, own_folders: Path) -> None:
    result = ludex("new", "agent", "my_agent", "--games", "tictactoe", "--into", str(own_folders))
    assert result.returncode == 0, result.stderr
    report = ludex("check", str(own_folders / "my_agent"), "--json")
    assert [row["subject"] for row in json.loads(report.stdout)["checks"]] == ["my_agent on tictactoe"]
    assert report.returncode == 0
    assert passed(own_folders / "my_agent") == 0


@pytest.mark.usefixtures("foreign_packages")
def test_a_broken_game_is_reported_part_by_part(ludex: Ludex, own_folders: Path) -> None:
    ludex("new", "game", "my_game", "--into", str(own_folders))
    rules = own_folders / "my_game" / "src" / "my_game" / "game.py"
    rules.write_text(rules.read_text().replace("options.cols))", "options.cols), max_plies=1)"))
    report = ludex("check", str(own_folders / "my_game"), "--json")
    assert report.returncode == 1
    failed = {
        (row["part"], row["subject"]): row["detail"] for row in json.loads(report.stdout)["checks"] if not row["ok"]
    }
    assert "the match is live after 1 plies" in failed["game", "3x3"]
    assert ("spec", "my_game") not in failed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("new", "game", "tictactoe"), "game 'tictactoe' exists already"),
        (("new", "game", "My-Game"), "'My-Game' is no name of a package"),
        (("new", "agent", "random"), "agent 'random' of tictactoe exists already"),
        (("new", "agent", "mine", "--games", "chess"), "unknown game: 'chess'"),
        (("check", "chess"), "unknown game or agent: 'chess', and no folder with a pyproject.toml"),
    ],
)
def test_a_mistake_is_named(ludex: Ludex, arguments: tuple[str, ...], message: str) -> None:
    result = ludex(*arguments)
    assert result.returncode == 2
    assert message in result.stderr


def passed(package: Path) -> int:
    """Run the tests of a package as its author does."""
    return run_in(package, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(package), str(package))


def lint_imports(package: Path) -> int:
    """Check the contracts of a package's imports."""
    return run_in(package, "-c", "from importlinter.cli import lint_imports_command as main; main()", "--no-cache")


def run_in(package: Path, *arguments: str) -> int:
    """Run Python in the folder of a package that is not installed; returns the exit code."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(package / "src"), *filter(None, sys.path)])}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=package, capture_output=True, check=False).returncode
