"""The batch environment for training: a learner in one seat or in both, an opponent in the other, shaped rewards."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.errors import BadOption, IllegalAction
from ludex.core.game import Observation
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponents import Opponent, OpponentLike, opponent_of
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine.lanes import THE_MOVER
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.learn.runs import Row


@dataclass(kw_only=True)
class DeploymentMetrics:
    """Counts of the learner's actions in deployments, and its results. Slots are those of its own indices."""

    unit_slots: NDArray[np.int64]
    hex_slots: NDArray[np.int64]
    """[slots]: how often each was chosen for a placement."""
    valid_actions: int = 0
    invalid_attempts: int = 0
    """Actions tried in a deployment that the mask forbids: they raised and changed nothing."""
    passes: int = 0
    deadlocks: int = 0
    deployments: int = 0
    """Deployments that came to their end."""
    steps: int = 0
    """The learner's actions in them."""
    games: int = 0
    """Games that came to their end after an active deployment."""
    wins: int = 0

    @classmethod
    def empty(cls, unit_slots: int, hex_slots: int) -> "DeploymentMetrics":
        """Nothing counted yet, for an action space with so many slots."""
        return cls(unit_slots=np.zeros(unit_slots, np.int64), hex_slots=np.zeros(hex_slots, np.int64))

    def count_placements(self, actions: NDArray[np.int64]) -> None:
        """Count the slots of `deploy_unit` indices."""
        units, hexes = np.divmod(actions, len(self.hex_slots))
        self.unit_slots += np.bincount(units, minlength=len(self.unit_slots))
        self.hex_slots += np.bincount(hexes, minlength=len(self.hex_slots))

    def named(self) -> dict[str, float | int | None]:
        """The metrics under the contract's names; a rate or mean of nothing is None."""
        tried = self.valid_actions + self.invalid_attempts
        return {
            "deployment_valid_action_rate": _share(self.valid_actions, tried),
            "deployment_invalid_action_attempt_rate": _share(self.invalid_attempts, tried),
            "deployment_steps_mean": _share(self.steps, self.deployments),
            "deployment_deadlock_count": self.deadlocks,
            "deployment_pass_count": self.passes,
            "winrate_with_active_deployment": _share(self.wins, self.games),
        }


def deadlock_row(error: Exception) -> Row | None:
    """What a run logs of a deadlock, which ends it; None for any other error."""
    return {"deployment_deadlock_count": error.count} if isinstance(error, DeploymentDeadlockError) else None


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


Seat: TypeAlias = Literal[1, 2, "alternating", "both"]
"""The learner's seat: player 1, player 2, alternating from lane to lane and from episode to episode, or both."""
SEATS: Final = get_args(Seat)


