"""An agent that ends its process forfeits the game; everybody else's games are what they would have been."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.web.thirdparty_games import PILE

pytestmark = pytest.mark.slow

MARK = "CRASH_MARK"


@pytest.fixture
def environment(tmp_path: Path, own_folders: Path) -> dict[str, str]:
    """One in which the package of crashing agents is installed."""
    site = tmp_path / "site"
    shutil.copytree(PILE, site / "pile", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(Path(__file__).parent / "crashing_agents.py", site)
    about = site / "ludex_crashing-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: ludex-crashing\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[ludex.games]\ncrashing = crashing_agents:SPEC\n")
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, MARK: str(tmp_path / "mark")}


def ludex(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "ludex", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)


def tournament(environment: dict[str, str], agents: str, *further: str) -> "subprocess.CompletedProcess[str]":
    where = ("tournament", "crashing", "--agents", agents, "--games", "2", "--opening-plies", "1", "--seed", "2")
    return ludex(environment, *where, *further, "--json")


def output(result: "subprocess.CompletedProcess[str]") -> Any:
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
    ("workers", "crashing"), [("1", ["crashes"]), pytest.param("2", ["exits", "kills"], marks=pytest.mark.full)]
)
def test_who_ends_the_process_forfeits_and_nobody_else_notices(
    workers: str, crashing: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    both = ("remainder", "patient")
    journal = tmp_path / "journal"
    played = (",".join([*both, *crashing]), "--journal", str(journal), "--workers", workers)
    result = tournament(environment, *played)
    held = output(result)
    for fault in held["forfeits"]:
        assert (fault["code"], fault["message"]) == ("agent_fault", f"{fault['agent']}: {MANNERS[fault['agent']]}")
        assert fault["message"] in result.stderr
    assert {fault["agent"] for fault in held["forfeits"]} == set(crashing)
    for row in held["standings"]:
        assert bool(row["forfeits"]) == (row["agent"] in crashing)
    assert meetings(held)[both] == meetings(output(tournament(environment, ",".join(both))))[both]

    lines = journal.read_text().splitlines()
    assert 2 * (len(lines) - 1) == held["games"] == 2 * len(held["meetings"])
    assert json.loads(tournament(environment, *played).stdout) == held
    assert journal.read_text().splitlines() == lines


def test_a_death_that_does_not_happen_again_costs_only_time(environment: dict[str, str]) -> None:
    held = output(tournament(environment, "remainder,unlucky"))
    assert Path(environment[MARK]).exists()
    assert (held["games"], held["forfeits"]) == (2, [])
    undisturbed = output(tournament(environment, "remainder,unlucky"))
    assert meetings(held) == meetings(undisturbed)


def test_who_dies_before_the_first_move_forfeits(environment: dict[str, str]) -> None:
    held = output(tournament(environment, "remainder,unborn"))
    assert [(fault["agent"], fault["ply"]) for fault in held["forfeits"]] == [("unborn", 0)] * 2


def test_a_match_ends_with_an_error_that_names_the_agent(environment: dict[str, str]) -> None:
    games = ("match", "crashing", "--agents", "remainder,exits", "--games", "4", "--workers", "2", "--json")
    result = ludex(environment, *games)
    assert (result.returncode, result.stdout) == (6, "")
    assert "error [agent_fault]: exits: its process ended with exit code 3" in result.stderr


def test_a_death_that_is_nobodys_is_an_error(environment: dict[str, str]) -> None:
    result = tournament(environment, "remainder,patient", "--preset", "deadly")
    assert (result.returncode, result.stdout) == (1, "")
    assert "error [worker_lost]: the second process ended with exit code 9, with no agent at work" in (result.stderr)
