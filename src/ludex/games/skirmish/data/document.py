"""A scenario's files: JSON into a typed schema. What breaks it is an error that names the file and the key."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pydantic import TypeAdapter, ValidationError

from ludex.core.documents import read_text
from ludex.games.skirmish.data.faults import fault_text
from ludex.games.skirmish.errors import BadScenario

T = TypeVar("T")


class _NotJsonError(ValueError):
    """What Python's JSON takes and JSON does not."""


def read_document(path: Path, kind: type[T]) -> T:
    """A file as this kind of document, or a `BadScenario` that names the file, the key, what was found and expected."""
    text = read_text(path, BadScenario)
    _require_json(path, text)
    try:
        return TypeAdapter(kind).validate_json(text)
    except ValidationError as error:
        raise BadScenario(f"{path}: {fault_text(error, kind)}") from error


def _require_json(path: Path, text: str) -> None:
    """Refuse what is no JSON, or says something twice, where the schema would only see the last of it."""
    try:
        json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise BadScenario(
            f"{path}: expected JSON, found none at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise BadScenario(f"{path}: {error}") from error


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise _NotJsonError(f"key {key!r}: expected once in its object, found {keys.count(key)} times")
    return dict(pairs)


def _no_constant(text: str) -> NoReturn:
    raise _NotJsonError(f"expected a finite number, found {text}")
