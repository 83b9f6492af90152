"""`master` as a player: legal, repeatable, within its limits, and clear in its reports."""

import random
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from ludex.core.decision import Decision
from ludex.core.limit import Limit
from ludex.core.match import play
from ludex.games.quoridor.agents.master.moves import MOVE_CODES, NO_MOVE, key_of, zobrist
from ludex.games.quoridor.agents.master.transposition_table import EXACT, MOST_GENERATIONS, store
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.position import Position, words
from ludex.kernels.jit import to_word
from tests.games.quoridor.agents.master.support import decision_of, engine, positions, reports, score_of, untimed
from tests.games.quoridor.support import at, game_of, live_steps, played
from tests.games.support import TRAP


def assert_lines_are_legal(game: Quoridor, position: Position, decision: Decision) -> int:
    """Play every candidate's line; returns the length of the longest."""
    for candidate in decision.candidates:
        assert candidate.line[0] == candidate.action
        after = position
        for action in candidate.line:
            assert game.legal(after)[action]
            after = game.apply(after, action, TRAP)
    return max(len(candidate.line) for candidate in decision.candidates)


def nodes_of(decision: Decision) -> int:
    nodes = decision.stats["nodes"]
    assert isinstance(nodes, int)
    return nodes


# Legal


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 9])
def test_with_hardly_a_node_there_is_a_legal_move(nodes: int) -> None:
    for size, walls in ((3, 2), (5, 4), (9, 10)):
        game = game_of(size, walls)
        agent = engine(game, net="none", multipv=3)
        for position in positions(30, size, walls, seed=91):
            assert game.legal(position)[decision_of(agent, game, position, Limit(nodes=nodes)).action]


@pytest.mark.parametrize(("size", "walls", "depth"), [(3, 2, 10), (5, 4, 6), (9, 10, 4), (11, 12, 3)])
def test_lines_are_legal_move_by_move(size: int, walls: int, depth: int) -> None:
    game = game_of(size, walls)
    agent = engine(game, multipv=3)
    longest = 0
    for game_position in live_steps(20, size, walls, seed=92):
        position = game_position.position
        for decision in reports(agent, game, position, depth=depth):
            longest = max(longest, assert_lines_are_legal(game, position, decision))
    assert longest > depth / 2


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls"), [(3, 2), (5, 4), (9, 10)])
def test_a_move_of_the_table_that_does_not_fit_is_never_played(size: int, walls: int) -> None:
    game, rng, words_of_keys = game_of(size, walls), random.Random(93), zobrist()
    for position in positions(12, size, walls, seed=93):
        agent = engine(game, net="none")
        clean = decision_of(engine(game, net="none"), game, position, Limit(depth=3))
        spoil(agent, game, position, lambda: rng.randrange(NO_MOVE, MOVE_CODES), words_of_keys)
        decision = decision_of(agent, game, position, Limit(depth=3))
        assert game.legal(position)[decision.action]
        assert_lines_are_legal(game, position, decision)
        assert decision.stats["depth"] == clean.stats["depth"]


def spoil(
    agent: object, game: Quoridor, position: Position, drawn: Callable[[], int], random_words: np.ndarray
) -> None:
    """Store a random move in the engine's table for the position and for those one and two plies later."""
    table, generation = agent._table, agent._generation + 1  # type: ignore[attr-defined]
    layer = [position]
    for _ in range(3):
        for value in layer:
            key = to_word(key_of(words(value, game.size), random_words))
            store(table, key, drawn(), 0, 0, EXACT, 0, generation, generation)
        following = [
            game.apply(value, int(action), TRAP)
            for value in layer[:12]
            if game.outcome(value) is None
            for action in np.flatnonzero(game.legal(value))
        ]
        layer = following


# The same every time


