"""Many games for training: batches that threads step side by side, seen as one."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludex.core.seeding import CHANCE
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.observation import PLANES, vector_length
from ludex.kernels.sampling import RandomActions

APART: Final = 400
"""Plies between the first lane's game and the last one's: about a long game."""


class Part(NamedTuple):
    """Some lanes of one batch."""

    batch: SkirmishBatch
    inside: NDArray[np.int64]
    """Their numbers in the batch."""
    lanes: NDArray[np.int64]
    """Their numbers among all lanes."""


class TrainingLanes:
    """`num_lanes` games in which the caller plays both sides, each seen from the mover's end of the board."""

    def __init__(self, game: Skirmish, num_lanes: int, threads: int, dtype: torch.dtype) -> None:
        self.game = game
        self.num_lanes = num_lanes
        parts = min(threads, num_lanes)
        bounds = np.linspace(0, num_lanes, parts + 1).astype(int).tolist()
        self._slices = [slice(first, end) for first, end in pairwise(bounds)]
        self.batches = [SkirmishBatch(game, part.stop - part.start, turned=True) for part in self._slices]
        self._pool = ThreadPoolExecutor(parts)
        observed = PLANES * game.scenario.grid.size + vector_length(game.table.unit_slots)
        pinned = torch.cuda.is_available()
        self.observed = torch.zeros(num_lanes, observed, dtype=dtype, pin_memory=pinned)
        self.mask = torch.zeros(num_lanes, game.info.num_actions, dtype=torch.bool, pin_memory=pinned)
        self.player = np.zeros(num_lanes, np.int64)
        self.deploying = np.zeros(num_lanes, np.bool_)
        self.rewards = np.zeros((num_lanes, 2), np.float32)
        self.ended = np.zeros(num_lanes, np.bool_)
        self.result = np.zeros(num_lanes, np.int64)
        """How the last episode ended, see `engine.layout`."""
        self.episode = np.zeros(num_lanes, np.int64)

    def reset(self, seed: int) -> None:
        """Restart all games, with one seed per batch, and play random plies so that the lanes are spread out.

        Games that begin together stay in step for long: a rollout would then hold deployments only, or none.
        """
        ahead = np.linspace(0, APART, self.num_lanes, endpoint=False).astype(np.int64)
        jobs = zip(self.batches, self._slices, range(len(self.batches)), strict=True)
        list(self._pool.map(lambda job: _spread(job[0], seed + job[2], ahead[job[1]]), jobs))
        self._read_all()

    def restart(self, lanes: NDArray[np.bool_]) -> None:
        """Begin the next game in the lanes of `bool[N]`; the present one is abandoned."""
        for batch, part in zip(self.batches, self._slices, strict=True):
            batch.give_up(lanes[part])
        self._read_all()

    def step(self, actions: NDArray[np.int64]) -> None:
        """One ply in every lane."""
        jobs = zip(self.batches, self._slices, strict=True)
        list(self._pool.map(lambda job: self._step(job[0], job[1], actions[job[1]]), jobs))

    def where(self, lanes: NDArray[np.bool_]) -> list[Part]:
        """The lanes of `bool[N]` by the batches that hold them, in their order."""
        parts = []
        for batch, part in zip(self.batches, self._slices, strict=True):
            inside = np.flatnonzero(lanes[part])
            if len(inside):
                parts.append(Part(batch, inside, inside + part.start))
        return parts

    def close(self) -> None:
        self._pool.shutdown()

    def _read_all(self) -> None:
        list(self._pool.map(lambda job: self._read(*job), zip(self.batches, self._slices, strict=True)))

    def _step(self, batch: SkirmishBatch, part: slice, actions: NDArray[np.int64]) -> None:
        batch.step(actions)
        lanes = batch.lanes
        self.rewards[part] = lanes.rewards
        self.ended[part] = lanes.terminated
        self.result[part] = lanes.final_states[:, layout.RESULT]
        self._read(batch, part)

    def _read(self, batch: SkirmishBatch, part: slice) -> None:
        lanes = batch.lanes
        planes = PLANES * self.game.scenario.grid.size
        self.observed[part, :planes] = torch.from_numpy(lanes.planes).flatten(1)
        self.observed[part, planes:] = torch.from_numpy(lanes.vector)
        self.mask[part] = torch.from_numpy(lanes.mask)
        self.player[part] = lanes.player
        self.deploying[part] = lanes.states[:, layout.PHASE] == layout.DEPLOYMENT
        self.episode[part] = lanes.episode


def _spread(batch: SkirmishBatch, seed: int, ahead: NDArray[np.int64]) -> None:
    """Begin a batch's games, and play `ahead: int64[N]` random plies of each."""
    batch.reset(seed)
    chance = RandomActions(batch.num_lanes, seed, CHANCE)
    for ply in range(int(ahead.max())):
        batch.step(chance.draw(batch.lanes.mask), ahead > ply)


def to_device(tensor: Tensor, device: torch.device) -> Tensor:
    """A copy on a device, or the same tensor's copy here."""
    return tensor.to(device, non_blocking=True) if device.type == "cuda" else tensor.clone()
