"""The batch environments: where episodes start, that every lane is the plain game, opponents, rewards and metrics."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.agent import AnyAgent
from ludex.core.decision import Decision
from ludex.core.errors import AgentFault, BadOption, IllegalAction
from ludex.core.game import Mask, Observation
from ludex.core.registry import make_agent
from ludex.core.seeding import CHANCE, OPENING
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponent_batch import OpponentBatch, Seat
from ludex.games.skirmish.env.opponents import PolicyOpponent, SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.kernels.sampling import RandomActions
from tests.games.skirmish.env.slow_env import SlowVersus
from tests.games.skirmish.support import GAME, deploying, shipped, variant

LANES, SEED = 3, 11


@pytest.mark.slow
@pytest.mark.parametrize("name", ["small", "people"])
def test_no_empty_mask_is_passed_on_from_deployment_to_the_end(name: str) -> None:
    """And each episode goes from deployment into the battle, the first choice of which is in the move phase."""
    batch, sampler = SkirmishBatch(shipped(name), LANES), RandomActions(LANES, 3, CHANCE)
    obs, info = batch.reset(7)
    entered, ended = 0, 0
    before = obs["vector"][:, : len(layout.PHASES)].argmax(axis=1)
    for _ in range(1200):
        assert info["mask"].any(axis=1).all()
        obs, _, terminated, _, info = batch.step(sampler.draw(info["mask"]))
        after = obs["vector"][:, : len(layout.PHASES)].argmax(axis=1)
        left = (before == layout.DEPLOYMENT) & (after != layout.DEPLOYMENT)
        assert (after[left] == layout.MOVE).all()
        assert (after[terminated] == layout.DEPLOYMENT).all()
        entered, ended, before = entered + int(left.sum()), ended + int(terminated.sum()), after
    assert entered >= LANES
    assert ended >= (LANES if name == "small" else 1)


@pytest.mark.slow
def test_a_deadlock_in_a_lane_is_raised_and_no_lane_has_moved() -> None:
    batch = SkirmishBatch(shipped("cramped"), LANES)
    obs, info = batch.reset(7)
    # Three placements each, player 1's pass, player 2's last placement: then player 1 passes again.
    for _ in range(8):
        obs, _, _, _, info = batch.step(info["mask"].argmax(axis=1).astype(np.int64))
    planes, mask = obs["planes"].copy(), info["mask"].copy()
    with pytest.raises(DeploymentDeadlockError, match="lane 0: player 1"):
        batch.step(mask.argmax(axis=1).astype(np.int64))
    assert (obs["planes"] == planes).all()
    assert (info["mask"] == mask).all()


SHAPED = {"per_placement": 0.5, "near_objective": 0.25, "in_cover": 0.125}


def shaped(parent: Path, name: str = "small") -> Skirmish:
    """A scenario whose every reward counts, each with a value of its own."""
    rewards = {"win": 10.0, "loss": -7.0, "draw": 1.0, "damage_dealt": 3.0, "damage_taken": -2.0}
    terms = {**rewards, "objective_point": 0.1, "deployment": SHAPED}
    return variant(parent, {(GAME, "rewards"): terms}, name)


def seat_of(seat: Seat, lane: int, episode: int) -> int | None:
    if seat == "both":
        return None
    return (lane + episode) % 2 if seat == "alternating" else seat - 1


class Last:
    """Plays the last legal action, as an agent and as a policy."""

    name = "last"

    def __init__(self, game: Skirmish) -> None:
        self._seat = SeatAdapter(game)

    def decide(self, view: Any, legal: Mask, **_: Any) -> Decision:
        player = view.player
        own_mask = self._seat.mask(player, legal)
        return Decision(self._seat.action(player, int(np.flatnonzero(own_mask)[-1])))

    @staticmethod
    def policy(obs: Observation, masks: Mask) -> NDArray[np.int64]:
        assert len(obs["planes"]) == len(masks)
        actions: NDArray[np.int64] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return actions


def to_the_deadlock(batch: OpponentBatch) -> None:
    """Play the first legal action of every lane until it raises."""
    for _ in range(batch.game.info.max_plies):
        batch.step(batch.mask.argmax(axis=1))


def equal_to_slow(
    game: Skirmish, seat: Seat, opponent: Any, agent: AnyAgent | None, steps: int
) -> tuple[int, set[int]]:
    """Play beside the slow one; how many episodes ended, and in which lanes' seats."""
    batch, sampler = OpponentBatch(game, LANES, seat=seat, opponent=opponent), RandomActions(LANES, 3, OPENING)
    obs, info = batch.reset(SEED)
    slow = [SlowVersus(game, SEED, lane, seat_of(seat, lane, 0), agent) for lane in range(LANES)]
    ended, seats = 0, set()
    for _ in range(steps):
        for lane, env in enumerate(slow):
            assert all((obs[name][lane] == array).all() for name, array in env.observed.items())
            assert (info["mask"][lane] == env.mask).all()
            assert info["player"][lane] == env.position.to_move
            assert info["episode"][lane] == env.episode
            assert batch.phase(lane) == env.position.phase
            seats.add(int(info["player"][lane]))
        actions = sampler.draw(info["mask"])
        obs, reward, terminated, truncated, info = batch.step(actions)
        assert reward.dtype == np.float32
        assert not truncated.any()
        for lane, env in enumerate(slow):
            came = env.step(int(actions[lane]), seat_of(seat, lane, env.episode + 1))
            assert reward[lane] == pytest.approx(came.reward, abs=1e-5)
            assert terminated[lane] == (came.score is not None)
            if came.final is not None:
                assert info["score"][lane] == came.score
                assert all((info["final_obs"][name][lane] == array).all() for name, array in came.final.items())
                ended += 1
    return ended, seats


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seat", "opponent"), [(1, "random"), (2, "aggressive"), ("alternating", "objective"), ("both", None)]
)
def test_lanes_equal_the_plain_game_with_the_same_actions(seat: Seat, opponent: str | None, tmp_path: Path) -> None:
    """Observations, masks, rewards, ends, final observations and the next episodes."""
    game = shaped(tmp_path)
    agent = None if opponent is None else make_agent(game, opponent)
    ended, seats = equal_to_slow(game, seat, opponent, agent, 320 if seat == "both" else 170)
    assert ended >= LANES
    assert seats == ({seat - 1} if isinstance(seat, int) else {0, 1})


