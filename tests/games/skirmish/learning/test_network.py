"""The network: what a hex convolution reaches, and that weights know neither boards nor slots."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from ludex.core.game import Observation
from ludex.core.seeding import generator
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.network import (
    ACTIVE_NUMBER,
    EXISTS_NUMBER,
    OWN_NUMBER,
    HexConv,
    SkirmishNet,
    geometry_of,
)
from ludex.games.skirmish.rules.actions import DeployUnit
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine import observation as see
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import arranged, first, random_play, shipped, units_of

WIDTH, DEPTH, ATTENTIONS, GAIN = 8, 2, 1, 8.0
CLOSE: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-5}


def stirred(game: Skirmish, seed: int = 0, depth: int = DEPTH) -> SkirmishNet:
    """A network that no longer begins as nothing: every weight, gains too, is drawn."""
    torch.manual_seed(seed)
    net = SkirmishNet(WIDTH, depth, ATTENTIONS, GAIN, geometry_of(game))
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(0.0, 0.3)
    return net.eval()


@lru_cache
def observed(name: str, seed: int = 0) -> Tensor:
    """[B, observed]: observations of the player to move in some positions of every phase of a random game."""
    game = shipped(name)
    seat, rows = SeatAdapter(game), []
    every = 1 if name == "small" else 23
    for match in random_play(game, seed):
        if not match.over and match.ply % every == 0:
            observation = seat.observe(game.view(match.state, match.to_move))
            rows.append(flattened(observation))
    return torch.stack(rows)


def flattened(observation: Observation) -> Tensor:
    """[observed]: planes and vector side by side."""
    return torch.from_numpy(np.concatenate((observation["planes"].ravel(), observation["vector"])))


def numbers_of(game: Skirmish, flat: Tensor) -> Tensor:
    """[B, 2 * unit slots, numbers]: a part of the observations, to be read or written."""
    return flat[:, -2 * game.table.unit_slots * see.UNIT_NUMBERS :].view(len(flat), -1, see.UNIT_NUMBERS)


def of_branch(game: Skirmish, logits: Tensor, branch: int) -> Tensor:
    begin = game.table.begins[branch]
    return logits[:, begin : begin + game.table.sizes[branch]]


def spread(net: SkirmishNet, conv: HexConv, planes: Tensor) -> Tensor:
    """[B, outputs, hexes]: a convolution of `planes: [B, inputs, hexes]` in the cells that the network makes."""
    field = nn.functional.pad(planes, (0, 1)).transpose(1, 2).index_select(1, net.source)
    spread_out: Tensor = conv.convolve(field, net.cells) * net.inside
    return spread_out.index_select(1, net.cell).transpose(1, 2)


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize(("name", "every"), [("small", 1), ("default", 7)])
def test_an_impulse_reaches_a_hex_and_its_six_neighbours_only(name: str, every: int, compact: bool) -> None:
    game = shipped(name)
    grid, net, conv = game.scenario.grid, SkirmishNet(WIDTH, 0, 0, GAIN, geometry_of(game)), HexConv(1, 1)
    weights = torch.arange(1.0, 10.0)
    with torch.no_grad():
        conv.weight.copy_(weights.view(1, 1, 3, 3))
        assert conv.bias is not None
        conv.bias.zero_()
        net.settle(net.geometry, compact)
        struck = np.flatnonzero(grid.exists)[::every].tolist()
        impulses = torch.zeros(len(struck), 1, grid.size)
        impulses[range(len(struck)), 0, struck] = 1.0
        reached = spread(net, conv, impulses)[:, 0]
    borders = 0
    by_direction: list[set[float]] = [set() for _ in range(branches.SIDES)]
    for row, where in zip(reached, struck, strict=True):
        near = grid.neighbours[where].tolist()
        assert set(row.nonzero().flatten().tolist()) == {where, *near} - {-1}
        assert row[where] == weights[4]
        for direction, there in enumerate(near):
            if there >= 0:
                by_direction[direction].add(float(row[there]))
        borders += -1 in near
    # The same weight in the same direction wherever it begins, and another in each.
    assert all(len(weights_there) == 1 for weights_there in by_direction)
    assert len(set.union(*by_direction)) == branches.SIDES
    assert borders > 0


@pytest.mark.slow
def test_what_the_planes_say_of_holes_changes_nothing() -> None:
    """Except for a target there, and no unit is one."""
    game, flat = shipped("small"), observed("small")[:4].clone()
    net, holes = stirred(game), torch.from_numpy(~game.scenario.grid.exists)
    planes = flat[:, : see.PLANES * len(holes)].view(len(flat), see.PLANES, -1)
    with torch.no_grad():
        before = net(flat)
        planes[:, :, holes] = 7.0
        planes[:, see.TARGETED][:, holes] = 0.0
        after = net(flat)
    torch.testing.assert_close(after, before, rtol=0.0, atol=0.0)


def test_it_begins_without_an_opinion_on_values_and_on_single_units() -> None:
    game = shipped("small")
    logits, values = SkirmishNet(WIDTH, DEPTH, ATTENTIONS, GAIN, geometry_of(game))(observed("small"))
    assert not values.any()
    for branch in (branches.PASS, branches.UNDEPLOY, branches.CONFIRM, branches.ACTIVATE, branches.WAIT):
        assert not of_branch(game, logits, branch).any()


def test_numbers_that_the_network_reads_mean_what_it_takes_them_for() -> None:
    for name in ("small", "default"):
        game, flat = shipped(name), observed(name)
        numbers = numbers_of(game, flat)
        general = flat[:, see.PLANES * game.scenario.grid.size :][:, : see.GENERAL]
        slots = game.table.unit_slots
        assert set(general[:, OWN_NUMBER].tolist()) == {0.0, 1.0}
        for row, mover in zip(numbers, general[:, OWN_NUMBER].int().tolist(), strict=True):
            forces = [game.scenario.forces[mover], game.scenario.forces[1 - mover]]
            there = [*(slot < len(force) for force in forces for slot in range(slots))]
            assert (row[:, EXISTS_NUMBER] > 0).tolist() == there
            assert row[:slots, ACTIVE_NUMBER].sum() in (0.0, 1.0)
            assert not row[slots:, ACTIVE_NUMBER].any()


@pytest.mark.slow
def test_the_same_weights_play_another_scenario_and_come_back() -> None:
    small, default = shipped("small"), shipped("default")
    net = stirred(small)
    weights = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    with torch.no_grad():
        first = net(observed("small"))
        net.settle(geometry_of(default))
        there = net(observed("default"))
        other = SkirmishNet(WIDTH, DEPTH, ATTENTIONS, GAIN, geometry_of(default))
        other.load_state_dict(weights)
        torch.testing.assert_close(there, other.eval()(observed("default")), rtol=0.0, atol=0.0)
        net.settle(geometry_of(small))
        torch.testing.assert_close(net(observed("small")), first, rtol=0.0, atol=0.0)
    assert net.state_dict().keys() == weights.keys()
    assert all((net.state_dict()[name] == tensor).all() for name, tensor in weights.items())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small", "default"])
def test_a_batch_is_its_rows_alone(name: str) -> None:
    net, flat = stirred(shipped(name)), observed(name)[::6]
    with torch.no_grad():
        logits, values = net(flat)
        for place in range(len(flat)):
            alone, value = net(flat[place : place + 1])
            torch.testing.assert_close(alone[0], logits[place], **CLOSE)
            torch.testing.assert_close(value[0], values[place], **CLOSE)
    assert logits.std(0).max() > 0.1


@pytest.mark.slow
def test_a_slot_that_does_not_exist_changes_nothing() -> None:
    """But for what is said of that slot itself, which no mask allows."""
    game = shipped("default")
    net, flat = stirred(game), observed("default")
    noisy, slots = flat.clone(), game.table.unit_slots
    numbers = numbers_of(game, noisy)
    empty = numbers[0, :, EXISTS_NUMBER] == 0
    assert empty.nonzero().flatten().tolist() == [slots - 1, 2 * slots - 1]
    before_noise = numbers[:, empty].clone()
    written = torch.rand_like(before_noise)
    for number in (ACTIVE_NUMBER, EXISTS_NUMBER):
        written[:, :, number] = before_noise[:, :, number]
    written[:, :, see.PLACE] = 5 / see.PLACES
    numbers[:, empty] = written
    with torch.no_grad():
        before, after = net(flat), net(noisy)
    torch.testing.assert_close(after[1], before[1], **CLOSE)
    for branch in range(branches.BRANCHES):
        was, now = (of_branch(game, logits, branch) for logits in (before[0], after[0]))
        if branch in (branches.MOVE, branches.CHARGE_DESTINATION) or was.shape[1] == 1:
            torch.testing.assert_close(now, was, **CLOSE)
        else:
            was, now = (logits.view(len(flat), slots, -1) for logits in (was, now))
            torch.testing.assert_close(now[:, :-1], was[:, :-1], **CLOSE)
            assert not torch.allclose(now[:, -1], was[:, -1])


@pytest.mark.parametrize("name", ["small", "default"])
def test_units_in_another_order_are_chosen_in_that_order(name: str) -> None:
    """Own and enemy slots are shuffled, and the logits that speak of them with them; nothing else changes."""
    game = shipped(name)
    net, flat, slots = stirred(game), observed(name), game.table.unit_slots
    shuffle = torch.Generator().manual_seed(1)
    own, enemy = torch.randperm(slots, generator=shuffle), torch.randperm(slots, generator=shuffle)
    moved = flat.clone()
    numbers_of(game, moved)[:] = numbers_of(game, flat)[:, torch.cat((own, slots + enemy))]
    order = dict.fromkeys((branches.DEPLOY, branches.UNDEPLOY, branches.ACTIVATE), own)
    order |= dict.fromkeys((branches.SHOOT, branches.CHARGE, branches.FIGHT), enemy)
    with torch.no_grad():
        before, after = net(flat), net(moved)
    torch.testing.assert_close(after[1], before[1], **CLOSE)
    for branch in range(branches.BRANCHES):
        was, now = (of_branch(game, logits, branch) for logits in (before[0], after[0]))
        if branch in order:
            was = was.view(len(flat), slots, -1)
            # Units differ, so that the order shows.
            assert not torch.allclose(was, was.flip(1), **CLOSE)
            was = was[:, order[branch]].flatten(1)
        torch.testing.assert_close(now, was, **CLOSE)


def test_a_unit_is_moved_by_what_its_hex_says() -> None:
    """A unit's place is read where the planes have it: the same numbers on another hex are another unit."""
    game = shipped("small")
    net, flat = stirred(game), observed("small")[-1:]
    moved = flat.clone()
    numbers_of(game, moved)[:, 0, see.PLACE] = (game.scenario.grid.index(5, 4) + 1) / see.PLACES
    with torch.no_grad():
        before, after = net(flat)[0], net(moved)[0]
    now, was = of_branch(game, after, branches.ACTIVATE), of_branch(game, before, branches.ACTIVATE)
    assert not torch.allclose(now[:, 0], was[:, 0])


