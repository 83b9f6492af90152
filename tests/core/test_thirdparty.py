"""A third party's game, built, installed and played without a line of ours knowing it."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.conformance import check_agent, check_game, check_spec
from ludex.core.match import play
from ludex.core.web_files import web_folder
from tests.cli.conftest import Ludex, ludex, process
from tests.packages import foreign_packages

__all__ = ["foreign_packages", "ludex", "process"]

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).parent / "thirdparty"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for packages in which `pip install ludex-pile` has happened."""
    source, site = tmp_path_factory.mktemp("source") / "pile", tmp_path_factory.mktemp("site")
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    command += ["--disable-pip-version-check", "--root-user-action=ignore"]
    subprocess.run([*command, "--target", str(site), str(source)], check=True)
    return site


@pytest.fixture(autouse=True)
def installed(site: Path, own_folders: Path, monkeypatch: pytest.MonkeyPatch, foreign_packages: None) -> None:
    """It is installed for this process and those it starts."""
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site))
    registry.refresh()


def test_it_is_listed(process: Ludex) -> None:
    document = json.loads(process("games", "--json").stdout)
    assert [game["id"] for game in document] == ["tictactoe", "quoridor", "minesweeper", "skirmish", "drawn", "pile"]


def test_two_agents_play_it(ludex: Ludex) -> None:
    result = ludex("match", "pile", "--agents", "remainder,remainder", "--games", "2", "--json")
    assert json.loads(result.stdout)["wins"] == [1, 1], result.stderr


def test_the_generic_agents_play_it(ludex: Ludex) -> None:
    """On seven stones the first player wins, which every search sees."""
    result = ludex("match", "pile", "--agents", "mcts,minimax", "--games", "2", "--json")
    assert json.loads(result.stdout)["wins"] == [1, 1], result.stderr


def test_its_levels_err_in_the_phases_that_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """With all phases but its own named, every move of an agent that always errs is the agent's."""
    pile = registry.spec("pile")
    strict = registry.with_registered_agents(replace(pile, levels={}, mistake_phases=()))
    check_spec(strict)
    assert (strict.levels["newcomer"].agent, strict.levels["newcomer"].options["mistakes"]) == ("mcts", 1.0)
    game = registry.make("pile")
    drawn = {seed: play(game, [registry.make_agent(game, "remainder:mistakes=1")] * 2, seed=seed) for seed in range(6)}
    assert len({match.ply for match in drawn.values()}) > 1
    with monkeypatch.context() as patch:
        patch.setattr(registry, "spec", lambda game_id: strict)
        erring, sound = ([registry.make_agent(game, name)] * 2 for name in ("remainder:mistakes=1", "remainder"))
    for seed in range(6):
        moves = [[move.text for move in play(game, pair, seed=seed).moves] for pair in (erring, sound)]
        assert moves[0] == moves[1]


@pytest.mark.full
def test_it_is_learned_from_its_rules_alone(process: Ludex) -> None:
    """It declares neither training nor compiled rules: `zero` plays what a run of two iterations exports."""
    small = {
        "minutes": "null",
        "learning.batch": "8",
        "net.channels": "8",
        "net.blocks": "1",
        "self_play.games": "8",
        "evaluation.games": "2",
    }
    changes = [part for key, value in small.items() for part in ("--set", f"{key}={value}")]
    done = process("train", "pile", "--device", "cpu", "--iterations", "2", *changes, "--json")
    net = json.loads(done.stdout)["net"]
    result = process("match", "pile", "--agents", f"zero:net={net},minimax", "--games", "2", "--json")
    assert json.loads(result.stdout)["wins"] == [1, 1], result.stderr


def test_a_person_plays_it_with_its_own_option(ludex: Ludex) -> None:
    played = ludex("play", "pile", "--size", "3", said="take4\ntake3\n")
    assert "expected take1, take2 or take3" in played.stdout
    assert "You win: last one taken" in played.stdout


def test_its_own_verb_takes_its_own_arguments(ludex: Ludex) -> None:
    result = ludex("pile", "multiples", "13", "--least", "3", "--json")
    assert json.loads(result.stdout) == {"lost": [4, 8, 12]}, result.stderr
    assert ludex("pile", "multiples", "5").stdout == "0 4\n"
    assert ludex("pile", "multiples").returncode == 2


def test_its_files_for_the_browser_are_installed_with_it() -> None:
    spec = registry.spec("drawn")
    check_spec(spec)
    folder = web_folder(spec)
    assert folder is not None
    assert sorted(file.name for file in folder.iterdir()) == sorted(
        file.name for file in (SOURCE / "src" / "pile" / "web").iterdir()
    )


def test_it_keeps_the_contract() -> None:
    game = registry.make("pile")
    check_game(game)
    check_agent(game, lambda: registry.make_agent(game))
