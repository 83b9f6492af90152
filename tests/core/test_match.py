"""A match: turns, undo, resignation, aborts, openings, and agents that misbehave."""

from typing import Any

import pytest

import ludex
from ludex.core.decision import Decision
from ludex.core.errors import (
    AgentFault,
    DeclaredAbort,
    GameOver,
    IllegalAction,
    IllegalChoice,
    MalformedAction,
    NothingToUndo,
    OutOfTurn,
)
from ludex.core.explanation import explain
from ludex.core.game import Outcome
from ludex.core.limit import Limit
from ludex.core.match import INTERVAL, NEWEST, Match, play_opening
from ludex.core.record import Record
from ludex.core.seeding import generator


@pytest.fixture
def match() -> Match[Any, Any]:
    return Match(ludex.make("tictactoe"), seed=1)


def line(match: Match[Any, Any], *texts: str) -> None:
    for text in texts:
        match.play_text(text)


def test_a_refused_move_changes_nothing(match: Match[Any, Any]) -> None:
    line(match, "b2")
    before = (match.state, list(match.moves))
    for attempt, error in (("b2", IllegalAction), ("z9", MalformedAction)):
        with pytest.raises(error):
            match.play_text(attempt)
    with pytest.raises(OutOfTurn, match="player 1's turn"):
        match.play_text("a1", player=0)
    with pytest.raises(IllegalAction):
        match.play(99)
    assert (match.state, match.moves) == before


def test_nothing_is_played_after_the_end(match: Match[Any, Any]) -> None:
    line(match, "a1", "a2", "b1", "b2", "c1")
    assert match.outcome is not None
    assert match.outcome.scores == (1.0, -1.0)
    for attempt in (lambda: match.play_text("c3"), lambda: match.resign(0), lambda: match.to_move):
        with pytest.raises(GameOver, match="after 5 plies"):
            attempt()


def test_undo_walks_back_to_the_first_position(match: Match[Any, Any]) -> None:
    first = match.state
    line(match, "a1", "a2", "b1")
    for _ in range(3):
        match.undo()
    assert match.state == first
    assert match.ply == 0
    with pytest.raises(NothingToUndo):
        match.undo()


def test_resignation_scores_and_can_be_taken_back(match: Match[Any, Any]) -> None:
    match.resign(0)
    assert match.outcome is not None
    assert (match.outcome.scores, match.outcome.reason) == ((-1.0, 1.0), "resignation")
    match.undo()
    assert not match.over
    with pytest.raises(OutOfTurn):
        match.resign(2)


class Deadlock(DeclaredAbort):
    code = "deadlock"


class Aborting:
    """Tic-tac-toe in which the centre ends everything."""

    def __init__(self, declared: tuple[str, ...]) -> None:
        import dataclasses

        self._game = ludex.make("tictactoe")
        self.info = dataclasses.replace(self._game.info, aborts=declared)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def apply(self, state: Any, action: int, rng: Any) -> Any:
        if action == 4:
            raise Deadlock("stuck")
        return self._game.apply(state, action, rng)


def test_a_declared_abort_ends_the_match_without_a_score() -> None:
    match: Match[Any, Any] = Match(Aborting(("deadlock",)), seed=1)
    line(match, "a1")
    before = match.state
    line(match, "b2")
    assert (match.aborted, match.outcome, match.over, match.state) == ("deadlock", None, True, before)
    with pytest.raises(GameOver, match="deadlock"):
        match.play_text("c3")
    match.undo()
    assert (match.aborted, match.ply) == (None, 1)


def test_an_undeclared_abort_is_not_swallowed() -> None:
    match: Match[Any, Any] = Match(Aborting(()), seed=1)
    with pytest.raises(Deadlock):
        match.play_text("b2")
    assert match.ply == 0


class Cheat:
    """Chooses the same cell at every turn."""

    name = "cheat"

    def __init__(self, action: int = 0, *, resigns: bool = False) -> None:
        self._decision = Decision(action, resigns=resigns)

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
        return self._decision


def test_an_illegal_answer_is_the_agents_fault() -> None:
    game = ludex.make("tictactoe")
    with pytest.raises(AgentFault, match="'cheat' chose illegal action 0 at ply 1 of seed 5"):
        ludex.play(game, [Cheat(), Cheat()], seed=5)


class Quitter:
    """Plays the first free cell, and gives up at its second turn."""

    name = "quitter"

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
        first = int(legal.argmax())
        return Decision(action=first, resigns=first > 1)


