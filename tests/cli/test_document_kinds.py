"""Every kind of document we read is read strictly: no key twice, no byte-order mark, nothing too large."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import BaseModel

import ludex
from ludex.arena.journal import Reader, open_journal, seed_in
from ludex.arena.saved_tournament import Plan, SavedTournament, open_tournament
from ludex.arena.terms import Terms
from ludex.core.errors import LudexError
from ludex.core.executor import InProcess
from ludex.core.record import MatchFile, match_file
from ludex.core.registry import ranking_of
from ludex.games.skirmish.rules import scenario_files
from ludex.learn.config import load_config
from ludex.learn.runs import Run
from ludex.learn.shards import JOURNAL, Shards
from ludex.store.personal import People
from tests.cli.conftest import run_here

GAME = ludex.make("tictactoe")
TERMS = Terms.of(GAME, ("perfect", "random"), seed=6)
HUGE = 100_000_000


class Empty(BaseModel):
    lr: float = 0.1


@dataclass(frozen=True)
class Kind:
    """A document: its file, how it is written, and how it is read."""

    name: str
    file: str
    write: Callable[[Path], object]
    read: Callable[[Path], object]


def journal(folder: Path) -> None:
    with open_journal(folder / "journal", TERMS) as begun:
        begun.append({})


def tournament(folder: Path) -> None:
    with open_tournament(folder, "cup", TERMS, Plan("round-robin", 2, None)):
        pass


def run(folder: Path) -> Path:
    """The folder of a run whose name is known."""
    made = Run.create(folder / "runs", "tictactoe", "base", "lr: 0.1\n")
    made.log({"step": 1})
    made.checkpoint({"step": 1})
    made.finish({"won": 1})
    return made.folder.rename(folder / "runs" / "one")


def scenario(folder: Path) -> None:
    shipped = Path(scenario_files.__file__).parents[1] / "data" / "scenarios"
    shutil.copytree(shipped / "config", folder / "mine" / "config")
    shutil.copytree(shipped / "small", folder / "mine", dirs_exist_ok=True)


def command(*arguments: str) -> Callable[[Path], None]:
    """A command that reads the document; its complaint is raised as an error."""

    def read(folder: Path) -> None:
        result = run_here(folder, *arguments)
        if result.returncode:
            raise LudexError(result.stderr)

    return read


def written(name: str, text: Callable[[], str]) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text())


def shards(at: Path) -> None:
    list(Shards.begin(at, {"boards": 1}).fill(2, str, str.encode, bytes, InProcess()))


def a_match() -> str:
    return match_file(ludex.Match(GAME, seed=1), ("you", "you"))


def a_ranking() -> str:
    return json.dumps(ranking_of("tictactoe", "3x3x3")[1].export([], "2026-01-31T12:00:00+00:00"))


KINDS = [
    Kind("match", "m.json", written("m.json", a_match), lambda at: MatchFile.read(at / "m.json")),
    Kind("replayed match", "m.json", written("m.json", a_match), command("replay", "m.json")),
    Kind("people", "people.json", written("people.json", lambda: People().document()), People.read),
    Kind("ranking", "r.json", written("r.json", a_ranking), command("rankings", "import", "r.json")),
    Kind(
        "an agent's ranking",
        "r.json",
        written("r.json", a_ranking),
        lambda at: ludex.make_agent(GAME, f"ranking:file={at / 'r.json'}"),
    ),
    Kind("tournament", "cup/tournament.json", tournament, lambda at: SavedTournament.open(at / "cup")),
    Kind("run", "runs/one/run.json", run, lambda at: Run(at / "runs" / "one").game),
    Kind("summary", "runs/one/summary.json", run, lambda at: Run(at / "runs" / "one").summary()),
    Kind("checkpoint", "runs/one/checkpoints/latest.json", run, lambda at: Run(at / "runs" / "one").resume()),
    Kind(
        "scenario", "mine/scenario.json", scenario, lambda at: ludex.make("skirmish", f"default:scenario={at / 'mine'}")
    ),
    Kind(
        "configuration",
        "c.yaml",
        written("c.yaml", lambda: "{lr: 0.1}"),
        lambda at: load_config(Empty, "ludex.games.skirmish.learning.configs", str(at / "c.yaml"), {}),
    ),
]
"""Documents whose size is bounded."""
LINES = [
    Kind("journal", "journal", journal, lambda at: open_journal(at / "journal", TERMS).__enter__()),
    Kind("journal's seed", "journal", journal, lambda at: seed_in(at / "journal")),
    Kind("followed journal", "journal", journal, lambda at: Reader(at / "journal", TERMS.header()).read_on()),
    Kind("shards", JOURNAL, shards, lambda at: Shards.read(at).count()),
    Kind("metrics", "runs/one/metrics.jsonl", run, lambda at: Run(at / "runs" / "one").metrics()),
]
"""Documents that grow by a line at a time."""


def ids(kind: Kind) -> str:
    return kind.name


def changed(kind: Kind, folder: Path, change: Callable[[str], str]) -> LudexError:
    """The complaint about a document after a change, which was fine before."""
    kind.write(folder)
    kind.read(folder)
    path = folder / kind.file
    path.write_text(change(path.read_text()), encoding="utf-8")
    with pytest.raises(LudexError) as error:
        kind.read(folder)
    return error.value


@pytest.mark.parametrize("kind", KINDS + LINES, ids=ids)
def test_a_key_is_given_once(kind: Kind, own_folders: Path) -> None:
    error = changed(kind, own_folders, lambda text: text.replace("{", '{"twice": 1, "twice": 2, ', 1))
    assert any(words in error.message for words in ("key 'twice' is given twice", "'twice': expected once"))


@pytest.mark.parametrize("kind", KINDS + LINES, ids=ids)
def test_a_byte_order_mark_is_named(kind: Kind, own_folders: Path) -> None:
    assert "byte-order mark" in changed(kind, own_folders, lambda text: f"\ufeff{text}").message


@pytest.mark.parametrize("kind", KINDS, ids=ids)
def test_a_large_file_is_refused_by_its_size(kind: Kind, own_folders: Path) -> None:
    kind.write(own_folders)
    with (own_folders / kind.file).open("r+b") as file:
        file.truncate(HUGE)
    with pytest.raises(LudexError, match=r"expected at most 67,108,864 bytes,\s+found 100,000,000"):
        kind.read(own_folders)


@pytest.mark.parametrize("kind", LINES[:3], ids=ids)
def test_a_large_file_that_is_no_journal_is_not_read(kind: Kind, own_folders: Path) -> None:
    with (own_folders / "journal").open("wb") as file:
        file.truncate(HUGE)
    with pytest.raises(LudexError, match="line 1: not a journal: longer than 1,048,576 bytes"):
        kind.read(own_folders)
