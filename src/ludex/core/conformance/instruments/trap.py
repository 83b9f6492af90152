"""A generator for games that say they never draw."""

from typing import NoReturn

from ludex.core.seeding import Rng


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
        raise DrawnError(f"the generator was asked for a number below {bound}")
