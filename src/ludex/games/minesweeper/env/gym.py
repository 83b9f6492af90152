"""The environment as Gymnasium knows it: the five-tuple, spaces, and `action_masks()` for sb3-contrib.

`gymnasium.make("ludex/Minesweeper-v0", H=16, W=16, mine_count=40, reveal_only=True)`: keywords are `EnvConfig`'s.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ludex.envs.lanes import LanesStep, LanesVectorEnv
from ludex.games.minesweeper.env.config import MINES_UNIT, EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.rules.layout import FLAG, HIDDEN, MINE, REVEALED, EpisodeOver

RENDER_MODES = ("ansi",)


class MinesweeperGym(gymnasium.Env[NDArray[Any], np.int64]):
    """One board. The observation is the array of planes; an action that the mask forbids costs `invalid_penalty`."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, *, render_mode: str | None = None, **config: Any) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)} or None, found {render_mode!r}")
        self.cfg = EnvConfig(**config)
        self.render_mode = render_mode
        self.observation_space = _observation_space(self.cfg)
        self.action_space = spaces.Discrete(self.cfg.num_actions)
        self._lanes = Lanes(self.cfg, 1, auto_reset=False)
        self._seeded = False
        self._action = np.zeros(1, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin the next episode; a seed reseeds the generators."""
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(1 << 63))
        self._seeded = True
        self._lanes.reset(seed)
        return self._lanes.obs[0].copy(), {"action_mask": self.action_masks()}

    def step(self, action: np.int64) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        lanes = self._lanes
        if not self._seeded or lanes.over[0]:
            raise EpisodeOver(f"action {action}: the episode has ended or not begun; call reset() first")
        self._action[0] = action if 0 <= action < self.cfg.num_actions else self.cfg.num_actions
        lanes.step(self._action)
        info = {
            "action_mask": self.action_masks(),
            "won": bool(lanes.won[0]),
            "new_cells": int(lanes.new_cells[0]),
            "invalid": bool(lanes.invalid[0]),
            "components": lanes.components[0].copy(),
        }
        return lanes.obs[0].copy(), float(lanes.reward[0]), bool(lanes.terminated[0]), bool(lanes.truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[A]: the legal actions, under the name that sb3-contrib expects."""
        return self._lanes.mask.ravel().copy()

    def render(self) -> str | None:  # type: ignore[override, unused-ignore] # Gymnasium 1.2 gives frames no type
        """The board as text: numbers, `.` hidden, `F` flagged, `*` the mine that went off; None without a mode."""
        if self.render_mode is None:
            return None
        rows = zip(self._lanes.numbers[0].tolist(), self._lanes.cells[0].tolist(), strict=True)
        return "\n".join(" ".join(map(_character, *row)) for row in rows)


class MinesweeperVectorGym(LanesVectorEnv[NDArray[Any]]):
    """Many boards; a seed is one for all lanes or one per lane."""

    def __init__(
        self, num_envs: int = 1, *, threads: int = 1, copy: bool = True, render_mode: str | None = None, **config: Any
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"the vector environment draws nothing: render_mode must be None, found {render_mode!r}")
        self.cfg = EnvConfig(**config)
        super().__init__(num_envs, _observation_space(self.cfg), self.cfg.num_actions, copy=copy)
        self._lanes = Lanes(self.cfg, num_envs, threads=threads)

    def begin(self, seed: int | list[int] | None) -> None:
        draws_seed = seed is None and not self._begun
        self._lanes.reset(int(self.np_random.integers(1 << 63)) if draws_seed else seed)

    def advance(self, actions: NDArray[np.int64]) -> LanesStep:
        if not self._begun:
            raise EpisodeOver("no episode has begun; call reset() first")
        self._lanes.step(actions)
        return self._lanes.reward, self._lanes.terminated, self._lanes.truncated

    def observe(self) -> NDArray[Any]:
        return self._lanes.obs

    def observe_final(self) -> NDArray[Any]:
        return self._lanes.final_obs

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[N, A]: the legal actions."""
        mask: NDArray[np.bool_] = self.copy_arrays(self._lanes.mask)
        return mask

    def step_info(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        return {
            name: self.copy_arrays(getattr(self._lanes, name)) for name in ("won", "new_cells", "invalid", "components")
        }


def _observation_space(cfg: EnvConfig) -> spaces.Box:
    highest = max(1.0, cfg.mine_bounds[1] / MINES_UNIT) if cfg.mine_count_channel else 1
    return spaces.Box(0, highest, (cfg.channels, cfg.H, cfg.W), np.dtype(cfg.obs_dtype).type)


def _character(number: int, cell: int) -> str:
    if number != HIDDEN:
        return str(number)
    if cell & REVEALED and cell & MINE:
        return "*"
    return "F" if cell & FLAG else "."
