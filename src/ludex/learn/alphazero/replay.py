"""The positions that a network learns from: the last ones of a run, on the device that trains it.

Samples arrive in chunks. A checkpoint writes those that no earlier one has written, each to a file of its own, so that
a large window costs one write of every position.
"""

from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludex.core.documents import read_arrays, read_bytes, write_bytes
from ludex.core.errors import BadRun
from ludex.core.folders import make_folder
from ludex.learn.alphazero.selfplay import Samples


class Batch(NamedTuple):
    """B positions on the device."""

    observations: Tensor
    policies: Tensor
    scores: Tensor
    searched: Tensor
    moves_left: Tensor
    ownership: Tensor


class _Chunk(NamedTuple):
    number: int
    first: int
    """The number of its first position in the run."""
    size: int


class Replay:
    """A window over the positions of a run."""

    def __init__(
        self,
        shape: tuple[int, int, int],
        actions: int,
        window: int,
        growth: float,
        device: torch.device,
        *,
        owned_planes: int = 0,
    ) -> None:
        """`shape` is (C, H, W) of an observation; `owned_planes` say what became of each cell, none if not learned."""
        self.window, self._growth, self._device = window, growth, device
        half, single = torch.float16, torch.float32
        self._columns = Batch(
            torch.zeros(window, *shape, dtype=half, device=device),
            torch.zeros(window, actions, dtype=half, device=device),
            torch.zeros(window, dtype=single, device=device),
            torch.zeros(window, dtype=single, device=device),
            torch.zeros(window, dtype=single, device=device),
            torch.zeros(window, owned_planes, *shape[1:], dtype=torch.int8, device=device),
        )
        self.total = 0
        """Positions added since the beginning of the run."""
        self._chunks: list[_Chunk] = []
        """Those of the window, the oldest first."""
        self._unwritten: dict[int, Samples] = {}
        """Of the chunks that are in no file, by number."""
        self._next = 0

    @property
    def _file_arrays(self) -> tuple[str, ...]:
        """The arrays of a file."""
        return tuple(name for name in Samples._fields if name != "ownership" or self._columns.ownership.numel())

    @property
    def size(self) -> int:
        """How many of the last positions are learned from: a share of all, so that the first games are forgotten."""
        grown = max(min(self.total, self.window // 10), int(self._growth * self.total))
        return min(grown, self.window)

    def add(self, samples: Samples) -> None:
        """Remember samples, and forget the oldest beyond the window."""
        if not samples.size:
            return
        self._store(samples, self.total)
        self._chunks.append(_Chunk(self._next, self.total, samples.size))
        self._unwritten[self._next] = samples
        self._next += 1
        self.total += samples.size
        self._chunks = [chunk for chunk in self._chunks if chunk.first + chunk.size > self.total - self.window]
        numbers = {chunk.number for chunk in self._chunks}
        self._unwritten = {number: part for number, part in self._unwritten.items() if number in numbers}

    def _store(self, samples: Samples, first: int) -> None:
        last = min(samples.size, self.window)
        rows = torch.arange(first + samples.size - last, first + samples.size, device=self._device) % self.window
        arrays: list[NDArray[Any]] = list(samples)
        for column, array in zip(self._columns, arrays, strict=True):
            # What a cluster hands over is read-only, which torch does not take.
            column[rows] = torch.from_numpy(np.require(array[-last:], requirements="W")).to(self._device)

    def score_moments(self) -> Tensor:
        """How many positions are learned from, and the sums of their scores and of the squares of these."""
        rows = (self.total - 1 - torch.arange(self.size, device=self._device)) % self.window
        scores = self._columns.scores[rows].double()
        return torch.stack((torch.ones_like(scores).sum(), scores.sum(), scores.square().sum()))

    def sample(self, count: int, generator: torch.Generator) -> Batch:
        """Draw positions from those learned from, each equally likely."""
        age = torch.randint(self.size, (count,), generator=generator)
        rows = ((self.total - 1 - age) % self.window).to(self._device)
        return Batch(*(column[rows].float() for column in self._columns))

    def save(self, folder: Path) -> dict[str, int]:
        """Write what no file holds yet; returns what `load` needs."""
        make_folder(folder, "LUDEX_RUNS")
        for chunk in self._chunks:
            if chunk.number in self._unwritten:
                data = BytesIO()
                arrays = self._unwritten[chunk.number]._asdict()
                np.savez(data, first=np.array(chunk.first), **{name: arrays[name] for name in self._file_arrays})
                write_bytes(_path(folder, chunk.number), data.getvalue())
        self._unwritten.clear()
        first = self._chunks[0].number if self._chunks else self._next
        return {"first": first, "next": self._next, "total": self.total}

    def load(self, folder: Path, state: dict[str, int]) -> None:
        """Restore what `save` wrote, and delete what was written after it."""
        for number in range(state["first"], state["next"]):
            path = _path(folder, number)
            arrays = read_arrays(read_bytes(path, BadRun), ("first", *self._file_arrays), str(path), BadRun)
            first = int(arrays.pop("first"))
            # Planes that are not learned have no cells, and files hold none.
            arrays.setdefault(
                "ownership", np.zeros((len(arrays["scores"]), *self._columns.ownership.shape[1:]), np.int8)
            )
            samples = Samples(**arrays)
            self._store(samples, first)
            self._chunks.append(_Chunk(number, first, samples.size))
        self.total, self._next = state["total"], state["next"]
        delete_chunks(folder, state["first"], state["next"])


def delete_chunks(folder: Path, first: int, beyond: int | None = None) -> None:
    """Delete the files of chunks before `first`, and of those from `beyond` on."""
    for path in folder.glob("[0-9]*.npz"):
        number = int(path.stem)
        if number < first or (beyond is not None and number >= beyond):
            path.unlink()


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number:06d}.npz"
