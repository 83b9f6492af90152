"""Where networks are trained."""

import logging
import time
from collections.abc import Callable

import torch
from torch import nn

from ludex.core.errors import BadConfig


def select_device(name: str, place: int = 0) -> torch.device:
    """`auto`, `cpu` or `cuda` as a device; of several GPUs the one at index `place`. Raises `BadConfig` without one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cpu":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise BadConfig("device: there is no CUDA device here; expected auto or cpu")
    if place >= torch.cuda.device_count():
        raise BadConfig(f"device: process {place} of this machine needs a GPU, found {torch.cuda.device_count()}")
    return torch.device("cuda", place)


TIMED = 3
"""How often a piece of work is timed with each number of threads."""
WORTH = 0.85
"""More threads are taken only if they need at most this share of the time that fewer need."""


def fastest_threads(work: Callable[[int], object], cores: int) -> int:
    """With how many threads, of 1, 2, 4 ... up to all cores, some work is done soonest; logs a warning if not with all.

    On cores that other programs keep busy threads that wait for each other take many times as long as one alone.
    """
    counts = [*(1 << power for power in range(cores.bit_length()) if 1 << power < cores), cores]
    best, shortest = 1, float("inf")
    for count in counts:
        work(count)
        seconds = min(_seconds(work, count) for _ in range(TIMED))
        if seconds < WORTH * shortest:
            best, shortest = count, seconds
    if best < cores:
        logging.getLogger(__name__).warning(
            "training with %d of %d threads: more are slower now, because other programs keep cores busy "
            "or the network is small; search.threads takes a number of your own",
            best,
            cores,
        )
    return best


def _seconds(work: Callable[[int], object], count: int) -> float:
    begin = time.perf_counter()
    work(count)
    return time.perf_counter() - begin


def device_name(device: torch.device) -> str:
    """`cpu`, or the name of the GPU."""
    return str(device) if device.type == "cpu" else torch.cuda.get_device_name(device)


def optimized_for(device: torch.device, net: nn.Module, *, compiled: bool) -> nn.Module:
    """The network itself, or on CUDA its compiled form if `compiled`; both have the same parameters."""
    return torch.compile(net, dynamic=False) if compiled and device.type == "cuda" else net  # type: ignore[return-value]
