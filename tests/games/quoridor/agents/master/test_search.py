"""The search beside the exact solver: what it calls certain is true at any depth, and with depth enough it finds it."""

import random
from functools import cache

import pytest

from ludex.core.decision import Candidate, Decision
from ludex.core.game import legal_actions
from ludex.core.limit import Limit
from ludex.core.record import match_of
from ludex.games.quoridor.agents.master.transposition_table import CERTAIN, WIN
from ludex.games.quoridor.agents.solver import Solution, solve
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.position import Position, standing
from tests.games.quoridor.agents.master.support import (
    decision_of,
    engine,
    forgotten,
    positions,
    reports,
    score_of,
    solution_of,
    walled_states,
)
from tests.games.quoridor.support import game_of, live_steps, position_of, state_at
from tests.games.support import TRAP
from tests.reference import quoridor as reference
from tests.reference.quoridor import State
from tests.sizes import fewer, sampled

pytestmark = pytest.mark.slow


@cache
def cornered(count: int, size: int, walls: int, seed: int) -> list[Position]:
    """Positions in which a pawn on its first row has the other right before it: jumped over, it loses at once."""
    rng = random.Random(seed)
    positions: list[Position] = []
    for _, _, state in live_steps(4 * count, size, walls, seed):
        player, col = rng.randrange(2), rng.choice((0, 0, size - 1, size - 1, rng.randrange(size)))
        mine, theirs = ((col, 0), (col, 1)) if player == 0 else ((col, size - 1), (col, size - 2))
        moved = state._replace(pawns=(mine, theirs) if player == 0 else (theirs, mine), turn=rng.randrange(2))
        if reference.winner(moved) is None and all(reference.distance(moved, each) is not None for each in (0, 1)):
            positions.append(position_of(moved))
        if len(positions) == count:
            break
    return positions


def assert_true(solution: Solution, game: Quoridor, position: Position, candidate: Candidate) -> bool:
    """Check what is said of a move, if it is certain: the winner, and not too soon. Returns whether it is."""
    score = int(candidate.score or 0)
    if abs(score) < CERTAIN:
        return False
    winner, plies = solution.value(game.apply(position, candidate.action, TRAP))
    assert winner == (position.turn if score > 0 else 1 - position.turn), (position, candidate)
    assert plies is not None
    assert plies + 1 <= WIN - abs(score), (position, candidate)
    return True


def assert_all_true(solution: Solution, game: Quoridor, position: Position, reported: list[Decision]) -> int:
    """Check everything an engine said of a position; returns how much of it is certain."""
    return sum(assert_true(solution, game, position, move) for decision in reported for move in decision.candidates)


# Certain scores are true


@pytest.mark.parametrize(
    ("size", "walls", "count", "depth"),
    fewer(
        [
            (3, 0, 200, 12),
            (3, 1, 500, 12),
            (3, 2, 1000, 14),
            (3, 3, 800, 14),
            (4, 1, 500, 10),
            (4, 2, 800, 10),
            (5, 0, 100, 10),
            (5, 1, 500, 8),
            (5, 2, 800, 8),
        ],
        2,
    ),
)
def test_a_certain_score_is_true_at_any_depth(size: int, walls: int, count: int, depth: int) -> None:
    game, solution = game_of(size, walls), solution_of(size, walls)
    agent, certain = engine(game), 0
    for position in positions(count, size, walls, seed=71):
        certain += assert_all_true(solution, game, position, reports(agent, game, position, depth=depth))
    assert certain > count / 2


@pytest.mark.parametrize(("size", "walls", "count"), [(3, 1, 60), (3, 2, 100), (4, 2, 300), (5, 1, 100), (5, 2, 300)])
def test_a_certain_score_is_true_where_a_pawn_is_about_to_be_jumped_over(size: int, walls: int, count: int) -> None:
    game, solution, agent = game_of(size, walls), solution_of(size, walls), engine(game_of(size, walls))
    for position in cornered(count, size, walls, seed=72):
        assert_all_true(solution, game, position, reports(agent, game, position, depth=6))


