"""Which of several processes this one is, as torchrun tells each. It loads no torch."""

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


def launched(environment: Mapping[str, str] = os.environ) -> Launch:
    """What the environment says of this process; one that was started alone is the first of one."""
    if "WORLD_SIZE" not in environment:
        return Launch(0, 1, 0)
    told = Launch(*(_number(environment, name) for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK")))
    if not 0 <= told.rank < told.size:
        raise BadOption(f"RANK must be in 0..{told.size - 1}, as WORLD_SIZE is {told.size}, found {told.rank}")
    return told


def _number(environment: Mapping[str, str], name: str) -> int:
    text = environment.get(name, "nothing")
    if not text.isdecimal():
        raise BadOption(f"{name} must be a number where WORLD_SIZE is given, as torchrun sets it, found {text}")
    return int(text)
