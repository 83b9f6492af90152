"""Many games at once for Gymnasium: a game's own batch where it has one, one environment per lane otherwise."""

from functools import partial
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from numpy.typing import NDArray

from ludex.core.agent import AnyAgent
from ludex.core.batch import BatchEnv, Info
from ludex.core.game import AnyGame, Observation
from ludex.core.registry import make, resolve, spec
from ludex.envs.episode import Illegal, Observed, as_floats, observation_space
from ludex.envs.lanes import LanesStep, LanesVectorEnv
from ludex.envs.single import GameEnv, Seat


class BatchVectorEnv(LanesVectorEnv[Observed]):
    """A game's own batch: every lane plays every seat in turn, and every reset begins episode 0.

    `info`: `action_mask`, `player`, `episode`; where a lane ended `final_obs` with its mask `_final_obs`.
    """

    def __init__(self, game: AnyGame, batch: BatchEnv, seed: int | None) -> None:
        self.batch = batch
        single = observation_space(game)
        super().__init__(batch.num_lanes, single, batch.num_actions)
        self._shapes = {name: space.shape or () for name, space in single.spaces.items()}
        self._seed = seed
        self._obs: Observation = {}
        self._details: Info = {"mask": np.zeros((self.num_envs, batch.num_actions), np.bool_)}

    def begin(self, seed: int | list[int] | None) -> None:
        if isinstance(seed, list):
            raise ValueError(f"one seed serves all lanes, found a list of {len(seed)}")
        named = self._seed if seed is None else seed
        # The seed of the constructor is that of the first reset only.
        self._seed = None
        drawn = int(self.np_random.integers(1 << 62)) if named is None else named
        self._obs, self._details = self.batch.reset(drawn)

    def advance(self, actions: NDArray[np.int64]) -> LanesStep:
        self._obs, reward, terminated, truncated, self._details = self.batch.step(actions)
        return reward, terminated, truncated

    def observe(self) -> Observed:
        return self._floats(self._obs)

    def observe_final(self) -> Observed:
        return self._floats(self._details["final_obs"])

    def action_masks(self) -> NDArray[np.bool_]:
        mask: NDArray[np.bool_] = self._details["mask"].copy()
        return mask

    def info(self) -> dict[str, Any]:
        details = self._details
        return {**super().info(), "player": details["player"].copy(), "episode": details["episode"].copy()}

    def _floats(self, obs: Observation) -> Observed:
        return {name: array.reshape(self.num_envs, *self._shapes[name]) for name, array in as_floats(obs).items()}


def make_vector(
    game: str,
    num_envs: int = 1,
    preset: str | None = None,
    *,
    opponent: str | AnyAgent | None = None,
    player: Seat | None = None,
    seed: int | None = None,
    illegal: Illegal = "raise",
    **options: Any,
) -> VectorEnv[Any, Any, Any]:
    """Many games as a Gymnasium vector environment that resets a lane in the step that ends it.

    Without an opponent and with `illegal="raise"` a game's own batch plays all lanes, else one environment per lane
    with seeds seed, seed + 1, ...
    """
    batch = spec(game).learning.batch
    if batch is not None and opponent is player is None and illegal == "raise":
        board = make(game, preset, **options)
        lanes: BatchEnv = resolve(batch)(board, num_envs)
        # A shaped reward is another than the score that the other environments give.
        if not lanes.shaped:
            return BatchVectorEnv(board, lanes, seed)
    seats: dict[str, Any] = {"opponent": opponent, "player": player, "illegal": illegal}

    def make_env(lane: int) -> GameEnv:
        return GameEnv(game, preset, seed=None if seed is None else seed + lane, **seats, **options)

    return SyncVectorEnv([partial(make_env, lane) for lane in range(num_envs)], autoreset_mode=AutoresetMode.SAME_STEP)


def vector_entry_point(num_envs: int, game: str, **keywords: Any) -> VectorEnv[Any, Any, Any]:
    """What `gymnasium.make_vec` calls."""
    return make_vector(game, num_envs, **keywords)
