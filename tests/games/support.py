"""What the tests of several games share."""

from typing import NoReturn

from hypothesis import settings

from ludex.core.seeding import Rng


def examples(count: int) -> settings:
    """So many examples, the same in every run."""
    return settings(max_examples=count, derandomize=True, database=None, deadline=None)


class TrapRng(Rng):
    """A generator that must not be used."""

    def __init__(self) -> None:
        super().__init__(0)

    def bits(self) -> NoReturn:
        raise AssertionError("a random number was drawn")


TRAP = TrapRng()
