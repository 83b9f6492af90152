"""Tournaments: everybody plays whom they should, an agent's fault costs a game, and nothing is played twice."""

import dataclasses
import logging
import math
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.arena import engine_agent, match_runner
from ludex.arena.duel import duel
from ludex.arena.journal import open_journal
from ludex.arena.pairs import record_of
from ludex.arena.schedules import Format, Swiss, gauntlet, league, round_robin
from ludex.arena.terms import Terms
from ludex.arena.tournament import Tournament, check_field, hold
from ludex.core.errors import AgentFault, BadOption, UnknownAgent
from ludex.core.executor import Executor, InProcess
from ludex.core.limit import Limit
from ludex.core.record import replay
from ludex.core.services import Services
from ludex.operations.tournament import TournamentResult
from tests.arena.executors import Backwards
from tests.arena.misbehaving_agents import seat_at

GAME = ludex.make("tictactoe")
FIELD = ("perfect:ties=random", "ranking", "random", "ranking:ranking=empty")
TERMS = Terms.of(GAME, FIELD, seed=6, opening_plies=1, forfeits=True)
PLANS = [round_robin(4), gauntlet(4), Swiss(4, 3, rest=8)]


def moves(tournament: Tournament) -> list[Any]:
    """All that must not depend on anything but the terms."""
    return [
        (place, [(game.seed, game.swapped, game.actions, game.outcome) for game in pair])
        for place, pair in tournament.pairs.items()
    ]


def untimed(tournament: Tournament) -> dict[str, Any]:
    report = TournamentResult.of(tournament).model_dump(mode="json")
    for row in report["standings"]:
        for key in ("ms_per_move", "ms_p99", "ms_max"):
            del row[key]
    return report


def ids(plan: Format) -> str:
    return plan.name


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS, ids=ids)
def test_results_do_not_depend_on_the_order_in_which_tasks_finish(plan: Format) -> None:
    here = hold(TERMS, plan, games=8, executor=InProcess())
    there = hold(TERMS, plan, games=8, executor=Backwards(5))
    assert moves(there) == moves(here)
    assert untimed(there) == untimed(here)
    assert here.games == 8 * plan.meetings


@pytest.mark.slow
def test_every_meeting_is_a_duel_of_the_same_pairs() -> None:
    tournament = hold(TERMS, round_robin(4), games=8, executor=InProcess())
    for (first, second), pairs in tournament.meetings.items():
        terms = dataclasses.replace(TERMS, agents=(FIELD[first], FIELD[second]))
        alone = duel(terms, games=8, executor=InProcess())
        assert [game.actions for pair in pairs for game in pair] == [game.actions for game in alone.played]
    openings = {place.index: {game.actions[:1] for game in pair} for place, pair in tournament.pairs.items()}
    assert all(len({game.seed for pair in pairs for game in pair}) == 4 for pairs in tournament.meetings.values())
    for place, pair in tournament.pairs.items():
        assert {game.actions[:1] for game in pair} == openings[place.index]


def test_swiss_rounds_go_on_with_new_openings() -> None:
    tournament = hold(TERMS, Swiss(4, 3, rest=8), games=8, executor=InProcess())
    assert [len(meetings) for meetings in tournament.rounds] == [2, 2, 2]
    for number, meetings in enumerate(tournament.rounds):
        for meeting in meetings:
            assert [key.index for key in tournament.pairs if key.seats == meeting] == [4 * number + k for k in range(4)]


def test_the_table_adds_up() -> None:
    report = untimed(hold(TERMS, round_robin(4), games=8, executor=InProcess()))
    assert list(report)[:6] == ["game", "preset", "format", "agents", "games", "seed"]
    rows = report["standings"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert {row["agent"] for row in rows} == set(FIELD)
    assert sum(row["points"] for row in rows) == report["games"] == 48
    assert all(row["wins"] + row["draws"] + row["losses"] == row["games"] == 24 for row in rows)
    assert sum(row["wins"] for row in rows) == sum(row["losses"] for row in rows)
    assert [row["elo"] for row in rows] == sorted((row["elo"] for row in rows), reverse=True)
    assert all(row["elo_ci95"][0] < row["elo"] < row["elo_ci95"][1] for row in rows)
    assert math.isclose(sum(row["elo"] for row in rows), 0, abs_tol=1e-9)
    assert [row["superiority"] for row in rows[:-1]] == [report["superiority"][k][k + 1] for k in range(3)]
    assert rows[-1]["superiority"] is None
    for k in range(4):
        for other in range(k):
            assert report["superiority"][k][other] + report["superiority"][other][k] == pytest.approx(1)
    assert sum(met["games"] for met in report["meetings"]) == 48


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS, ids=ids)
def test_an_interrupted_tournament_goes_on_to_the_same_end(plan: Format, tmp_path: Path) -> None:
    whole = hold(TERMS, plan, games=8, executor=InProcess())
    path = tmp_path / "journal"

    def go_on(executor: Executor) -> Tournament:
        with open_journal(path, TERMS) as journal:
            return hold(TERMS, plan, games=8, executor=executor, journal=journal)

    part = go_on(Backwards(3, after=7))
    assert part.interrupted
    assert len(part.pairs) == 7
    rest = Backwards(3)
    assert moves(go_on(rest)) == moves(whole)
    assert rest.calls == 4 * plan.meetings - 7
    again = Backwards(3)
    assert untimed(go_on(again)) == untimed(whole)
    assert again.calls == 0


