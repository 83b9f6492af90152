"""An agent that ends its process forfeits the game; everybody else's games are what they would have been."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from ludex.core import registry
from tests.cli.conftest import Ludex, Result, ludex
from tests.packages import foreign_packages
from tests.web.thirdparty_games import PILE

__all__ = ["foreign_packages", "ludex"]

pytestmark = pytest.mark.slow

MARK = "CRASH_MARK"


@pytest.fixture(autouse=True)
def crashing(tmp_path: Path, own_folders: Path, monkeypatch: pytest.MonkeyPatch, foreign_packages: None) -> None:
    """The package of crashing agents is installed for this process and those it starts."""
    site = tmp_path / "site"
    shutil.copytree(PILE, site / "pile", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).parent / "crashing_agents.py", site)
    about = site / "ludex_crashing-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ludex-crashing\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[ludex.games]\ncrashing = crashing_agents:SPEC\n")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")])))
    monkeypatch.setenv(MARK, str(tmp_path / "mark"))
    registry.refresh()


def tournament(ludex: Ludex, agents: str, *further: str) -> Result:
    where = ("tournament", "crashing", "--agents", agents, "--games", "2", "--opening-plies", "1", "--seed", "2")
    return ludex(*where, *further, "--json")


def output(result: Result) -> Any:
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def meetings(document: Any) -> dict[tuple[str, ...], Any]:
    return {tuple(met["agents"]): met for met in document["meetings"]}


MANNERS = {
    "exits": "its process ended with exit code 3",
    "crashes": "its process was killed by signal 11",
    "kills": "its process was killed by signal 9",
}


@pytest.mark.parametrize(
    ("workers", "dying"), [("1", ["crashes"]), pytest.param("2", ["exits", "kills"], marks=pytest.mark.full)]
)
def test_who_ends_the_process_forfeits_and_nobody_else_notices(
    workers: str, dying: list[str], ludex: Ludex, tmp_path: Path
) -> None:
    both = ("remainder", "patient")
    journal = tmp_path / "journal"
    played = (",".join([*both, *dying]), "--journal", str(journal), "--workers", workers)
    result = tournament(ludex, *played)
    document = output(result)
    for fault in document["forfeits"]:
        assert (fault["code"], fault["message"]) == ("agent_fault", f"{fault['agent']}: {MANNERS[fault['agent']]}")
        assert fault["message"] in result.stderr
    assert {fault["agent"] for fault in document["forfeits"]} == set(dying)
    for row in document["standings"]:
        assert bool(row["forfeits"]) == (row["agent"] in dying)
    assert meetings(document)[both] == meetings(output(tournament(ludex, ",".join(both))))[both]

    lines = journal.read_text().splitlines()
    assert 2 * (len(lines) - 1) == document["games"] == 2 * len(document["meetings"])
    assert json.loads(tournament(ludex, *played).stdout) == document
    assert journal.read_text().splitlines() == lines


def test_a_death_that_does_not_happen_again_costs_only_time(ludex: Ludex) -> None:
    document = output(tournament(ludex, "remainder,unlucky"))
    assert Path(os.environ[MARK]).exists()
    assert (document["games"], document["forfeits"]) == (2, [])
    undisturbed = output(tournament(ludex, "remainder,unlucky"))
    assert meetings(document) == meetings(undisturbed)


def test_who_dies_before_the_first_move_forfeits(ludex: Ludex) -> None:
    document = output(tournament(ludex, "remainder,unborn"))
    assert [(fault["agent"], fault["ply"]) for fault in document["forfeits"]] == [("unborn", 0)] * 2


def test_a_match_ends_with_an_error_that_names_the_agent(ludex: Ludex) -> None:
    games = ("match", "crashing", "--agents", "remainder,exits", "--games", "4", "--workers", "2", "--json")
    result = ludex(*games)
    assert (result.returncode, result.stdout) == (6, "")
    assert "error [agent_fault]: exits: its process ended with exit code 3" in result.stderr


def test_a_death_that_is_nobodys_is_an_error(ludex: Ludex) -> None:
    result = tournament(ludex, "remainder,patient", "--preset", "deadly")
    assert (result.returncode, result.stdout) == (1, "")
    assert "error [worker_lost]: the second process ended with exit code 9, with no agent at work" in (result.stderr)