@pytest.mark.parametrize(("size", "walls", "count"), [(3, 2, 60), (4, 2, 40), (5, 2, 30)])
def test_a_certain_score_of_every_move_is_true(size: int, walls: int, count: int) -> None:
    game, solution = game_of(size, walls), solution_of(size, walls)
    agent = engine(game, multipv=64)
    for position in positions(count, size, walls, seed=73) + cornered(count // 2, size, walls, seed=73):
        reported = reports(agent, game, position, depth=5)
        assert_all_true(solution, game, position, reported)
        assert len(reported[-1].candidates) == min(64, int(game.legal(position).sum()))


@pytest.mark.parametrize("nodes", [3, 10, 40, 150, 700])
def test_a_certain_score_of_a_search_cut_short_is_true(nodes: int) -> None:
    game, solution, agent = game_of(4, 2), solution_of(4, 2), engine(game_of(4, 2))
    for position in positions(200, 4, 2, seed=74):
        assert_all_true(solution, game, position, [decision_of(agent, game, position, Limit(nodes=nodes))])


def test_a_certain_score_with_a_memory_of_earlier_decisions_is_true() -> None:
    game, solution, agent = game_of(5, 2), solution_of(5, 2), engine(game_of(5, 2))
    for _, position, _ in live_steps(100, 5, 2, seed=75):
        assert_all_true(solution, game, position, reports(agent, game, position, time_ms=7, depth=8))


@pytest.mark.parametrize("count", sampled(16, 60))
def test_a_certain_score_among_many_walls_is_true(count: int) -> None:
    for number, state in enumerate(walled_states(count, 5, 9, (1, 1), seed=76)):
        game, position = game_of(5, 10), position_of(state._replace(left=((1, 1), (2, 0), (0, 1), (2, 1))[number % 4]))
        solution, agent = solve(game, position), engine(game)
        for follower in [position, *(game.apply(position, action, TRAP) for action in sample(game, position, 3))]:
            if game.outcome(follower) is None:
                assert_all_true(solution, game, follower, reports(agent, game, follower, depth=8))


def sample(game: Quoridor, position: Position, count: int) -> list[int]:
    actions = legal_actions(game.legal(position))
    return random.Random(position.pawns[0]).sample(actions, min(count, len(actions)))


@pytest.mark.parametrize(
    ("state", "depth"),
    [
        pytest.param(state_at("a1", "a3", "b4h a3v b1v", turn=1, left=(3, 3), size=5), 2, id="a win"),
        pytest.param(state_at("e1", "d3", "d4v b3v c3h b1v", turn=1, left=(2, 0), size=5), 4, id="a win later"),
        pytest.param(state_at("d4", "e5", "a1h b4v", turn=1, left=(3, 3), size=5), 3, id="a loss"),
    ],
)
def test_a_wall_that_is_tried_late_may_save_a_lost_player(state: State, depth: int) -> None:
    """Were late walls left out where all other moves lose, each of these would be called decided, and too soon."""
    game, position = game_of(5, 10), position_of(state)
    reported = reports(engine(game, net="none"), game, position, depth=depth)
    assert assert_all_true(solve(game, position), game, position, reported) == 0


# With depth enough, everything is found

SLACK = 12
"""Pruned and reduced, a win is seen some plies later than a plain search would: never so many."""


@pytest.mark.parametrize(
    ("size", "walls", "count", "most"),
    fewer(
        [
            (3, 0, 100, 99),
            (3, 1, 500, 99),
            (3, 2, 1000, 99),
            (3, 3, 600, 99),
            (4, 1, 400, 11),
            (4, 2, 300, 8),
            (5, 0, 100, 99),
            (5, 1, 300, 9),
            (5, 2, 300, 5),
        ],
        2,
    ),
)
def test_with_depth_enough_the_winner_is_found_and_the_move_keeps_it(
    size: int, walls: int, count: int, most: int
) -> None:
    game, solution = game_of(size, walls), solution_of(size, walls)
    agent, counts = engine(game), {True: 0, False: 0}
    for position in positions(count, size, walls, seed=77):
        winner, plies = solution.value(position)
        if plies is None or plies > most:
            continue
        decision = decision_of(agent, game, position, Limit(depth=plies + SLACK))
        won = winner == position.turn
        assert (score_of(decision) if won else -score_of(decision)) >= CERTAIN, position
        assert_true(solution, game, position, decision.candidates[0])
        assert decision.value == (1.0 if won else -1.0)
        assert solution.value(game.apply(position, decision.action, TRAP)).winner == winner
        counts[won] += 1
    assert min(counts.values()) > count / 20


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(state_at("c1", "c4", "a1h c1h c3h b4h a3v b3v d3v", left=(0, 1), size=5), id="steps"),
        pytest.param(state_at("d2", "e3", "a1h a2h b1v b3h d1h d3h d4h", left=(1, 0), size=5), id="a wall"),
        pytest.param(state_at("d3", "e3", "a1v b1v c1v a2h d2h b3h b4h c4v d4h", left=(0, 0), size=5), id="a race"),
    ],
)
def test_a_draw_by_endless_play_is_kept(state: State) -> None:
    game, position = game_of(5, 4), position_of(state)
    solution = solve(game, position)
    reported = reports(engine(game), game, position, depth=16)
    assert assert_all_true(solution, game, position, reported) == 0
    assert reported[-1].action in solution.best(position)


