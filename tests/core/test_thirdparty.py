"""A third party's game, built, installed and played without a line of ours knowing it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).parent / "thirdparty"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `pip install ludex-pile` has happened."""
    source, site = tmp_path_factory.mktemp("source") / "pile", tmp_path_factory.mktemp("site")
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    command += ["--disable-pip-version-check", "--root-user-action=ignore"]
    subprocess.run([*command, "--target", str(site), str(source)], check=True)
    return {**os.environ, "PYTHONPATH": str(site), "LUDEX_DATA": str(site / "data")}


def ludex(environment: dict[str, str], *arguments: str, said: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "ludex", *arguments]
    return subprocess.run(command, env=environment, input=said, capture_output=True, text=True, check=False)


def test_it_is_listed(environment: dict[str, str]) -> None:
    listed = json.loads(ludex(environment, "games", "--json").stdout)
    assert [game["id"] for game in listed] == ["tictactoe", "quoridor", "minesweeper", "skirmish", "drawn", "pile"]


def test_two_agents_play_it(environment: dict[str, str]) -> None:
    result = ludex(environment, "match", "pile", "--agents", "remainder,remainder", "--games", "2", "--json")
    assert json.loads(result.stdout)["wins"] == [1, 1], result.stderr


def test_the_generic_agents_play_it(environment: dict[str, str]) -> None:
    """On seven stones the first player wins, which every search sees."""
    result = ludex(environment, "match", "pile", "--agents", "mcts,minimax", "--games", "2", "--json")
    assert json.loads(result.stdout)["wins"] == [1, 1], result.stderr


@pytest.mark.full
def test_it_is_learned_from_its_rules_alone(environment: dict[str, str], tmp_path: Path) -> None:
    """It declares neither training nor compiled rules: `zero` plays what a run of two iterations exports."""
    small = {"minutes": "null", "net.channels": "8", "net.blocks": "1", "self_play.games": "8", "evaluation.games": "2"}
    changes = [part for key, value in small.items() for part in ("--set", f"{key}={value}")]
    runs = {**environment, "LUDEX_RUNS": str(tmp_path)}
    done = ludex(runs, "train", "pile", "--device", "cpu", "--iterations", "2", *changes, "--json")
    net = json.loads(done.stdout)["net"]
    result = ludex(environment, "match", "pile", "--agents", f"zero:net={net},minimax", "--games", "2", "--json")
    assert json.loads(result.stdout)["wins"] == [1, 1], result.stderr


def test_a_person_plays_it_with_its_own_option(environment: dict[str, str]) -> None:
    played = ludex(environment, "play", "pile", "--size", "3", said="take4\ntake3\n")
    assert "expected take1, take2 or take3" in played.stdout
    assert "You win by last one taken" in played.stdout


def test_its_own_verb_takes_its_own_arguments(environment: dict[str, str]) -> None:
    done = ludex(environment, "pile", "multiples", "13", "--least", "3", "--json")
    assert json.loads(done.stdout) == {"lost": [4, 8, 12]}, done.stderr
    assert ludex(environment, "pile", "multiples", "5").stdout == "0 4\n"
    assert ludex(environment, "pile", "multiples").returncode == 2


def test_its_files_for_the_browser_are_installed_with_it(environment: dict[str, str]) -> None:
    check = "from ludex.core import registry; from ludex.core.conformance import check_spec;"
    check += "spec = registry.spec('drawn'); check_spec(spec);"
    check += "print(*sorted(file.name for file in registry.web_folder(spec).iterdir()))"
    done = subprocess.run([sys.executable, "-c", check], env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.split() == sorted(file.name for file in (SOURCE / "src" / "pile" / "web").iterdir())


def test_it_keeps_the_contract(environment: dict[str, str]) -> None:
    check = "import ludex; from ludex.core.conformance import check_game, check_agent; g = ludex.make('pile');"
    check += "check_game(g); check_agent(g, lambda: ludex.make_agent(g))"
    subprocess.run([sys.executable, "-c", check], env=environment, check=True)