class OpponentBatch:
    """`num_lanes` games in which the learner chooses and the opponent answers, all seen from the mover's end.

    A step is the learner's action and all plies until it has to choose again. The reward is the learner's for these
    plies, by `game_config.json`; `info["rewards"]` float64[N, 2] has each player's. Where an episode ended,
    `info["score"]` float32[N] is the learner's score, `info["result"]` int16[N] the result, see `engine.layout`,
    `info["final_states"]` the last position, and `info["final_obs"]` its observation; what the opponent did before the
    learner's first choice gives no reward. A deadlock is counted and raises: see `DeploymentDeadlockError`.
    """

    shaped = True

    def __init__(self, game: Skirmish, num_lanes: int, *, seat: Seat, opponent: OpponentLike | None) -> None:
        if seat not in SEATS:
            raise BadOption(f"seat must be one of {', '.join(map(repr, SEATS))}, found {seat!r}")
        if (seat == "both") != (opponent is None):
            raise BadOption(
                f"an opponent plays the seat that the learner does not: found seat {seat!r} with opponent {opponent!r}"
            )
        self.game = game
        self.num_lanes = num_lanes
        self.num_actions = game.info.num_actions
        self.metrics = DeploymentMetrics.empty(game.table.unit_slots, game.table.hex_slots)
        self._batch = SkirmishBatch(game, num_lanes, turned=True)
        self._lanes = self._batch.lanes
        self.obs, self.mask = self._batch.obs, self._lanes.mask
        self.player, self.episode = self._lanes.player, self._lanes.episode
        self._seat = seat
        self._opponent = None if opponent is None else opponent_of(game, opponent)
        self._ended = np.zeros(num_lanes, np.bool_)
        self._rewards = np.zeros((num_lanes, 2))
        self._score, self._result = np.zeros(num_lanes, np.float32), np.zeros(num_lanes, np.int16)
        self._deployment_steps = np.zeros(num_lanes, np.int64)
        self._truncated = np.zeros(num_lanes, np.bool_)

    @property
    def seed(self) -> int:
        """The seed of the generators of all lanes."""
        return self._batch.seed

    @property
    def learner_to_move(self) -> NDArray[np.bool_]:
        """bool[N]"""
        return self._is_learner(self.player)

    @property
    def seats(self) -> NDArray[np.int8]:
        """int8[N]: the learner's player in each lane's present episode, or THE_MOVER if it is both."""
        return self._lanes.watcher.copy()

    @property
    def deploying(self) -> NDArray[np.bool_]:
        """bool[N]: lanes in the deployment phase."""
        return np.equal(self._lanes.states[:, layout.PHASE], layout.DEPLOYMENT)

    @property
    def states(self) -> NDArray[np.int16]:
        """int16[N, words]: the lanes' positions, which the next ply overwrites."""
        return self._lanes.states

    def phase(self, lane: int) -> str:
        """The phase a lane is in."""
        return layout.PHASES[self._lanes.states[lane, layout.PHASE]]

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self._batch.reset(seed)
        self._seat_learner()
        return self._begin_episodes()

    def next_episode(self) -> tuple[Observation, Info]:
        """Begin the next episode in every lane; the present ones are abandoned."""
        self._batch.give_up(np.ones(self.num_lanes, np.bool_))
        self._seat_learner()
        return self._begin_episodes()

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Play an action, and let the opponent answer. Raises `IllegalAction`, and no lane has moved."""
        mover, deploying = self._lanes.player.copy(), self.deploying
        self._act(actions, np.ones(self.num_lanes, np.bool_), deploying)
        self._answer()
        self._leave_deployment()
        reward = self._rewards[np.arange(self.num_lanes), mover].astype(np.float32)
        return self.obs, reward, self._ended, self._truncated, self._info()

    def tick(self, learner: Opponent, playing: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """One ply in the lanes of `playing: bool[N]`, by the learner or the opponent, depending on the player to move.

        Unlike with `step`, no lane waits for the slowest one. Returns the actions, `int64[N]`, and where an episode
        ended, `bool[N]`, see `ends`.
        """
        assert self._opponent is not None, "a learner in both seats has no opponent"
        ours = self.learner_to_move
        actions = np.zeros(self.num_lanes, np.int64)
        waiting = np.flatnonzero(playing & ~ours)
        if len(waiting):
            actions[waiting] = self._opponent.choose(self._batch, waiting)
        deciding = np.flatnonzero(playing & ours)
        if len(deciding):
            actions[deciding] = learner.choose(self._batch, deciding)
        deploying = self.deploying & playing & ours
        self._act(actions, playing, deploying)
        self._leave_deployment()
        return actions, self._ended.copy()

    @property
    def ends(self) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
        """float32[N], int16[N, words]: the learner's score and the last position of each lane's last episode."""
        return self._score, self._lanes.final_states

    def _begin_episodes(self) -> tuple[Observation, Info]:
        self._ended[:] = True
        self._deployment_steps[:] = 0
        self._answer()
        self._ended[:] = False
        return self.obs, self._info()

    def _seat_learner(self) -> None:
        """Set the learner's player in the lanes' present episodes; it also observes their ends."""
        if self._seat == "alternating":
            self._lanes.watcher[:] = (np.arange(self.num_lanes) + self._lanes.episode) % 2
        else:
            self._lanes.watcher[:] = THE_MOVER if self._seat == "both" else self._seat - 1

    def _is_learner(self, player: NDArray[np.int8]) -> NDArray[np.bool_]:
        """bool[N]: where the learner plays this player of `int8[N]`."""
        seats = self._lanes.watcher
        return np.equal(seats, THE_MOVER) | np.equal(seats, player)

    def _answer(self) -> None:
        """Let the opponent play until the learner is to move in every lane."""
        while not (ours := self.learner_to_move).all():
            assert self._opponent is not None, "a learner in both seats is always to move"
            waiting = np.flatnonzero(~ours)
            actions = np.zeros(self.num_lanes, np.int64)
            actions[waiting] = self._opponent.choose(self._batch, waiting)
            self._play(actions, ~ours)

    def _act(self, actions: NDArray[np.int64], playing: NDArray[np.bool_], deploying: NDArray[np.bool_]) -> None:
        """A first ply in the lanes of `playing`, and the account of the learner's in those of `deploying`."""
        self._ended[:] = False
        self._rewards[:] = 0.0
        try:
            self._play(actions, playing)
        except IllegalAction:
            self.metrics.invalid_attempts += int((deploying & ~self._legal_lanes(actions)).sum())
            raise
        self._count(actions, deploying)

    def _play(self, actions: NDArray[np.int64], playing: NDArray[np.bool_]) -> None:
        """One ply, and the account of it. What follows in a lane's next episode is not the last one's."""
        lanes, mover = self._lanes, self._lanes.player.copy()
        try:
            self._batch.step(actions, playing)
        except DeploymentDeadlockError:
            self.metrics.deadlocks += int(self._batch.deadlocks(actions, playing).sum())
            raise
        counts = playing & ~self._ended
        self._rewards[counts] += lanes.rewards[counts]
        ended = counts & lanes.terminated
        if ended.any():
            self._score[ended] = np.where(self._is_learner(mover), lanes.reward, -lanes.reward)[ended]
            self._result[ended] = lanes.final_states[ended, layout.RESULT]
            self._ended |= ended
            if self.game.scenario.config.deployment_type == "active":
                self.metrics.games += int(ended.sum())
                self.metrics.wins += int((self._score[ended] > 0).sum())
        if lanes.terminated.any():
            self._seat_learner()

    def _legal_lanes(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool[N]: lanes whose action the mask allows."""
        known = (actions >= 0) & (actions < self.num_actions)
        allowed: NDArray[np.bool_] = self._lanes.mask[np.arange(self.num_lanes), np.where(known, actions, 0)]
        return known & allowed

    def _count(self, actions: NDArray[np.int64], deploying: NDArray[np.bool_]) -> None:
        """Count the learner's actions of the deployment."""
        table, metrics = self.game.table, self.metrics
        self._deployment_steps += deploying
        metrics.valid_actions += int(deploying.sum())
        metrics.passes += int((deploying & (actions == table.begins[branches.PASS])).sum())
        metrics.count_placements(actions[deploying & (actions < table.sizes[branches.DEPLOY])])

    def _leave_deployment(self) -> None:
        """Close the account of deployments that came to their end."""
        left = (self._deployment_steps > 0) & (self._ended | ~self.deploying)
        self.metrics.deployments += int(left.sum())
        self.metrics.steps += int(self._deployment_steps[left].sum())
        self._deployment_steps[left] = 0

    def _info(self) -> Info:
        return {
            "mask": self.mask,
            "player": self.player,
            "episode": self.episode,
            "final_obs": self._batch.final_obs,
            "final_states": self._lanes.final_states,
            "score": self._score,
            "result": self._result,
            "rewards": self._rewards,
        }
