"""Files of every released version still open, replay and resume. `scripts/make_compatibility_files.py` wrote them."""

import asyncio
import json
import shutil
import sqlite3
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

import ludex
from ludex.arena import journal as journals
from ludex.arena.live_standings import LiveStandings
from ludex.arena.saved_tournament import SavedTournament, list_saved, open_tournament
from ludex.arena.tournament import hold
from ludex.core import registry
from ludex.core.errors import BadConfig, BadJournal
from ludex.core.executor import InProcess
from ludex.core.game import legal_actions
from ludex.core.line import line_of, match_of
from ludex.core.match import Match
from ludex.core.record import MatchFile, Record, match_file, replay
from ludex.core.registry import ranking_of, resolve
from ludex.games.minesweeper.env.config import BOARD_KEYS
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.tools.formats import read_board, write_board
from ludex.learn.config import parse_config
from ludex.learn.runs import Run, list_runs
from ludex.store.database import Database
from ludex.store.hosting import HostedMatch
from ludex.store.matches import StoredMatch
from ludex.web.leaderboard import Leaderboards
from ludex.web.ratings import personal_ratings

VERSIONS = sorted(path for path in Path(__file__).parent.iterdir() if (path / "database.sql").is_file())
GAMES = ["minesweeper", "quoridor", "skirmish", "tictactoe"]
PERSON = "0123456789abcdef"

files = pytest.mark.parametrize("version", VERSIONS, ids=lambda path: str(path.name))


