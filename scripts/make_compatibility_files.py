"""Writes files of this version that later versions must open: `python scripts/make_compatibility_files.py`.

Run it once, when a version is released, and commit the folder `tests/compatibility/<version>`. A folder that was
committed is never written again: `tests/compatibility/test_old_files.py` opens every one.
"""

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import ludex
from ludex.core.clock import Clock
from ludex.core.documents import write_text
from ludex.core.line import line_of
from ludex.core.match import Match, play_opening
from ludex.core.ranking import Entry
from ludex.core.record import Record, match_file
from ludex.core.registry import ranking_of, resolve, spec
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "compatibility"
BOARDS = {"tictactoe": "3x3x3", "quoridor": "5x5", "minesweeper": "small_8x8_10", "skirmish": "small"}
AGENTS = {"tictactoe": "perfect", "quoridor": "walker", "minesweeper": "rules", "skirmish": "greedy"}
PERSON = "0123456789abcdef"
"""What the database knows of a person: a keyed hash."""
SEED = 7


class TinyRun(NamedTuple):
    """A training that takes seconds."""

    config: str
    changes: dict[str, Any]
    amount: int
    """After how much work it is interrupted."""


TINY_RUNS: Mapping[str, TinyRun] = {
    "tictactoe": TinyRun("v1_01", {"games": 40, "checkpoint_every": 10}, 30),
    "quoridor": TinyRun("miniature", {"games": 4, "nodes": 20, "epochs": 1, "batch": 16}, 2),
    "minesweeper": TinyRun(
        "miniature",
        {
            "device": "cpu",
            "model.width": 4,
            "model.depth": 1,
            "imitation.steps": 4,
            "imitation.batch_cells": 576,
            "imitation.warmup_steps": 1,
            "imitation.games_per_chunk": 4,
            "imitation.chunks_ahead": 1,
            "imitation.steps_per_chunk": 2,
            "imitation.ring": 50,
            "imitation.log_every": 2,
            "imitation.checkpoint_every": 2,
            "imitation.eval_every": 4,
            "imitation.eval_games": 4,
            "ppo.num_envs": 4,
            "ppo.steps_per_env": 4,
            "ppo.mini_batches": 1,
            "ppo.ppo_epochs": 1,
            "ppo.frontier_mask_until_updates": 1,
            "finetune.updates": 3,
            "finetune.value_updates": 1,
            "finetune.checkpoint_every": 1,
            "finetune.eval_every": 3,
            "finetune.eval_games": 4,
        },
        6,
    ),
    "skirmish": TinyRun(
        "miniature",
        {
            "device": "cpu",
            "net.width": 4,
            "net.depth": 0,
            "imitation.games": 2,
            "imitation.steps": 4,
            "imitation.batch": 16,
            "imitation.log_every": 2,
            "curriculum": [{"presets": ["small"], "updates": 3}],
            "ppo.num_envs": 4,
            "ppo.steps_per_env": 8,
            "ppo.mini_batches": 1,
            "ppo.ppo_epochs": 1,
            "opponents.keep_every": 1,
            "evaluation.every": 3,
            "evaluation.games": 4,
            "evaluation.opponents": ["random"],
            "checkpoint_every": 1,
        },
        6,
    ),
}


