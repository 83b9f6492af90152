"""A scenario's files: JSON into a typed schema. What breaks it is an error that names the file and the key."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ludex.core.documents import parse_json, read_json, read_text
from ludex.core.options import complaint
from ludex.games.skirmish.rules.errors import BadScenario
from ludex.games.skirmish.rules.hexes.grid import Grid


def refusal(file: object, key: str, found: object, expected: str) -> BadScenario:
    """A value that cannot be, with where it stands and what could stand there."""
    return BadScenario(f"{file}: key {key!r}: expected {expected}, found {found}")


class Schema(BaseModel):
    """The base of every schema: unknown keys are errors, nothing is converted, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


Coordinates: TypeAlias = Annotated[tuple[int, ...], Field(min_length=2, max_length=2)]
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


M = TypeVar("M", bound=BaseModel)


def read_document(path: Path, kind: type[M]) -> M:
    """A file as this kind of document, or a `BadScenario` that names the file, the key, what was found and expected."""
    text = read_text(path, BadScenario)
    # The schema would only see the last of what is given twice.
    parse_json(text, str(path), BadScenario)
    return _validated(text, kind, str(path))


def read_table(path: Path, kind: type[M]) -> dict[str, M]:
    """A file of named documents of one kind."""
    table = read_json(path, BadScenario)
    if not isinstance(table, dict):
        raise BadScenario(f"{path}: expected an object with names for keys, found {table!r}")
    return {name: _validated(json.dumps(entry), kind, f"{path}: {name!r}") for name, entry in table.items()}


def _validated(text: str, kind: type[M], source: str) -> M:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise BadScenario(f"{source}: {complaint(error, kind)}") from error


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