@pytest.mark.parametrize("between", [254, 255, 256, 511])
def test_a_long_used_engine_decides_like_a_fresh_one(between: int) -> None:
    game = game_of(5, 4)
    used, position, other = engine(game), played("c2 c4", game), played("b1 b5 b1h", game)
    expected = untimed(decision_of(used, game, position, Limit(depth=6)))
    for _ in range(between):
        decision_of(used, game, other, Limit(depth=1))
    assert untimed(decision_of(used, game, position, Limit(depth=6))) == expected


def test_an_engine_whose_decisions_are_numbered_anew_decides_like_a_fresh_one() -> None:
    game = game_of(5, 4)
    used = engine(game)
    used._generation = MOST_GENERATIONS - 4
    for position in positions(8, 5, 4, seed=94):
        for _ in range(2):
            expected = untimed(decision_of(engine(game), game, position, Limit(depth=4)))
            assert untimed(decision_of(used, game, position, Limit(depth=4))) == expected
    assert 0 < used._generation < 20


def test_two_agents_of_one_match_do_not_disturb_each_other() -> None:
    game = game_of(5, 4)
    matches = [play(game, [engine(game), engine(game)], seed=1, limit=Limit(nodes=200))]
    first = engine(game)
    matches.append(play(game, [first, first], seed=1, limit=Limit(nodes=200)))
    assert matches[0].actions == matches[1].actions


# Limits


@pytest.mark.parametrize("nodes", [1, 10, 100, 1000, 20_000])
def test_a_node_limit_is_kept(nodes: int) -> None:
    game = game_of()
    position = played("e2 e8 e3 e7")
    first = nodes_of(decision_of(engine(game), game, position, Limit(depth=1)))
    spent = nodes_of(decision_of(engine(game), game, position, Limit(nodes=nodes)))
    # The first depth is finished in any case: there is always a move.
    assert max(first, nodes / 2) <= spent <= max(first, nodes)


def test_without_a_limit_the_effort_is_the_limit() -> None:
    game = game_of()
    decision = decision_of(engine(game, effort=500), game, game.initial(TRAP), Limit())
    assert untimed(decision) == untimed(decision_of(engine(game), game, game.initial(TRAP), Limit(nodes=500)))


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_depth_limit_is_kept(depth: int) -> None:
    game = game_of()
    reported = reports(engine(game), game, played("e2 e8"), depth=depth)
    assert [decision.stats["depth"] for decision in reported] == list(range(1, depth + 1))


@pytest.mark.slow
def test_a_time_limit_is_kept() -> None:
    game = game_of()
    agent = engine(game)
    spent = []
    for position in positions(5, 9, 10, seed=95):
        begin, worked = time.perf_counter(), time.process_time()
        decision = decision_of(agent, game, position, Limit(time_ms=100))
        assert time.perf_counter() - begin > 0.05
        spent.append(time.process_time() - worked)
        assert game.legal(position)[decision.action]
    # What it worked beyond its time, whoever else has the core.
    assert sorted(spent)[2] < 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls"), [(9, 10), (11, 12)])
def test_a_raised_flag_ends_the_search_at_once(size: int, walls: int) -> None:
    game = game_of(size, walls)
    agent = engine(game, net="none")
    decision_of(agent, game, game.initial(TRAP), Limit(depth=1))
    late = []
    for position in positions(3, size, walls, seed=96):
        limit = Limit(depth=64)
        raised: list[float] = []

        def stop(limit: Limit = limit, raised: list[float] = raised) -> None:
            raised.append(time.process_time())
            limit.stop[0] = 1

        timer = threading.Timer(0.05, stop)
        timer.start()
        decision = decision_of(agent, game, position, limit)
        late.append(time.process_time() - raised[0])
        timer.join()
        assert game.legal(position)[decision.action]
        assert_lines_are_legal(game, position, decision)
    assert sorted(late)[1] < 0.5


