"""What the search stands on: moves, keys of positions, and distances."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from ludex.core.game import legal_actions
from ludex.games.quoridor.agents.master.moves import MOVE_CODES, action_of, code_of, key_after, key_of, make, zobrist
from ludex.games.quoridor.agents.master.race import FAR, bends, find_cuts, is_cut
from ludex.games.quoridor.rules.position import LEFT, PAWN, STATE_WORDS, TURN, H, V, starting, words
from ludex.kernels.jit import to_word
from tests.games.quoridor.agents.master.support import codes, field_of, walled
from tests.games.quoridor.support import game_of, live_steps, row_of, walk
from tests.games.support import TRAP
from tests.reference import quoridor as reference
from tests.reference.quoridor import Square, State
from tests.sizes import sampled

BOARDS = [(3, 4), (5, 8), (9, 20), (11, 30)]


def wild_states(count: int, size: int, seed: int) -> Iterator[State]:
    """Positions with pockets that no pawn can leave."""
    rng = random.Random(seed)
    for number in range(count):
        yield reference.start(size, 0)._replace(walls=walled(rng, size, number % (size * size)))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls"), BOARDS)
def test_a_field_holds_the_steps_from_every_square(size: int, walls: int) -> None:
    states = [step.state for step in live_steps(60, size, walls, seed=31)]
    far = 0
    for state in [*states, *wild_states(60, size, seed=31)]:
        for player in (0, 1):
            field = field_of(state, player)
            steps = reference.goal_distances(size, state.walls, player)
            assert field[: size * size].tolist() == [steps.get(at, FAR) for at in reference.all_squares(size)]
            assert set(field[size * size :].tolist()) == {FAR}
            far += len(steps) < size * size
    assert far > 0


@pytest.mark.parametrize(("size", "walls"), BOARDS)
def test_a_wall_that_does_not_bend_a_field_leaves_it_as_it_is(size: int, walls: int) -> None:
    rng = random.Random(32)
    straight, bent, changed = 0, 0, 0
    for _, _, state in live_steps(25, size, walls, seed=31):
        free = [wall for wall in reference.all_walls(size) if reference.fits(wall, state.walls)]
        for wall in rng.sample(free, min(len(free), 20)):
            for player in (0, 1):
                before = field_of(state, player)
                same = bool((field_of(state._replace(walls=state.walls | {wall}), player) == before).all())
                if bends(before, codes(size)[wall], size):
                    bent += 1
                    changed += not same
                else:
                    straight += 1
                    assert same
    # Most walls that bend a field do change it: the question is worth asking.
    assert straight > 20
    assert changed > bent / 2


def shortest_edges(state: State, player: int) -> set[frozenset[Square]]:
    """The edges of all shortest paths of a player."""
    graph = reference.ways(state.size, state.walls)
    away = reference.distances(graph, [state.pawns[player]])
    left = reference.goal_distances(state.size, state.walls, player)
    whole = left[state.pawns[player]]
    pairs = ((here, there) for here in away for there in graph[here] if there in left)
    return {frozenset(pair) for pair in pairs if away[pair[0]] + 1 + left[pair[1]] == whole}


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls"), BOARDS)
@pytest.mark.parametrize("count", sampled(12, 40))
def test_cuts_are_the_walls_on_shortest_paths_and_no_other_lengthens_one(size: int, walls: int, count: int) -> None:
    cuts = np.empty(4, np.uint64)
    rng, lengthened = random.Random(33), 0
    for game, _, state in live_steps(count, size, walls, seed=31):
        row = row_of(state)
        for player in (0, 1):
            col, up = state.pawns[player]
            find_cuts(row, up * size + col, size, game.geometry, field_of(state, player), cuts)
            edges = shortest_edges(state, player)
            cutting = {wall for wall in reference.all_walls(size) if is_cut(cuts, codes(size)[wall])}
            assert cutting == {wall for wall in reference.all_walls(size) if edges & set(reference.edges(wall))}
            steps = reference.distance(state, player)
            free = [wall for wall in reference.all_walls(size) if reference.fits(wall, state.walls)]
            for wall in rng.sample(free, min(len(free), 20)):
                after = reference.distance(state._replace(walls=state.walls | {wall}), player)
                assert after == steps or wall in cutting
                lengthened += after != steps
    assert lengthened > 20


def test_a_pawn_on_its_goal_has_nothing_to_cut() -> None:
    state = reference.start(5, 2)._replace(pawns=((2, 4), (2, 2)))
    cuts = np.ones(4, np.uint64)
    find_cuts(row_of(state), 22, 5, game_of(5).geometry, field_of(state, 0), cuts)
    assert cuts.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("size", range(3, 12))
def test_every_action_has_a_code_of_its_own_and_comes_back_from_it(size: int) -> None:
    actions = range(game_of(size).info.num_actions)
    written = [code_of(action, size) for action in actions]
    assert len(set(written)) == len(actions)
    assert all(0 <= code < MOVE_CODES for code in written)
    assert [action_of(code, size) for code in written] == list(actions)


@pytest.mark.parametrize(("size", "walls"), [(3, 2), (5, 4), (9, 10), (11, 12)])
def test_a_move_leads_where_the_rules_say(size: int, walls: int) -> None:
    rng = random.Random(34)
    after = np.empty(STATE_WORDS, np.uint64)
    for game, position, _ in live_steps(60, size, walls, seed=31):
        for action in rng.choices(legal_actions(game.legal(position)), k=3):
            make(words(position, size), code_of(action, size), size, after)
            assert after.tolist() == words(game.apply(position, action, TRAP), size).tolist()


RANDOM = zobrist()


@pytest.mark.parametrize(("size", "walls"), [(3, 2), (5, 6), (9, 10), (11, 40)])
def test_a_key_kept_move_by_move_is_the_key_from_nothing(size: int, walls: int) -> None:
    game, rng = game_of(size, walls), random.Random(35)
    for number in range(12):
        position = game.initial(TRAP)
        key = to_word(key_of(words(position, size), RANDOM))
        while actions := legal_actions(game.legal(position)):
            wanted = [action for action in actions if (action >= game.squares) == (rng.random() < number / 11)]
            action = rng.choice(wanted or actions)
            key = to_word(key_after(key, words(position, size), code_of(action, size), RANDOM))
            position = game.apply(position, action, TRAP)
            assert key == key_of(words(position, size), RANDOM)


@pytest.mark.slow
def test_different_positions_have_different_keys() -> None:
    standing: dict[tuple[int, ...], int] = {}
    for seed in range(40):
        for _, position, _ in walk(seed, 9, 10, 0.5):
            row = words(position, 9)
            standing[tuple(row.tolist())] = key_of(row, RANDOM)
    assert len(standing) > 1500
    assert len(set(standing.values())) == len(standing)


def test_everything_that_stands_or_is_in_stock_matters() -> None:
    changes = [(TURN, 1), (PAWN, 1), (PAWN + 1, 1), (LEFT, 1), (LEFT + 1, 1), (H, 2), (H + 1, 4), (V, 2), (V + 1, 4)]
    for _, position, _ in live_steps(100, 11, 12, seed=31):
        row = words(position, 11)
        keys = {key_of(row, RANDOM)}
        for word, bits in changes:
            changed = row.copy()
            changed[word] ^= to_word(bits)
            keys.add(key_of(changed, RANDOM))
        assert len(keys) == len(changes) + 1


def test_every_stock_and_every_square_of_either_player_has_its_own_word() -> None:
    keys = set()
    for player in (0, 1):
        for word, count in ((LEFT, 51), (PAWN, 121)):
            for value in range(count):
                row = words(starting(11, 0), 11)
                row[word + player] = value
                keys.add(key_of(row, RANDOM))
    # The position itself is met once for each of the four words.
    assert len(keys) == 2 * (51 + 121) - 3


def test_the_words_are_the_same_every_time_and_all_different() -> None:
    assert zobrist().tolist() == RANDOM.tolist()
    assert len(set(RANDOM.tolist())) == len(RANDOM)
