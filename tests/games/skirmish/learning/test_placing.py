"""Placing: what a scenario's tables say of hexes and slots, and that placing is learned by its rewards."""

from pathlib import Path

import numpy as np
import pytest
import torch

from ludex.core.seeding import CHANCE, generator
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponents import OpponentWorkers, SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import METRICS
from ludex.games.skirmish.learning.evaluation import ground_of
from ludex.games.skirmish.learning.maskable import MaskableRun
from ludex.games.skirmish.learning.network import SkirmishNet, geometry_of
from ludex.games.skirmish.learning.network_files import build, flat
from ludex.games.skirmish.learning.self_play import SelfPlay
from ludex.games.skirmish.rules.actions import DeployUnit
from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.orientation import half_turn
from ludex.games.skirmish.rules.hexes import STEPS
from ludex.kernels.sampling import RandomActions
from ludex.learn.curves import numbers
from ludex.learn.ppo import masked_log_probs
from ludex.learn.trainer import Trainer
from tests.games.skirmish.learning.support import new_run, tiny
from tests.games.skirmish.support import GAME, random_play, shipped, units_of, variant

SCENARIOS = ("small", "default", "people", "cramped")


@pytest.mark.parametrize("name", SCENARIOS)
def test_sizes_are_those_of_observations_and_actions(name: str) -> None:
    game = shipped(name)
    geometry = geometry_of(game)
    observation = game.observe(game.view(game.initial(generator(0, 0)), 0))
    assert geometry.observed == sum(array.size for array in observation.values())
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
            (moved,) = (unit.hex for name, unit in after.items() if unit.hex != before[name].hex)
            assert geometry.pools[mover, choice % game.table.hex_slots] == orientation.hexes[mover][moved]
    for player, pool in enumerate(game.scenario.pools):
        assert slots_seen[player] == set(range(len(pool)))
        assert not geometry.pools[player, len(pool) :].any()


CPU = torch.device("cpu")
LANES = 24


def stirred(game: Skirmish) -> SkirmishNet:
    """A network that prefers something everywhere."""
    torch.manual_seed(0)
    net = build(tiny().net, geometry_of(game))
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(0.0, 0.3)
    return net.eval()


def seen(game: Skirmish, plies: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Observations and masks of some lanes after so many plies of chance."""
    batch = SkirmishBatch(game, LANES, turned=True)
    batch.reset(4)
    chance = RandomActions(LANES, 4, CHANCE)
    for _ in range(plies):
        batch.step(chance.draw(batch.lanes.mask))
    return torch.from_numpy(flat(batch.obs)), torch.from_numpy(batch.lanes.mask.copy())


@torch.no_grad()
def nearness(net: SkirmishNet, game: Skirmish) -> float:
    """How near an objective the first unit is expected to stand, as minus the steps to it."""
    observed, mask = seen(game, 0)
    shares = masked_log_probs(net(observed)[0], mask).exp()[0, : game.table.sizes[branches.DEPLOY]]
    by_hex = shares.reshape(game.table.unit_slots, game.table.hex_slots).sum(0).numpy()
    return float(by_hex @ ground_of(game).objective[0])


def nearest(game: Skirmish) -> float:
    """The most that nearness can be."""
    return float(ground_of(game).objective[0, : len(game.scenario.pools[0])].max())


def test_a_network_that_forgets_placing_fights_on_as_before() -> None:
    game = shipped("small")
    net, placements = stirred(game), game.table.sizes[branches.DEPLOY]
    deploying, fighting = seen(game, 0), seen(game, 40)
    with torch.no_grad():
        sure, before = net(deploying[0])[0], net(fighting[0])
        net.forget_placing()
        unsure, after = net(deploying[0])[0], net(fighting[0])
    assert torch.equal(after[1], before[1])
    assert torch.equal(after[0][:, placements:], before[0][:, placements:])

    def entropy(logits: torch.Tensor) -> float:
        logp = masked_log_probs(logits, deploying[1])
        return float(-(logp.exp() * logp).sum(1).mean())

    assert entropy(sure) < entropy(unsure)
    # The hex still matters, equally for every unit; which unit it is does not.
    units = unsure[0, :placements].reshape(game.table.unit_slots, game.table.hex_slots)
    assert torch.equal(units, units[:1].expand_as(units))


@pytest.mark.full
def test_units_learn_to_stand_where_they_are_rewarded(tmp_path: Path) -> None:
    """A rollout is one deployment of every lane, and all that counts is how near the next objective is."""
    game = variant(tmp_path, {(GAME, "rewards.deployment.near_objective"): 1.0})
    plies = 2 * game.table.unit_slots
    changes = {"ppo.num_envs": 64, "ppo.steps_per_env": plies, "ppo.ppo_epochs": 2, "ppo.lr": 0.003}
    alone = {"opponents.bots": 0.0, "opponents.past": 0.0, "openings": 1.0, "stage": "ppo"}
    config = tiny(**changes, **alone, curriculum=[{"presets": ["small"], "updates": 1000}])
    torch.manual_seed(1)
    net = build(config.net, geometry_of(game))
    net.forget_placing()
    begins = nearness(net, game)
    with OpponentWorkers(0) as workers:
        stage = SelfPlay(config, net, {"small": game}, CPU, workers)
        rows = [stage.update(stage.collect()) for _ in range(25)]
        stage.close()
    assert nearness(net, game) > begins + 0.6 * (nearest(game) - begins)
    assert [row["placements"] for row in rows] == [64 * plies] * 25
    assert float(str(rows[-1]["placement_entropy"])) < float(str(rows[0]["placement_entropy"])) - 0.3
    assert np.isfinite([float(str(row["loss"])) for row in rows]).all()


@pytest.mark.full
def test_maskable_ppo_learns_it_too(tmp_path: Path) -> None:
    """Its games continue from rollout to rollout, so each rollout takes new lanes and is one deployment."""
    game = variant(tmp_path, {(GAME, "rewards.deployment.near_objective"): 1.0})
    preset = game.info.preset
    changes = {"ppo.num_envs": 64, "ppo.steps_per_env": game.table.unit_slots, "ppo.ppo_epochs": 2, "ppo.lr": 0.003}
    alone = {"opponents.bots": 0.0, "opponents.past": 0.0, "trainer": "maskable_ppo", "stage": "ppo"}
    config = tiny(**changes, **alone, curriculum=[{"presets": [preset], "updates": 1000}])
    torch.manual_seed(1)
    net = build(config.net, geometry_of(game))
    net.forget_placing()
    begins = nearness(net, game)
    run = new_run(tmp_path / "runs", config)
    with OpponentWorkers(0) as workers:
        trainer, stage = Trainer(run, lambda steps: None), MaskableRun(config, net, {preset: game}, CPU, workers)
        for _ in range(25):
            trainer.step(stage)
            stage.close()
    assert nearness(net, game) > begins + 0.6 * (nearest(game) - begins)
    assert [row["deployment_valid_action_rate"] for row in run.metrics()] == [1.0] * 25
    assert [row["invalid_actions"] for row in run.metrics()] == [0] * 25
    assert set(numbers([run.metrics()])) <= set(METRICS)
