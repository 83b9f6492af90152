"""Measuring a network: other ways to place its units, itself as its opponent, and the output of the verb."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import tests.cli.conftest as cli
from ludex.core.game import Mask, Observation
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponents import OpponentWorkers, Policy, PolicyOpponent, ScriptedOpponent
from ludex.games.skirmish.learning.config import NetConfig
from ludex.games.skirmish.learning.evaluation import ComposedPlayer, PlacementRule
from ludex.games.skirmish.learning.network import geometry_of
from ludex.games.skirmish.learning.network_files import Measuring, build, save_net
from ludex.games.skirmish.rules.engine import branches, layout
from tests.cli.conftest import Ludex
from tests.games.skirmish.support import shipped

pytestmark = pytest.mark.slow

ludex = cli.ludex
CPU = torch.device("cpu")
CONFIG = NetConfig(width=8, depth=0, attention_layers=1, placing_gain=8.0)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(1)
    net = build(CONFIG, geometry_of(shipped("small")))
    for parameter in net.parameters():
        parameter.data = 0.3 * torch.randn_like(parameter)
    path = tmp_path_factory.mktemp("net") / "net.pt"
    save_net(path, net, CONFIG)
    return path


def last(obs: Observation, masks: Mask) -> NDArray[np.int64]:
    chosen: NDArray[np.int64] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return chosen


def middle(obs: Observation, masks: Mask) -> NDArray[np.int64]:
    half: NDArray[np.int64] = (masks.cumsum(axis=1) * 2 >= masks.sum(axis=1, keepdims=True)).argmax(axis=1)
    return half


def test_units_are_placed_otherwise_and_the_battle_stays_the_policys() -> None:
    game, lanes = shipped("small"), 40
    batch, placements = SkirmishBatch(game, lanes, turned=True), game.table.sizes[branches.DEPLOY]
    rules: dict[str, Policy | str] = {"policy": middle, "first": "first", "uniform": "uniform"}
    players = {
        way: ComposedPlayer(PolicyOpponent(PlacementRule(game, rule, seed=5)), PolicyOpponent(last))
        for way, rule in rules.items()
    }
    batch.reset(0)
    everywhere, drawn = np.arange(lanes), set[int]()
    while (allowed := batch.lanes.mask[:, :placements]).any():
        actions = {way: player.choose(batch, everywhere) for way, player in players.items()}
        assert (actions["policy"] == middle(batch.obs, batch.lanes.mask)).all()
        assert (actions["first"] == allowed.argmax(axis=1)).all()
        assert allowed[everywhere, actions["uniform"]].all()
        drawn |= set(actions["uniform"].tolist())
        batch.step(actions["uniform"])
    assert len(drawn) > 0.6 * placements, "it does not place units everywhere"
    for player in players.values():
        assert (player.choose(batch, everywhere) == last(batch.obs, batch.lanes.mask)).all()


def test_no_rule_takes_a_unit_back_and_all_confirm() -> None:
    game = shipped("people")
    rules: tuple[Policy | str, ...] = (last, middle, "first", "uniform")
    for rule in rules:
        batch = SkirmishBatch(game, 2, turned=True)
        batch.reset(0)
        player, plies = PolicyOpponent(PlacementRule(game, rule, seed=5)), 0
        while (batch.lanes.states[:, layout.PHASE] == layout.DEPLOYMENT).all():
            batch.step(player.choose(batch, np.arange(2)))
            plies += 1
        assert plies == len(game.units) + 2


def test_an_agent_places_and_another_fights() -> None:
    """Every decision of a composed player is that of the agent whose phase it is."""
    game, workers = shipped("small"), OpponentWorkers(0)
    placing, fighting = (ScriptedOpponent(workers, "small", name) for name in ("defensive", "aggressive"))
    player = ComposedPlayer(placing, fighting)
    batch, lane, phases = SkirmishBatch(game, 1, turned=True), np.zeros(1, np.int64), set[str]()
    batch.reset(3)
    for _ in range(60):
        deploying = batch.lanes.states[0, layout.PHASE] == layout.DEPLOYMENT
        action = player.choose(batch, lane)
        assert action == (placing if deploying else fighting).choose(batch, lane)
        phases.add(layout.PHASES[batch.lanes.states[0, layout.PHASE]])
        batch.step(action)
    assert {"deployment", "move", "shoot"} <= phases


def test_the_hotter_a_network_the_more_it_strays(weights: Path) -> None:
    game = shipped("small")
    batch = SkirmishBatch(game, 200, turned=True)
    batch.reset(0)
    with OpponentWorkers(0) as workers:
        measuring = Measuring(game, weights, CPU, workers, games=4, lanes=4, seed=0, advance=lambda games: None)
    cold, cool, hot = (measuring.policy(heat, 0)(batch.obs, batch.lanes.mask) for heat in (0.0, 0.05, 20.0))
    assert len(set(cold.tolist())) == 1, "all lanes show the same"
    assert len(set(cool.tolist())) < len(set(hot.tolist()))


def test_the_verb_prints_every_deployment_against_every_opponent(
    ludex: Ludex, weights: Path, own_folders: Path
) -> None:
    ways = ("--deployment", "learned", "--deployment", "first", "--deployment", "greedy")
    opponents = ("--opponent", "random", "--opponent", "itself:temperature=2")
    measure = ("skirmish", "measure", str(weights), "--preset", "small", "--games", "4", "--device", "cpu")
    result = ludex(*measure, *ways, *opponents, "--picture", "heat.svg", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    rows = document["rows"]
    assert [(row["opponent"], row["deployment"]) for row in rows] == [
        (opponent, way) for opponent in ("random", "itself:temperature=2") for way in ("learned", "first", "greedy")
    ]
    for row in rows:
        assert row["games"] == 4
        assert (row["deployment_invalid_action_attempt_rate"], row["deployment_pass_count"]) == (0.0, 0)
        assert ("first_gains" in row) == (row["deployment"] != "learned")
    scores = {(row["opponent"], row["deployment"]): row["win_rate"] for row in rows}
    for row in rows:
        if "first_gains" in row:
            expected = scores[row["opponent"], "learned"] - row["win_rate"]
            assert row["first_gains"] == pytest.approx(expected)
            assert row["first_gains_ci95"][0] <= expected <= row["first_gains_ci95"][1]
    # The first hexes are always the same ones: three units, three slots.
    firsts = next(row for row in rows if row["deployment"] == "first")
    assert np.count_nonzero(firsts["hex_slots"]) == 3
    assert ElementTree.parse(own_folders / "heat.svg").getroot().tag.endswith("svg")
    composed = ("--battle", "objective", "--deployment", "learned", "--deployment", "objective")
    result = ludex(*measure, *composed, "--opponent", "random", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    assert document["battle"] == "objective"
    assert [row["deployment"] for row in document["rows"]] == ["learned", "objective"]
    assert all(row["win_rate"] == 1.0 for row in document["rows"]), "the planner's battle beats chance"
    result = ludex(*measure, "--opponent", "random")
    assert result.returncode == 0
    assert "random" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--games", "5"), "even number"),
        (("--deployment", "lucky"), "learned, first, sampled, uniform or an agent"),
        (("--battle", "first"), "learned or an agent"),
        (("--picture", "heat.png"), "ends in .svg"),
        (("--opponent", "nobody"), "nobody"),
        (("--opponent", "itself:heat=2"), "temperature"),
    ],
)
def test_the_verb_refuses_what_it_cannot_do(
    ludex: Ludex, weights: Path, arguments: tuple[str, str], named: str
) -> None:
    result = ludex("skirmish", "measure", str(weights), "--preset", "small", "--device", "cpu", *arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert named in result.stderr