def test_a_race_is_known_whatever_the_depth() -> None:
    game = game_of(9, 10)
    for state in walled_states(4, 9, 20, (0, 0), seed=78):
        position = position_of(state)
        verdict = solve(game, position).value(position)
        decision = decision_of(engine(game, net="none"), game, position, Limit(depth=1))
        if verdict.plies is None:
            assert score_of(decision) == 0
        else:
            sign = 1 if verdict.winner == position.turn else -1
            assert sign * score_of(decision) == WIN - verdict.plies


def test_races_are_not_solved_again_for_every_place_of_a_last_wall() -> None:
    moves = (
        "h4h b3v e2 b5v e3 e8 e4 e7 d1h d4h e3h e4v c3h c6h f2h e6h d4 a8v c4 f5v d7v e8 e7v e9 a3h f9 h2h g9 g3h g8 c5"
        " g7 c6 g8h d6"
    )
    match = match_of(f"quoridor 9x9: {moves}")
    game, position = game_of(9, 10), match.state
    assert position.left == (0, 1)
    agent = engine(game)
    decision_of(agent, game, position, Limit(nodes=30_000))
    assert 0 < int(agent._space.solved) <= 128


# An announced win is played out


@pytest.mark.parametrize(
    ("size", "walls", "count", "most"), [(3, 1, 100, 99), (3, 2, 150, 99), (4, 1, 60, 9), (5, 1, 30, 7), (4, 2, 30, 7)]
)
def test_a_win_is_played_out_in_the_plies_announced_against_any_defence(
    size: int, walls: int, count: int, most: int
) -> None:
    game, solution, agent = game_of(size, walls), solution_of(size, walls), engine(game_of(size, walls))
    lengths: dict[tuple[object, ...], int] = {}

    def longest(position: Position) -> int:
        """The plies to the end if the engine plays on and the other tries everything."""
        key = (position.pawns, position.walls, position.left, position.turn)
        if key not in lengths:
            decision = decision_of(agent, game, position, Limit(depth=most + SLACK if most < 99 else 30))
            plies = WIN - score_of(decision)
            assert decision.note.endswith(f" wins in {plies} {'ply' if plies == 1 else 'plies'}")
            after = game.apply(position, decision.action, TRAP)
            lengths[key] = 1
            if game.outcome(after) is None:
                replies = [game.apply(after, action, TRAP) for action in legal_actions(game.legal(after))]
                assert all(game.outcome(reply) is None for reply in replies)
                lengths[key] = 2 + max(longest(forgotten(reply)) for reply in replies)
        return lengths[key]

    won = 0
    for position in positions(count, size, walls, seed=79):
        winner, plies = solution.value(position)
        if winner == position.turn and plies is not None and plies <= most:
            announced = WIN - score_of(decision_of(agent, game, position, Limit(depth=plies + SLACK)))
            assert plies <= longest(position) <= announced
            won += 1
    assert won > count / 6


# The move limit


@pytest.mark.parametrize(
    ("size", "walls", "most"), [(3, 0, 99), (3, 1, 99), (3, 2, 99), (4, 1, 11), (5, 0, 99), (5, 1, 9)]
)
def test_an_end_that_comes_after_the_move_limit_is_none(size: int, walls: int, most: int) -> None:
    game, solution, agent = game_of(size, walls), solution_of(size, walls), engine(game_of(size, walls))
    late = 0
    for position in positions(120, size, walls, seed=82):
        _, plies = solution.value(position)
        if plies is None or plies > most:
            continue
        # With the very last ply a pawn may still reach its goal.
        last = position._replace(ply=game.info.max_plies - plies)
        if walls == 0:
            assert WIN - abs(score_of(decision_of(agent, game, last, Limit(depth=plies)))) == plies
        for too_late in range(1, min(plies, 4)):
            short = last._replace(ply=last.ply + too_late)
            for decision in reports(agent, game, short, depth=plies + 4):
                assert abs(score_of(decision)) < CERTAIN, (short, decision)
            late += 1
    assert late > 40


# Repetition


