"""A planted bug, and what bugs are planted with."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ludex.core.conformance.walk import VarySecret
from ludex.core.game import AnyGame
from tests.core.conformance.toy_games import Nim, vary_secret

T = TypeVar("T")


@dataclass(frozen=True)
class Plant:
    """A bug, and the checks under which it must be found: these and no others."""

    make: Callable[[], AnyGame]
    checks: set[str]
    vary_secret: VarySecret | None = vary_secret
    plays: int = 3
    """In so many plays it shows."""


def altered(base: type[T], **members: Any) -> type[T]:
    """The class with other methods or declarations."""
    return type("Altered", (base,), members)


def declaring(base: type[Nim], **declarations: Any) -> Callable[[], AnyGame]:
    """The game with other declarations."""
    return altered(base, info=replace(base.info, **declarations))


def overwrite(value: Any, **changes: Any) -> None:
    """Change what is frozen."""
    for name, change in changes.items():
        object.__setattr__(value, name, change)
