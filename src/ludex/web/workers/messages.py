"""The messages of a worker to the server."""

import importlib
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from ludex.core.errors import AgentFault, LudexError
from ludex.web.schemas.analyses import Analysis


@dataclass(frozen=True, slots=True)
class Ready:
    """It takes tasks."""


@dataclass(frozen=True, slots=True)
class Started:
    """Kernels are loaded and the match is replayed: the search begins now."""


@dataclass(frozen=True, slots=True)
class Reported:
    """The best so far."""

    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision."""

    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Computed:
    """The facts of a finished match."""

    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """No decision came. The error is sent as a name and a message: other attributes may not be picklable."""

    module: str
    kind: str
    message: str

    @classmethod
    def of(cls, error: LudexError) -> Self:
        return cls(type(error).__module__, type(error).__qualname__, error.message)

    def error(self) -> LudexError:
        """The same error on this side."""
        try:
            kind = getattr(importlib.import_module(self.module), self.kind, None)
        except ImportError:
            kind = None
        if not isinstance(kind, type) or not issubclass(kind, LudexError):
            # A class that only the worker can see.
            return AgentFault(f"{self.kind}: {self.message}")
        error = kind.__new__(kind)
        # Without its own constructor, whose arguments were not sent.
        Exception.__init__(error, self.message)
        return error


Message: TypeAlias = Ready | Started | Reported | Decided | Computed | Failed
