"""A training that ends in the middle, without a process of its own."""

from collections.abc import Callable


class Killed(BaseException):
    """No code of a training expects it."""


def killed_after(steps: int) -> Callable[[int], None]:
    """Takes the progress of a training, and ends it once more than so many steps are done."""
    left = steps

    def advance(amount: int) -> None:
        nonlocal left
        left -= amount
        if left < 0:
            raise Killed

    return advance
