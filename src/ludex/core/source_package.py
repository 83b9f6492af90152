"""Games and agents of a package that is not installed, from its folder."""

import os
import sys
import tomllib
from pathlib import Path
from typing import Any

from ludex.core.documents import digest, write_text
from ludex.core.errors import DataError
from ludex.core.folders import cache_folder, make_folder
from ludex.core.registry import AGENT_GROUP, GAME_GROUP, refresh


def game_of(folder: Path) -> str:
    """The game of a package in a folder, made known to this process and those it starts. Raises `DataError`."""
    games, _ = register(folder)
    if len(games) != 1:
        raise DataError(f"{folder} has the games {', '.join(games) or 'none'}, expected one; name it after installing")
    return games[0]


def register(folder: Path) -> tuple[list[str], list[str]]:
    """Make the games and agents of a package known to this process and those it starts; returns their names.

    The folder has a `pyproject.toml` with the entry points, and the package in `src/` or beside it.
    """
    file = folder / "pyproject.toml"
    try:
        project: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
    except (OSError, ValueError) as error:
        raise DataError(f"{file}: {error}") from error
    groups = project.get("entry-points", {})
    games, agents = groups.get(GAME_GROUP, {}), groups.get(AGENT_GROUP, {})
    if not games and not agents:
        raise DataError(f"{file} has no entry points {GAME_GROUP!r} or {AGENT_GROUP!r}")
    source = folder / "src" if (folder / "src").is_dir() else folder
    name = project.get("name", folder.name)
    lines = [f"[{GAME_GROUP}]", *(f"{entry} = {ref}" for entry, ref in games.items())]
    lines += [f"[{AGENT_GROUP}]", *(f"{entry} = {ref}" for entry, ref in agents.items())]
    # Named by what is in it: processes that begin and are killed leave one folder behind, not one each.
    site = cache_folder() / "sources" / digest([name, lines])[:16]
    # Of two distributions with one name only the first is seen.
    about = make_folder(site / f"{name.replace('-', '_')}-0.dist-info", "LUDEX_CACHE", private=True)
    write_text(about / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
    write_text(about / "entry_points.txt", "\n".join(lines) + "\n")
    paths = [str(source.resolve()), str(site)]
    sys.path[:0] = paths
    # Agents of other packages run in processes of their own.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [*paths, os.environ.get("PYTHONPATH")]))
    refresh()
    return [*games], [*agents]
