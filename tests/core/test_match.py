"""A match: turns, undo, resignation, aborts, openings, and agents that misbehave."""

from typing import Any

import pytest

import ludex
from ludex.core.decision import Decision, explain
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
from ludex.core.game import Outcome
from ludex.core.limit import Limit
from ludex.core.match import Match, play_opening
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


def test_a_loss_on_time_is_the_movers_and_can_be_taken_back(match: Match[Any, Any]) -> None:
    line(match, "b2")
    match.lose_on_time()
    assert match.outcome is not None
    assert (match.outcome.scores, match.outcome.reason) == ((1.0, -1.0), "time forfeit")
    with pytest.raises(GameOver, match="time forfeit"):
        match.lose_on_time()
    match.undo()
    assert (match.over, match.ply) == (False, 1)


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
    name = "cheat"

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
        return Decision(action=0)


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

    class Sloppy(Quitter):
        def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
            return Decision(action=99, resigns=True)

    with pytest.raises(AgentFault, match="illegal action 99"):
        ludex.play(game, [Sloppy(), Sloppy()], seed=5)
    state = game.initial(generator(1, 0))
    assert [explain(game, state, Decision(0, resigns=resigns))["resigns"] for resigns in (False, True)] == [False, True]


def test_the_number_of_agents_must_fit() -> None:
    game = ludex.make("tictactoe")
    with pytest.raises(ValueError, match="needs 2 agents, got 1"):
        ludex.play(game, [Cheat()], seed=5)


def test_seed_and_actions_name_the_match() -> None:
    game = ludex.make("tictactoe")
    agents = [ludex.make_agent(game, "random"), ludex.make_agent(game, "random")]
    games = [ludex.play(game, agents, seed=seed).actions for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_an_opening_never_ends_the_match() -> None:
    game = ludex.make("tictactoe")
    for seed in range(30):
        match = Match(game, seed)
        play_opening(match, 9)
        assert not match.over


def test_a_watchdog_raises_the_flag_in_time() -> None:
    import time

    limit = Limit(time_ms=30)
    begin = time.perf_counter()
    with limit.watch():
        while not limit.stopped:
            time.sleep(0.001)
    assert 0.02 < time.perf_counter() - begin < 10.0
    assert not limit.renew().stopped


def test_the_watchdog_sleeps_once_the_decision_is_made() -> None:
    import time

    limit = Limit(time_ms=200)
    with limit.watch():
        pass
    time.sleep(0.3)
    assert not limit.stopped


def test_who_is_at_fault_loses_where_that_is_asked_for() -> None:
    class Cheat:
        name = "cheat"

        def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
            return Decision(99)

    game = ludex.make("tictactoe")
    agents = [ludex.make_agent(game, "random"), Cheat()]
    faults: list[AgentFault] = []
    match = ludex.play(game, agents, seed=1, at_fault=faults.append)
    assert (match.outcome, match.ply) == (Outcome((1.0, -1.0), "forfeit"), 1)
    assert [fault.code for fault in faults] == ["illegal_choice"]
    with pytest.raises(IllegalChoice, match="'cheat' chose illegal action 99"):
        ludex.play(game, agents, seed=1)
    match.undo()
    assert not match.over
