"""Many games at once for Gymnasium: a game's own batch where it has one, one environment per lane otherwise."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ludex.core.batch import BatchEnv
from ludex.core.game import AnyGame, Observation
from ludex.core.registry import make, resolve, spec
from ludex.envs.episode import Observed, as_floats, observation_space
from ludex.envs.single import GameEnv


class BatchVectorEnv(VectorEnv[Observed, NDArray[Any], NDArray[Any]]):
    """A game's own batch: every lane plays every seat in turn. A lane that ends is reset in the same step.

    `info`: `action_mask`, `player`, `episode`; where a lane ended `final_obs` with its mask `_final_obs`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012
    render_mode = None

    def __init__(self, game: AnyGame, batch: BatchEnv, seed: int | None) -> None:
        self.batch = batch
        self.num_envs = batch.num_lanes
        single = observation_space(game)
        self._shapes = {name: space.shape or () for name, space in single.spaces.items()}
        self.single_observation_space = single
        self.single_action_space = spaces.Discrete(batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._seed = seed
        self._mask = np.zeros((self.num_envs, batch.num_actions), np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin episode 0 in every lane; one seed serves all lanes."""
        if isinstance(seed, list):
            raise ValueError(f"one seed serves all lanes, found a list of {len(seed)}")
        super().reset(seed=seed)
        named = self._seed if seed is None else seed
        # The seed of the constructor is that of the first reset only.
        self._seed = None
        obs, info = self.batch.reset(int(self.np_random.integers(1 << 62)) if named is None else named)
        return self._given(obs), self._info(info)

    def step(self, actions: NDArray[Any]) -> tuple[Observed, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        obs, reward, terminated, truncated, info = self.batch.step(np.asarray(actions, np.int64))
        ended = terminated | truncated
        details = self._info(info)
        if ended.any():
            details |= {"final_obs": self._given(info["final_obs"]), "_final_obs": ended.copy()}
        return self._given(obs), reward.copy(), terminated.copy(), truncated.copy(), details

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[N, actions]."""
        return self._mask.copy()

    def _given(self, obs: Observation) -> Observed:
        return {name: array.reshape(self.num_envs, *self._shapes[name]) for name, array in as_floats(obs).items()}

    def _info(self, info: dict[str, Any]) -> dict[str, Any]:
        self._mask = info["mask"].copy()
        return {"action_mask": self._mask, "player": info["player"].copy(), "episode": info["episode"].copy()}


def make_vector(
    game: str, num_envs: int, preset: str | None, *, seed: int | None, **keywords: Any
) -> VectorEnv[Any, Any, Any]:
    """The game's own batch if it serves, else one environment per lane, with seeds seed, seed + 1, ..."""
    seats = {name: keywords.pop(name) for name in ("opponent", "player", "illegal")}
    batch = spec(game).learning.batch
    if batch is not None and seats == {"opponent": None, "player": None, "illegal": "raise"}:
        board = make(game, preset, **keywords)
        lanes: BatchEnv = resolve(batch)(board, num_envs)
        # A shaped reward is another than the score that the other environments give.
        if not lanes.shaped:
            return BatchVectorEnv(board, lanes, seed)

    def one(lane: int) -> GameEnv:
        return GameEnv(game, preset, seed=None if seed is None else seed + lane, **seats, **keywords)

    return SyncVectorEnv(
        [lambda lane=lane: one(lane) for lane in range(num_envs)],  # type: ignore[misc]
        autoreset_mode=AutoresetMode.SAME_STEP,
    )


def vector_entry_point(num_envs: int, game: str, **keywords: Any) -> VectorEnv[Any, Any, Any]:
    """What `gymnasium.make_vec` calls."""
    defaults: dict[str, Any] = {"preset": None, "seed": None, "opponent": None, "player": None, "illegal": "raise"}
    return make_vector(game, num_envs, **{**defaults, **keywords})
