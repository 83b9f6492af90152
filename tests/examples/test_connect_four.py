"""The example package: built, installed, tested and played, and the tutorial that makes it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludex.envs
from ludex.core import registry
from ludex.core.decision import JudgedMove
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.tutorial import judge
from scripts.lines_of_code import files_of, lines_of_code
from tests.cli.conftest import run_here
from tests.packages import foreign_packages

__all__ = ["foreign_packages"]

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "examples" / "connect_four"
CLASSICS = "packages/classics/src/ludex_classics"
TUTORIAL = ROOT / "docs" / "tutorial.md"
WAITS = ("ludex play", "ludex serve", "pip install")
"""Commands of the tutorial that wait for people, or that the fixture has run."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `pip install ./examples/connect_four` has happened."""
    source, site = tmp_path_factory.mktemp("source") / "connect_four", tmp_path_factory.mktemp("site")
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    command += ["--disable-pip-version-check", "--root-user-action=ignore"]
    subprocess.run([*command, "--target", str(site), str(source)], check=True)
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "LUDEX_DATA": str(site / "data")}


@pytest.fixture
def installed(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, foreign_packages: None) -> None:
    """It is installed for the process of the test as well."""
    monkeypatch.syspath_prepend(environment["PYTHONPATH"].split(os.pathsep)[0])
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    registry.refresh()