@pytest.mark.slow
def test_gradients_reach_every_weight() -> None:
    """All that may ever speak: every weight of a drawn network, but for corners that are no neighbours."""
    game, flat = shipped("small"), observed("small")
    net = stirred(game).train()
    logits, values = net(flat)
    torch.manual_seed(2)
    ((logits * torch.randn_like(logits)).sum() + values.sum()).backward()
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
    for module in net.modules():
        if isinstance(module, HexConv):
            assert module.weight.grad is not None
            assert not module.weight.grad[:, :, (0, 2), (0, 2)].any()
            assert module.weight.grad.any(0).any(0).sum() == 1 + branches.SIDES


def read_for(net: SkirmishNet, flat: Tensor, logit: int) -> set[int]:
    """The hexes whose planes an action's logit depends on."""
    flat = flat.clone().requires_grad_()
    net(flat)[0][0, logit].backward()
    assert flat.grad is not None
    planes = flat.grad[0, : see.PLANES * net.geometry.hexes].view(see.PLANES, -1)
    return set(planes.any(0).nonzero().flatten().tolist())


def local(game: Skirmish) -> SkirmishNet:
    """A drawn network in which nothing is said of the whole board, so that a logit shows which hexes it reads."""
    net = stirred(game, depth=0)
    net.attention = nn.ModuleList()
    with torch.no_grad():
        net.unit_alone.weight.zero_()
        net.active_asks.weight.zero_()
    return net


