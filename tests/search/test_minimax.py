"""Alpha-beta beside plain minimax, where its limits and its explanations are concerned, and on games with chance."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import ludex
from ludex.core import registry
from ludex.core.clock import Clock
from ludex.core.conformance import check_agent
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.game import AnyGame, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.seeding import Rng, generator
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.position import Position
from ludex.search import model as models
from ludex.search.minimax import AlphaBetaSearch, Average, MinimaxAgent, Valuation
from ludex.search.model import Model, check_searchable, pace_limit, position_key
from ludex.search.spec import MinimaxOptions
from tests.core.conformance.toy_games import AbortingNim, Dash, Guess, Heap, Nim, Pig, SidedNim, UnsampledGuess


def plain_value(game: TicTacToe, state: Position) -> float:
    """The score of the player to move, with neither windows nor tables."""

    @cache
    def value(one: Position) -> float:
        outcome = game.outcome(one)
        if outcome is not None:
            return outcome.scores[one.turn]
        return max(-value(game.apply(one, action, Rng(0))) for action in legal_actions(game.legal(one)))

    return value(state)


def expected_value(game: Pig, state: Dash) -> float:
    """The score of player 0 by the definition of expectimax."""

    @cache
    def value(position: Dash) -> float:
        outcome = game.outcome(position)
        if outcome is not None:
            return outcome.scores[0]
        best = max if position.turn == 0 else min
        actions = legal_actions(game.legal(position))
        return best(sum(chance * value(after) for chance, after in game.chance_outcomes(position, a)) for a in actions)

    return value(state)


@pytest.mark.parametrize("tt", [0, 50, 1 << 16])
@pytest.mark.parametrize("turn", [0, 1])
def test_listed_outcomes_give_exact_values(turn: int, tt: int) -> None:
    game = Pig()
    for points, gained, plies in [((4, 0), 0, 4), ((0, 3), 2, 5), ((3, 4), 3, 3), ((5, 5), 0, 6)]:
        state = Dash(points, gained, turn, plies)
        decision = decided(game, state, Limit(depth=12), tt=tt)
        sign = 1 if turn == 0 else -1
        assert decision.value == pytest.approx(sign * expected_value(game, state), abs=1e-9)
        after = sum(c * expected_value(game, child) for c, child in game.chance_outcomes(state, decision.action))
        assert sign * after == pytest.approx(decision.value, abs=1e-9), "the move keeps the value"
        assert decision.stats["solved"] is True


class WholeAverages(AlphaBetaSearch):
    """Expectimax without bounds of averages: every outcome is searched with an open window."""

    def _expect(self, outcomes: Sequence[tuple[float, Any]], depth: int, alpha: float, beta: float) -> Valuation:
        values = [self._value(position, depth, -math.inf, math.inf) for _, position in outcomes]
        mean = sum(chance * value.value for (chance, _), value in zip(outcomes, values, strict=True))
        return Valuation(mean, (), all(value.solved for value in values))


class BoundsWithoutProbes(AlphaBetaSearch):
    """Star1 alone."""

    def _probe(self, average: Average, positions: Sequence[Any], depth: int) -> None:
        pass


@pytest.mark.parametrize(("depth", "saved"), [(4, 0.05), (7, 0.2)])
def test_bounds_of_averages_save_nodes_and_change_no_value(
    depth: int, saved: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, nodes = [], []
    for search in (WholeAverages, BoundsWithoutProbes, AlphaBetaSearch):
        monkeypatch.setattr("ludex.search.minimax.AlphaBetaSearch", search)
        decision = decided(Pig(), Dash((0, 0), 0, 0, 0), Limit(depth=depth))
        values.append({candidate.action: candidate.score for candidate in decision.candidates})
        nodes.append(decision.stats["nodes"])
    assert values[1] == values[2] == pytest.approx(values[0])
    whole, *bounded = (count for count in nodes if isinstance(count, int))
    assert len(bounded) == 2
    assert max(bounded) < (1 - saved) * whole


def agent_of(game: AnyGame, **options: int) -> MinimaxAgent:
    return MinimaxAgent(Model(game), MinimaxOptions.model_validate(options))


def decided(game: AnyGame, state: object, limit: Limit | None = None, **options: int) -> Decision:
    return agent_of(game, **options).decide(state, game.legal(state), rng=generator(1, 0), limit=limit or Limit())


@pytest.mark.parametrize("tt", [0, 50, 1 << 16])
def test_values_and_moves_are_those_of_plain_minimax(tt: int) -> None:
    game = ludex.make("tictactoe")
    assert isinstance(game, TicTacToe)
    rng = generator(3, 0)
    for _ in range(8):
        state = game.initial(rng)
        for _ in range(3 + rng.below(3)):
            state = game.apply(state, rng.choice(legal_actions(game.legal(state))), rng)
            if game.outcome(state) is not None:
                break
        else:
            decision = decided(game, state, Limit(depth=9), tt=tt)
            assert decision.value == plain_value(game, state)
            assert -plain_value(game, game.apply(state, decision.action, rng)) == decision.value
            assert decision.stats["solved"] is True


def test_the_sooner_win_and_the_later_loss_are_played() -> None:
    game = Nim()
    assert decided(game, Heap(3, 0)).action == 2
    assert decided(game, Heap(3, 0)).stats["depth"] == 1
    lost, shallow = decided(game, Heap(4, 0)), decided(game, Heap(4, 0), depth=1)
    assert (shallow.value, lost.value) == (0.0, -1.0)
    assert lost.action == shallow.action, "the move that held longest is kept"


def test_a_player_may_have_two_turns_in_a_row_and_a_match_may_end_without_a_score() -> None:
    decision = decided(AbortingNim(), Heap(3, 0))
    assert decision.action == 2
    assert decided(AbortingNim(), Heap(5, 0)).value == 0.0, "all else loses"


def test_reports_come_per_depth_and_lines_can_be_played() -> None:
    game = ludex.make("tictactoe")
    reports: list[Decision] = []
    decision = decided(game, game.initial(Rng(0)), Limit(depth=4, report=reports.append))
    assert [report.stats["depth"] for report in reports] == [1, 2, 3, 4]
    assert len(decision.candidates[0].line) == 4
    assert decision.candidates[1].score is None
    assert "at_most" in decision.candidates[1].terms
    assert decision.note == "Looks best of 9 moves: it expects to win 50 of 100 games."


def test_limits_are_kept() -> None:
    game = ludex.make("tictactoe", "4x4x4")
    start = game.initial(Rng(0))
    for nodes in (1, 100, 2000):
        searched = decided(game, start, Limit(nodes=nodes)).stats.get("nodes", 0)
        assert isinstance(searched, int)
        assert searched <= nodes
    assert decided(game, start, depth=2).stats["depth"] == 2
    stopped = decided(game, start, Limit(stop=np.ones(1, np.uint8)))
    assert stopped.stats == {}
    assert stopped.note == "a legal move: there was no time to search"


def test_a_clock_is_shared_among_the_moves_to_come() -> None:
    assert pace_limit(Limit(depth=3)).time_ms is None
    assert pace_limit(Limit(clocks=(Clock(60_000, 1_000), Clock(1)))).time_ms == 2_800
    assert pace_limit(Limit(clocks=(Clock(1_000, 60_000), Clock(1)))).time_ms == 500
    assert pace_limit(Limit(time_ms=10, clocks=(Clock(60_000), Clock(1)))).time_ms == 10
    game = ludex.make("tictactoe", "4x4x4")
    match = ludex.play(game, [agent_of(game), agent_of(game)], seed=1, clock=Clock(300), opening_plies=10)
    assert match.outcome is not None
    assert match.outcome.reason != "time"


@pytest.mark.parametrize("game", [Guess(2), Guess(1), SidedNim(), AbortingNim()], ids=lambda game: type(game).__name__)
def test_it_keeps_the_contract_with_chance_and_secrets(game: AnyGame) -> None:
    if isinstance(game, SidedNim):
        game.sample_state = lambda view, rng: Heap(view.pile, view.turn)  # type: ignore[attr-defined]
    check_agent(game, lambda: agent_of(game), plays=1, limit=Limit(depth=2))


@pytest.mark.parametrize(
    ("declared", "samples"),
    [({"chance": "sampled"}, 4), ({"information": "hidden"}, 1), ({"information": "hidden"}, 4)],
)
def test_every_score_is_exact_where_chance_or_secrets_have_a_part(declared: dict[str, Any], samples: int) -> None:
    class Declared(Nim):
        """Moves draw nothing and views hide nothing, so that the scores are those of Nim."""

        info = replace(Nim.info, **declared)

        def sample_state(self, view: Heap, rng: Rng) -> Heap:
            return view

    decision = decided(Declared(), Heap(5, 0), Limit(depth=3), samples=samples)
    assert {candidate.action: candidate.score for candidate in decision.candidates} == {0: 1.0, 1: -1.0, 2: -1.0}


def test_where_nothing_can_be_drawn_from_a_view_no_search_is_offered() -> None:
    with pytest.raises(Unsupported, match=r"guess hides information and has no sample_state\(view, rng\)"):
        check_searchable(UnsampledGuess(), MinimaxOptions())
    check_searchable(Guess(), MinimaxOptions())


def test_a_position_is_its_own_key_where_it_is_a_value() -> None:
    class Plain:
        def __init__(self, pile: int) -> None:
            self.pile = pile
            self.turn = 0

    game, heap = Nim(), Heap(3, 1)
    assert position_key(game, heap) is heap
    assert position_key(game, Plain(3)) == position_key(game, Plain(3)) != position_key(game, Plain(2))


def test_the_evaluation_of_the_spec_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludex.make("quoridor", "5x5")
    decision = decide(Match(game, 1), ludex.make_agent(game, "minimax:depth=1"), Limit())
    assert decision.candidates[0].score is not None
    assert 0.1 < decision.candidates[0].score < 0.2, "a step ahead, the other to move"
    plain = replace(registry.spec("quoridor"), evaluation=None)
    monkeypatch.setattr(models, "spec", lambda _: plain)
    assert decide(Match(game, 1), ludex.make_agent(game, "minimax:depth=1"), Limit()).value == 0.0