def test_an_agent_gives_up_instead_of_playing() -> None:
    game = ludex.make("tictactoe")
    watched: list[tuple[int, bool]] = []
    match = ludex.play(
        game, [Quitter(), Quitter()], seed=5, watch=lambda match, decision: watched.append((match.ply, match.over))
    )
    assert match.outcome == Outcome((-1.0, 1.0), "resignation")
    assert match.actions == (0, 1)
    assert watched == [(1, False), (2, False), (2, True)]
    assert ludex.replay(game, Record.of(match, ("quitter", "quitter"))).outcome == match.outcome


def test_giving_up_needs_a_legal_action_and_is_explained() -> None:
    game = ludex.make("tictactoe")
    with pytest.raises(AgentFault, match="illegal action 99"):
        ludex.play(game, [Cheat(99, resigns=True)] * 2, seed=5)
    state = game.initial(generator(1, 0))
    assert [explain(game, state, Decision(0, resigns=resigns))["resigns"] for resigns in (False, True)] == [False, True]


def test_the_number_of_agents_must_fit() -> None:
    game = ludex.make("tictactoe")
    with pytest.raises(ValueError, match="needs 2 agents, got 1"):
        ludex.play(game, [Cheat()], seed=5)


def test_an_opening_never_ends_the_match() -> None:
    game = ludex.make("tictactoe")
    for seed in range(30):
        match = Match(game, seed)
        play_opening(match, 9)
        assert not match.over


def test_the_watchdog_sleeps_once_the_decision_is_made() -> None:
    import time

    limit = Limit(time_ms=200)
    with limit.watch():
        pass
    time.sleep(0.3)
    assert not limit.stopped


def test_who_is_at_fault_loses_where_that_is_asked_for() -> None:
    game = ludex.make("tictactoe")
    agents = [ludex.make_agent(game, "random"), Cheat(99)]
    faults: list[AgentFault] = []
    match = ludex.play(game, agents, seed=1, at_fault=faults.append)
    assert (match.outcome, match.ply) == (Outcome((1.0, -1.0), "forfeit"), 1)
    assert [fault.code for fault in faults] == ["illegal_choice"]
    with pytest.raises(IllegalChoice, match="'cheat' chose illegal action 99"):
        ludex.play(game, agents, seed=1)
    match.undo()
    assert not match.over


def long_match(plies: int) -> tuple[Match[Any, Any], list[Any]]:
    """A match of flags on a large board, and all of its positions."""
    match: Match[Any, Any] = Match(ludex.make("minesweeper", "expert:rows=64:cols=64:mines=600"), seed=1)
    positions = [match.state]
    for ply in range(plies):
        match.play(64 * 64 + ply % 100)
        positions.append(match.state)
    return match, positions


def test_a_long_match_keeps_few_positions_and_gives_them_all() -> None:
    match, positions = long_match(3_000)
    kept = len(match._newest) + len(match._checkpoints)
    assert kept < NEWEST + INTERVAL + 3_000 / INTERVAL
    same = match.game.dump
    assert len(match.positions) == 3_001
    for ply in (0, 1, 63, 64, 65, 1_000, 1_919, 1_920, 2_999, 3_000, -1, -3_001):
        assert same(match.positions[ply]) == same(positions[ply])
    assert [same(state) for state in match.positions[100:400:7]] == [same(state) for state in positions[100:400:7]]
    assert match.positions[3_000] is match.state
    with pytest.raises(IndexError):
        match.positions[3_001]


@pytest.mark.parametrize("ply", [0, 63, 64, 1_000, 1_935, 1_936, 2_999])
def test_a_long_match_branches_and_goes_back_to_every_ply(ply: int) -> None:
    match, positions = long_match(3_000)
    same = match.game.dump
    branch = match.branch(ply)
    assert (branch.ply, same(branch.state)) == (ply, same(positions[ply]))
    branch.play(64 * 64 + 4_000)
    assert same(branch.positions[ply]) == same(positions[ply])
    while match.ply > ply:
        match.undo()
    assert same(match.state) == same(positions[ply])
    match.play(64 * 64 + 4_000)
    assert same(match.state) == same(branch.state)
    assert same(match.positions[ply // 2]) == same(positions[ply // 2])


def test_every_position_of_a_long_match_is_played_again_once() -> None:
    match, _ = long_match(3_000)
    applied = 0
    apply = match.game.apply

    def count(*arguments: Any) -> Any:
        nonlocal applied
        applied += 1
        return apply(*arguments)

    object.__setattr__(match.game, "apply", count)
    assert sum(1 for _ in match.positions) == 3_001
    assert applied <= 3_000 - NEWEST
