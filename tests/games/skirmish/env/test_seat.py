"""One policy plays both sides: player 2 sees and acts on the board as player 1 would from the other end."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.core.seeding import CHANCE, OPENING, generator
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import ChargeDestination, DeployUnit, Move
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine import observation as see
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.position import Position
from ludex.kernels.sampling import RandomActions
from tests.games.skirmish.support import BOARD, SCENARIO, arranged, first, random_play, shipped, units_of, variant

pytestmark = pytest.mark.slow

SCENARIOS = ("default", "mirror", "small", "people", "cramped")
SEAT_NUMBER = len(layout.PHASES) + 1
"""Which player the observer is: the one number of an observation that no turn changes, since player 1 begins."""
ACTIVE = 4
"""A number of a unit slot."""


def mirrored(game: Skirmish, position: Position) -> Position:
    """The position with players exchanged and the board turned. The forces must be alike."""
    words = position.words.copy()
    count, turn = len(game.units) // 2, game.scenario.grid.half_turn
    for word in (layout.PLAYER, layout.TO_MOVE):
        words[word] = 1 - words[word]
    for word in (layout.POINTS, layout.UNDEPLOYS, layout.CONFIRMED):
        words[word : word + 2] = words[word : word + 2][::-1].copy()
    for word in (layout.ACTIVE, layout.TARGET):
        if words[word] != layout.NONE:
            words[word] = (words[word] + count) % (2 * count)
    if words[layout.RESULT] not in (layout.LIVE, layout.DRAWN):
        words[layout.RESULT] ^= layout.WON_BY_SECOND
    units = words[layout.UNITS :][: 2 * count * layout.UNIT_WORDS].reshape(2, count, layout.UNIT_WORDS)
    units[:] = units[::-1].copy()
    hexes = units[:, :, layout.HEX]
    hexes[hexes != layout.NOWHERE] = turn[hexes[hexes != layout.NOWHERE]]
    return Position(words.tobytes())


@pytest.mark.parametrize("name", SCENARIOS)
def test_flipping_twice_changes_nothing_and_nothing_falls_together(name: str) -> None:
    game = shipped(name)
    orientation = half_turn(game.scenario)
    for table, size in ((orientation.hexes, game.scenario.grid.size), (orientation.actions, game.info.num_actions)):
        assert table.shape == (2, size)
        assert (table[0] == np.arange(size)).all()
        assert sorted(table[1].tolist()) == list(range(size))
        assert (table[1][table[1]] == np.arange(size)).all()
        assert (table[1] != np.arange(size)).any()


@pytest.mark.parametrize("name", ["default", "mirror", "small"])
def test_on_a_symmetric_board_an_index_means_the_hex_opposite(name: str) -> None:
    game = shipped(name)
    grid, seat = game.scenario.grid, SeatAdapter(game)
    start = first(game)
    words = start.words.copy()
    words[layout.TO_MOVE] = 1
    second = Position(words.tobytes())
    ids = [[unit.id for unit in force] for force in game.scenario.forces]
    compared = 0
    for action in range(game.info.num_actions):
        mine, theirs = game.table.decode(start, action), game.table.decode(second, seat.action(1, action))
        if isinstance(mine, DeployUnit | Move):
            assert type(mine) is type(theirs)
            assert isinstance(theirs, DeployUnit | Move)
            turned = grid.col_row(int(grid.half_turn[grid.index(mine.col, mine.row)]))
            assert turned == (theirs.col, theirs.row)
            compared += 1
        if isinstance(mine, DeployUnit) and isinstance(theirs, DeployUnit):
            assert ids[0].index(mine.unitId) == ids[1].index(theirs.unitId)
    assert compared > 100


@pytest.mark.parametrize("name", ["mirror", "small"])
def test_player_2_sees_and_may_do_what_player_1_would_in_the_mirrored_position(name: str) -> None:
    """Byte by byte, but for the number of the seat; and the same choice and dice lead to mirrored positions again."""
    game = shipped(name)
    seat = SeatAdapter(game)
    alike, handed_over = 0, 0
    for seed in range(2 if name == "mirror" else 6):
        position = first(game)
        for ply in range(1, 10_000):
            mirror = mirrored(game, position)
            for player in (0, 1):
                observation = seat.observe(game.view(position, player))
                other = seat.observe(game.view(mirror, 1 - player))
                assert observation["planes"].tobytes() == other["planes"].tobytes()
                numbers, others = observation["vector"].copy(), other["vector"].copy()
                assert (numbers[SEAT_NUMBER], others[SEAT_NUMBER]) == (player, 1 - player)
                numbers[SEAT_NUMBER] = others[SEAT_NUMBER] = 0.0
                assert numbers.tobytes() == others.tobytes()
            if game.outcome(position) is not None:
                break
            mover = position.to_move
            mask = seat.mask(mover, game.legal(position))
            assert mask.tobytes() == seat.mask(1 - mover, game.legal(mirror)).tobytes()
            choice = generator(seed, ply, OPENING).choice(np.flatnonzero(mask).tolist())
            after = game.apply(position, seat.action(mover, choice), generator(seed, ply))
            there = game.apply(mirror, seat.action(1 - mover, choice), generator(seed, ply))
            same_turn = all(after.words[word] == position.words[word] for word in (layout.TURN, layout.PLAYER))
            last = after.words[layout.RESULT] & ~layout.WON_BY_SECOND not in (layout.LIVE, layout.ANNIHILATION)
            if (same_turn and not last) or after.phase == "deployment":
                assert there.packed == mirrored(game, after).packed
                alike += 1
            else:
                # Turns are not symmetric: player 1's comes first, and after player 2's last one the game is over.
                handed_over += 1
            position = after
    assert alike > 300
    assert handed_over > 10


def slots(game: Skirmish, vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """[2, unit slots, numbers]: own slots first."""
    return vector[see.GENERAL :].reshape(2, game.table.unit_slots, see.UNIT_NUMBERS)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_unit_and_hex_observed_are_those_the_turned_mask_acts_on(name: str) -> None:
    """What a policy can read from its observation and its index is what the engine does, for either player."""
    game = shipped(name)
    seat, table, grid = SeatAdapter(game), game.table, game.scenario.grid
    seen_branches: set[tuple[int, int]] = set()
    for seed in range(4 if name == "small" else 1):
        for match in random_play(game, seed):
            if match.over:
                break
            position, mover = match.state, match.to_move
            observation = seat.observe(game.view(position, mover))
            planes = observation["planes"].reshape(see.PLANES, -1)
            zone = planes[see.OWN_ZONE].nonzero()[0]
            legal = np.flatnonzero(seat.mask(mover, game.legal(position)))
            for choice in generator(seed, match.ply, OPENING).choice(legal.tolist()), int(legal[0]), int(legal[-1]):
                branch = int(np.searchsorted(table.begins, choice, side="right")) - 1
                inside = choice - table.begins[branch]
                if branch == branches.PASS:
                    continue
                after = game.apply(position, seat.action(mover, choice), generator(seed, match.ply))
                then = seat.observe(game.view(after, mover))
                came = then["planes"].reshape(see.PLANES, -1)[see.OWN] - planes[see.OWN]
                own, enemy = slots(game, observation["vector"])
                if branch == branches.DEPLOY:
                    unit, slot = divmod(inside, table.hex_slots)
                    assert came.nonzero()[0].tolist() == [zone[slot]]
                    assert slots(game, then["vector"])[0, unit, 0] == 1.0
                    assert own[unit, 0] == 0.0
                elif branch == branches.UNDEPLOY:
                    assert own[inside, 0] == 1.0
                    assert slots(game, then["vector"])[0, inside, 0] == 0.0
                elif branch == branches.ACTIVATE:
                    assert slots(game, then["vector"])[0, inside, ACTIVE] == 1.0
                elif branch == branches.MOVE:
                    assert came[inside] == 1.0
                    assert came[planes[see.ACTIVE_UNIT].argmax()] == -1.0
                elif branch == branches.CHARGE_DESTINATION:
                    target = int(planes[see.TARGETED].argmax())
                    assert came[grid.neighbours[target, inside]] >= 0.0
                    assert then["planes"].reshape(see.PLANES, -1)[see.OWN, grid.neighbours[target, inside]] == 1.0
                elif branch in (branches.SHOOT, branches.FIGHT, branches.CHARGE):
                    # Only the enemy of this slot is touched.
                    hurt = np.flatnonzero(slots(game, then["vector"])[1, :, 2] != enemy[:, 2])
                    assert set(hurt.tolist()) <= {inside}
                seen_branches.add((mover, branch))
    expected = {branches.DEPLOY} if name == "cramped" else {branches.DEPLOY, branches.ACTIVATE, branches.MOVE}
    assert {(player, branch) for player in (0, 1) for branch in expected} <= seen_branches


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_turned_batch_is_the_adapter_lane_by_lane(name: str) -> None:
    game = shipped(name)
    seat, batch, sampler = SeatAdapter(game), SkirmishBatch(game, 3, turned=True), RandomActions(3, 5, OPENING)
    obs, info = batch.reset(9)
    positions, ended = [first(game)] * 3, 0
    for ply in range(1, 8 if name == "cramped" else 330):
        for lane, position in enumerate(positions):
            mover = position.to_move
            assert info["player"][lane] == mover
            expected = seat.observe(game.view(position, mover))
            assert all((obs[key][lane] == expected[key]).all() for key in expected)
            assert (info["mask"][lane] == seat.mask(mover, game.legal(position))).all()
        actions = sampler.draw(info["mask"])
        obs, _, terminated, _, info = batch.step(actions)
        for lane, position in enumerate(positions):
            action = seat.action(position.to_move, int(actions[lane]))
            positions[lane] = game.apply(position, action, generator(9, ply, CHANCE, lane=lane))
            assert (game.outcome(positions[lane]) is not None) == terminated[lane]
        if terminated.any():
            ended += 1
            break
    assert ended == (name == "small")


def test_a_charge_lands_on_the_side_that_was_chosen() -> None:
    game = shipped("small")
    seat = SeatAdapter(game)
    words = {layout.ACTIVE: 3, layout.DOING: layout.CHARGING, layout.ROLLED: 9, layout.TARGET: 0}
    general = {**words, layout.TO_MOVE: 1, layout.PLAYER: 1}
    position = arranged(game, layout.CHARGE, {"01": (5, 5), "04": (5, 2)}, words=general)
    begin = game.table.begins[branches.CHARGE_DESTINATION]
    sides = [action - begin for action in np.flatnonzero(seat.mask(1, game.legal(position))).tolist()]
    assert len(sides) > 3
    grid = game.scenario.grid
    for side in sides:
        action = seat.action(1, begin + side)
        meaning = game.table.decode(position, action)
        assert isinstance(meaning, ChargeDestination)
        after = game.apply(position, action, generator(0, 0))
        neighbour = grid.half_turn[grid.neighbours[grid.half_turn[grid.index(5, 5)], side]]
        assert units_of(game, after)["04"].hex == neighbour


def test_a_board_that_cannot_be_turned_is_named(tmp_path: Path) -> None:
    changes = {(BOARD, "cols"): 12, (BOARD, "wall_hexes"): [], (SCENARIO, "objectives"): [[5, 4]]}
    game = variant(tmp_path, changes)
    with pytest.raises(Unsupported, match="12 columns cannot be turned"):
        SeatAdapter(game)
    assert SkirmishBatch(game, 1).reset(0)[1]["mask"].any()
