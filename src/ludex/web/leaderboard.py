"""The leaderboard of the agents that ship with their games, read from each game's `leaderboard.json`."""

import asyncio
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, ValidationError

from ludex.core import registry
from ludex.core.options import complaint
from ludex.core.spec import GameSpec
from ludex.web.arena_schemas import Board, GameBoards, Leaderboard

FILE = "leaderboard.json"


class Machine(BaseModel):
    """The machine on which the games were played."""

    model_config = ConfigDict(extra="ignore")

    system: str
    processor: str
    cores: int
    python: str


class Measured(BaseModel):
    """A game's file, as `benchmarks/leaderboard.py` writes it."""

    model_config = ConfigDict(extra="forbid")

    game: str
    machine: Machine
    boards: list[Board]


class Leaderboards:
    """The leaderboards of all games, read once."""

    def __init__(self) -> None:
        self._games = cache(_games)

    async def games(self) -> Leaderboard:
        return await asyncio.to_thread(self._games)


def _games() -> Leaderboard:
    games, broken = [], []
    for spec in registry.available()[0]:
        if spec.tools.leaderboard is None:
            continue
        try:
            games.append(_read(spec, spec.tools.leaderboard))
        except (OSError, ImportError, ValueError) as error:
            # A third party's file must not hide the other games.
            broken.append(f"{spec.id}: {FILE}: {_message(error)}")
    return Leaderboard(games=games, broken=broken)


def _message(error: OSError | ImportError | ValueError) -> str:
    """The reason, without the path of the file."""
    if isinstance(error, ValidationError):
        return complaint(error, Measured)
    return f"cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)


def _read(spec: GameSpec, package: str) -> GameBoards:
    measured = Measured.model_validate_json((files(package) / FILE).read_text(encoding="utf-8"))
    machine = measured.machine
    return GameBoards(
        game=spec.id,
        title=spec.title,
        machine=f"{machine.system} {machine.processor}, {machine.cores} cores, Python {machine.python}",
        boards=measured.boards,
    )
