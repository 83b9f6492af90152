"""Lanes for training on a device: the boards stay on the host, and travel through page-locked memory."""

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludex.games.minesweeper.env.buffers import FLAGGING, PROGRESS
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.rules.layout import MINE
from ludex.kernels.jit import most_threads
from ludex.learn.distributed import ALONE, Group

LANES_PER_THREAD = 128
"""Fewer are not worth a thread."""


class LanesStep(NamedTuple):
    """The results of one step of N lanes."""

    reward: Tensor
    """float32[N]"""
    progress: Tensor
    """float32[N]: what of the reward is for cells revealed."""
    flagging: Tensor
    """float32[N]: what of the reward is for flags set and removed."""
    done: Tensor
    """bool[N]: the game has ended, by this step, as a win, a loss or out of steps."""
    won: Tensor
    """bool[N]"""
    truncated: Tensor
    """bool[N]: out of steps."""
    invalid: Tensor
    """bool[N]: the mask forbade the action."""


class PinnedCopy:
    """Copies of a host array on a device; on a CPU, copies beside it.

    The host array may change again once the device has answered, which reading an action from it waits for.
    """

    def __init__(self, array: NDArray[Any], device: torch.device) -> None:
        self._source = torch.from_numpy(array)
        self._device = device
        self._pinned = torch.empty_like(self._source, pin_memory=True) if device.type == "cuda" else None

    def read(self) -> Tensor:
        """The array as it is now, a new tensor on the device."""
        if self._pinned is None:
            return self._source.clone()
        self._pinned.copy_(self._source)
        return self._pinned.to(self._device, non_blocking=True)


def threads_for(num_lanes: int) -> int:
    """How many threads step so many lanes."""
    return max(1, min(most_threads(), num_lanes // LANES_PER_THREAD))


class TensorLanes:
    """N boards of one configuration as tensors on a device; a lane that ends begins a new game in the same step.

    Of a `group` each process has N lanes, and together they are the lanes that one process would have.
    """

    def __init__(self, cfg: EnvConfig, num_envs: int, device: torch.device, seed: int, *, group: Group = ALONE) -> None:
        self.cfg = cfg
        self.num_envs = num_envs
        self._group = group
        self._lanes = lanes = Lanes(cfg, num_envs, threads=threads_for(num_envs))
        lanes.seed(seed, group.rank * num_envs)
        lanes.reset()
        self._results = np.zeros((len(LanesStep._fields), num_envs), np.float32)
        self._obs, self._mask = PinnedCopy(lanes.obs, device), PinnedCopy(lanes.mask, device)
        self._cells, self._outcome = PinnedCopy(lanes.cells, device), PinnedCopy(self._results, device)

    def set_frontier_mask(self, on: bool) -> None:
        """Allow reveals of frontier cells only, or of all hidden cells."""
        self._lanes.set_frontier_mask(on)

    def observe(self) -> Tensor:
        """[N, C, H, W] in the configured type and channels."""
        return self._obs.read()

    def mask(self) -> Tensor:
        """bool[N, A]: the legal actions."""
        return self._mask.read()

    @property
    def mine(self) -> Tensor:
        """bool[N, H, W]: where the mines are; nowhere before the first reveal."""
        return (self._cells.read() & MINE) != 0

    def step(self, actions: Tensor, also: Tensor | None = None) -> LanesStep:
        """One action, `int64[N]`, in every lane, and more cells to reveal, `bool[N, H, W]`; see `Lanes.step`."""
        lanes, results = self._lanes, self._results
        lanes.step(actions.cpu().numpy(), None if also is None else also.cpu().numpy())
        sums = lanes.reward, lanes.components[:, PROGRESS], lanes.components[:, FLAGGING]
        marks = lanes.terminated | lanes.truncated, lanes.won, lanes.truncated, lanes.invalid
        np.stack([*sums, *marks], out=results)
        read = self._outcome.read()
        return LanesStep(*read[: len(sums)], *(read[len(sums) :] > 0))

    def state(self) -> dict[str, Tensor]:
        """What `restore` resumes from: the lanes of all processes."""
        lanes = {name: torch.from_numpy(array).unsqueeze(0) for name, array in self._lanes.state().items()}
        return {name: self._group.all_gather(array).squeeze(0) for name, array in lanes.items()}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Resume from `state`, with the same total number of lanes; each process takes its own share."""
        share = slice(self._group.rank * self.num_envs, (self._group.rank + 1) * self.num_envs)
        self._lanes.restore({name: array[share].cpu().numpy() for name, array in state.items()})
