"""Tournaments with a name: kept in a folder, followed while they are played, and never mistaken for one another."""

import dataclasses
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.arena.pairs import record_of
from ludex.arena.ratings import rate
from ludex.arena.saved_tournament import (
    DOCUMENT,
    MOST_POINTS,
    LiveStandings,
    Plan,
    SavedTournament,
    State,
    list_saved,
    open_tournament,
)
from ludex.arena.schedules import Format, Swiss, gauntlet, league, round_robin
from ludex.arena.standings import Standings
from ludex.arena.terms import Terms
from ludex.arena.tournament import Tournament, hold
from ludex.core.clock import Clock
from ludex.core.errors import BadJournal, BadOption, BadTournament
from ludex.core.executor import Executor, InProcess
from ludex.core.limit import Limit
from ludex.core.record import replay
from tests.arena.executors import Backwards
from tests.arena.test_tournament import FIELD, GAME, TERMS

ROBIN = Plan("round-robin", 8, None)
PLANS: list[tuple[Plan, Format]] = [
    (ROBIN, round_robin(4)),
    (Plan("gauntlet", 8, None), gauntlet(4)),
    (Plan("swiss", 8, 3), Swiss(4, 3, rest=8)),
]


def played(
    base: Path, executor: Executor, plan: Plan = ROBIN, form: Format = PLANS[0][1], terms: Terms = TERMS
) -> Tournament:
    with open_tournament(base, "ladder", terms, plan) as journal:
        return hold(terms, form, games=plan.games, executor=executor, journal=journal)


def followed(base: Path) -> LiveStandings:
    (folder,) = list_saved(base)
    return LiveStandings(SavedTournament.open(folder))


@pytest.mark.slow
@pytest.mark.parametrize(("plan", "form"), PLANS, ids=lambda given: getattr(given, "format", ""))
def test_what_is_followed_is_what_was_held(tmp_path: Path, plan: Plan, form: Format) -> None:
    tournament = played(tmp_path, Backwards(3), plan, form)
    following = followed(tmp_path)
    state = following.state()
    assert following.saved.planned == tournament.games == len(state.games)
    assert state.standings.table() == Standings.of(tournament).table()
    assert not state.tournament.interrupted
    for numbered in state.games:
        record = record_of(following.saved.terms, numbered.key.seats, numbered.game)
        assert replay(GAME, record).outcome == numbered.game.outcome
    assert [numbered.number for numbered in state.games] == list(range(1, tournament.games + 1))


@pytest.mark.slow
@pytest.mark.parametrize(("plan", "form"), PLANS, ids=lambda given: getattr(given, "format", ""))
def test_a_tournament_is_followed_while_it_goes_on(tmp_path: Path, plan: Plan, form: Format) -> None:
    """A reader from the start knows at every moment what a new reader knows."""
    following, looked = None, []
    for after in (0, 1, 2, 3, 2, 4):
        part = played(tmp_path, Backwards(1, after=after), plan, form)
        following = following or followed(tmp_path)
        state, fresh = following.state(), followed(tmp_path).state()
        assert state.standings.table() == fresh.standings.table()
        assert state.curve == fresh.curve
        assert state.tournament.pairs == part.pairs
        assert state.tournament.rounds == part.rounds
        assert state.tournament.interrupted is part.interrupted
        looked.append(state)
        assert following.state() is state
    # The number of a game never changes.
    for earlier, later in pairwise(looked):
        assert list(later.games[: len(earlier.games)]) == list(earlier.games)


def test_a_large_tournament_is_not_computed_for_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("ludex.arena.saved_tournament.monotonic", lambda: clock[0])
    monkeypatch.setattr("ludex.arena.saved_tournament.QUICK", -1.0)
    monkeypatch.setattr("ludex.arena.saved_tournament.PAUSE", 1e9)
    played(tmp_path, Backwards(1, after=2))
    following = followed(tmp_path)
    assert len(following.state().games) == 4
    played(tmp_path, Backwards(1, after=2))
    assert len(following.state().games) == 4
    clock[0] = 1e12
    assert len(following.state().games) == 8


def test_a_torn_line_is_not_there_yet(tmp_path: Path) -> None:
    played(tmp_path, Backwards(1, after=3))
    journal = tmp_path / "ladder" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][:40])
    following = followed(tmp_path)
    assert len(following.state().games) == 4
    with journal.open("ab") as file:
        file.write(lines[-1][40:])
    assert len(following.state().games) == 6


