"""Generators that notice their use: those of the process, and one for games that declare no chance."""

import random
from functools import lru_cache
from types import TracebackType
from typing import Any, NoReturn, Self

import numpy as np

from ludex.core.seeding import Rng


class AmbientChance:
    """Seeds `random` and `np.random` for a while, watches them, and puts them back.

    >>> with AmbientChance(1) as ambient:
    ...     used_before = ambient.used
    ...     _ = random.random()
    ...     used_after = ambient.used
    >>> used_before, used_after
    (False, True)
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __enter__(self) -> Self:
        self._found = _state()
        self._begun = _seeded_state(self.seed)
        _set_state(self._begun)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _set_state(self._found)

    @property
    def used(self) -> bool:
        """Whether anyone drew since the beginning."""
        python, numpy = _state()
        begun_python, begun_numpy = self._begun
        return bool(
            python != begun_python or numpy[2:] != begun_numpy[2:] or not np.array_equal(numpy[1], begun_numpy[1])
        )


def _state() -> tuple[Any, Any]:
    return random.getstate(), np.random.get_state()


def _set_state(state: tuple[Any, Any]) -> None:
    python, numpy = state
    random.setstate(python)
    np.random.set_state(numpy)


@lru_cache(maxsize=8)
def _seeded_state(seed: int) -> tuple[Any, Any]:
    """The state after seeding, which takes longer than setting it."""
    return random.Random(seed).getstate(), np.random.RandomState(seed).get_state()


class DrawnError(Exception):
    """Someone drew from a trap."""


class Trap(Rng):
    """Raises `DrawnError` at the first draw, also when a kernel reads the state to draw from it."""

    __slots__ = ()

    def __init__(self) -> None:
        """A trap has no state."""

    @property
    def state(self) -> NoReturn:  # type: ignore[override]
        raise DrawnError("the generator was drawn from")

    def bits(self) -> NoReturn:
        raise DrawnError("the generator was drawn from")

    def below(self, bound: int) -> NoReturn:
        raise DrawnError(f"a number was drawn below {bound}")
