"""`perfect` plays what the solution says, and judges the moves of others by it."""

import pytest

import ludex
from ludex.arena.entrants import check_reference
from ludex.coach.analyst import analyst_of
from ludex.core.errors import BadOption, Unsupported
from ludex.core.game import legal_actions
from ludex.core.limit import Limit
from ludex.core.registry import make_agent
from ludex.core.seeding import Rng, generator
from ludex.games.quoridor.agents.solver import solve
from ludex.games.quoridor.game import Quoridor


def board(preset: str) -> Quoridor:
    game = ludex.make("quoridor", preset)
    assert isinstance(game, Quoridor)
    return game


def test_the_winner_wins_against_any_defence_within_the_plies_of_the_solution() -> None:
    game = board("3x3")
    agent, solution = make_agent(game, "perfect"), solve(game)
    start = game.initial(Rng(0))
    verdict = solution.value(start)
    assert verdict.winner == 1
    for seed in range(20):
        rng, state, plies = generator(seed, 0), start, 0
        while (outcome := game.outcome(state)) is None:
            legal = game.legal(state)
            if state.turn == verdict.winner:
                action = agent.decide(state, legal, rng=rng, limit=Limit()).action
            else:
                action = rng.choice(legal_actions(legal))
            state, plies = game.apply(state, action, rng), plies + 1
        assert outcome.scores[verdict.winner] == 1.0
        assert plies <= (verdict.plies or 0)


def test_every_move_is_worth_what_the_position_after_it_is() -> None:
    game = board("3x3:walls=1")
    agent, solution, rng = make_agent(game, "perfect"), solve(game), Rng(3)
    state = game.initial(rng)
    while game.outcome(state) is None:
        decision = agent.decide(state, game.legal(state), rng=rng, limit=Limit())
        for candidate in decision.candidates:
            winner = solution.value(game.apply(state, candidate.action, rng)).winner
            assert candidate.value == (0.0 if winner is None else 1.0 if winner == state.turn else -1.0)
        assert decision.action in solution.best(state)
        assert decision.value == decision.candidates[0].value
        state = game.apply(state, rng.choice([candidate.action for candidate in decision.candidates]), rng)


@pytest.mark.parametrize(("preset", "analyst"), [("3x3", "perfect"), ("5x5:walls=1", "perfect"), ("5x5", "master")])
def test_small_boards_are_judged_exactly(preset: str, analyst: str) -> None:
    assert analyst_of(board(preset)) == analyst


@pytest.mark.parametrize(("preset", "reason"), [("9x9", "supports 3x3 only"), ("9x9:walls=9", "too many to solve")])
def test_a_large_board_is_refused_without_being_solved(preset: str, reason: str) -> None:
    with pytest.raises((BadOption, Unsupported), match=reason):
        check_reference(board(preset), "perfect")
