"""The published schemas: current, and true of files that the commands write."""

import gzip
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from ludex.core.kept_agents import keep
from ludex.core.registry import available, make, spec
from ludex.core.spec import TrainedAgentSpec
from ludex.learn.alphazero.config import AlphaZeroConfig
from ludex.learn.config import load_config
from ludex.learn.trainings import GENERIC, training_names, training_of
from ludex.remote.llm_agent import reference_of
from ludex.store.database import Database
from scripts.schemas import FILES, configurations, documents, results
from tests.cli.conftest import Ludex, document_of
from tests.remote.chat_server import serve_chat
from tests.remote.scripted import scripted

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
GAMES = [game.id for game in available()[0]]


def check(name: str, document: Any) -> None:
    """Hold a document to its published schema."""
    Draft202012Validator(json.loads((SCHEMAS / f"{name}.json").read_text())).validate(document)


def check_lines(name: str, text: str) -> None:
    for line in text.splitlines():
        check(name, json.loads(line))


def test_the_schemas_are_current() -> None:
    assert {path: path.read_text() for path in documents()} == documents(), "run `python scripts/schemas.py`"
    names = {file.name for file in (*FILES, *configurations(), *results())}
    assert names == {path.stem for path in SCHEMAS.glob("*.json")}


def test_a_schema_refuses_what_is_none(ludex: Ludex) -> None:
    validator = Draft202012Validator(json.loads((SCHEMAS / "match.json").read_text()))
    assert not validator.is_valid({"format": "ludex-match"})
    assert not Draft202012Validator(json.loads((SCHEMAS / "journal.json").read_text())).is_valid({"pair": 1})


def test_matches_and_journals(ludex: Ludex, own_folders: Path) -> None:
    arguments = ("match", "tictactoe", "--agents", "perfect,random", "--games", "4", "--json")
    check("result-duel", document_of(ludex(*arguments, "--journal", "games.jsonl")))
    assert ludex(*arguments, "--save").returncode == 0
    check_lines("journal", (own_folders / "games.jsonl").read_text())
    assert ludex("matches", "export", "out").returncode == 0
    for path in (own_folders / "out").glob("*.json"):
        check("people" if path.name == "people.json" else "match", json.loads(path.read_text()))
    assert len([*(own_folders / "out").glob("*.json")]) == 5
    assert ludex("backup", "all.backup").returncode == 0
    with gzip.open(own_folders / "all.backup", "rt") as lines:
        check("backup", json.loads(next(lines)))
    with Database.open() as database:
        check("person", json.loads("".join(database.personal.export("a" * 32))))
    line = "tictactoe 3x3x3: b2 b1 a1 c3 a2 c2 a3"
    check("review", document_of(ludex("review", line, "--json")))
    check("result-analysis", document_of(ludex("analyse", "tictactoe", "--moves", "b2 a1", "--json")))


def test_tournaments_jobs_and_evaluations(ludex: Ludex, own_folders: Path) -> None:
    arguments = ("tictactoe", "--agents", "perfect,random", "--games", "2", "--name", "cup")
    check("result-tournament", document_of(ludex("tournament", *arguments, "--json")))
    check("tournament", json.loads(next(own_folders.rglob("tournament.json")).read_text()))
    check_lines("journal", next(own_folders.rglob("journal.jsonl")).read_text())
    check("result-evaluation", document_of(ludex("eval", "minesweeper", "--preset", "small", "--games", "2", "--json")))
    assert ludex("jobs", "start", "tournament", *arguments[:-1], "another").returncode == 0
    check("job", json.loads(next(own_folders.rglob("job.json")).read_text()))


def test_what_a_language_model_answered(ludex: Ludex, own_folders: Path) -> None:
    answers = iter(["I say b2"] * 3 + ["c9"] * 1000)
    with serve_chat(lambda body: next(answers)) as bad, serve_chat(scripted(make("tictactoe"), "random")) as good:
        for name, server in (("bad", bad), ("good", good)):
            agent = reference_of("m", url=server.url)
            flags = ("--positions", "4", "--games", "2", "--opponent", "random", "--journal", name, "--json")
            check("result-eval-llm", document_of(ludex("eval-llm", "tictactoe", "--agent", agent, *flags)))
            check_lines("questions", (own_folders / name / "own-questions.jsonl").read_text())
            check_lines("journal", (own_folders / name / "own-games.jsonl").read_text())
            assert "transcripts" in (own_folders / name / "own-games.jsonl").read_text()


@pytest.mark.slow
def test_a_training(ludex: Ludex, own_folders: Path) -> None:
    assert ludex("train", "tictactoe", "--set", "games=40").returncode == 0
    run = next(own_folders.rglob("run.json"))
    check("run", json.loads(run.read_text()))
    check("config-tictactoe", yaml.safe_load(run.with_name("config.yaml").read_text()))


def test_what_ships() -> None:
    for game in GAMES:
        for path in files(f"ludex.games.{game}.data").iterdir():
            if path.name.startswith("puzzles_"):
                check("puzzles", json.loads(path.read_text()))
            if path.name.startswith("ranking_"):
                check("ranking", json.loads(path.read_text()))
        # What others extend is none by itself.
        for name in {*training_names(spec(game))} - {"base"}:
            training = training_of(spec(game), name)
            loaded = load_config(training.config, training.configs, name, {})
            kind = GENERIC if training.config is AlphaZeroConfig else game
            check(f"config-{kind}", loaded.model_dump(mode="json"))
    for path in files("ludex.nets").iterdir():
        if path.name.endswith(".json"):
            check("card", json.loads(path.read_text()))
    for path in files("ludex.games.skirmish.data.scenarios").iterdir():
        if path.joinpath("scenario.json").is_file():
            check("scenario", json.loads(path.joinpath("scenario.json").read_text()))


def test_puzzles_as_questions_and_kept_agents(ludex: Ludex, own_folders: Path) -> None:
    printed = ludex("puzzles", "export", "tictactoe", "--format", "prompts").stdout
    check_lines("prompt", printed)
    assert printed.count("\n") > 100
    trained = TrainedAgentSpec(agent="ranking", option="file", format="json", any_board=False)
    keep(title="Mine", game="tictactoe", board="3x3x3", trained=trained, data=b"{}", origin="test")
    (card,) = own_folders.rglob("card.json")
    check("kept", json.loads(card.read_text()))
