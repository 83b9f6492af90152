"""What a network sees is the position the mask comes from."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.seeding import generator
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine import observation as see
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import (
    BOARD,
    GAME,
    MODES,
    SCENARIO,
    TYPES,
    WEAPONS,
    deploying,
    random_play,
    shipped,
    terrible,
    units_of,
    variant,
)
from tests.reference.skirmish_danger import Onlooker
from tests.sizes import sampled

GENERAL_AT = len(layout.PHASES)
PLACEMENT_LEGAL = GENERAL_AT + 5
TO_MOVE = GENERAL_AT + 15
DEPLOYED, READY, ACTIVE, STATIC, STANDS = 0, 3, 4, slice(8, 13), 13
"""Numbers of a unit slot."""
CLOSE = 2e-6
"""What sums of single precision may be off."""


def seen(game: Skirmish, position: Position, player: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Planes as [plane, hex number], and the row of numbers."""
    observation = game.observe(game.view(position, player))
    return observation["planes"].reshape(see.PLANES, -1), observation["vector"]


def slots(game: Skirmish, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """[2, unit slots, numbers]: own slots first."""
    return vector[see.GENERAL :].reshape(2, game.table.unit_slots, see.UNIT_NUMBERS)


def hexes(plane: NDArray[np.float32]) -> set[int]:
    return set(plane.nonzero()[0].tolist())


def branch(game: Skirmish, mask: NDArray[np.bool_], which: int) -> NDArray[np.bool_]:
    begin = game.table.begins[which]
    return mask[begin : begin + game.table.sizes[which]]


@pytest.mark.slow
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
                # The mask activates the unit of the slot.
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small", "default"])
def test_both_zones_are_fully_visible_through_the_whole_game(name: str) -> None:
    game = shipped(name)
    pools = [set(pool) for pool in game.scenario.pools]
    for match in random_play(game, 1):
        for player in (0, 1):
            planes, _ = seen(game, match.state, player)
            assert hexes(planes[see.OWN_ZONE]) == pools[player]
            assert hexes(planes[see.ENEMY_ZONE]) == pools[1 - player]


@pytest.mark.slow
def test_unplaced_units_are_nowhere_on_the_planes() -> None:
    game = shipped("small")
    for seed in range(5):
        for match in random_play(game, seed):
            states = list(units_of(game, match.state).values())
            standing = [
                {
                    state.hex
                    for state, unit in zip(states, game.units, strict=True)
                    if unit.player == player and state.hex is not None
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
                assert own[:, DEPLOYED].tolist() == [state.deployed for state in both[player]]


@pytest.mark.slow
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


@pytest.mark.slow
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
            assert hexes(planes[see.PLACEABLE]) == {pool[slot] for slot in np.flatnonzero(deploys.any(axis=0)).tolist()}
            assert not seen(game, match.state, 1 - mover)[0][see.PLACEABLE].any()
            none_left += not deploys.any()
        assert not seen(game, match.state, 0)[1][PLACEMENT_LEGAL]
    assert (none_left > 0) == (confirmation == "per_player")


def compare_numbers(game: Skirmish, seeds: range, every: int) -> NDArray[np.int64]:
    """Compare the numbers of units with the reference; how often each number said something."""
    counts = np.zeros(see.UNIT_NUMBERS, np.int64)
    for seed in seeds:
        for match in random_play(game, seed):
            if match.ply % every:
                continue
            for player in (0, 1):
                onlooker = Onlooker(game, match.state, player)
                rows = slots(game, seen(game, match.state, player)[1])
                for side, force_of in enumerate((player, 1 - player)):
                    first = 0 if force_of == 0 else len(game.scenario.forces[0])
                    count = len(game.scenario.forces[force_of])
                    assert not rows[side, count:].any()
                    for slot, unit in enumerate(range(first, first + count)):
                        expected = _numbers(onlooker, unit)
                        np.testing.assert_allclose(rows[side, slot, see.PLACE :], expected, rtol=0.0, atol=CLOSE)
                counts += (rows > 0).any(axis=(0, 1))
    return counts[see.PLACE :]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seeds", "every"),
    [
        ("small", range(1), 1),
        ("default", range(1), 23),
        pytest.param("small", range(3), 1, marks=pytest.mark.full),
        pytest.param("default", range(2), 23, marks=pytest.mark.full),
    ],
)
def test_the_numbers_of_units_are_those_of_the_reference(name: str, seeds: range, every: int) -> None:
    assert compare_numbers(shipped(name), seeds, every).min() > 3


@pytest.mark.slow
def test_the_numbers_of_units_are_those_of_the_reference_where_guns_destroy_everything(tmp_path: Path) -> None:
    assert compare_numbers(terrible(tmp_path), range(4), 1).sum() > 0


def _numbers(onlooker: Onlooker, unit: int) -> list[float]:
    """The numbers of a unit from PLACE on, unturned."""
    kind, where = onlooker.units[unit].type, onlooker.states[unit].hex
    invulnerable = 7 if kind.invulnerable_save is None else kind.invulnerable_save
    place = 0.0 if where is None else (where + 1) / 1024
    return [place, kind.wounds / 8, invulnerable / 7, *onlooker.carries(unit), *onlooker.outlook(unit).values()]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "every"), [("small", 1), ("default", 29)])
