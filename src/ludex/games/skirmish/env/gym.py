"""Skirmish for Gymnasium: one player against a given opponent, or both in turns, with strict masks.

`gymnasium.make("ludex/Skirmish-v0", preset="small", seat=1, opponent="aggressive")`; `gymnasium.make_vec` has many
lanes of the same. Both wrap `OpponentBatch`, which documents seats, rotated boards and rewards.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ludex.core.batch import Info
from ludex.core.errors import GameOver
from ludex.core.game import Observation
from ludex.envs.lanes import LanesStep, LanesVectorEnv
from ludex.games.skirmish.env.opponent_batch import OpponentBatch, Seat
from ludex.games.skirmish.env.opponents import OpponentLike
from ludex.games.skirmish.game import Skirmish, open_game
from ludex.games.skirmish.rules.engine.layout import reason_of
from ludex.games.skirmish.rules.engine.observation import GREATEST, PLANES, vector_length

Observed = dict[str, NDArray[np.float32]]


class SkirmishGym(gymnasium.Env[Observed, np.int64]):
    """One game after the other. An action that the mask forbids raises `IllegalAction` and changes nothing.

    `info`: `action_mask`, `player` to move (1 or 2), `phase`; at the end `score` of the learner and `reason`.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, preset: str = "default", *, seat: Seat = "both", opponent: OpponentLike | None = None) -> None:
        self.batch = OpponentBatch(open_game(preset), 1, seat=seat, opponent=opponent)
        self.metrics = self.batch.metrics
        """What the learner did in deployments."""
        self.action_space = spaces.Discrete(self.batch.num_actions)
        self.observation_space: gymnasium.Space[Any] = _observation_space(self.batch.game)
        self._begun = False
        self._over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin the next game; a seed reseeds the generators."""
        super().reset(seed=seed)
        if seed is not None or not self._begun:
            obs, _ = self.batch.reset(int(self.np_random.integers(1 << 62)))
        elif not self._over:
            obs, _ = self.batch.next_episode()
        else:
            # The last step has begun it.
            obs = self.batch.obs
        self._begun, self._over = True, False
        return _lane(obs), self._info()

    def step(self, action: np.int64) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        if self._over or not self._begun:
            raise GameOver(f"action {action}: the game has ended or not begun; call reset() first")
        obs, reward, terminated, _, info = self.batch.step(np.array([action], np.int64))
        if not terminated[0]:
            return _lane(obs), float(reward[0]), False, False, self._info()
        self._over = True
        end = {"score": float(info["score"][0]), "reason": reason_of(int(info["result"][0]))}
        return _lane(info["final_obs"]), float(reward[0]), True, False, {**self._info(), **end}

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[actions]: what may be played, nothing once the game is over.

        An empty mask of a live game would make a masked policy play uniformly: it is an error.
        """
        mask: NDArray[np.bool_] = self.batch.mask[0].copy()
        assert mask.any(), f"the mask is empty in the phase {self.batch.phase(0)}"
        return mask & (not self._over)

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.action_masks(),
            "player": None if self._over else int(self.batch.player[0]) + 1,
            "phase": "over" if self._over else self.batch.phase(0),
        }


class SkirmishVectorGym(LanesVectorEnv[Observed]):
    """Many games; one seed serves all lanes, and `final_obs` holds the learner's last observation.

    `info`: `action_mask`, `player` (1 or 2) and, where a lane ended, `score`, `reason`, `final_obs`, each with its mask
    of lanes under the same name with an underscore, as in Gymnasium.
    """

    def __init__(
        self, num_envs: int = 1, preset: str = "default", *, seat: Seat = "both", opponent: OpponentLike | None = None
    ) -> None:
        self.batch = OpponentBatch(open_game(preset), num_envs, seat=seat, opponent=opponent)
        self.metrics = self.batch.metrics
        """What the learner did in deployments."""
        super().__init__(num_envs, _observation_space(self.batch.game), self.batch.num_actions)
        self._ends: Info = {}

    def begin(self, seed: int | list[int] | None) -> None:
        if isinstance(seed, list):
            raise ValueError(f"one seed serves all lanes, found a list of {len(seed)}")
        if seed is not None or not self._begun:
            self.batch.reset(int(self.np_random.integers(1 << 62)))
        else:
            self.batch.next_episode()

    def advance(self, actions: NDArray[np.int64]) -> LanesStep:
        if not self._begun:
            raise GameOver("no game has begun; call reset() first")
        _, reward, terminated, truncated, self._ends = self.batch.step(actions)
        return reward, terminated, truncated

    def observe(self) -> Observed:
        return dict(self.batch.obs)

    def observe_final(self) -> Observed:
        final: Observed = self._ends["final_obs"]
        return final

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[N, actions]: what may be played; an empty mask is an error."""
        mask: NDArray[np.bool_] = self.batch.mask.copy()
        assert mask.any(axis=1).all(), f"the mask of lane {int(mask.any(axis=1).argmin())} is empty"
        return mask

    def info(self) -> dict[str, Any]:
        return {**super().info(), "player": self.batch.player + 1}

    def step_info(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        if not ended.any():
            return {}
        results = zip(self._ends["result"], ended, strict=True)
        reasons = [reason_of(int(result)) if end else "" for result, end in results]
        return {"score": self._ends["score"].copy(), "_score": ended, "reason": np.array(reasons), "_reason": ended}


def _observation_space(game: Skirmish) -> spaces.Dict:
    grid = game.scenario.grid
    return spaces.Dict(
        {
            "planes": spaces.Box(0.0, GREATEST, (PLANES, grid.cols, grid.rows), np.float32),
            "vector": spaces.Box(0.0, GREATEST, (vector_length(game.table.unit_slots),), np.float32),
        }
    )


def _lane(obs: Observation) -> Observed:
    return {name: array[0].copy() for name, array in obs.items()}
