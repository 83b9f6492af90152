"""What a network sees is the position the mask comes from."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.seeding import generator
from ludex.games.skirmish.engine import branches, layout
from ludex.games.skirmish.engine import observing as see
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.position import Position
from tests.games.skirmish.support import MODES, arranged, deploying, random_play, shipped, texts, units_of

GENERAL_AT = len(layout.PHASES)
PLACEMENT_LEGAL = GENERAL_AT + 5
TO_MOVE = GENERAL_AT + 15
DEPLOYED, READY, ACTIVE, STATIC, STANDS = 0, 3, 4, slice(8, 13), 13
"""Numbers of a unit slot."""


def seen(game: Skirmish, position: Position, player: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Planes as [plane, hex number], and the row of numbers."""
    found = game.observe(game.view(position, player))
    return found["planes"].reshape(see.PLANES, -1), found["vector"]


def slots(game: Skirmish, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """[2, unit slots, numbers]: own slots first."""
    return vector[see.GENERAL :].reshape(2, game.table.unit_slots, see.UNIT_NUMBERS)


def hexes(plane: NDArray[np.float32]) -> set[int]:
    return set(plane.nonzero()[0].tolist())


def branch(game: Skirmish, mask: NDArray[np.bool_], which: int) -> NDArray[np.bool_]:
    begin = game.table.begins[which]
    return mask[begin : begin + game.table.sizes[which]]


def test_the_unit_observed_as_active_is_the_one_the_mask_acts_on() -> None:
    game = shipped("small")
    acted = 0
    for seed in range(6):
        for match in random_play(game, seed):
            position = match.state
            if match.over or position.phase == "deployment":
                continue
            mover = position.to_move
            planes, vector = seen(game, position, mover)
            own, enemy = slots(game, vector)
            states = list(units_of(game, position).values())
            first = 0 if mover == 0 else len(game.scenario.forces[0])
            assert not enemy[:, ACTIVE].any()
            if position.active is None:
                assert not planes[see.ACTIVE_UNIT].any()
                assert not own[:, ACTIVE].any()
                activates = branch(game, match.legal(), branches.ACTIVATE)
                assert (own[:, READY] == activates).all()
                # Whom the mask activates is whom the slot says.
                for slot in activates.nonzero()[0].tolist():
                    action = game.table.begins[branches.ACTIVATE] + slot
                    assert game.apply(position, action, generator(0, 0)).active == first + slot
            else:
                assert hexes(planes[see.ACTIVE_UNIT]) == {states[position.active].hex}
                assert own[:, ACTIVE].nonzero()[0].tolist() == [position.active - first]
                for action in branch(game, match.legal(), branches.MOVE).nonzero()[0].tolist():
                    moved = game.apply(position, game.table.begins[branches.MOVE] + action, generator(0, 0))
                    assert list(units_of(game, moved).values())[position.active].hex == action
                acted += 1
    assert acted > 100


def test_the_targeted_enemy_is_shown_while_a_unit_charges() -> None:
    game = shipped("small")
    words = {layout.ACTIVE: 0, layout.DOING: layout.CHARGING, layout.ROLLED: 7, layout.TARGET: 3}
    position = arranged(game, layout.CHARGE, {"01": (5, 2), "04": (5, 5)}, words=words)
    assert texts(game, position)
    for player in (0, 1):
        assert hexes(seen(game, position, player)[0][see.TARGETED]) == {game.scenario.grid.index(5, 5)}


@pytest.mark.parametrize("name", ["small", "default"])
def test_both_zones_are_fully_visible_through_the_whole_game(name: str) -> None:
    game = shipped(name)
    pools = [set(pool) for pool in game.scenario.pools]
    for match in random_play(game, 1):
        for player in (0, 1):
            planes, _ = seen(game, match.state, player)
            assert hexes(planes[see.OWN_ZONE]) == pools[player]
            assert hexes(planes[see.ENEMY_ZONE]) == pools[1 - player]


def test_unplaced_units_are_nowhere_on_the_planes() -> None:
    game = shipped("small")
    for seed in range(5):
        for match in random_play(game, seed):
            states = list(units_of(game, match.state).values())
            standing = [
                {
                    one.hex
                    for one, unit in zip(states, game.units, strict=True)
                    if unit.player == player and one.hex is not None
                }
                for player in (1, 2)
            ]
            for player in (0, 1):
                planes, vector = seen(game, match.state, player)
                assert hexes(planes[see.OWN]) == standing[player]
                assert hexes(planes[see.ENEMY]) == standing[1 - player]
                for base in (see.OWN, see.ENEMY):
                    for plane in range(base + 1, base + see.OF_A_UNIT):
                        assert hexes(planes[plane]) <= hexes(planes[base])
                own, enemy = slots(game, vector)
                assert own[:, STANDS].sum() == len(standing[player])
                assert enemy[:, STANDS].sum() == len(standing[1 - player])
                both = states[:3], states[3:]
                assert own[:, DEPLOYED].tolist() == [one.deployed for one in both[player]]


@pytest.mark.parametrize("name", ["small", "default"])
def test_the_encoding_of_a_slot_is_constant_during_an_episode(name: str) -> None:
    game = shipped(name)
    start = [slots(game, seen(game, game.initial(generator(0, 0)), player)[1])[:, :, STATIC] for player in (0, 1)]
    # Slots of unlike units look different, so that a swap would show.
    assert len({tuple(row) for row in start[0][0].tolist()}) > 2
    for seed in (1, 2):
        for match in random_play(game, seed):
            for player in (0, 1):
                now = slots(game, seen(game, match.state, player)[1])[:, :, STATIC]
                assert (now == start[player]).all()
    # One player's own slots are the other's enemy slots.
    assert (start[0][0] == start[1][1]).all()
    assert (start[0][1] == start[1][0]).all()


def test_the_player_to_move_is_flagged() -> None:
    game = shipped("small")
    fights_of_the_other = 0
    for seed in range(8):
        for match in random_play(game, seed):
            if match.over:
                continue
            for player in (0, 1):
                assert seen(game, match.state, player)[1][TO_MOVE] == (player == match.to_move)
            fights_of_the_other += match.to_move != match.state.words[layout.PLAYER]
    assert fights_of_the_other > 0


@pytest.mark.parametrize(("order", "confirmation"), MODES)
def test_the_placement_legal_flag_and_plane_equal_the_mask(order: str, confirmation: str, tmp_path: Path) -> None:
    game = deploying(tmp_path, order, confirmation)
    none_left = 0
    for seed in range(20):
        for match in random_play(game, seed):
            if match.state.phase != "deployment":
                break
            mover = match.to_move
            deploys = branch(game, match.legal(), branches.DEPLOY).reshape(game.table.unit_slots, -1)
            planes, vector = seen(game, match.state, mover)
            assert bool(vector[PLACEMENT_LEGAL]) == deploys.any()
            pool = game.scenario.pools[mover]
            assert hexes(planes[see.PLACEABLE]) == {pool[slot] for slot in deploys.any(axis=0).nonzero()[0].tolist()}
            assert not seen(game, match.state, 1 - mover)[0][see.PLACEABLE].any()
            none_left += not deploys.any()
        assert not seen(game, match.state, 0)[1][PLACEMENT_LEGAL]
    assert (none_left > 0) == (confirmation == "per_player")


def test_the_placement_legal_flag_is_off_where_only_pass_is_left() -> None:
    game = shipped("cramped")
    passes = 0
    for match in random_play(game, 0):
        if match.over:
            break
        flag = bool(seen(game, match.state, match.to_move)[1][PLACEMENT_LEGAL])
        assert flag == (texts(game, match.state) != {"pass"})
        passes += not flag
    assert passes > 0