def around(game: Skirmish, where: int) -> set[int]:
    return {where, *game.scenario.grid.neighbours[where].tolist()} - {layout.NOWHERE}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small", "cramped"])
def test_a_placement_is_weighed_by_its_hex_for_both_players(name: str) -> None:
    game = shipped(name)
    net, seat, orientation, grid = local(game), SeatAdapter(game), half_turn(game.scenario), game.scenario.grid
    for player, pool in enumerate(game.scenario.pools):
        words = first(game).words.copy()
        words[layout.TO_MOVE] = words[layout.PLAYER] = player
        position = Position(words.tobytes())
        flat = flattened(seat.observe(game.view(position, player)))[None]
        for slot in range(len(pool)):
            action = game.table.hex_slots + slot
            meaning = game.table.decode(position, seat.action(player, action))
            assert isinstance(meaning, DeployUnit)
            seen_hex = int(orientation.hexes[player][grid.index(meaning.col, meaning.row)])
            # Units that stand nowhere read no hex of their own.
            assert read_for(net, flat, action) == around(game, seen_hex)


def charging(game: Skirmish, player: int) -> Position:
    """The player's first unit charges the other's."""
    units = (0, 3) if player == 0 else (3, 0)
    words = {layout.ACTIVE: units[0], layout.DOING: layout.CHARGING, layout.ROLLED: 9, layout.TARGET: units[1]}
    words |= {layout.TO_MOVE: player, layout.PLAYER: player}
    return arranged(game, layout.CHARGE, {"01": (2, 3), "04": (5, 5)}, words=words)


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_moves_and_sides_are_weighed_by_their_hex(player: int) -> None:
    game = shipped("small")
    net, seat, grid = local(game), SeatAdapter(game), game.scenario.grid
    position = charging(game, player)
    flat = flattened(seat.observe(game.view(position, player)))[None]
    for where in np.flatnonzero(grid.exists)[::5].tolist():
        assert read_for(net, flat, game.table.begins[branches.MOVE] + where) == around(game, where)
    begin, turned = game.table.begins[branches.CHARGE_DESTINATION], half_turn(game.scenario).hexes[player]
    legal = np.flatnonzero(seat.mask(player, game.legal(position)))
    sides = [action for action in legal.tolist() if begin <= action < begin + branches.SIDES]
    assert len(sides) > 3
    for action in sides:
        after = game.apply(position, seat.action(player, action), generator(0, 0))
        landed = list(units_of(game, after).values())[3 * player].hex
        assert landed is not None
        assert read_for(net, flat, action) == around(game, int(turned[landed]))