def main() -> None:
    """Write the folder of this version."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER / ludex.__version__)
    folder: Path = parser.parse_args().folder
    if folder.exists():
        sys.exit(f"{folder} exists: files of a released version are never written again")
    folder.mkdir(parents=True)
    write_matches(folder / "matches")
    write_ranking(folder / "ranking.json")
    write_database(folder)
    write_tournaments(folder)
    write_boards(folder)
    write_runs(folder / "runs")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            print(f"{path.stat().st_size:8,}  {path.relative_to(folder)}")


def finished_match(game: str) -> Match[Any, Any]:
    """A match between two agents of a game, after some random moves."""
    board = ludex.make(game, BOARDS[game])
    agents = [ludex.make_agent(board, AGENTS[game]) for _ in range(board.info.players)]
    return ludex.play(board, agents, seed=SEED, opening_plies=2)


def running_match(game: str) -> Match[Any, Any]:
    """A match that goes on after some random moves."""
    match: Match[Any, Any] = Match(ludex.make(game, BOARDS[game]), SEED)
    play_opening(match, 3)
    return match


def deadlocked_match() -> Match[Any, Any]:
    """A match of Skirmish that the rules abort."""
    board = ludex.make("skirmish", "cramped")
    return ludex.play(board, [ludex.make_agent(board, "random") for _ in range(2)], seed=SEED)


def resigned_match() -> Match[Any, Any]:
    """A match of Quoridor that the player to move gives up."""
    match = running_match("quoridor")
    match.resign(match.to_move)
    return match


def seats(match: Match[Any, Any], name: str) -> tuple[str, ...]:
    """A person in the first seat, an agent in the second if there is one."""
    return ("you", name)[: match.game.info.players]


def write_matches(folder: Path) -> None:
    """One file per match, and every match as a line."""
    folder.mkdir()
    named = {
        **{f"{game}-finished": finished_match(game) for game in BOARDS},
        **{f"{game}-running": running_match(game) for game in BOARDS},
        "quoridor-resigned": resigned_match(),
        "skirmish-aborted": deadlocked_match(),
    }
    for name, match in named.items():
        write_text(folder / f"{name}.json", match_file(match, seats(match, AGENTS[match.game.info.id])))
    lines = [line_of(named[f"{game}-finished"]) for game in ("tictactoe", "quoridor")]
    write_text(folder / "lines.txt", "".join(f"{line}\n" for line in lines))


def some_values() -> list[Entry]:
    """A few values of the ranking that ships."""
    _, codec = ranking_of("tictactoe", "3x3x3")
    return [*codec.shipped().entries][:20]


def write_ranking(path: Path) -> None:
    """A rankings file as `ludex rankings export` writes it."""
    with tempfile.TemporaryDirectory() as data:
        url = f"sqlite:///{data}/ludex.db"
        with Database.open(url) as database:
            database.rankings("tictactoe", "3x3x3").replace(some_values())
        run_ludex("rankings", "export", str(path), LUDEX_DB=url)


def write_database(folder: Path) -> None:
    """A database as SQL: matches of the web, of the command line, a rated one, clocks and a ranking."""
    with tempfile.TemporaryDirectory() as data:
        file = Path(data) / "ludex.db"
        with Database.open(f"sqlite:///{file}") as database:
            fill_database(database)
        with sqlite3.connect(file) as raw:
            write_text(folder / "database.sql", "".join(f"{line}\n" for line in raw.iterdump()))


def fill_database(database: Database) -> None:
    """Store matches of every game, and a ranking."""
    database.rankings("tictactoe", "3x3x3").replace(some_values())
    for game in BOARDS:
        finished, running = finished_match(game), running_match(game)
        names = seats(finished, AGENTS[game])
        database.matches.create(Record.of(finished, (AGENTS[game],) * len(names)))
        host_by_plies(database, finished, names)
        database.hostings.create(Record.of(running, names), Hosting(PERSON, {0: PERSON}, practice=True))
        timing = Timing(Clock(60_000, 1_000), tuple(60_000 - 500 * ply for ply in range(running.ply)))
        opened = Hosting(PERSON, {0: PERSON, 1: None} if len(names) == 2 else {0: PERSON})
        people = ("you",) * len(names)
        database.hostings.create(Record.of(running, people), opened, timing)
    late = running_match("quoridor")
    late.lose_on_time()
    timing = Timing(Clock(3_000), (2_000, 1_000, 500, 0))
    database.hostings.create(Record.of(late, seats(late, "walker")), Hosting(PERSON, {0: PERSON}), timing)
    database.hostings.create(Record.of(deadlocked_match(), ("you", "random")), Hosting(PERSON, {0: PERSON}))


def host_by_plies(database: Database, match: Match[Any, Any], names: tuple[str, ...]) -> None:
    """Store a match as the web does, ply by ply: only such a match is rated."""
    played: Match[Any, Any] = Match(match.game, match.seed)
    match_id = database.hostings.create(Record.of(played, names), Hosting(PERSON, {0: PERSON}))
    for version, action in enumerate(match.actions, start=1):
        played.play(action)
        database.hostings.update(match_id, Record.of(played, names), version, None)
    if not played.over:
        database.hostings.update(match_id, Record.of(match, names), match.ply + 1, None)


def write_tournaments(folder: Path) -> None:
    """A saved round robin, a saved league of one player, and the journal of a match."""
    folders = {"LUDEX_TOURNAMENTS": str(folder / "tournaments"), "LUDEX_DATA": tempfile.mkdtemp()}
    common = ("--games", "4", "--seed", "3")
    players = ("--agents", "perfect,tactical,random")
    run_ludex("tournament", "tictactoe", *players, *common, "--name", "round-robin", **folders)
    run_ludex("tournament", "minesweeper", "--agents", "rules,random", *common, "--name", "league", **folders)
    journal = ("--journal", str(folder / "match-journal.jsonl"))
    run_ludex("match", "quoridor", "--preset", "3x3", "--agents", "walker,random", *common, *journal, **folders)
    shutil.rmtree(folders["LUDEX_DATA"])


def write_boards(folder: Path) -> None:
    """A board of Minesweeper as text and as MBF."""
    for name in ("board.txt", "board.mbf"):
        run_ludex("minesweeper", "board", "--seed", "5", "--output", str(folder / name))


def write_runs(folder: Path) -> None:
    """An interrupted run of every game, and a finished one, packed because a checkpoint of tensors is large."""
    folder.mkdir()
    with tempfile.TemporaryDirectory() as base:
        done = train(Path(base), "tictactoe", sys.maxsize)
        pack(done.folder, folder / "tictactoe-finished.tar.xz")
        for game, tiny in TINY_RUNS.items():
            pack(train(Path(base), game, tiny.amount).folder, folder / f"{game}-interrupted.tar.xz")


def train(base: Path, game: str, most: int) -> Run:
    """A run that is interrupted after this amount of work, or ends before."""
    training, tiny, left = spec(game).learning.training, TINY_RUNS[game], most
    assert training is not None, f"{game} has nothing to train"
    config = load_config(training.config, training.configs, tiny.config, tiny.changes)
    run = Run.create(base, game, tiny.config, dump_config(config))

    def advance(done: int) -> None:
        nonlocal left
        left -= done
        if left <= 0:
            raise KeyboardInterrupt

    try:
        run.finish(resolve(training.run)(config, run, advance))
    except KeyboardInterrupt:
        print(f"interrupted {run.name}")
    return run


def pack(folder: Path, archive: Path) -> None:
    """Write a folder to an archive, under its own name and without its owner's."""

    def without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
        return member.replace(uid=0, gid=0, uname="", gname="", deep=False)

    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, folder.name, filter=without_owner)


def run_ludex(*arguments: str, **environment: str) -> None:
    """Run a command of Ludex."""
    program = "from ludex.cli.main import main; main()"
    subprocess.run([sys.executable, "-c", program, *arguments], check=True, env=os.environ | environment)


if __name__ == "__main__":
    main()