def haunted(position: Position, square: int) -> Position:
    """The position after a long walk in which the one after the mover's step stood twice."""
    pawns = (square, position.pawns[1]) if position.turn == 0 else (position.pawns[0], square)
    past = [standing((100 + number, 0), position.turn ^ number & 1) for number in range(9, -1, -1)]
    # Anything else between them: only the player to move alternates.
    past[2] = past[6] = standing(pawns, 1 - position.turn)
    past[9] = position.seen[-1]
    return position._replace(seen=tuple(past))


def test_a_lost_player_takes_the_third_repetition() -> None:
    game, solution, count = game_of(3, 2), solution_of(3, 2), 0
    for position in positions(400, 3, 2, seed=80):
        winner, plies = solution.value(position)
        steps = [action for action in legal_actions(game.legal(position)) if action < game.squares]
        if winner == position.turn or plies is None:
            continue
        past = haunted(position, steps[0])
        outcome = game.outcome(game.apply(past, steps[0], TRAP))
        if outcome is None or outcome.reason != "third repetition":
            continue
        limit = Limit(depth=plies + SLACK)
        assert score_of(decision_of(engine(game), game, position, limit)) <= -CERTAIN
        decision = decision_of(engine(game), game, past, limit)
        assert (decision.action, score_of(decision)) == (steps[0], 0)
        count += 1
    assert count > 50


def test_a_winner_steers_clear_of_the_third_repetition() -> None:
    game, solution, count, certain = game_of(3, 2), solution_of(3, 2), 0, 0
    for position in positions(600, 3, 2, seed=81):
        winner, plies = solution.value(position)
        if winner != position.turn or plies is None or plies == 1:
            continue
        plain = decision_of(engine(game), game, position, Limit(depth=plies + SLACK))
        others = [action for action in legal_actions(game.legal(position)) if action != plain.action]
        values = [solution.value(game.apply(position, action, TRAP)) for action in others]
        later = [value.plies for value in values if value.winner == winner and value.plies is not None]
        if plain.action >= game.squares or not later:
            continue
        past = haunted(position, plain.action)
        decision = decision_of(engine(game), game, past, Limit(depth=min(later) + SLACK))
        # The other ways may lead back here, and so to a draw; most do not.
        if score_of(decision) >= CERTAIN:
            assert decision.action != plain.action
            certain += 1
        count += 1
    assert certain > count / 2 > 10


def test_what_is_not_yet_decided_is_drawn_only_by_who_is_behind() -> None:
    game, limit, count = game_of(), Limit(depth=5), [0, 0]
    agent = engine(game)
    for state in walled_states(90, 9, 12, (3, 3), seed=84):
        position = position_of(state)
        plain = decision_of(agent, game, position, limit)
        ahead = score_of(plain) > 0
        if not 150 < abs(score_of(plain)) < CERTAIN or plain.action >= game.squares:
            continue
        past = haunted(position, plain.action)
        assert game.outcome(game.apply(past, plain.action, TRAP)) is not None
        decision = decision_of(agent, game, past, limit)
        assert (decision.action == plain.action) == (score_of(decision) == 0)
        assert score_of(decision) >= 0 or ahead
        count[ahead] += score_of(decision) > 0 if ahead else decision.action == plain.action
    assert min(count) > 5, count


def shuffled(game: Quoridor, position: Position) -> int:
    """The step to the square where the mover's pawn stood most often: it waits for a draw."""
    stood = [square for square, player in standings(position) if player == position.turn]
    return max((move for move in legal_actions(game.legal(position)) if move < game.squares), key=stood.count)


def standings(position: Position) -> list[tuple[int, int]]:
    """The squares where the pawns stood since the last wall, with their players."""
    return [square for seen in position.seen for square in ((seen >> 9, 0), (seen >> 1 & 255, 1))]


@pytest.mark.parametrize("time_ms", [None, 60_000], ids=["without memory", "with memory"])
def test_a_proven_win_is_never_shuffled_into_a_draw(time_ms: int | None) -> None:
    game, limit, won, returns = game_of(), Limit(depth=6, time_ms=time_ms), 0, 0
    for state in walled_states(24, 9, 14, (3, 0), seed=83):
        agent, position = engine(game), position_of(state)
        score = score_of(decision_of(agent, game, position, limit))
        if abs(score) < CERTAIN:
            continue
        winner = position.turn if score > 0 else 1 - position.turn
        while (outcome := game.outcome(position)) is None:
            mine = position.turn == winner
            action = decision_of(agent, game, position, limit).action if mine else shuffled(game, position)
            returns += not mine and (action, position.turn) in standings(position)
            position = game.apply(position, action, TRAP)
            assert position.seen.count(position.seen[-1]) == 1
        assert outcome.scores[winner] == 1.0
        won += 1
    assert won > 5 < returns
