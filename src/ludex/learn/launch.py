"""Which of several processes this one is, from torchrun's environment variables. It loads no torch."""

import os
from collections.abc import Mapping
from typing import NamedTuple

from ludex.core.errors import BadOption


class Launch(NamedTuple):
    """A process among those that were started together."""

    rank: int
    """Its number, from 0 on."""
    size: int
    """How many there are."""
    place: int
    """Its number among those of its machine, which is also that of its GPU."""


def read_launch(environment: Mapping[str, str] = os.environ) -> Launch:
    """This process's rank and group size from the environment; without torchrun, rank 0 of 1."""
    if "WORLD_SIZE" not in environment:
        return Launch(0, 1, 0)
    launch = Launch(*(_number(environment, name) for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK")))
    if not 0 <= launch.rank < launch.size:
        raise BadOption(f"RANK must be in 0..{launch.size - 1}, as WORLD_SIZE is {launch.size}, found {launch.rank}")
    return launch


def _number(environment: Mapping[str, str], name: str) -> int:
    text = environment.get(name, "nothing")
    if not text.isdecimal():
        raise BadOption(f"{name} must be a number where WORLD_SIZE is given, as torchrun sets it, found {text}")
    return int(text)
