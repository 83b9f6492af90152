"""Measure the agents that ship: `python -m benchmarks.leaderboard [GAME ...]`; all games if none is named.

Runs one `ludex tournament` a board and writes each game's `leaderboard.json`, which the web app's leaderboard shows. Of
Minesweeper it takes the win rates of benchmarks/results, and measures `random`, who is not in them.
"""

import json
import os
import sys
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchmarks.again import answer
from benchmarks.documents import read
from ludex.core import registry
from ludex.core.bench import machine

SEED = 2026
WORKERS = f"--workers {os.cpu_count()}"

LEVELS = "newcomer,beginner,casual,skilled,strong"
WITH_NETWORK = f"{LEVELS},expert"
"""On the boards whose networks ship."""
TOURNAMENTS: dict[str, tuple[str, ...]] = {
    "tictactoe": ("--preset 3x3x3 --agents perfect,ranking,tactical,random --games 1000",),
    "quoridor": (
        "--preset 9x9 --agents master:nodes=20000,hell,hard,normal,easy,walker,random --games 20 --opening-plies 6",
    ),
    "skirmish": ("--preset default --agents hard,normal,easy,objective,aggressive,defensive,greedy,random --games 40",),
    "boxes": (f"--preset 3x3 --agents {LEVELS} --games 20 --opening-plies 2",),
    "breakthrough": (
        f"--preset 6x6 --agents {LEVELS} --games 10 --opening-plies 2",
        f"--preset 8x8 --agents {WITH_NETWORK} --games 10 --opening-plies 2",
    ),
    "connect_four": ("--preset 7x6 --agents newcomer,casual,skilled,strong,expert --games 10 --opening-plies 2",),
    "dark_hex": (f"--preset 3x3 --agents {LEVELS} --games 10 --opening-plies 2",),
    "einstein": (f"--preset 5x5 --agents {LEVELS} --games 20",),
    "go": (
        f"--preset 7x7 --agents {LEVELS} --games 6 --opening-plies 2",
        f"--preset 9x9 --agents {WITH_NETWORK} --games 6 --opening-plies 2",
    ),
    "hex": (
        f"--preset 5x5 --agents {LEVELS} --games 20 --opening-plies 2",
        f"--preset 7x7 --agents {WITH_NETWORK} --games 10 --opening-plies 2",
    ),
    "morris": (f"--preset classic --agents {LEVELS} --games 12 --opening-plies 2",),
    "othello": (
        f"--preset 6x6 --agents {LEVELS} --games 10 --opening-plies 2",
        f"--preset 8x8 --agents {WITH_NETWORK} --games 10 --opening-plies 2",
    ),
}
"""No agent's time is bounded: the same command gives the same games on any machine."""

NETWORK = "note_net"
"""The id of a message of the game."""
ROW = ("rank", "agent", "games", "wins", "draws", "losses", "score", "ci95", "elo", "elo_ci95", "superiority")
BOARD = ("preset", "format", "games", "seed", "meetings", "prior_pairs")


def main() -> None:
    """Measure the named games."""
    names = sys.argv[1:] or [*TOURNAMENTS, "minesweeper"]
    for name in names:
        boards = solitaire() if name == "minesweeper" else [tournament(name, flags) for flags in TOURNAMENTS[name]]
        text = json.dumps({"game": name, "machine": machine(()), "boards": boards}, indent=1)
        folder = registry.spec(name).tools.leaderboard
        assert folder is not None, f"{name} names no package for its leaderboard"
        (Path(str(files(folder))) / "leaderboard.json").write_text(text + "\n")


def tournament(game: str, flags: str) -> dict[str, Any]:
    """A board of a game for two: everybody against everybody."""
    command = f"ludex tournament {game} {flags} --seed {SEED} --json"
    tournament = answer(f"{command} {WORKERS}")
    assert not tournament["forfeits"], "an agent that ships has forfeited"
    rows = [{key: row[key] for key in ROW} for row in tournament["standings"]]
    board = {key: tournament[key] for key in BOARD}
    return {**board, "measured": today(), "commands": [command], "note": "", "standings": rows}


def solitaire() -> list[dict[str, Any]]:
    """The boards of a game for one: who wins most often, where the first reveal opens a region."""
    solvers = read("minesweeper-strength")["rows"]
    nets = read("minesweeper-net")["rows"]
    known = [row for row in solvers if row["start"] == "zero"]
    known += [network(row) for row in nets if (row["net"], row["by"], row["start"]) == ("il", "policy", "zero")]
    return [won(preset, known) for preset in dict.fromkeys(row["preset"] for row in solvers if row["start"] == "zero")]


def network(row: dict[str, Any]) -> dict[str, Any]:
    """What the network that ships won on a device, in the form that `eval` prints."""
    preset = registry.spec("minesweeper").aliases[row["preset"]]
    command = f"ludex minesweeper measure imitated.pt --preset {preset} --games {row['games']} --seed {row['seed']}"
    return {**row, "agent": "net", "preset": preset, "command": command}


def won(preset: str, known: list[dict[str, Any]]) -> dict[str, Any]:
    """Everybody's share of boards won on one preset."""
    command = f"ludex eval minesweeper --agent random --preset {preset} --games 10000 --seed 0 --json"
    rows = [row for row in known if row["preset"] == preset] + [{**answer(f"{command} {WORKERS}"), "command": command}]
    rows.sort(key=lambda row: -row["win_rate"])
    return {
        "preset": preset,
        "format": "league",
        "games": sum(row["games"] for row in rows),
        "seed": 0,
        "meetings": [],
        "prior_pairs": None,
        "measured": today(),
        "commands": [row["command"] for row in rows],
        "note": NETWORK,
        "standings": [standing(rank, row) for rank, row in enumerate(rows, start=1)],
    }


def standing(rank: int, row: dict[str, Any]) -> dict[str, Any]:
    """An evaluation as a row of a table."""
    wins = round(row["win_rate"] * row["games"])
    return {
        "rank": rank,
        "agent": row["agent"],
        "games": row["games"],
        "wins": wins,
        "draws": 0,
        "losses": row["games"] - wins,
        "score": row["win_rate"],
        "ci95": row["ci95"],
        "elo": None,
        "elo_ci95": None,
        "superiority": None,
    }


def today() -> str:
    """The date, by UTC."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


if __name__ == "__main__":
    main()
