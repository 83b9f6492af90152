"""Data-parallel training: several processes train one network, and gradients are averaged.

Every process holds all weights and draws the same random numbers; it plays its share of the lanes and learns from its
share of every batch. torchrun starts them; `current()` is the group that this process belongs to.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

from ludex.core.errors import BadConfig, GroupFailed
from ludex.learn.launch import Launch

T = TypeVar("T")

PATIENCE: Final = timedelta(minutes=30)
"""A live process that does not answer for this long ends the others; one that dies ends them at once."""


@dataclass(frozen=True, slots=True)
class Group:
    """`size` processes, of which this is number `rank`. Each must make the same calls in the same order."""

    rank: int = 0
    size: int = 1

    @property
    def is_main(self) -> bool:
        """Whether this is the process that writes the run, evaluates and logs."""
        return self.rank == 0

    def share(self, count: int, name: str) -> int:
        """One process's part of `count`. Raises `BadConfig`, with the name, if it does not divide evenly."""
        if count % self.size:
            raise BadConfig(f"{name}: {count} cannot be shared evenly by {self.size} processes")
        return count // self.size

    def shard(self, rows: Tensor) -> Tensor:
        """This process's part `[n, ...]` of `rows: [size * n, ...]`: every `size`-th row."""
        return rows[self.rank :: self.size]

    def rand(self, rows: int, *shape: int, generator: torch.Generator | None, device: torch.device) -> Tensor:
        """Uniform numbers `[rows, *shape]`: this process's block of those that a single process draws for all lanes."""
        return self._block(torch.rand(rows * self.size, *shape, generator=generator, device=device), rows)

    def randint(self, low: int, high: int, rows: int, *, generator: torch.Generator, device: torch.device) -> Tensor:
        """Whole numbers `int64[rows]` from `low` to `high - 1`, drawn like `rand`."""
        drawn = torch.randint(low, high, (rows * self.size,), generator=generator, device=device)
        return self._block(drawn, rows)

    def all_reduce(self, numbers: Tensor) -> Tensor:
        """The sums over all processes."""
        if self.size == 1:
            return numbers
        summed = numbers.detach().clone()
        _collective(lambda: dist.all_reduce(summed))
        return summed

    def mean(self, numbers: Tensor) -> Tensor:
        """The means over all processes."""
        return self.all_reduce(numbers) / self.size

    def average_gradients(self, net: nn.Module) -> None:
        """Average gradients over all processes; for a mean loss over equal shares that is the gradient of the whole."""
        gradients = [gradient.grad for gradient in net.parameters() if gradient.grad is not None]
        if self.size == 1 or not gradients:
            return
        averaged = self.mean(torch.cat([gradient.flatten() for gradient in gradients]))
        for gradient, part in zip(
            gradients, torch.split(averaged, [gradient.numel() for gradient in gradients]), strict=True
        ):
            gradient.copy_(part.view_as(gradient))

    def all_gather(self, lanes: Tensor) -> Tensor:
        """`[steps, n, ...]` of each process as `[steps, size * n, ...]` of all, in the order of the processes."""
        if self.size == 1:
            return lanes
        # As bytes, because not every backend supports every type.
        sent = lanes.contiguous().flatten().view(torch.uint8)
        parts = [torch.empty_like(sent) for _ in range(self.size)]
        _collective(lambda: dist.all_gather(parts, sent))
        return torch.cat([part.view(lanes.dtype).view_as(lanes) for part in parts], 1)

    def broadcast_weights(self, net: nn.Module) -> None:
        """Give every process the first one's weights."""
        if self.size == 1:
            return
        weights = [tensor.detach() for tensor in net.parameters()]
        flat = torch.cat([tensor.flatten() for tensor in weights])
        _collective(lambda: dist.broadcast(flat, 0))
        for tensor, part in zip(weights, torch.split(flat, [tensor.numel() for tensor in weights]), strict=True):
            tensor.copy_(part.view_as(tensor))

    def broadcast_object(self, find: Callable[[], T]) -> T:
        """What `find` returns in the main process, sent to all; the others do not call it."""
        if self.size == 1:
            return find()
        box: list[Any] = [find() if self.is_main else None]
        _collective(lambda: dist.broadcast_object_list(box))
        received: T = box[0]
        return received

    def largest(self, number: int) -> int:
        """The maximum over all processes."""
        if self.size == 1:
            return number
        box: list[Any] = [None] * self.size
        _collective(lambda: dist.all_gather_object(box, number))
        return int(max(box))

    def barrier(self) -> None:
        """Wait until every process is here."""
        self.largest(0)

    def check_alike(self, net: nn.Module) -> None:
        """Raise `GroupFailed` unless all processes hold the same weights, bit for bit."""
        if self.size == 1:
            return
        digest = hashlib.sha256()
        for weights in net.state_dict().values():
            digest.update(weights.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
        box: list[Any] = [None] * self.size
        _collective(lambda: dist.all_gather_object(box, digest.hexdigest()))
        if len(set(box)) > 1:
            raise GroupFailed(
                f"the processes' weights have come apart: {', '.join(weights_digest[:12] for weights_digest in box)}"
            )

    def _block(self, drawn: Tensor, rows: int) -> Tensor:
        return drawn[self.rank * rows : (self.rank + 1) * rows]


ALONE: Final = Group()


@contextmanager
def join_group(launch: Launch) -> Iterator[Group]:
    """Join the process group that torchrun started; leave it at the end."""
    if launch.size == 1:
        yield ALONE
        return
    backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
    try:
        dist.init_process_group(backend, timeout=PATIENCE)
    except (RuntimeError, ValueError) as error:
        raise GroupFailed(f"process {launch.rank} of {launch.size} cannot meet the others: {error}") from error
    try:
        yield current()
    finally:
        dist.destroy_process_group()


def current() -> Group:
    """The group of this process, or `ALONE`."""
    if not dist.is_available() or not dist.is_initialized():
        return ALONE
    return Group(dist.get_rank(), dist.get_world_size())


def _collective(call: Callable[[], object]) -> None:
    """Run a collective call. Raises `GroupFailed` if a process is gone."""
    try:
        call()
    except RuntimeError as error:
        raise GroupFailed(f"another process of this training ended or fell silent: {error}") from error