def match_files(pattern: str) -> pytest.MarkDecorator:
    """A test per match file of every version."""
    found = [path for version in VERSIONS for path in sorted((version / "matches").glob(pattern))]
    return pytest.mark.parametrize("path", found, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")


def play_on(match: Match[Any, Any]) -> None:
    """Play the first legal action."""
    match.play(legal_actions(match.legal())[0])


def test_the_first_version_is_there() -> None:
    assert "0.1.0" in [path.name for path in VERSIONS]


@match_files("*.json")
def test_a_match_file_replays_and_is_written_alike(path: Path) -> None:
    file = MatchFile.read(path)
    match = file.replay(ludex.make(file.record.game, file.record.preset))
    assert len(match.moves) == len(file.moves) > 0
    written, read = json.loads(match_file(match, file.record.agents)), json.loads(path.read_text(encoding="utf-8"))
    # These rules replay the earlier version of themselves, and the file says which wrote it last.
    assert {**written, "version": read["version"], "digest": read["digest"]} == read


@match_files("*-running.json")
def test_a_running_match_continues(path: Path) -> None:
    file = MatchFile.read(path)
    match = file.replay(ludex.make(file.record.game, file.record.preset))
    assert not match.over
    play_on(match)
    assert match.ply == len(file.moves) + 1


@files
def test_a_line_of_moves_replays(version: Path) -> None:
    lines = (version / "matches" / "lines.txt").read_text(encoding="utf-8").splitlines()
    matches = [match_of(line) for line in lines]
    assert [line_of(match) for match in matches] == lines
    assert all(match.over for match in matches)


@pytest.fixture
def database(version: Path, tmp_path: Path) -> Iterator[Database]:
    """The database of a version, opened by this one."""
    file = tmp_path / "ludex.db"
    raw = sqlite3.connect(file)
    raw.executescript((version / "database.sql").read_text(encoding="utf-8"))
    raw.close()
    with Database.open(f"sqlite:///{file}") as opened:
        yield opened


def hosted(database: Database) -> list[HostedMatch]:
    return [database.hostings.get(match.id) for match in database.matches.list(1000)]


def replayed(stored: StoredMatch) -> Match[Any, Any]:
    record = stored.record
    return replay(ludex.make(record.game, record.preset), record)


@files
def test_every_stored_match_replays(database: Database) -> None:
    found = [match.stored for match in hosted(database)]
    for stored in found:
        match = replayed(stored)
        assert replace(Record.of(match, stored.record.agents), version=stored.record.version) == stored.record
    live = [stored.record.game for stored in found if stored.record.outcome is None and not stored.record.aborted]
    ended = [stored.record.game for stored in found if stored.record.outcome is not None]
    assert sorted({*live}) == sorted({*ended}) == GAMES
    assert {stored.record.aborted for stored in found} == {None, "deployment_deadlock"}


@files
def test_a_stored_match_continues_with_its_clocks(database: Database) -> None:
    continued: Counter[str] = Counter()
    for found in hosted(database):
        match = replayed(found.stored)
        if match.over:
            continue
        play_on(match)
        timing = None if found.timing is None else found.timing.after(found.timing.clock.remaining_ms / 2)
        record = Record.of(match, found.stored.record.agents)
        changed = database.hostings.update(found.stored.id, record, found.stored.version, timing)
        after = database.hostings.get(found.stored.id)
        assert (after.stored.version, after.stored.record, after.timing) == (changed, record, timing)
        assert after.hosting == found.hosting
        continued["clocks" if timing else "no clocks"] += 1
    assert continued == {"clocks": len(GAMES), "no clocks": len(GAMES)}


@files
def test_an_open_seat_is_taken(database: Database) -> None:
    open_seats = [
        (found.stored.id, player)
        for found in hosted(database)
        if found.hosting is not None
        for player, holder in found.hosting.seats.items()
        if holder is None
    ]
    assert open_seats
    for match_id, player in open_seats:
        database.hostings.take_seat(match_id, player, "another person")
        hosting = database.hostings.get(match_id).hosting
        assert hosting is not None
        assert hosting.seats[player] == "another person"


@files
def test_finished_matches_are_rated(database: Database) -> None:
    ratings = personal_ratings(database, asyncio.run(Leaderboards().games()), PERSON, None)
    [board] = [board for board in ratings.boards if board.game == "tictactoe"]
    assert (board.preset, board.games, board.wins) == ("3x3x3", 1, 1)


@files
def test_a_ranking_opens_from_a_file_and_from_the_database(version: Path, database: Database) -> None:
    board, codec = ranking_of("tictactoe", "3x3x3")
    entries = codec.parse(json.loads((version / "ranking.json").read_text(encoding="utf-8"))).entries
    assert len(entries) == 20
    assert [*database.rankings("tictactoe", "3x3x3").entries()] == sorted(entries)
    agent = registry.make_agent(board, "ranking", services=database.services(), ranking="database")
    assert ludex.play(board, [agent, agent], seed=1).over


@files
def test_a_saved_tournament_opens_with_its_standings_and_games(version: Path) -> None:
    folders = list_saved(version / "tournaments")
    assert [folder.name for folder in folders] == ["league", "round-robin"]
    for folder in folders:
        kept = SavedTournament.open(folder)
        state = LiveStandings(kept).state()
        assert not state.tournament.interrupted
        assert state.tournament.games == kept.planned == len(state.games)
        game = ludex.make(kept.terms.game, kept.terms.preset)
        for numbered in state.games:
            match = Match(game, numbered.game.seed, seeding=kept.terms.seeding)
            for action in numbered.game.actions:
                match.play(action)
            assert match.outcome == numbered.game.outcome


@files
@pytest.mark.parametrize("name", ["league", "round-robin"])
def test_a_saved_tournament_resumes(version: Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the last pair missing, as an interruption leaves it. Agents may change between versions, so only the version
    that began a tournament resumes it."""
    shutil.copytree(version / "tournaments" / name, tmp_path / name)
    kept = SavedTournament.open(tmp_path / name)
    lines = kept.journal.read_text(encoding="utf-8").splitlines(keepends=True)
    kept.journal.write_text("".join(lines[:-1]), encoding="utf-8")
    monkeypatch.setattr(journals, "__version__", version.name)
    with open_tournament(tmp_path, name, kept.terms, kept.plan) as journal:
        assert len(journal.pairs) == len(lines) - 2
        held = hold(kept.terms, kept.format, games=kept.plan.games, executor=InProcess(), journal=journal)
    assert held.games == kept.planned
    assert len(kept.journal.read_text(encoding="utf-8").splitlines()) == len(lines)
    monkeypatch.setattr(journals, "__version__", "another")
    with pytest.raises(BadJournal, match="another"), open_tournament(tmp_path, name, kept.terms, kept.plan):
        pass


@files
def test_the_journal_of_a_match_opens(version: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    shutil.copy(version / "match-journal.jsonl", path)
    header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    monkeypatch.setattr(journals, "__version__", version.name)
    with journals.opened(path, journals.terms_of(header, players=2)) as journal:
        assert len(journal.pairs) == 2


def unpacked(version: Path, name: str, folder: Path) -> Run:
    with tarfile.open(version / "runs" / f"{name}.tar.xz") as tar:
        tar.extractall(folder, filter="data")
    [run] = list_runs(folder)
    return run


@files
def test_a_finished_run_opens(version: Path, tmp_path: Path) -> None:
    run = unpacked(version, "tictactoe-finished", tmp_path)
    assert (run.game, run.config_name, run.rows()) == ("tictactoe", "v1_01", len(run.metrics()))
    assert run.rows() > 0
    assert run.summary() is not None
    _, codec = ranking_of("tictactoe", "3x3x3")
    assert codec.parse(json.loads((run.folder / "ranking.json").read_text(encoding="utf-8"))).entries


def today(version: Path, game: str, config: str) -> str:
    """A run's configuration, changed as docs/upgrading.md says where this version refuses it."""
    if (version.name, game) != ("0.1.0", "minesweeper"):
        return config
    with pytest.raises(BadConfig, match=r"missing key 'imitation\.teacher'"):
        parse_config(MinesweeperConfig, config, "config.yaml")
    document = yaml.safe_load(config)
    document["env"] = {key: value for key, value in document["env"].items() if key not in BOARD_KEYS}
    document["env"] |= {"mine_share_channel": True, "mine_count_channel": True, "reveal_only": True}
    document["imitation"]["teacher"] = "exact"
    return yaml.safe_dump(document)


@files
@pytest.mark.parametrize("game", [pytest.param(game, marks=pytest.mark.slow) for game in GAMES])
def test_an_interrupted_run_resumes(version: Path, game: str, tmp_path: Path) -> None:
    run = unpacked(version, f"{game}-interrupted", tmp_path)
    training = registry.spec(run.game).learning.training
    assert training is not None
    assert run.summary() is None
    rows = run.metrics()
    run.write("config.yaml", today(version, game, run.config_text))
    config = parse_config(training.config, run.config_text, "config.yaml")
    done: list[int] = []
    with run.held():
        run.finish(resolve(training.run)(config, run, done.append))
    assert run.metrics()[: len(rows) - 1] == rows[:-1]
    assert run.rows() > len(rows)
    assert sum(done) == getattr(config, training.amount)
    assert run.summary() is not None


@files
def test_boards_of_minesweeper_open_and_are_written_alike(version: Path, tmp_path: Path) -> None:
    boards = [read_board(version / name) for name in ("board.txt", "board.mbf")]
    assert (boards[0] == boards[1]).all()
    assert boards[0].sum() == 10
    for name in ("board.txt", "board.mbf"):
        write_board(tmp_path / name, boards[0])
        assert (tmp_path / name).read_bytes() == (version / name).read_bytes()
