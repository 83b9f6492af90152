"""What a worker says to the server."""

import importlib
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from ludex.core.errors import AgentFault, LudexError


@dataclass(frozen=True, slots=True)
class Ready:
    """It takes tasks."""


@dataclass(frozen=True, slots=True)
class Started:
    """Kernels are loaded and the match is replayed: thinking begins now."""


@dataclass(frozen=True, slots=True)
class Reported:
    """The best so far, as a `Thought` in JSON."""

    thought: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision, as a `Thought` in JSON."""

    thought: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """No decision came. The error travels as a name and a message: what a stranger's error holds may not travel."""

    module: str
    kind: str
    message: str

    @classmethod
    def of(cls, error: LudexError) -> Self:
        return cls(type(error).__module__, type(error).__qualname__, error.message)

    def error(self) -> LudexError:
        """The same error on this side."""
        kind = getattr(importlib.import_module(self.module), self.kind, None)
        if not isinstance(kind, type) or not issubclass(kind, LudexError):
            return AgentFault(f"{self.kind}: {self.message}")
        error = kind.__new__(kind)
        # Past the constructor of its own, whose arguments did not travel.
        Exception.__init__(error, self.message)
        return error


Message: TypeAlias = Ready | Started | Reported | Decided | Failed
