"""The learned evaluation: features, sums kept along a line, and whole numbers beside plain arithmetic."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.game import legal_actions
from ludex.games.quoridor.agents.master.moves import HORIZONTAL, NO_MOVE, code_of
from ludex.games.quoridor.agents.master.network import (
    BUCKET_WALLS,
    BUCKETS,
    FEATURES,
    HIDDEN,
    MOST_FEATURES,
    MY_PAWN,
    NEAR_ME,
    NEAR_THEM,
    NET_LAYOUT,
    POINTS,
    STANDING,
    UNITS,
    WALL_AT,
    WIDTH,
    Network,
    judge_after,
    list_features,
    load_weights,
    save_weights,
    sum_after,
    sum_from_nothing,
)
from ludex.games.quoridor.agents.master.transposition_table import CERTAIN
from ludex.games.quoridor.rules.board import geometry
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import LEFT, TURN, words
from tests.games.quoridor.support import game_of, live_steps, row_of
from tests.games.support import TRAP
from tests.reference import quoridor as reference
from tests.reference.quoridor import State

pytestmark = pytest.mark.slow

Row = NDArray[np.uint64]


def random_weights(seed: int, scale: float = 1.0) -> dict[str, NDArray[np.float32]]:
    """Weights of the size that training gives them, times `scale`."""
    rng = np.random.default_rng(seed)
    spreads = {"rows": 0.1, "bias": 0.1, "middle": 0.2, "middle_bias": 0.1, "out": 0.5 * scale, "out_bias": 0.2}
    return {name: rng.normal(0, spreads[name], NET_LAYOUT[name].shape).astype(np.float32) for name in UNITS}


def network_of(weights: dict[str, NDArray[np.float32]]) -> Network:
    return load_weights(save_weights(weights), "random")


def network(seed: int, scale: float = 1.0) -> Network:
    return network_of(random_weights(seed, scale))


def steps_of(row: Row) -> tuple[int, int]:
    """The distances of the mover and of the other."""
    turn = int(row[TURN])
    return distance(row, turn, 9, geometry(9)), distance(row, 1 - turn, 9, geometry(9))


def features_of(row: Row) -> list[int]:
    out = np.full(MOST_FEATURES, FEATURES, np.int16)
    count = list_features(row, int(row[TURN]), *steps_of(row), out)
    return [int(feature) for feature in out[:count]]


def judged(net: Network, row: Row) -> int:
    """The score from nothing."""
    sum_from_nothing(net, row, 0)
    return int(judge_after(net, row, 1, NO_MOVE, *steps_of(row)))


# Features


def turned(state: State) -> State:
    """The board rotated by 180°, and the colours swapped: the same position to the mover."""
    size = state.size

    def wall(text: str) -> str:
        col, row = reference.square(text[:-1])
        return reference.name((size - 2 - col, size - 2 - row)) + text[-1]

    (one, two), (mine, theirs) = state.pawns, state.left
    return State(
        size,
        ((size - 1 - two[0], size - 1 - two[1]), (size - 1 - one[0], size - 1 - one[1])),
        frozenset(map(wall, state.walls)),
        (theirs, mine),
        1 - state.turn,
    )


def test_a_position_turned_round_with_colours_swapped_is_the_same_to_the_mover() -> None:
    net = network(61)
    for _, _, state in live_steps(300, 9, 10, seed=61):
        row, other = row_of(state), row_of(turned(state))
        assert sorted(features_of(row)) == sorted(features_of(other))
        assert features_of(row)[:STANDING] == features_of(other)[:STANDING]
        assert judged(net, row) == judged(net, other)


def test_every_feature_lies_in_its_own_part_and_none_occurs_twice() -> None:
    by_features: dict[tuple[int, ...], State] = {}
    for _, _, state in live_steps(400, 9, 10, seed=61):
        features = features_of(row_of(state))
        assert len(features) == len(set(features)) == STANDING + 3 * len(state.walls)
        assert all(MY_PAWN <= feature < NEAR_ME for feature in features[:STANDING])
        assert all(WALL_AT <= feature < MY_PAWN for feature in features[STANDING::3])
        assert all(NEAR_ME <= feature < NEAR_THEM for feature in features[STANDING + 1 :: 3])
        assert all(NEAR_THEM <= feature < FEATURES for feature in features[STANDING + 2 :: 3])
        # The same features mean the same position, seen by the mover.
        own_view = state if state.turn == 0 else turned(state)
        assert by_features.setdefault(tuple(sorted(features)), own_view) == own_view
    assert len(by_features) > 300


def test_a_wall_by_a_pawn_is_encoded_by_its_direction_and_its_offset_alone() -> None:
    offsets: dict[int, tuple[str, int, int]] = {}
    for _, _, state in live_steps(400, 9, 10, seed=61):
        own_view = state if state.turn == 0 else turned(state)
        features = features_of(row_of(own_view))
        for player, start in ((0, STANDING + 1), (1, STANDING + 2)):
            col, row = own_view.pawns[player]
            apart = []
            for wall in own_view.walls:
                x, y = reference.square(wall[:-1])
                apart.append((f"{player}{wall[-1]}", x - col, y - row))
            # In the order of the kernel: horizontal walls first, row by row.
            apart.sort(key=lambda entry: (entry[0], entry[2], entry[1]))
            for feature, offset in zip(features[start::3], apart, strict=True):
                assert offsets.setdefault(feature, offset) == offset
    assert len(set(offsets.values())) == len(offsets) > 400


# Whole numbers


def plain_score(net: Network, row: Row) -> int:
    """The score in plain arithmetic over the listed features."""
    bucket = min(BUCKETS - 1, (int(row[LEFT]) + int(row[LEFT + 1])) // BUCKET_WALLS)
    middle, middle_bias, out, out_bias = (
        getattr(net, name)[bucket].astype(np.int64) for name in ("middle", "middle_bias", "out", "out_bias")
    )
    summed = net.rows[features_of(row)].sum(axis=0, dtype=np.int64) + net.bias
    mixed = np.maximum(summed, 0) @ middle + middle_bias
    total = int(np.maximum(mixed, 0) @ out + out_bias)
    return max(1 - CERTAIN, min(CERTAIN - 1, total * POINTS // UNITS["out_bias"]))


@pytest.mark.parametrize("seed", range(3))
def test_a_score_is_the_one_of_plain_arithmetic(seed: int) -> None:
    net = network(seed)
    scores = []
    for _, _, state in live_steps(150, 9, 10, seed=61):
        row = row_of(state)
        scores.append(judged(net, row))
        assert scores[-1] == plain_score(net, row)
    assert len(set(scores)) > 100


def test_no_learned_score_is_as_certain_as_a_win() -> None:
    net = network(5, scale=1000)
    scores = {judged(net, row_of(state)) for _, _, state in live_steps(100, 9, 10, seed=61)}
    assert scores <= set(range(1 - CERTAIN, CERTAIN))
    assert scores & {1 - CERTAIN, CERTAIN - 1}
    for _, _, state in live_steps(30, 9, 10, seed=61):
        assert judged(net, row_of(state)) == plain_score(net, row_of(state))


# Sums kept along a line


class Ply(NamedTuple):
    row: Row
    via: int


def line(seed: int) -> Iterator[Ply]:
    """A random line with steps, jumps, walls and passed turns; the pawns are led to each other, so that they jump."""
    rng, game = random.Random(seed), game_of()
    position = game.initial(TRAP)
    yield Ply(words(position, 9), NO_MOVE)
    for _ in range(NET_LAYOUT["sums"].shape[0] - 2):
        if rng.random() < 0.15:
            position = position._replace(turn=1 - position.turn, seen=())
            yield Ply(words(position, 9), NO_MOVE)
            continue
        actions = legal_actions(game.legal(position._replace(seen=(0,))))
        wall = rng.random() < 0.3
        wanted = [action for action in actions if (action >= 81) == wall] or actions
        if not wall:
            other = position.pawns[1 - position.turn]
            wanted = sorted(wanted, key=lambda action: apart(action, other))[:2]
        action = rng.choice(wanted)
        after = game.apply(position._replace(seen=(0,)), action, TRAP)
        if game.outcome(after._replace(seen=(0,))) is not None:
            return
        position = after
        yield Ply(words(position, 9), code_of(action, 9))


def apart(one: int, two: int) -> int:
    return abs(one % 9 - two % 9) + abs(one // 9 - two // 9)


@pytest.mark.parametrize("seed", range(8))
def test_sums_kept_along_a_line_are_those_from_nothing(seed: int) -> None:
    net, fresh = network(seed), network(seed)
    kinds = set()
    before: Row | None = None
    for ply, (row, via) in enumerate(line(seed)):
        mine, theirs = steps_of(row)
        sum_from_nothing(fresh, row, ply)
        expected = judge_after(fresh, row, ply + 1, NO_MOVE, mine, theirs)
        if before is None:
            sum_from_nothing(net, row, ply)
        else:
            # What a leaf sees without sums of its own, then with them.
            assert judge_after(net, row, ply, via, mine, theirs) == expected
            sum_after(net, row, ply, via)
            kinds.add("pass" if via == NO_MOVE else "wall" if via >= HORIZONTAL else kind_of_step(before, row))
        assert (net.sums[ply] == fresh.sums[ply]).all()
        assert judge_after(net, row, ply + 1, NO_MOVE, mine, theirs) == expected == plain_score(net, row)
        before = row
    assert {"pass", "wall", "step"} <= kinds


def kind_of_step(before: Row, after: Row) -> str:
    mover = int(before[TURN])
    return "step" if apart(int(before[8 + mover]), int(after[8 + mover])) == 1 else "jump"


# Files


def test_weights_are_rounded_to_whole_numbers_and_come_back() -> None:
    weights = random_weights(69)
    record = network(69)
    for name, unit in UNITS.items():
        error = getattr(record, name).astype(np.float64) / unit - weights[name]
        assert float(np.abs(error).max()) <= 0.5 / unit + 1e-9
    assert record.rows.shape == (FEATURES, WIDTH)
    assert record.middle.shape == (BUCKETS, WIDTH, HIDDEN)
