"""What checkers share: a comparator, and a report of faults by the name of the check, the first one of each."""

import inspect
import math
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

import numpy as np

from ludex.core.errors import BrokenGame, LudexError
from ludex.core.hooks import as_message
from ludex.core.messages import Message

OWN: Final = Path(__file__).parents[2]
"""The folder of Ludex."""
P = ParamSpec("P")
T = TypeVar("T")

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


def compare(what: str, actual: Any, expected: Any, tolerance: float = 0.0) -> Iterator[str]:
    """Yields how an answer differs from that of the single game: names, shape, then the first different entry.

    >>> list(compare("the mask", np.array([1, 0]), np.array([True, True])))
    ['the mask[1] is 0, expected True']
    """
    if isinstance(expected, Mapping):
        if actual.keys() != expected.keys():
            yield f"{what} has {sorted(actual)}, expected {sorted(expected)}"
            return
        for name, value in expected.items():
            yield from compare(f"{what}[{name!r}]", actual[name], value, tolerance)
    elif isinstance(expected, np.ndarray):
        if actual.shape != expected.shape:
            yield f"{what} is of shape {list(actual.shape)}, expected {list(expected.shape)}"
            return
        different = np.argwhere(actual != expected)
        if len(different):
            index = tuple(int(axis) for axis in different[0])
            place = f"[{', '.join(map(str, index))}]" if index else ""
            yield f"{what}{place} is {actual[index]}, expected {expected[index]}"
    elif actual != expected and not (tolerance and math.isclose(actual, expected, abs_tol=tolerance)):
        yield f"{what} is {actual}, expected {expected}"


def compare_form(what: str, array: Any, dtype: Any, shape: tuple[int, ...]) -> Iterator[str]:
    """Yields how the type or the shape of an array differs."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
        actual = f"{array.dtype}{list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
        yield f"{what} is {actual}, expected {np.dtype(dtype)}{list(shape)}"


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


def attempt(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | Exception:
    """What a call returns, or the exception that it raises."""
    try:
        return call(*args, **kwargs)
    except Exception as error:
        return error


def describe_error(error: Exception) -> str:
    """An exception in one line, with the deepest place outside Ludex, or else in it, that led to it."""
    frames = traceback.extract_tb(error.__traceback__)
    # What a package has called fails because of the package.
    outside = [frame for frame in frames if not Path(frame.filename).is_relative_to(OWN)]
    for frame in (outside or frames)[-1:]:
        file = Path(frame.filename)
        return f"{type(error).__name__}: {error} ({file.parent.name}/{file.name}:{frame.lineno} in {frame.name})"
    return f"{type(error).__name__}: {error}"


def unwritten(where: str, *messages: Message) -> Iterator[str]:
    """Yields which of the messages cannot be shown in every language, and why."""
    for message in messages:
        try:
            as_message(message)
        except BrokenGame as error:
            yield f"{where}: {error.message}"
        except Exception as error:
            # A text may ask of a parameter what it cannot do.
            yield f"{where}: {describe_error(error)}"


def _place(where: str, text: str) -> str:
    return f"{where}: {text}" if where else text
