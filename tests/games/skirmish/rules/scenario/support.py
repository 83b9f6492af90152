"""What the tests of scenarios share: whole folders, changed key by key."""

import json
import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from ludex.games.skirmish.rules.scenario_files import PACKAGE

BOARD = "config/board_config.json"
ZONES = "config/deployment/hammer.json"
GAME = "config/game_config.json"
WEAPONS = "config/weapons.json"
TYPES = "config/units.json"
SCENARIO = "scenario.json"

FIXED = ((0, 0), (0, 1), (1, 2), (10, 9), (10, 8), (9, 6))
"""Where the six units of the small scenario may stand."""


class Gone:
    """In place of a value: take the key away."""


def whole_folder(parent: Path, name: str = "small") -> Path:
    """A copy of a scenario that ships, with everything it shares with others."""
    folder = parent / name
    with as_file(files(PACKAGE)) as shipped:
        shutil.copytree(shipped / "config", folder / "config")
        shutil.copytree(shipped / name, folder, dirs_exist_ok=True)
    return folder


def fixed_folder(parent: Path) -> Path:
    """The small scenario with a position for every unit."""
    folder = whole_folder(parent)
    change(folder, SCENARIO, "deployment_type", "fixed")
    for place, (col, row) in enumerate(FIXED):
        change(folder, SCENARIO, f"units.{place}.col", col)
        change(folder, SCENARIO, f"units.{place}.row", row)
    return folder


def change(folder: Path, file: str, key: str, value: Any) -> None:
    """Set a key, by its path with dots, or take it away; `+` adds to a list."""
    path = folder / file
    document = json.loads(path.read_text())
    *parents, last = key.split(".")
    inner = document
    for part in parents:
        inner = inner[_part(inner, part)]
    if value is Gone:
        del inner[_part(inner, last)]
    elif last == "+":
        inner.append(value)
    else:
        inner[_part(inner, last)] = value
    path.write_text(json.dumps(document))


def _part(inner: Any, part: str) -> Any:
    return int(part) if isinstance(inner, list) else part