def test_a_flag_that_was_raised_before_leaves_one_depth() -> None:
    game = game_of()
    limit = Limit(depth=30, stop=np.ones(1, np.uint8))
    for position in positions(10, 9, 10, seed=97):
        decision = decision_of(engine(game), game, position, limit)
        assert game.legal(position)[decision.action]
        assert decision.candidates


# What it says


def test_every_depth_is_reported_and_the_last_is_the_decision() -> None:
    game = game_of(5, 4)
    for position in positions(10, 5, 4, seed=98):
        reported = reports(engine(game), game, position, depth=6)
        assert [decision.stats["depth"] for decision in reported] == list(range(1, len(reported) + 1))
        nodes = [nodes_of(decision) for decision in reported]
        assert nodes == sorted(nodes)
        for decision in reported:
            assert decision.action == decision.candidates[0].action
            assert decision.stats["score"] == score_of(decision)
            assert decision.value is not None
            assert -1 <= decision.value <= 1
            assert f" {game.action_text(position, decision.action)} " in f" {decision.note}"


@pytest.mark.parametrize(
    ("position", "depth", "note"),
    [
        (at("a8", "i4", left=(3, 0)), 1, "a9 wins in 1 ply"),
        (at("a7", "i7", left=(0, 0)), 4, "a8 wins in 3 plies"),
        (at("i8", "a5", turn=1, left=(0, 0)), 6, "loses in 2 plies"),
    ],
)
def test_certain_ends_are_announced(position: Position, depth: int, note: str) -> None:
    decision = decision_of(engine(game_of(), net="none"), game_of(), position, Limit(depth=depth))
    assert decision.note.endswith(note)


def test_a_settled_search_does_not_go_deeper() -> None:
    game = game_of(3, 0)
    decision = decision_of(engine(game), game, at("a2", "c2", left=(0, 0), size=3), Limit(depth=40))
    assert decision.stats["depth"] == 1
    assert (decision.value, decision.note) == (1.0, "a3 wins in 1 ply")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls", "depth", "count"), [(3, 2, 6, 60), (5, 4, 4, 40), (9, 10, 4, 15)])
def test_several_lines_are_distinct_and_fall(size: int, walls: int, depth: int, count: int) -> None:
    game = game_of(size, walls)
    for position in positions(count, size, walls, seed=99):
        for decision in reports(engine(game, multipv=4), game, position, depth=depth):
            scores = [candidate.score for candidate in decision.candidates]
            assert scores == sorted(scores, key=lambda score: -(score or 0))
            actions = [candidate.action for candidate in decision.candidates]
            assert len(set(actions)) == len(actions) == min(4, int(game.legal(position).sum()))
            assert decision.action == actions[0]
            assert_lines_are_legal(game, position, decision)


def test_lines_of_unequal_depth_are_never_mixed() -> None:
    """A limit ends most searches in the middle of a depth, when some lines have reached it and others have not."""
    game = game_of()
    agent = engine(game, net="none", multipv=5)
    for position in positions(12, 9, 10, seed=101):
        for nodes in (300, 1000, 3000):
            decision = decision_of(agent, game, position, Limit(nodes=nodes))
            scores = [candidate.score or 0.0 for candidate in decision.candidates]
            assert scores == sorted(scores, reverse=True)
            assert decision.action == decision.candidates[0].action
            assert len(scores) == min(5, int(game.legal(position).sum()))


@pytest.mark.slow
def test_the_best_of_several_lines_is_that_of_one() -> None:
    # Deeper, the other lines leave entries in the table, and the search of the best one may take another way.
    game = game_of()
    for position in positions(30, 9, 10, seed=100):
        single = decision_of(engine(game), game, position, Limit(depth=1))
        many = decision_of(engine(game, multipv=5), game, position, Limit(depth=1))
        assert many.candidates[0] == single.candidates[0]


def test_the_table_is_as_large_as_the_option_says() -> None:
    assert engine(game_of(3, 2), hash=2)._table.nbytes == 2 * 2**20
