"""Plain functions that kernels compile too, so that a rule is written once."""

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def compilable(function: F) -> F:
    """Mark a plain function over ints and arrays as also compiled by `ludex.kernels.jit.share`.

    The mark costs a call nothing and imports nothing: Python runs the function as it stands.
    """
    function.__compilable__ = True  # type: ignore[attr-defined]
    return function
