"""The faults of a validation in words."""

from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ludex.games.skirmish.errors import BadScenario


def refusal(file: object, key: str, found: object, expected: str) -> BadScenario:
    """A value that cannot be, with where it stands and what could stand there."""
    return BadScenario(f"{file}: key {key!r}: expected {expected}, found {found}")


def fault_text(error: ValidationError, kind: Any) -> str:
    """Every fault in one line, each with its key, what was found and what was expected of this kind."""
    return "; ".join(_fault(fault, kind) for fault in error.errors())


def _fault(fault: ErrorDetails, kind: Any) -> str:
    location = fault["loc"]
    key = ".".join(str(part) for part in location)
    if fault["type"] == "extra_forbidden":
        return f"unknown key {key!r}, expected one of {', '.join(sorted(_keys(kind, location)))}"
    if fault["type"] == "missing" and isinstance(location[-1], int):
        # A list that is too short for its places.
        parent = key.rpartition(".")[0]
        return f"key {parent!r}: expected [col, row], found {fault['input']!r}"
    if fault["type"] == "missing":
        return f"missing key {key!r}, expected {', '.join(sorted(_keys(kind, location)))}"
    where = f"key {key!r}: " if key else ""
    return f"{where}{fault['msg']}, found {fault['input']!r}"


def _keys(kind: Any, location: tuple[int | str, ...]) -> list[str]:
    """The keys of the object in which the last part of a location stands."""
    for part in location[:-1]:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind = kind.model_fields[str(part)].annotation
        else:
            # The values of a table, or the elements of a list.
            kind = next(inner for inner in get_args(kind) if isinstance(inner, type) and issubclass(inner, BaseModel))
    return list(kind.model_fields)
