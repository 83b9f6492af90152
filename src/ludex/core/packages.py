"""Packages that come with an extra of Ludex, and that may not be installed."""

from collections.abc import Iterable
from importlib.util import find_spec

from ludex.core.errors import MissingDependency
from ludex.core.messages import Message


def missing_packages(names: Iterable[str]) -> list[str]:
    """Those that cannot be imported here."""
    return [name for name in names if find_spec(name) is None]


def require_packages(*names: str, extra: str = "train") -> None:
    """Raise `MissingDependency` with the command that installs what is not there."""
    if missing := missing_packages(names):
        values = {"packages": ", ".join(missing), "extra": extra}
        raise MissingDependency.of(Message("ludex.error_missing_dependency", values))
