"""What compiled rules of Skirmish show a network, and that a batched search plays by them; the rest is conformance."""

import numpy as np
import pytest

from ludex.core.compiled import compiled_rules
from ludex.core.seeding import generator
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.rules.engine.observation import GENERAL, PLANES
from ludex.search.batched import BatchedSearch, SearchOptions, know_nothing, positions_of
from tests.games.skirmish.support import random_play, shipped

pytestmark = pytest.mark.slow

SEED = 5


def test_a_network_sees_what_the_contract_shows_from_the_movers_end() -> None:
    game = shipped("small")
    rules, seat = compiled_rules(game), SeatAdapter(game)
    assert rules is not None
    assert rules.orientation is not None
    movers = set()
    for match in random_play(game, SEED):
        if match.over:
            break
        mover = match.to_move
        movers.add((match.state.phase == "deployment", mover))
        observation, mask = np.full(rules.observation_shape, np.nan, np.float32), np.zeros(rules.action_size, np.uint8)
        state = rules.pack(match.state)
        rules.observe(rules.constants, state, observation.ravel())
        rules.legal(rules.constants, state, mask)
        expected = seat.observe(game.view(match.state, mover))
        row = expected["vector"]
        padded = np.zeros(observation[PLANES + GENERAL :].size, np.float32)
        padded[: len(row)] = row
        assert np.array_equal(observation[:PLANES], expected["planes"])
        assert all((plane == number).all() for plane, number in zip(observation[PLANES:], row[:GENERAL], strict=False))
        assert np.array_equal(observation[PLANES + GENERAL :].ravel(), padded)
        assert np.array_equal(mask[rules.orientation[mover]] != 0, seat.mask(mover, match.legal()))
    assert len(movers) == 4


def test_games_of_a_batched_search_roll_the_dice_of_a_match() -> None:
    game = shipped("small")
    search = BatchedSearch(positions_of(game, 1), 1, SearchOptions(simulations=4, rule="puct", considered=1), SEED)
    position = game.initial(generator(SEED, 0))
    for ply in range(1, 200):
        assert search.position(0).packed == position.packed
        if ply % 50 == 0:
            result = search.run(know_nothing)
            assert (result.visits[0].sum(), game.legal(position)[result.visits[0] > 0].all()) == (4, True)
        action = int(np.flatnonzero(game.legal(position))[ply % int(game.legal(position).sum())])
        if search.advance(np.array([action])).finished[0]:
            return
        position = game.apply(position, action, generator(SEED, ply))
    assert position.phase != "deployment"


def test_a_board_whose_deployment_deadlocks_has_none() -> None:
    assert compiled_rules(shipped("cramped")) is None
