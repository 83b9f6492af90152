"""A scenario's files: JSON into a typed schema. What breaks it is an error that names the file and the key."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ludex.core.documents import read_text
from ludex.games.skirmish.rules.errors import BadScenario
from ludex.games.skirmish.rules.hexes.grid import Grid


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


class Schema(BaseModel):
    """The base of every schema: unknown keys are errors, nothing is converted, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


Coordinates = tuple[int, int]
"""A hex as files write it: [col, row]."""


def hexes_of(grid: Grid, file: Path, key: str, listed: Sequence[Coordinates]) -> tuple[int, ...]:
    """The numbers of listed hexes in their order; each must be on the board and listed once."""
    places: dict[int, int] = {}
    for place, (col, row) in enumerate(listed):
        h = hex_of(grid, file, f"{key}.{place}", col, row)
        if h in places:
            raise refusal(file, f"{key}.{place}", [col, row], f"each hex once, and {key}.{places[h]} is the same")
        places[h] = place
    return tuple(places)


def hex_of(grid: Grid, file: Path, key: str, col: int, row: int) -> int:
    """The number of a hex that must be on the board."""
    h = grid.find(col, row)
    if h is None:
        raise refusal(file, key, [col, row], f"a hex of the board, {board_text(grid)}")
    return h


def board_text(grid: Grid) -> str:
    """The columns and rows there are, in words."""
    return (
        f"columns 0 to {grid.cols - 1}, rows 0 to {grid.rows - 1} in even columns and 0 to {grid.rows - 2} in odd ones"
    )


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


PACKAGE = "ludex.games.skirmish.data.scenarios"
SCENARIO = "scenario.json"
CONFIG = "config"


@dataclass(frozen=True)
class Folder:
    """A scenario's folder. Those that ship share a config folder for what they do not have themselves."""

    path: Path
    shared: Path | None

    @property
    def scenario(self) -> Path:
        return self.path / SCENARIO

    def config(self, name: str) -> Path:
        """Where a file of the config folder lies; if it is missing, where it should."""
        return next((path for path in self._config(name) if path.is_file()), self._config(name)[0])

    def deployments(self) -> list[str]:
        """The names of the deployments there are."""
        return sorted({file.stem for path in self._config("deployment") for file in path.glob("*.json")})

    def _config(self, name: str) -> list[Path]:
        parents = [self.path / CONFIG] + ([] if self.shared is None else [self.shared])
        return [parent / name for parent in parents]


def scenario_names() -> list[str]:
    """The scenarios that ship."""
    return sorted(path.parent.name for path in _shipped_folder().glob(f"*/{SCENARIO}"))


def find_folder(name_or_path: str | Path) -> Folder:
    """The folder of a scenario that ships, by its name, or any other by its path."""
    if isinstance(name_or_path, str) and name_or_path in scenario_names():
        return Folder(_shipped_folder() / name_or_path, _shipped_folder() / CONFIG)
    path = Path(name_or_path)
    if not path.is_dir():
        raise BadScenario(
            f"unknown scenario {str(name_or_path)!r}; expected {', '.join(scenario_names())}, or a path to a folder"
        )
    return Folder(path, None)


def _shipped_folder() -> Path:
    return Path(str(files(PACKAGE)))