def run_python(environment: dict[str, str], *command: str, cwd: Path = ROOT) -> str:
    result = subprocess.run(
        [sys.executable, *command], env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr + result.stdout
    return result.stdout


def test_its_own_tests_pass(environment: dict[str, str], tmp_path: Path) -> None:
    shutil.copytree(SOURCE / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    folder = str(tmp_path / "tests")
    assert "5 passed" in run_python(
        environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, folder
    )


def test_the_tutorial_makes_it() -> None:
    pieces: dict[str, list[str]] = {}
    for path, code in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```\n", TUTORIAL.read_text(), re.S):
        pieces.setdefault(path, []).append(code)
    made = [file for file in SOURCE.rglob("*") if file.suffix in {".py", ".toml"} and "tests" not in file.parts]
    made += (SOURCE / "src" / "connect_four" / "messages").iterdir()
    assert {str(file.relative_to(SOURCE)) for file in made} == pieces.keys()
    for path, codes in pieces.items():
        lines = [line for line in "".join(codes).splitlines() if line]
        assert lines == [line for line in (SOURCE / path).read_text().splitlines() if line], path


@pytest.mark.usefixtures("installed", "own_folders")
def test_the_commands_of_the_tutorial_run_and_every_check_passes(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", TUTORIAL.read_text(), re.S)
    check, *others = [line for block in blocks for line in block.splitlines() if not line.startswith(WAITS)]
    assert len(others) == 2
    for command in others:
        result = run_here(SOURCE.parent, *shlex.split(command)[1:])
        assert result.returncode == 0, result.stderr
        assert result.stdout
    report = json.loads(run_here(SOURCE.parent, *shlex.split(check)[1:], "--json").stdout)
    assert report["ok"]
    assert {row["status"] for row in report["checks"]} == {"passed"}
    assert {row["part"] for row in report["checks"]} == {
        "spec",
        "kernels",
        "teaching",
        "review",
        "game",
        "scene",
        "text",
        "compiled rules",
        "batch",
        "agent",
        "environment",
    }
    assert {row["subject"] for row in report["checks"] if row["part"] == "agent"} >= {"tactical", "mcts", "minimax"}
    (code,) = re.findall(r"\n```python\n(import ludex\.envs.*?)```", TUTORIAL.read_text(), re.S)
    exec(f"{code}\nprint(observation['board'].shape)", {})
    assert capsys.readouterr().out == "(2, 6, 7)\n"


@pytest.mark.usefixtures("installed")
def test_the_reasons_of_the_tutorial_are_those_of_a_judged_move() -> None:
    (code,) = re.findall(r"```python\n(def reasons.*?)```", TUTORIAL.read_text(), re.S)
    names: dict[str, Any] = {"JudgedMove": JudgedMove, "Message": Message}
    exec(code, names)
    game = registry.make("connect_four")
    state = game.initial(Rng(0))
    judged = JudgedMove(game, state, state, 0, action=0, best=3, line=(3,), reply=(), expected=0.75, kept=0.5)
    assert names["reasons"](judged) == [
        Message("connect_four.review_missed", {"move": "a", "better": "d", "loss": 0.25})
    ]
    assert names["reasons"](replace(judged, action=3)) == []


@pytest.mark.usefixtures("installed")
def test_its_tutorial_is_played_move_by_move() -> None:
    tutorial = registry.spec("connect_four").screen.tutorial
    assert tutorial is not None
    steps = registry.resolve(tutorial).steps
    assert [step.name for step in steps] == ["drop", "win", "block", "fork"]
    for step, right, wrong in zip(steps, ("c", "d", "c", "de"), "aeaa", strict=True):
        refused = judge("connect_four", step, [wrong])
        assert not refused.accepted
        assert refused.reason is not None
        assert wrong in refused.reason.text("fr")
        done = judge("connect_four", step, [*right])
        assert done.turn == len(step.turns)
    outcome = done.position.game.outcome(done.position.state)
    assert outcome is not None
    assert outcome.reason == "four in a row"


@pytest.mark.usefixtures("installed")
def test_agents_from_outside_play_it(own_folders: Path) -> None:
    mine = f"py:{ROOT / 'tests' / 'core' / 'outside_agents.py'}:First"
    agents = ("--agents", f"{mine},tactical")
    result = json.loads(run_here(own_folders, "match", "connect_four", *agents, "--games", "2", "--json").stdout)
    assert sum(result["wins"]) + result["draws"] == 2


@pytest.mark.full
def test_its_matches_are_reviewed(environment: dict[str, str]) -> None:
    """The first player lets three in a row become four."""
    line = "connect_four 5x4: c b c b a b d b"
    review = json.loads(run_python(environment, "-m", "ludex", "review", line, "--json"))
    assert review["analyst"] == "mcts"
    blunder = review["moves"][6]
    assert (blunder["text"], blunder["best"], blunder["class"]) == ("d", "b", "blunder")
    assert review["accuracies"][0] < review["accuracies"][1]


@pytest.mark.full
def test_it_has_tournaments(environment: dict[str, str]) -> None:
    command = ("-m", "ludex", "tournament", "connect_four", "--agents", "tactical,random", "--games", "2", "--json")
    tournament = json.loads(run_python(environment, *command))
    assert {row["agent"] for row in tournament["standings"]} == {"tactical", "random"}


@pytest.mark.full
def test_it_is_an_engine(environment: dict[str, str]) -> None:
    commands = "ugi\nisready\nposition startpos moves d d\ngo nodes 50\nquit\n"
    command = [sys.executable, "-m", "ludex", "engine", "connect_four", "--agent", "minimax"]
    result = subprocess.run(command, env=environment, input=commands, capture_output=True, text=True, check=True)
    assert "ugiok" in result.stdout
    assert re.search(r"^bestmove [a-g]$", result.stdout, re.M)


@pytest.mark.usefixtures("installed")
def test_it_is_an_environment_of_other_libraries() -> None:
    many = ludex.envs.vector("connect_four", 3, seed=1)
    many.reset()
    assert many.step(np.zeros(3, int))[1].shape == (3,)
    spiel = ludex.envs.open_spiel("connect_four").new_initial_state()
    spiel.apply_action(3)
    assert (spiel.current_player(), len(spiel.legal_actions())) == (1, 7)


def test_the_lines_of_code_are_those_on_the_page() -> None:
    page = (ROOT / "docs" / "third-party.md").read_text()
    names = ("boxes", "breakthrough", "dark_hex", "einstein", "go", "hex", "morris", "othello")
    for folder in ("examples/connect_four/src", *(f"{CLASSICS}/{name}" for name in names)):
        files = {file.name: lines_of_code(file) for file in files_of(ROOT / folder)}
        parts = ", ".join(f"`{name}` {count}" for name, count in sorted(files.items()) if count)
        assert f"| `{folder}`: {parts} | {sum(files.values())} |" in page