@pytest.mark.slow
def test_units_taken_back_return_their_reward(tmp_path: Path) -> None:
    game = deploying(tmp_path, "alternated_p1_start", "per_player")
    assert equal_to_slow(game, "alternating", "random", make_agent(game, "random"), 30)[0] == 0


@pytest.mark.slow
def test_a_policy_over_lanes_plays_like_the_same_agent(tmp_path: Path) -> None:
    game = shaped(tmp_path)
    ended, _ = equal_to_slow(game, "alternating", Last.policy, Last(game), 150)
    assert ended >= LANES


@pytest.mark.slow
def test_lanes_that_do_not_wait_for_each_other_play_the_same_games() -> None:
    """Ends, positions and the account of the deployments, by plies as by the learner's steps."""
    game = shipped("small")
    waiting, ticking = (OpponentBatch(game, LANES, seat="alternating", opponent="objective") for _ in (0, 1))
    waiting.reset(SEED)
    ends: dict[tuple[int, int], tuple[float, bytes]] = {}
    episodes = np.zeros(LANES, np.int64)
    while (episodes < 2).any():
        _, _, ended, _, info = waiting.step(Last.policy(waiting.obs, waiting.mask))
        for lane in np.flatnonzero(ended).tolist():
            ends[lane, int(episodes[lane])] = info["score"][lane], info["final_states"][lane].tobytes()
            episodes[lane] += 1
    ticking.reset(SEED)
    played, plies = np.zeros(LANES, np.int64), 0
    while (playing := played < 2).any():
        before = ticking.player.copy()
        _, ended = ticking.tick(PolicyOpponent(Last.policy), playing)
        assert not ended[~playing].any()
        assert (ticking.player == before)[~playing].all(), "a lane that does not play has moved"
        scores, finals = ticking.ends
        for lane in np.flatnonzero(ended).tolist():
            assert (scores[lane], finals[lane].tobytes()) == ends[lane, int(played[lane])]
        played += ended
        plies += 1
    assert played.tolist() == [2] * LANES
    metrics = ticking.metrics.named()
    assert (metrics["deployment_steps_mean"], metrics["deployment_valid_action_rate"]) == (3.0, 1.0)
    assert ticking.metrics.games == 2 * LANES
    assert ticking.metrics.unit_slots.sum() == 3 * 2 * LANES


def test_each_player_of_both_has_its_reward() -> None:
    game = shipped("small")
    batch, sampler = OpponentBatch(game, 2, seat="both", opponent=None), RandomActions(2, 3, OPENING)
    _, info = batch.reset(SEED)
    ends = 0
    for _ in range(250):
        mover = info["player"].copy()
        _, reward, terminated, _, info = batch.step(sampler.draw(info["mask"]))
        assert reward == pytest.approx(info["rewards"][[0, 1], mover])
        for lane in np.flatnonzero(terminated).tolist():
            terms = game.scenario.game.rewards
            ends += 1
            if info["score"][lane] > 0:
                assert info["rewards"][lane, 1 - mover[lane]] < terms.loss / 2
    assert ends > 0


