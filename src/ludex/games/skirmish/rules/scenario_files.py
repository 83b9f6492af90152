"""A scenario's files: where they lie, and the schema of each. What breaks one is an error that names file and key."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ludex.core.documents import parse_json, read_json, read_text
from ludex.core.errors import DataError
from ludex.core.options import complaint
from ludex.games.skirmish.rules.dice import NO_SAVE
from ludex.games.skirmish.rules.hexes import LEAST_ROWS, MOST_COLS, MOST_ROWS, Grid


class BadScenario(DataError):
    """A scenario's file that is missing, malformed, or says what cannot be played."""

    owner = "skirmish"


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
    return _validate(text, kind, str(path))


def read_table(path: Path, kind: type[M]) -> dict[str, M]:
    """A file of named documents of one kind."""
    table = read_json(path, BadScenario)
    if not isinstance(table, dict):
        raise BadScenario(f"{path}: expected an object with names for keys, found {table!r}")
    return {name: _validate(json.dumps(entry), kind, f"{path}: {name!r}") for name, entry in table.items()}


def _validate(text: str, kind: type[M], source: str) -> M:
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


Keyword = Literal["assault", "pistol"]


class Weapon(Schema):
    """How far, how often, how surely and how hard a weapon strikes."""

    name: str = Field(min_length=1)
    range: int = Field(ge=0, le=64)
    """In hexes; 0 is melee."""
    attacks: int = Field(ge=1, le=30)
    skill: int = Field(ge=2, le=6)
    """A hit needs this or more on a die."""
    strength: int = Field(ge=1, le=30)
    ap: int = Field(ge=0, le=6)
    """By how much the target's save is worse."""
    damage: int = Field(ge=1, le=30)
    keywords: tuple[Keyword, ...]

    @property
    def melee(self) -> bool:
        return self.range == 0

    @model_validator(mode="after")
    def _keywords_apply(self) -> Self:
        if len(set(self.keywords)) < len(self.keywords):
            raise ValueError(f"expected each of the keywords once, but they are {list(self.keywords)}")
        if self.melee and self.keywords:
            raise ValueError(f"expected no keywords with range 0, which is melee, but they are {list(self.keywords)}")
        return self


class UnitType(Schema):
    """How a type of unit moves, what it withstands, what it strikes with, and what it is worth."""

    name: str = Field(min_length=1)
    move: int = Field(ge=1, le=30)
    toughness: int = Field(ge=1, le=30)
    save: int = Field(ge=2, le=NO_SAVE)
    invulnerable_save: Annotated[int, Field(ge=2, le=6)] | None
    """A save that no weapon worsens."""
    wounds: int = Field(ge=1, le=100)
    value: int = Field(ge=1, le=1000)
    ranged_weapons: tuple[str, ...] = Field(max_length=2)
    melee_weapon: str
    symbol: str = Field(pattern="^[A-Z]{1,2}$")
    """What stands for it on maps: player 1's in capitals, player 2's in small letters."""


class BoardConfig(Schema):
    """How large the board is and where its walls stand.

    Only a board with an odd number of columns can be the same for both players: another has no half turn.
    """

    cols: int = Field(ge=1, le=MOST_COLS)
    rows: int = Field(ge=LEAST_ROWS, le=MOST_ROWS)
    wall_hexes: tuple[Coordinates, ...]


class Zone(Schema):
    """A rectangle of columns and rows, its borders included."""

    col_min: int = Field(ge=0)
    col_max: int = Field(ge=0)
    row_min: int = Field(ge=0)
    row_max: int = Field(ge=0)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.col_min > self.col_max:
            raise ValueError(f"expected col_min <= col_max, which is {self.col_max}, but col_min is {self.col_min}")
        if self.row_min > self.row_max:
            raise ValueError(f"expected row_min <= row_max, which is {self.row_max}, but row_min is {self.row_min}")
        return self

    def holds(self, col: int, row: int) -> bool:
        return self.col_min <= col <= self.col_max and self.row_min <= row <= self.row_max

    def overlaps(self, other: "Zone") -> bool:
        apart = self.col_max < other.col_min or other.col_max < self.col_min
        return not (apart or self.row_max < other.row_min or other.row_max < self.row_min)


class DeploymentConfig(Schema):
    """A zone for each player."""

    p1: Zone
    p2: Zone


StartPhase = Literal["command", "move"]


class Scoring(Schema):
    """Points of a command phase for the objectives a player holds."""

    first_turn: int = Field(ge=1)
    """The turn from which objectives score."""
    one: int = Field(ge=0)
    """For holding at least one."""
    two: int = Field(ge=0)
    """For holding at least two."""
    more: int = Field(ge=0)
    """For holding more than the opponent."""
    most_per_turn: int = Field(ge=0)


class DeploymentRewards(Schema):
    """Light shaping of the placements; zeros switch it off."""

    per_placement: float
    near_objective: float
    in_cover: float


class Rewards(Schema):
    """What training adds up, each number as it stands: what is bad for the player is negative."""

    win: float
    loss: float
    draw: float
    damage_dealt: float
    """For the whole enemy force; a share of its value earns this share."""
    damage_taken: float
    """For the whole own force; a share of its value costs this share."""
    objective_point: float
    deployment: DeploymentRewards

    @model_validator(mode="after")
    def _winning_is_best(self) -> Self:
        if not self.loss <= self.draw <= self.win:
            raise ValueError(f"expected loss <= draw <= win, but they are {self.loss}, {self.draw} and {self.win}")
        return self


class GameConfig(Schema):
    """Everything about a game that is neither the board nor the forces."""

    turns: int = Field(ge=1, le=50)
    post_deployment_start_phase: StartPhase
    deployment_max_unit_slots: int = Field(ge=1, le=64)
    deployment_max_hex_slots: int = Field(ge=1, le=4096)
    charge_range: int = Field(ge=1, le=12)
    """At most what two dice can roll."""
    objective_radius: int = Field(ge=0, le=12)
    scoring: Scoring
    rewards: Rewards


DeploymentType = Literal["active", "fixed"]
OrderMode = Literal["player_by_player", "alternated_p1_start"]
Confirmation = Literal["none", "per_player"]

UNPLACED = -1
"""Column and row of a unit that stands nowhere."""


class UnitEntry(Schema):
    """One unit of a force; with the deployment type `fixed` also where it stands."""

    id: str = Field(pattern="^[0-9]+$")
    player: int = Field(ge=1, le=2)
    type: str
    col: int = UNPLACED
    row: int = UNPLACED


class ScenarioConfig(Schema):
    """The forces, what lies on the board for them, and the rules of their deployment."""

    title: str = Field(min_length=1)
    description: str
    deployment_zone: str = Field(pattern="^[A-Za-z0-9_-]+$")
    deployment_type: DeploymentType
    deployment_order_mode: OrderMode
    deployment_confirmation: Confirmation
    max_undeploys: int = Field(ge=0, le=1000)
    forbidden_hexes: tuple[Coordinates, ...]
    objectives: tuple[Coordinates, ...]
    units: tuple[UnitEntry, ...]
