"""The lanes of a rollout and their opponents: itself, past networks in turns, scripted players in other processes."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponent_batch import OpponentBatch
from ludex.games.skirmish.env.opponents import Choice, OpponentWorkers, PlannedTurns, ScriptedOpponent, opponent_of
from ludex.games.skirmish.learning.config import NetConfig, OpponentsConfig
from ludex.games.skirmish.learning.network import SkirmishNet, geometry_of
from ludex.games.skirmish.learning.network_files import build
from ludex.games.skirmish.learning.ppo_stage import ITSELF, OpponentPool, Weights, extend_past
from ludex.games.skirmish.learning.self_play import TrainingLanes, scores_of
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.layout import BY_POINTS, BY_VALUE, DRAWN, WON_BY_SECOND
from tests.games.skirmish.support import shipped

pytestmark = pytest.mark.slow


CPU = torch.device("cpu")


def config(**changes: object) -> OpponentsConfig:
    base = {"bots": 0.25, "past": 0.5, "names": ("random", "aggressive"), "kept": 3, "keep_every": 1, "workers": 0}
    return OpponentsConfig.model_validate(base | changes)


def net(seed: int = 0) -> SkirmishNet:
    torch.manual_seed(seed)
    return build(NetConfig(width=8, depth=0, attention_layers=0, placing_gain=8.0), geometry_of(shipped("small")))


def pool_of(workers: OpponentWorkers, lanes: int, learner: SkirmishNet, **changes: object) -> OpponentPool:
    return OpponentPool(config(**changes), "small", lanes, workers, learner, CPU, torch.Generator().manual_seed(0))


def test_lanes_are_shared_out_as_the_configuration_says() -> None:
    with OpponentWorkers(0) as workers:
        pool = pool_of(workers, 16, net())
        assert (pool.bot != ITSELF).tolist() == [False] * 12 + [True] * 4
        assert set(pool.bot[12:].tolist()) == {0, 1}
        assert pool.met.sum() == 4, "there is no past network yet"
        pool.meet([net(1).state_dict()])
        assert pool.met.tolist() == [False] * 4 + [True] * 12


def test_a_name_given_twice_is_met_twice_as_often() -> None:
    with OpponentWorkers(0) as workers:
        pool = pool_of(workers, 12, net(), bots=1.0, past=0.0, names=("random", "aggressive", "random"))
        assert np.bincount(pool.bot).tolist() == [8, 4]


@pytest.mark.parametrize("names", [("random", "aggressive"), ("random", "aggressive", "random")])
def test_every_opponent_chooses_a_legal_action_for_its_lanes(names: tuple[str, ...]) -> None:
    game = shipped("small")
    batch = SkirmishBatch(game, 16, turned=True)
    batch.reset(0)
    with OpponentWorkers(0) as workers:
        pool = pool_of(workers, 16, net(), names=names)
        pool.meet([net(1).state_dict(), net(2).state_dict()])
        for _ in range(30):
            actions = pool.choose(batch, np.arange(16))
            assert batch.lanes.mask[np.arange(16), actions].all()
            batch.step(actions)


def test_scripted_opponents_play_as_the_agent_does_here_or_in_other_processes() -> None:
    game = shipped("small")
    batch, lanes = SkirmishBatch(game, 8, turned=True), np.arange(8)
    batch.reset(5)
    expected = opponent_of(game, "objective")
    with OpponentWorkers(0) as here, OpponentWorkers(2) as there:
        for _ in range(12):
            actions = expected.choose(batch, lanes)
            for workers in (here, there):
                assert ScriptedOpponent(workers, "small", "objective").choose(batch, lanes).tolist() == actions.tolist()
            batch.step(actions)


def test_whole_turns_are_those_of_an_agent_that_decides_ply_by_ply() -> None:
    game = shipped("small")
    with OpponentWorkers(0) as workers:
        pool = pool_of(workers, 6, net(), bots=1.0, past=0.0, names=("aggressive",))
        planned, expected = (OpponentBatch(game, 6, seat="alternating", opponent=who) for who in (pool, "aggressive"))
        # The second time other choices of the learner lead elsewhere with the same dice: no plan may survive.
        for seed, direction in ((3, 1), (3, -1), (4, 1)):
            for env in (planned, expected):
                env.reset(seed)
            for _ in range(40):
                first = planned.mask[:, ::direction].argmax(1)
                actions = first if direction == 1 else planned.mask.shape[1] - 1 - first
                for env in (planned, expected):
                    env.step(actions)
                assert np.array_equal(planned.obs["planes"], expected.obs["planes"])
                assert np.array_equal(planned.mask, expected.mask)


def test_a_plan_of_another_position_is_dropped() -> None:
    game = shipped("small")
    batch = SkirmishBatch(game, 1, turned=True)
    batch.reset(0)
    lane, player = np.zeros(1, np.int64), [("small", "greedy")]
    with OpponentWorkers(0) as workers:
        planned = PlannedTurns(workers)
        planned._planned[0] = [Choice(b"another position", 0), Choice(b"its end", 0)]
        assert planned.choose(batch, lane, player) == opponent_of(game, "greedy").choose(batch, lane).tolist()


def test_opponents_of_lanes_in_several_batches_choose_at_once() -> None:
    game, learner = shipped("small"), net()
    agents = [opponent_of(game, name) for name in ("objective", "aggressive")]
    lanes = TrainingLanes(game, 10, 3, torch.float32)
    lanes.reset(7)
    with OpponentWorkers(0) as workers:
        pool = pool_of(workers, 10, learner, bots=0.6, past=0.4, names=("objective", "aggressive"))
        pool.meet([net(1).state_dict()])
        for ply in range(12):
            waiting = np.arange(10) % 4 != ply % 4
            parts, index = lanes.where(waiting), torch.from_numpy(np.flatnonzero(waiting))
            assert np.concatenate([part.lanes for part in parts]).tolist() == index.tolist()
            result = pool.submit(parts, lanes.observed[index], lanes.mask[index])()
            assert lanes.mask[index, torch.from_numpy(result)].all()
            for part in parts:
                for inside, lane in zip(part.inside, part.lanes, strict=True):
                    if pool.bot[lane] != ITSELF:
                        expected = agents[pool.bot[lane]].choose(part.batch, inside[None])
                        assert result[index.tolist().index(lane)] == expected[0]
            actions = lanes.mask.int().argmax(1).numpy()
            actions[waiting] = result
            lanes.step(actions)
    lanes.close()


@pytest.mark.parametrize(("most", "left"), [(1, [5]), (2, [0, 5]), (3, [0, 4, 5]), (9, [0, 1, 2, 3, 4, 5])])
def test_of_too_many_past_networks_the_first_and_the_latest_stay(most: int, left: list[int]) -> None:
    past: list[Weights] = []
    learner = net()
    for number in range(6):
        torch.nn.init.constant_(learner.value.bias, number)
        past = extend_past(past, learner, most)
    assert [int(weights["value.bias"]) for weights in past] == left


def test_a_result_is_scored_for_the_seat_that_the_learner_had() -> None:
    results = np.array([BY_POINTS, BY_POINTS, BY_VALUE + WON_BY_SECOND, BY_VALUE + WON_BY_SECOND, DRAWN, DRAWN])
    assert scores_of(results, np.array([0, 1, 0, 1, 0, 1])).tolist() == [1.0, 0.0, 0.0, 1.0, 0.5, 0.5]


LANES = 40


@pytest.fixture
def lanes() -> Iterator[TrainingLanes]:
    training_lanes = TrainingLanes(shipped("small"), LANES, 2, torch.float32)
    yield training_lanes
    training_lanes.close()


def states(lanes: TrainingLanes) -> np.ndarray:
    return np.concatenate([batch.lanes.states for batch in lanes.batches])


def test_some_games_begin_while_others_are_far(lanes: TrainingLanes) -> None:
    lanes.reset(3)
    assert lanes.deploying[0]
    assert 2 <= lanes.deploying.sum() <= LANES // 2
    assert len(np.unique(states(lanes)[:, layout.TURN])) >= 3


def test_games_restart_in_the_given_lanes_only(lanes: TrainingLanes) -> None:
    lanes.reset(3)
    before, episode = states(lanes), lanes.episode.copy()
    restarted = np.arange(LANES) % 3 == 0
    lanes.restart(restarted)
    assert (states(lanes)[~restarted] == before[~restarted]).all()
    assert (lanes.episode == episode + restarted).all()
    assert lanes.deploying[restarted].all()
    assert (lanes.mask[restarted] == lanes.mask[0]).all()
