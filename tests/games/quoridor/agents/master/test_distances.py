"""Fields of distances, and the walls that bend or cut them, beside plain searches."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from ludex.games.quoridor.agents.master.race import FAR, bends, find_cuts, is_cut
from tests.games.quoridor.agents.master.support import codes, field_of, walled
from tests.games.quoridor.support import game_of, live_steps, row_of
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
    for _, _, state in live_steps(25, size, walls, seed=32):
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
    for game, _, state in live_steps(count, size, walls, seed=33):
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