@pytest.mark.slow
def test_a_journal_serves_every_format(tmp_path: Path) -> None:
    """A gauntlet goes on as a round robin, and a longer one from a shorter."""
    path = tmp_path / "journal"
    for plan, games, fresh in ((gauntlet(4), 4, 6), (round_robin(4), 4, 6), (round_robin(4), 6, 6)):
        counting = Backwards(1)
        with open_journal(path, TERMS) as journal:
            tournament = hold(TERMS, plan, games=games, executor=counting, journal=journal)
        assert counting.calls == fresh
        assert moves(tournament) == moves(hold(TERMS, plan, games=games, executor=InProcess()))


def test_nothing_finished_is_nothing_held() -> None:
    tournament = hold(TERMS, round_robin(4), games=8, executor=Backwards(1, after=0))
    assert (tournament.pairs, tournament.interrupted) == ({}, True)
    part = hold(TERMS, round_robin(4), games=8, executor=Backwards(1, after=1))
    report = untimed(part)
    assert (report["games"], report["interrupted"], len(report["standings"])) == (2, True, 2)


@pytest.fixture
def logged() -> Iterator[list[dict[str, Any]]]:
    """The events that the arena logs, however the log is set up."""
    events: list[dict[str, Any]] = []

    class Keeping(logging.Handler):
        def emit(self, record: Any) -> None:
            events.append(record.msg)

    handler = Keeping()
    logger = logging.getLogger("ludex.arena")
    logger.addHandler(handler)
    yield events
    logger.removeHandler(handler)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manner", "code", "complaint"),
    [
        ("crash", "agent_fault", "random: ZeroDivisionError: division by zero"),
        ("exit", "agent_fault", "random: SystemExit: 3"),
        ("illegal", "illegal_choice", "chose illegal action"),
        ("hang", "agent_timeout", "no answer within 1.01 seconds"),
        ("stubborn", "agent_timeout", "no answer within 1.01 seconds"),
    ],
)
def test_a_fault_loses_the_game_and_is_told(
    manner: str, code: str, complaint: str, monkeypatch: pytest.MonkeyPatch, logged: list[dict[str, Any]]
) -> None:
    monkeypatch.setattr(match_runner, "GRACE_SECONDS", 1.0)
    monkeypatch.setattr(match_runner, "AGAIN_SECONDS", 0.05)
    made = seat_at(monkeypatch, manner)
    terms = Terms.of(GAME, ("perfect:ties=random", "ranking", "random"), seed=6, limit=Limit(time_ms=10), forfeits=True)
    tournament = hold(terms, round_robin(3), games=2, executor=InProcess())
    report = untimed(tournament)
    assert report["games"] == 6
    rows = {row["agent"]: row for row in report["standings"]}
    assert rows["perfect:ties=random"]["forfeits"] == rows["ranking"]["forfeits"] == 0
    faults = report["forfeits"]
    assert rows["random"]["forfeits"] == rows["random"]["losses"] == len(faults) == 4
    assert [event["code"] for event in logged] == [code] * len(faults)
    assert {(event["event"], event["agent"]) for event in logged} == {("forfeit", "random")}
    for fault in faults:
        assert (fault["agent"], fault["code"]) == ("random", code)
        assert complaint in fault["message"]
    # The agent at fault is replaced by a new one for the next game.
    assert len(made) == len(faults)
    for key, game in tournament.faults:
        assert game.outcome.reason == "forfeit"
        assert replay(GAME, record_of(terms, key.seats, game)).outcome == game.outcome


