"""UCT: what it plays, what it proves, and how it stops and explains itself."""

import numpy as np
import pytest

import ludex
from ludex.core.conformance import check_agent
from ludex.core.decision import Decision
from ludex.core.game import Action, AnyGame, Mask, Outcome, Player, legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.seeding import Rng, generator
from ludex.search.mcts import MctsAgent
from ludex.search.minimax import MinimaxAgent
from ludex.search.model import Model
from ludex.search.spec import MctsOptions, MinimaxOptions
from tests.core.conformance.toy_games import AbortingNim, Dash, Guess, Heap, Nim, Pig
from tests.games.minesweeper.support import game_and_position


def agent_of(game: AnyGame, **options: float) -> MctsAgent:
    return MctsAgent(Model(game), MctsOptions.model_validate(options))


def decided(game: AnyGame, view: object, limit: Limit, legal: Mask | None = None, **options: float) -> Decision:
    mask = game.legal(view) if legal is None else legal
    return agent_of(game, **options).decide(view, mask, rng=generator(1, 0), limit=limit)


def decided_by_minimax(game: AnyGame, state: object) -> Decision:
    agent = MinimaxAgent(Model(game), MinimaxOptions())
    return agent.decide(state, game.legal(state), rng=generator(1, 0), limit=Limit(depth=12))


def test_it_never_loses_tic_tac_toe() -> None:
    game = ludex.make("tictactoe")
    search, perfect = ludex.make_agent(game, "mcts:simulations=1000"), ludex.make_agent(game, "perfect:ties=random")
    for seats in ([search, perfect], [perfect, search]):
        outcome = ludex.play(game, seats, seed=1).outcome
        assert outcome is not None
        assert outcome.reason == "board full"


def test_a_won_game_is_proven_and_the_line_is_played_out() -> None:
    decision = decided(Nim(), Heap(7, 0), Limit(simulations=500))
    assert decision.action == 2
    assert decision.value == 1.0
    assert decision.candidates[0].terms["proven"] == 1.0
    assert decision.note == "It wins by force, whatever the other player answers."
    simulations = decision.stats["simulations"]
    assert isinstance(simulations, int)
    assert simulations < 500, "nothing is left to simulate"
    lost = decided(Nim(), Heap(4, 0), Limit(simulations=500))
    assert lost.value == -1.0


def test_a_match_that_ends_without_a_score_counts_nothing() -> None:
    assert decided(AbortingNim(), Heap(4, 0), Limit(simulations=300)).value == 0.0


def test_listed_outcomes_are_weighed_and_proven() -> None:
    game, state = Pig(), Dash((5, 5), 0, 0, 6)
    decision = decided(game, state, Limit(simulations=20_000))
    exact = decided_by_minimax(game, state)
    assert decision.value == pytest.approx(exact.value, abs=1e-9)
    assert decision.candidates[0].terms["proven"] == decision.value
    depth = decision.stats["depth"]
    assert isinstance(depth, int)
    assert depth <= game.PLIES - state.plies, "chance is no move"
    early = decided(game, Dash((0, 0), 0, 0, 0), Limit(simulations=3_000))
    assert early.value == pytest.approx(decided_by_minimax(game, Dash((0, 0), 0, 0, 0)).value, abs=0.15)


def test_visits_values_and_lines_are_shown() -> None:
    game = ludex.make("tictactoe")
    reports: list[Decision] = []
    decision = decide(Match(game, 1), agent_of(game), Limit(simulations=300, report=reports.append))
    assert [report.stats["simulations"] for report in reports] == [64, 128, 256]
    assert sum(candidate.terms["visits"] for candidate in decision.candidates) == 300
    assert sum(candidate.prob or 0.0 for candidate in decision.candidates) == pytest.approx(1.0)
    assert decision.candidates[0].terms["visits"] == max(candidate.terms["visits"] for candidate in decision.candidates)
    assert len(decision.candidates[0].line) > 1


def test_limits_are_kept() -> None:
    game = ludex.make("tictactoe", "4x4x4")
    start = game.initial(generator(1, 0))
    assert decided(game, start, Limit()).stats["simulations"] == 500
    assert decided(game, start, Limit(nodes=20, simulations=30)).stats["simulations"] == 20
    assert decided(game, start, Limit(simulations=30), simulations=10).stats["simulations"] == 10
    assert decided(game, start, Limit(simulations=300, depth=1)).stats["depth"] == 1
    stopped = decided(game, start, Limit(stop=np.ones(1, np.uint8)))
    assert stopped.stats == {}


def test_a_rollout_that_is_stopped_does_not_count() -> None:
    limit = Limit(simulations=100)

    class Stopping(Nim):
        """Raises the stop flag in the middle of the third game."""

        ends = 0

        def outcome(self, state: Heap) -> Outcome | None:
            result = super().outcome(state)
            self.ends += result is not None
            limit.stop[0] = self.ends >= 3
            return result

    assert decided(Stopping(), Heap(7, 0), limit).stats["simulations"] in (2, 3)


def test_secrets_are_drawn_anew_and_never_read() -> None:
    """With two numbers left, one of which is the secret, each is worth the same: no player has seen it."""
    game = Guess(2)
    state = game.initial(generator(5, 0))
    others = [number for number in range(game.NUMBERS) if number != state.secret]
    for number in others[:3]:
        state = game.apply(state, number, generator(5, 1))
    mover: Player = game.to_move(state)
    decision = decided(game, game.view(state, mover), Limit(simulations=2000), game.legal(state))
    assert decision.value == pytest.approx(0.0, abs=0.1)
    assert {candidate.action for candidate in decision.candidates} == {others[3], state.secret}
    assert [candidate.line for candidate in decision.candidates] == [
        (candidate.action,) for candidate in decision.candidates
    ]


@pytest.mark.parametrize("players", [1, 2])
def test_it_keeps_the_contract_with_chance_and_secrets(players: int) -> None:
    game = Guess(players)
    check_agent(game, lambda: agent_of(game), plays=1, limit=Limit(simulations=40))


def test_an_evaluation_ends_rollouts_and_chooses_first() -> None:
    game = ludex.make("quoridor", "5x5")
    decision = decide(Match(game, 1), ludex.make_agent(game, "mcts"), Limit(simulations=100))
    assert game.action_text(game.initial(generator(1, 0)), decision.action) == "c2"
    assert decision.candidates[0].terms["visits"] > 100 / len(legal_actions(game.legal(game.initial(generator(1, 0)))))


def test_rollouts_are_as_long_as_their_option_says() -> None:
    class Counting(Nim):
        """Counts the moves that are applied."""

        START = 40
        applied = 0

        def apply(self, state: Heap, action: Action, rng: Rng) -> Heap:
            self.applied += 1
            return super().apply(state, action, rng)

    applied = []
    for rollout in (0, 3, 1000):
        game = Counting()
        decided(game, Heap(40, 0), Limit(simulations=10), rollout=rollout)
        applied.append(game.applied)
    # Each of the ten simulations makes one node.
    assert applied[0] == 10
    assert applied[1] == 40
    assert applied[2] > 100


def test_minesweeper_is_played_from_its_view_alone() -> None:
    """The cells that the numbers prove safe are revealed before any other."""
    game, state = game_and_position("01.\n01*\n01.")
    view = game.view(state, 0)
    decision = ludex.make_agent(game, "mcts").decide(view, game.legal(state), rng=generator(1, 0), limit=Limit())
    assert game.action_text(state, decision.action) in ("c1", "c3")