@pytest.mark.slow
def test_the_active_unit_asks_for_each_kind_of_action_apart() -> None:
    game = shipped("small")
    flat = flattened(SeatAdapter(game).observe(game.view(charging(game, 0), 0)))[None]
    kinds = (branches.MOVE, branches.CHARGE_DESTINATION, branches.SHOOT, branches.CHARGE, branches.FIGHT)
    for place, branch in enumerate(kinds):
        net = stirred(game)
        of_branch(game, net(flat)[0], branch).sum().backward()  # type: ignore[no-untyped-call]
        assert net.active_asks.bias.grad is not None
        queried = net.active_asks.bias.grad.view(len(kinds), WIDTH).any(1).nonzero().flatten().tolist()
        assert queried == [place]


@pytest.mark.slow
def test_cells_outside_the_board_say_nothing_however_many_there_are() -> None:
    game, flat = shipped("small"), observed("small")
    net, geometry = stirred(game), geometry_of(game)
    q, r = np.divmod(geometry.skewed, geometry.skewed_rows)
    rows = geometry.skewed_rows + 5
    with torch.no_grad():
        before = net(flat)
        net.settle(replace(geometry, skewed=q * rows + r + 2, skewed_rows=rows))
        torch.testing.assert_close(net(flat), before, **CLOSE)
        net.settle(geometry, compact=True)
        torch.testing.assert_close(net(flat), before, **CLOSE)
