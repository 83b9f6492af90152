"""The original document's environments: one board, and many at once. Both are adapters of `Lanes`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import CHANCE, Rng, generator
from ludex.games.minesweeper.env.buffers import COMPONENTS
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import FinalObs, Lanes
from ludex.games.minesweeper.rules.layout import FLAG, MINE, REVEALED, EpisodeOver, has_bit, mine_counts


class MinesweeperEnv:
    """One board. An invalid action costs `invalid_penalty` and changes nothing; see `EnvConfig` for the rewards.

    >>> env = MinesweeperEnv(EnvConfig(), seed=0)
    >>> env.reset()["obs"].shape
    (11, 8, 8)
    >>> _, reward, done, info = env.step(27)
    >>> done, info["new_cells"] > 0
    (False, True)
    """

    def __init__(self, cfg: EnvConfig, seed: int, *, lane: int = 0) -> None:
        self.cfg = cfg
        self._seed = seed
        self._lane = lane
        self._lanes = Lanes(cfg, 1, auto_reset=False)
        self._lanes.seed(seed, lane)
        self._action = np.zeros(1, np.int64)

    def reset(self) -> dict[str, Any]:
        """Begin the next episode: `obs [C, H, W]`, `action_mask [A]` and `aux`, numbers about the board."""
        self._lanes.reset()
        return self._observation()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """One action: observations, reward, whether the episode has ended, and what happened.

        Raises `EpisodeOver` if it had ended before.
        """
        lanes = self._lanes
        if lanes.episode[0] < 0 or lanes.over[0]:
            when = "has not begun" if lanes.episode[0] < 0 else f"ended after {lanes.plies[0]} steps"
            raise EpisodeOver(f"action {action}: the episode {when}; call reset() first")
        # A negative number is no action here, but the lanes would read it as `REST`.
        self._action[0] = action if 0 <= action < self.action_space else self.action_space
        lanes.step(self._action)
        info = {
            "terminated": bool(lanes.terminated[0]),
            "truncated": bool(lanes.truncated[0]),
            "won": bool(lanes.won[0]),
            "new_cells": int(lanes.new_cells[0]),
            "invalid": bool(lanes.invalid[0]),
            "components": dict(zip(COMPONENTS, lanes.components[0].tolist(), strict=True)),
        }
        return self._observation(), float(lanes.reward[0]), bool(lanes.over[0]), info

    @property
    def action_space(self) -> int:
        """How many actions there are: 0..H*W-1 reveal, the others, if any, toggle a flag."""
        return self.cfg.num_actions

    @property
    def obs_channels(self) -> int:
        return self.cfg.channels

    @property
    def mine_mask(self) -> NDArray[np.bool_]:
        """[H, W]: where the mines are; nowhere before the first reveal places them."""
        return has_bit(self._lanes.cells[0], MINE)

    @property
    def adjacent_counts(self) -> NDArray[np.uint8]:
        """[H, W]: how many neighbours of each cell are mines, revealed or not."""
        return mine_counts(self.mine_mask).astype(np.uint8)

    @property
    def revealed(self) -> NDArray[np.bool_]:
        """[H, W]"""
        return has_bit(self._lanes.cells[0], REVEALED)

    @property
    def flags(self) -> NDArray[np.bool_]:
        """[H, W]"""
        return has_bit(self._lanes.cells[0], FLAG)

    @property
    def numbers(self) -> NDArray[np.int8]:
        """[H, W]: revealed numbers, -1 elsewhere; what solvers take."""
        return self._lanes.numbers.reshape(self.cfg.H, self.cfg.W).copy()

    @property
    def first_click_done(self) -> bool:
        """Whether something is revealed."""
        return bool(self.revealed.any())

    @property
    def rng(self) -> Rng:
        """The generator that the next step will draw from, new at every call."""
        episode, ply = int(self._lanes.episode[0]), int(self._lanes.plies[0]) + 1
        return generator(self._seed, ply, CHANCE, lane=self._lane, episode=max(0, episode))

    def set_frontier_mask(self, on: bool) -> None:
        """Switch the frontier mask; the mask changes at once."""
        self._lanes.set_frontier_mask(on)

    def _observation(self) -> dict[str, Any]:
        lanes, cfg = self._lanes, self.cfg
        mines, flags, opened = int(lanes.mines[0]), int(lanes.flag_count[0]), int(lanes.opened[0])
        aux = {
            "step": int(lanes.plies[0]),
            "mines": mines,
            "remaining_mines_ratio": max(0, mines - flags) / mines,
            "progress": opened / (cfg.cells - mines),
        }
        return {"obs": lanes.obs[0].copy(), "action_mask": lanes.mask[0].copy(), "aux": aux}


class VecMinesweeper:
    """Many boards at once, for throughput: a lane that ends begins its next episode in the same step.

    Lane i is a `MinesweeperEnv(cfg, seed, lane=i)` or, with `seeds`, a `MinesweeperEnv(cfg, seeds[i])`. What is
    returned is reused: copy what must outlive the next step.
    """

    def __init__(
        self, num_envs: int, cfg: EnvConfig, seed: int, *, seeds: Sequence[int] | None = None, threads: int = 1
    ) -> None:
        self.num_envs = num_envs
        self.cfg = cfg
        self.lanes = lanes = Lanes(cfg, num_envs, threads=threads)
        lanes.seed(seed if seeds is None else seeds)
        self._actions = np.zeros(num_envs, np.int64)
        self._observation: dict[str, NDArray[Any]] = {"obs": lanes.obs, "action_mask": lanes.mask}
        self._done = np.zeros(num_envs, np.bool_)
        names = ("terminated", "truncated", "won", "new_cells", "invalid", "components", "episode")
        self._info: dict[str, Any] = {name: getattr(lanes, name) for name in names}
        self._info["final_obs"] = FinalObs(lanes, "obs")

    def reset(self) -> dict[str, NDArray[Any]]:
        """Begin the next episode in every lane: `obs [N, C, H, W]` and `action_mask [N, A]`."""
        self.lanes.reset()
        return self._observation

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float32], NDArray[np.bool_], dict[str, Any]]:
        """One action per lane, `actions [N]` of any integer type: observations, rewards, which lanes ended, and more.

        `info["final_obs"]["obs"]` holds the last observations of the lanes that ended; other rows mean nothing.
        """
        if self.lanes.episode[0] < 0:
            raise EpisodeOver("no episode has begun; call reset() first")
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be integers [{self.num_envs}], one per lane, found {actions.dtype}{list(actions.shape)}"
            )
        self._actions[:] = actions
        self.lanes.step(self._actions)
        np.logical_or(self.lanes.terminated, self.lanes.truncated, out=self._done)
        return self._observation, self.lanes.reward, self._done, self._info

    @property
    def action_space(self) -> int:
        return self.cfg.num_actions

    def obs_channels(self) -> int:
        """The channels of an observation; a method, as the original document's training calls it."""
        return self.cfg.channels

    def set_frontier_mask(self, on: bool) -> None:
        """Switch the frontier mask in every lane; the masks change at once."""
        self.lanes.set_frontier_mask(on)