@pytest.mark.slow
def test_the_curve_ends_where_the_table_stands(tmp_path: Path) -> None:
    plan = Plan("round-robin", 80, None)
    played(tmp_path, InProcess(), plan)
    state = followed(tmp_path).state()
    assert state.standings.ratings is not None
    assert state.curve[-1].values == state.standings.ratings.elo
    assert [point.games for point in state.curve] == sorted({point.games for point in state.curve})
    assert MOST_POINTS / 2 <= len(state.curve) <= MOST_POINTS + 1
    # A slow oracle: everything that was finished until then, rated again.
    for point in state.curve[:: len(state.curve) // 6]:
        scores: dict[tuple[int, int], list[float]] = {}
        for first, second in zip(state.games[: point.games : 2], state.games[1 : point.games : 2], strict=True):
            one, other = first.key.seats
            scores.setdefault((one, other), []).append((first.game.points + second.game.points) / 2)
        assert point.values == rate(4, scores).elo


@pytest.mark.slow
def test_a_league_is_followed_by_its_scores(tmp_path: Path) -> None:
    game = ludex.make("minesweeper", rows=4, cols=4, mines=3)
    terms = Terms.of(game, ("rules", "random"), seed=3, forfeits=True)
    played(tmp_path, InProcess(), Plan("league", 10, None), league(2), terms)
    state = followed(tmp_path).state()
    assert state.curve[-1].games == 20
    assert tuple(state.standings.results[agent].score for agent in (0, 1)) == state.curve[-1].values


def test_nothing_is_known_before_the_first_pair(tmp_path: Path) -> None:
    played(tmp_path, Backwards(1, after=0))
    state: State = followed(tmp_path).state()
    assert (state.games, state.curve, state.standings.table()) == ([], [], [])


@pytest.mark.parametrize(
    ("terms", "plan", "complaint"),
    [
        ({"seed": 7}, ROBIN, "seed is '6' there and '7' here"),
        ({}, Plan("gauntlet", 8, None), "format is 'round-robin' there and 'gauntlet' here"),
        ({}, Plan("round-robin", 10, None), "games is 8 there and 10 here"),
        ({}, Plan("swiss", 8, 2), "format is 'round-robin' there and 'swiss' here"),
    ],
)
@pytest.mark.parametrize("after", [0, 2])
def test_a_name_is_one_tournament(
    tmp_path: Path, terms: dict[str, Any], plan: Plan, complaint: str, after: int
) -> None:
    played(tmp_path, Backwards(1, after=after))
    before = (tmp_path / "ladder" / DOCUMENT).read_text()
    other = dataclasses.replace(TERMS, **terms)
    with pytest.raises((BadTournament, BadJournal), match=complaint), open_tournament(tmp_path, "ladder", other, plan):
        pass
    assert (tmp_path / "ladder" / DOCUMENT).read_text() == before


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "a b", "é", "a~1", "x" * 65])
def test_what_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadOption, match="a tournament's name"), open_tournament(tmp_path, name, TERMS, ROBIN):
        pass
    assert list(tmp_path.iterdir()) == []


def test_all_terms_are_read_back(tmp_path: Path) -> None:
    terms = Terms.of(
        GAME, FIELD, seed=2**64 - 1, limit=Limit(time_ms=5, depth=2, nodes=9), clock=Clock(3000, 50), forfeits=True
    )
    with open_tournament(tmp_path, "ladder", terms, ROBIN):
        pass
    assert SavedTournament.open(tmp_path / "ladder").terms == terms


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "diary"}, "not a tournament"),
        ({"formatVersion": 9}, "'formatVersion': Input should be 1, found 9"),
        ({"terms": {}}, "missing value: 'game'"),
        ({"terms": 3}, "'terms'"),
        ({"diary": 3}, "unknown key 'diary'"),
        ({"plan": {"format": "knock-out", "games": 8, "rounds": None}}, "knock-out"),
        ({"plan": {"format": "swiss"}}, "missing key 'plan.games'"),
        ({"plan": {"format": "swiss", "games": "few", "rounds": 9}}, "'plan.games'"),
        ({"players": None}, "'players'"),
    ],
)
def test_a_damaged_document_is_named(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    played(tmp_path, Backwards(1, after=1))
    path = tmp_path / "ladder" / DOCUMENT
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(BadTournament, match=complaint):
        SavedTournament.open(tmp_path / "ladder")


def test_a_damaged_journal_is_named_with_its_line(tmp_path: Path) -> None:
    played(tmp_path, Backwards(1, after=3))
    journal = tmp_path / "ladder" / "journal.jsonl"
    following = followed(tmp_path)
    following.state()
    with journal.open("ab") as file:
        file.write(b"my diary\n")
    with pytest.raises(BadJournal, match="line 5 is damaged"):
        following.state()


def test_only_tournaments_are_listed(tmp_path: Path) -> None:
    assert list_saved(tmp_path / "nowhere") == []
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    assert list_saved(tmp_path) == []