def test_a_deadlock_is_counted_and_raised_and_the_lane_stays() -> None:
    """Training counts it, can write its metrics, and stops with the error."""
    batch = OpponentBatch(shipped("cramped"), 2, seat=1, opponent="greedy")
    obs, info = batch.reset(0)
    for _ in range(4):
        obs, _, _, _, info = batch.step(info["mask"].argmax(axis=1))
    planes = obs["planes"].copy()
    with pytest.raises(DeploymentDeadlockError, match="lane 0: player 1 cannot place any unit"):
        batch.step(info["mask"].argmax(axis=1))
    assert (obs["planes"] == planes).all()
    assert batch.metrics.named() == {
        "deployment_valid_action_rate": 1.0,
        "deployment_invalid_action_attempt_rate": 0.0,
        "deployment_steps_mean": None,
        "deployment_deadlock_count": 2,
        "deployment_pass_count": 2,
        "winrate_with_active_deployment": None,
    }


def test_a_deadlock_of_the_opponent_is_counted_and_raised() -> None:
    batch = OpponentBatch(shipped("cramped"), 2, seat=2, opponent="greedy")
    batch.reset(0)
    with pytest.raises(DeploymentDeadlockError):
        to_the_deadlock(batch)
    assert batch.metrics.deadlocks == 2


@pytest.mark.slow
def test_metrics_count_what_the_learner_does_in_deployments() -> None:
    game = shipped("small")
    batch, sampler = OpponentBatch(game, LANES, seat="alternating", opponent="random"), RandomActions(LANES, 3, OPENING)
    _, info = batch.reset(SEED)
    units, hexes = np.zeros(game.table.unit_slots, int), np.zeros(game.table.hex_slots, int)
    refused, placements, wins, games = 0, 0, 0, 0
    for step in range(200):
        deploying = batch.deploying
        if step % 7 == 0:
            wrong = (~info["mask"]).argmax(axis=1)
            wrong[1] = -1
            with pytest.raises(IllegalAction, match="lane 0"):
                batch.step(wrong)
            refused += int(deploying.sum())
        actions = sampler.draw(info["mask"]).copy()
        for action in actions[deploying].tolist():
            placements += 1
            units[action // game.table.hex_slots] += 1
            hexes[action % game.table.hex_slots] += 1
        _, _, terminated, _, info = batch.step(actions)
        games += int(terminated.sum())
        wins += int((info["score"][terminated] > 0).sum())
    metrics = batch.metrics
    assert games > LANES
    assert refused > 0
    assert metrics.unit_slots.tolist() == units.tolist()
    assert metrics.hex_slots.tolist() == hexes.tolist()
    named = metrics.named()
    assert named["deployment_valid_action_rate"] == placements / (placements + refused)
    assert named["deployment_invalid_action_attempt_rate"] == refused / (placements + refused)
    assert named["deployment_steps_mean"] == len(game.scenario.forces[0])
    assert named["deployment_deadlock_count"] == named["deployment_pass_count"] == 0
    assert named["winrate_with_active_deployment"] == wins / games


def test_a_pass_that_hands_on_is_counted() -> None:
    batch = OpponentBatch(shipped("cramped"), 1, seat="both", opponent=None)
    batch.reset(0)
    with pytest.raises(DeploymentDeadlockError):
        to_the_deadlock(batch)
    assert batch.mask[0, batch.game.table.begins[branches.PASS]]
    assert (batch.metrics.passes, batch.metrics.deadlocks) == (1, 1)


@pytest.mark.parametrize(
    ("seat", "opponent"), [(1, None), ("both", "random"), (0, "random"), ("first", "random"), (3, None)]
)
def test_seats_and_opponents_that_do_not_fit_are_refused(seat: Any, opponent: str | None) -> None:
    with pytest.raises(BadOption, match="seat"):
        OpponentBatch(shipped("small"), 1, seat=seat, opponent=opponent)


def test_an_opponents_illegal_action_is_its_fault() -> None:
    class Wrong:
        name = "wrong"

        def decide(self, view: Any, legal: Mask, **_: Any) -> Decision:
            return Decision(int((~legal).argmax()))

    with pytest.raises(AgentFault, match="'wrong' chose illegal action"):
        OpponentBatch(shipped("small"), 1, seat=2, opponent=Wrong()).reset(0)
    for policy, message in (
        (lambda obs, masks: (~masks).argmax(axis=1), "illegal action"),
        (lambda obs, masks: np.full(len(masks), -1), "illegal action -1 in lane 0"),
        (lambda obs, masks: np.zeros(len(masks) + 1, np.int64), r"returned int64\[2\], expected int64\[1\]"),
    ):
        with pytest.raises(AgentFault, match=message):
            OpponentBatch(shipped("small"), 1, seat=2, opponent=policy).reset(0)
