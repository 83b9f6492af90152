"""The entry points by which packages register games and agents; Ludex registers its own in the same way."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from ludex.core.errors import BrokenGame, NotInstalled

GAME_GROUP: Final = "ludex.games"
AGENT_GROUP: Final = "ludex.agents"


def load_point(point: EntryPoint, kind: str = "game") -> Any:
    """What an entry point names. Raises `BrokenGame`."""
    try:
        return point.load()
    except Exception as error:
        # A third-party module may raise anything.
        owner = f"package {point.dist.name!r}" if point.dist else "an unknown package"
        problem = f"{type(error).__name__}: {error}"
        raise BrokenGame(f"{kind} {point.name!r} of {owner} cannot be loaded: {problem}") from error


@cache
def game_points() -> dict[str, EntryPoint]:
    """Every registered game, by name."""
    return _points(GAME_GROUP)


@cache
def agent_points() -> dict[str, EntryPoint]:
    """Every registered agent of other packages' games, by name."""
    return _points(AGENT_GROUP)


def _points(group: str) -> dict[str, EntryPoint]:
    """The entry points by name; a name that this package uses cannot be taken by another. Raises `NotInstalled`."""
    points = entry_points(group=group)
    ours = {point.name: point for point in points if is_ours(point)}
    if not ours:
        raise NotInstalled(
            f"the installed metadata of Ludex has no entry points {group!r}, so its {group.partition('.')[2]} are "
            "unknown; run `pip install ludex`, or `pip install -e .` in a clone"
        )
    return {point.name: point for point in points} | ours


def is_ours(point: EntryPoint) -> bool:
    """Whether this package registers it."""
    return point.module.partition(".")[0] == __name__.partition(".")[0]
