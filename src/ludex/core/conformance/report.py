"""What a checker found: faults by the name of the check, the first counterexample of each."""

import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from ludex.core.errors import BrokenGame, LudexError
from ludex.core.messages import Message
from ludex.core.spec import GameSpec

Check: TypeAlias = Callable[[Any], Iterable[str]]
"""Yields what is wrong with its subject. Its name is the name of the fault."""


def checks_of(subject: type, *modules: ModuleType) -> tuple[Check, ...]:
    """The checks of a kind of subject that modules define: their public functions of one such argument, in order."""
    return tuple(
        function
        for module in modules
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and [parameter.annotation for parameter in inspect.signature(function).parameters.values()] == [subject]
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """One sentence of the contract that does not hold."""

    check: str
    """The stable name of the check."""
    message: str
    """Where it was seen, what was found and what was expected."""

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


class ConformanceError(LudexError, AssertionError):
    """The contract is broken, in all the ways that `faults` lists."""

    def __init__(self, subject: str, faults: list[Fault]) -> None:
        super().__init__(subject, faults)
        self.subject = subject
        self.faults = faults

    def __str__(self) -> str:
        ways = f"{len(self.faults)} way{'s' if len(self.faults) > 1 else ''}"
        return "\n".join([f"{self.subject} breaks the contract in {ways}", *(f"  {fault}" for fault in self.faults)])


class BlockedError(Exception):
    """A check cannot run, because the game fails at something that another check covers."""


class Report:
    """Runs checks and keeps their faults."""

    def __init__(self, subject: str) -> None:
        self.subject = subject
        self.faults: list[Fault] = []
        self._blocked: str | None = None

    def run(self, check: Check, subject: Any, where: str = "", name: str | None = None) -> bool:
        """Whether the check holds here. One that has failed is not run again: one counterexample is enough."""
        name = name or check.__name__
        if self.failed(name):
            return False
        try:
            complaint = next(iter(check(subject)), None)
        except BlockedError as blocked:
            self._blocked = self._blocked or f"{_place(where, name)}: {blocked}"
            return True
        except Exception as error:
            complaint = f"raised {describe_error(error)}"
        if complaint is not None:
            self.faults.append(Fault(name, _place(where, complaint)))
        return complaint is None

    def failed(self, *names: str) -> bool:
        """Whether any of these checks has failed."""
        return any(fault.check in names for fault in self.faults)

    def conclude(self) -> None:
        """Raise `ConformanceError` if there are faults."""
        if self._blocked is not None and not self.faults:
            # The check that owns the failing call saw it succeed: an answer that comes and goes.
            self.faults.append(Fault("blocked", self._blocked))
        if self.faults:
            raise ConformanceError(self.subject, self.faults)


def describe_error(error: Exception) -> str:
    """An exception in one line, with the place that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno} in {frames[-1].name})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def unwritten(where: str, *messages: Message) -> Iterator[str]:
    """Yields which of the messages have no text in some language."""
    for message in messages:
        try:
            message.texts()
        except LudexError as error:
            yield f"{where}: {error.message}"


def require_whole(spec: GameSpec, problems: Sequence[str]) -> None:
    """Raise `BrokenGame` that lists the problems of a game's spec, if there are any."""
    if problems:
        raise BrokenGame(f"game {spec.id!r}: " + "; ".join(problems))


def _place(where: str, text: str) -> str:
    return f"{where}: {text}" if where else text