@pytest.mark.slow
def test_where_nobody_can_be_interrupted_who_is_late_forfeits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside the main thread no signal arrives; the answer does, too late."""
    monkeypatch.setattr(match_runner, "GRACE_SECONDS", 1.0)
    seat_at(monkeypatch, "late")
    terms = Terms.of(GAME, ("ranking", "random"), seed=6, limit=Limit(time_ms=10), forfeits=True)
    with ThreadPoolExecutor(1) as thread:
        tournament = thread.submit(hold, terms, round_robin(2), games=2, executor=InProcess()).result()
    assert [fault["code"] for fault in untimed(tournament)["forfeits"]] == ["agent_timeout"] * 2


def test_faults_are_kept_in_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seat_at(monkeypatch, "crash")
    terms = dataclasses.replace(TERMS, agents=("ranking", "random"))
    with open_journal(tmp_path / "journal", terms) as journal:
        tournament = hold(terms, round_robin(2), games=4, executor=InProcess(), journal=journal)
    with open_journal(tmp_path / "journal", terms) as journal:
        assert journal.pairs == tournament.pairs
    assert list(tournament.faults)


def test_a_match_is_not_forgiving(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_at(monkeypatch, "crash")
    terms = dataclasses.replace(TERMS, agents=("ranking", "random"), forfeits=False)
    with pytest.raises(ZeroDivisionError):
        duel(terms, games=4, executor=InProcess())


ENGINES = Path(__file__).parent / "engines.py"


def engine(kind: str) -> str:
    return f'ugi:"{sys.executable} {ENGINES} {kind}"'


@pytest.mark.slow
def test_strangers_play_and_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_agent, "GRACE_SECONDS", 1.0)
    field = (engine("good"), engine("crash"), engine("illegal"), engine("sleep"), "perfect")
    terms = Terms.of(GAME, field, seed=1, limit=Limit(time_ms=100), forfeits=True)
    check_field(GAME, terms, Services())
    report = untimed(hold(terms, gauntlet(5), games=2, executor=InProcess()))
    assert report["games"] == 8
    codes = {(fault["agent"], fault["code"]) for fault in report["forfeits"]}
    assert codes == {
        (engine("crash"), "agent_fault"),
        (engine("illegal"), "illegal_choice"),
        (engine("sleep"), "agent_timeout"),
    }
    wins = {tuple(met["agents"]): met["wins"] for met in report["meetings"]}
    assert wins[engine("good"), engine("crash")] == wins[engine("good"), engine("sleep")] == [2, 0]
    assert report["prior_pairs"] == 1


def test_an_engine_that_cannot_be_started_forfeits(tmp_path: Path) -> None:
    """As one does that was there when the tournament began."""
    terms = Terms.of(GAME, (f'ugi:"{tmp_path}/gone"', "perfect"), seed=1, limit=Limit(time_ms=100), forfeits=True)
    with pytest.raises(AgentFault, match="cannot start"):
        check_field(GAME, terms, Services())
    tournament = hold(terms, round_robin(2), games=2, executor=InProcess())
    assert [(game.actions, game.points, game.micros) for _, game in tournament.faults] == [((), 0.0, ((), ()))] * 2
    for key, game in tournament.faults:
        assert replay(GAME, record_of(terms, key.seats, game)).outcome == game.outcome


def test_who_cannot_take_part_is_named_before_the_first_game() -> None:
    def check(*agents: str) -> None:
        check_field(GAME, Terms.of(GAME, agents, seed=1, forfeits=True), Services())

    check(*FIELD)
    with pytest.raises(BadOption, match="a name of its own, found random, random"):
        check("random", "random")
    with pytest.raises(UnknownAgent, match="prefect"):
        check("random", "prefect")
    with pytest.raises(BadOption, match="needs a limit"):
        check("random", engine("good"))


@pytest.mark.slow
def test_a_league_is_played_on_the_same_seeds() -> None:
    game = ludex.make("minesweeper", rows=4, cols=4, mines=3)
    terms = Terms.of(game, ("rules:pairs=true", "random"), seed=3, forfeits=True)
    tournament = hold(terms, league(2), games=30, executor=InProcess())
    assert untimed(hold(terms, league(2), games=30, executor=Backwards(7))) == untimed(tournament)
    rules, random = (tournament.meetings[agent,] for agent in (0, 1))
    assert [pair[0].seed for pair in rules] == [pair[0].seed for pair in random]
    assert all(len(pair) == 1 for pair in rules)
    report = untimed(tournament)
    assert (report["format"], report["games"], report["meetings"], report["prior_pairs"]) == ("league", 60, [], None)
    first, second = report["standings"]
    assert (first["agent"], first["elo"], first["games"]) == ("rules:pairs=true", None, 30)
    assert first["score"] > second["score"]
    assert 0.9 < first["superiority"] < 1
    with pytest.raises(BadOption, match="at least 1"):
        hold(terms, league(2), games=0, executor=InProcess())


@pytest.mark.parametrize("games", [0, 3, -2])
def test_an_odd_number_of_games_is_refused(games: int) -> None:
    with pytest.raises(BadOption, match="even"):
        hold(TERMS, round_robin(4), games=games, executor=InProcess())