@pytest.mark.parametrize("seeds", sampled(2, 6))
def test_leads_are_counted_where_objectives_are_held_from(name: str, every: int, seeds: int) -> None:
    game, ahead = shipped(name), np.zeros(3)
    for seed in range(seeds):
        for match in random_play(game, seed):
            if match.ply % every:
                continue
            for player in (0, 1):
                expected = Onlooker(game, match.state, player).leads()
                planes, _ = seen(game, match.state, player)
                leads = planes[see.AT_OBJECTIVE : see.ENEMY_LEAD + 1]
                np.testing.assert_allclose(leads, expected, rtol=0.0, atol=CLOSE)
                ahead += expected.any(axis=1)
    assert ahead.min() > 10


@pytest.mark.parametrize("name", ["small", "default"])
def test_a_place_survives_half_precision_and_names_the_hex_as_it_is_seen(name: str) -> None:
    game = shipped(name)
    seat, orientation, named = SeatAdapter(game), half_turn(game.scenario), 0
    for match in random_play(game, 2, 150):
        states = list(units_of(game, match.state).values())
        for player in (0, 1):
            half = slots(game, seat.observe(game.view(match.state, player))["vector"]).astype(np.float16)
            decoded = np.rint(half[:, :, see.PLACE].astype(np.float32) * see.PLACES).astype(int) - 1
            for side, force_of in enumerate((player, 1 - player)):
                first = 0 if force_of == 0 else len(game.scenario.forces[0])
                count = len(game.scenario.forces[force_of])
                hexes_of = [state.hex for state in states[first : first + count]]
                places = [-1 if where is None else int(orientation.hexes[player][where]) for where in hexes_of]
                assert decoded[side, :count].tolist() == places
                assert (decoded[side, count:] == -1).all()
                named += sum(where is not None for where in hexes_of)
    assert named > 100


def test_every_place_there_may_be_survives_half_precision() -> None:
    places = (np.arange(layout.MOST_HEXES + 1) / see.PLACES).astype(np.float16)
    assert (places.astype(np.float64) * see.PLACES == np.arange(layout.MOST_HEXES + 1)).all()


def assert_within_bounds(game: Skirmish, position: Position) -> None:
    for player in (0, 1):
        for array in seen(game, position, player):
            assert array.min() >= 0.0
            assert array.max() <= see.GREATEST


@pytest.mark.slow
def test_observations_are_within_bounds_whatever_units_carry_and_objectives_are_worth(tmp_path: Path) -> None:
    blade = {"attacks": 30, "skill": 2, "strength": 30, "ap": 6, "damage": 30}
    changes: dict[tuple[str, str], Any] = {(WEAPONS, f"twin-blades.{key}"): value for key, value in blade.items()}
    frail = {"wounds": 1, "value": 1000, "save": 7, "toughness": 1}
    changes |= {(TYPES, f"{kind}.{key}"): value for kind in ("line-guard", "outrider") for key, value in frail.items()}
    changes |= {(GAME, f"scoring.{key}"): 3000 for key in ("one", "most_per_turn")}
    game, greatest = variant(tmp_path, changes), 0.0
    for seed in range(4):
        for match in random_play(game, seed):
            assert_within_bounds(game, match.state)
            greatest = max(greatest, *(float(seen(game, match.state, player)[1].max()) for player in (0, 1)))
    assert greatest == see.GREATEST


def test_leads_are_within_bounds_where_many_units_hold_many_objectives(tmp_path: Path) -> None:
    objectives = [[12, row] for row in range(16)]
    changes = {
        (GAME, "objective_radius"): 12,
        (GAME, "deployment_max_hex_slots"): 120,
        (SCENARIO, "objectives"): objectives,
        (BOARD, "wall_hexes"): [],
        (SCENARIO, "deployment_order_mode"): "player_by_player",
    }
    game = variant(tmp_path, changes, "default")
    greatest = 0.0
    for match in random_play(game, 0, 12):
        assert_within_bounds(game, match.state)
        leads = [
            seen(game, match.state, player)[0][lead] for player in (0, 1) for lead in (see.OWN_LEAD, see.ENEMY_LEAD)
        ]
        greatest = max(greatest, float(np.max(leads)))
    assert greatest == see.GREATEST
