"""A scenario's tables say where hexes lie and which outputs mean what, as the engine and the seats have it."""

import numpy as np
import pytest

from ludex.core.seeding import generator
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.learning.network import geometry_of
from ludex.games.skirmish.rules.actions import DeployUnit
from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.hexes import STEPS
from tests.games.skirmish.support import random_play, shipped, units_of

SCENARIOS = ("small", "default", "people", "cramped")


@pytest.mark.parametrize("name", SCENARIOS)
def test_sizes_are_those_of_observations_and_actions(name: str) -> None:
    game = shipped(name)
    geometry = geometry_of(game)
    seen = game.observe(game.view(game.initial(generator(0, 0)), 0))
    assert geometry.observed == sum(array.size for array in seen.values())
    assert sum(geometry.branches) == game.info.num_actions
    assert geometry.hexes == game.scenario.grid.size
    assert (geometry.unit_slots, geometry.hex_slots) == (game.table.unit_slots, game.table.hex_slots)


@pytest.mark.parametrize("name", ["small", "default"])
def test_skewed_parts_all_hexes_and_neighbours_are_always_the_same_steps_away(name: str) -> None:
    game = shipped(name)
    geometry, grid = geometry_of(game), game.scenario.grid
    there = np.flatnonzero(geometry.exists)
    assert (geometry.exists == grid.exists).all()
    assert len(set(geometry.skewed[there].tolist())) == len(there)
    assert geometry.skewed.min() >= 0
    assert geometry.skewed.max() < geometry.cols * geometry.skewed_rows
    for where in there.tolist():
        q, r = divmod(int(geometry.skewed[where]), geometry.skewed_rows)
        for direction, (step_q, step_r) in enumerate(STEPS):
            neighbour = int(grid.neighbours[where, direction])
            if neighbour < 0:
                assert geometry.neighbours[where, direction] == geometry.hexes
                continue
            assert geometry.neighbours[where, direction] == neighbour
            assert divmod(int(geometry.skewed[neighbour]), geometry.skewed_rows) == (q + step_q, r + step_r)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_slot_is_the_hex_that_a_placement_there_shows_the_player(name: str) -> None:
    game = shipped(name)
    geometry, seat, orientation, grid = (
        geometry_of(game),
        SeatAdapter(game),
        half_turn(game.scenario),
        game.scenario.grid,
    )
    slots_seen: list[set[int]] = [set(), set()]
    for match in random_play(game, 3):
        if match.over or match.state.phase != "deployment":
            break
        mover, position = match.to_move, match.state
        mask = seat.mask(mover, game.legal(position))[: game.table.sizes[branches.DEPLOY]]
        for choice in np.flatnonzero(mask).tolist():
            slot = choice % game.table.hex_slots
            meaning = game.table.decode(position, seat.action(mover, choice))
            assert isinstance(meaning, DeployUnit)
            assert geometry.pools[mover, slot] == orientation.hexes[mover][grid.index(meaning.col, meaning.row)]
            slots_seen[mover].add(slot)
        if mask.any():
            # Once a ply, what is done and not only what is meant.
            choice = int(np.flatnonzero(mask)[-1])
            after = units_of(game, game.apply(position, seat.action(mover, choice), generator(0, 1)))
            before = units_of(game, position)
            (moved,) = (one.hex for name, one in after.items() if one.hex != before[name].hex)
            assert geometry.pools[mover, choice % game.table.hex_slots] == orientation.hexes[mover][moved]
    for player, pool in enumerate(game.scenario.pools):
        assert slots_seen[player] == set(range(len(pool)))
        assert not geometry.pools[player, len(pool) :].any()
