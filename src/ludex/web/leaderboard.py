"""The leaderboard of the agents that ship with their games, read from each game's `leaderboard.json`."""

import asyncio
from collections.abc import Set
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from ludex.arena.standings import MeetingRow, StandingRow
from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.core.messages import COMMON, Message
from ludex.core.options import complaint
from ludex.core.spec import GameSpec
from ludex.web.boards import agent_title, board_title, game_note, game_title
from ludex.web.schemas.base import Document, Texts

FILE = "leaderboard.json"
Levels: TypeAlias = dict[tuple[str, str], dict[str, float]]
"""For each game and board of the leaderboard, the ratings of its agents."""


class BoardResults(Document):
    """The results of the shipped agents on one board."""

    preset: str
    format: str
    games: int
    seed: int
    measured: str
    commands: list[str]
    note: str
    """A remark for readers; often empty."""
    prior_pairs: int | None
    standings: list[StandingRow]
    meetings: list[MeetingRow]


class RatedLevel(Document):
    """A difficulty that a person can choose, and its rating beside those of the agents."""

    title: Texts
    agent: Texts
    rating: float


class GameBoards(Document):
    """A game's part of the leaderboard."""

    game: str
    names: Texts
    levels: list[RatedLevel]
    """Those that no board below compares, the strongest first."""
    levels_board: Texts
    """Where people meet them first."""
    machine: Texts
    board_titles: dict[str, Texts]
    agent_titles: dict[str, Texts]
    notes: dict[str, Texts]
    """By preset, the remarks for readers."""
    boards: list[BoardResults]


class Leaderboard(Document):
    """The strength of the agents that ship with their games."""

    games: list[GameBoards]
    broken: list[str]
    """Games whose results cannot be read, and why."""


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
    boards: list[BoardResults]


class Leaderboards:
    """The leaderboards of all games, read once."""

    def __init__(self) -> None:
        self._games = cache(_games)
        self._levels: Levels | None = None

    async def games(self) -> Leaderboard:
        return await asyncio.to_thread(self._games)

    async def levels(self) -> Levels:
        """The ratings of all agents; read before the first view of a match, and at hand for every other."""
        if self._levels is None:
            self._levels = levels_of(await self.games())
        return self._levels


def levels_of(leaderboard: Leaderboard) -> Levels:
    """The ratings of all agents that have one, and of the levels on the board on which they were measured."""
    ratings = {
        (game.game, board.preset): {row.agent: row.elo for row in board.standings if row.elo is not None}
        for game in leaderboard.games
        for board in game.boards
    }
    for spec in registry.available()[0]:
        rated = {name: level.rating for name, level in spec.levels.items() if level.rating is not None}
        if rated:
            ratings.setdefault((spec.id, spec.offered_presets[0]), {}).update(rated)
    return ratings


def _games() -> Leaderboard:
    games, broken = [], []
    for spec in registry.available()[0]:
        if spec.tools.leaderboard is None:
            continue
        try:
            games.append(_read(spec, spec.tools.leaderboard))
        except (OSError, ImportError, ValueError, LudexError) as error:
            # A third party's file must not hide the other games.
            broken.append(f"{spec.id}: {FILE}: {_message(error)}")
    return Leaderboard(games=games, broken=broken)


def _message(error: OSError | ImportError | ValueError | LudexError) -> str:
    """The reason, without the path of the file."""
    if isinstance(error, ValidationError):
        return complaint(error, Measured)
    return f"cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error)


def _read(spec: GameSpec, package: str) -> GameBoards:
    measured = Measured.model_validate_json((files(package) / FILE).read_text(encoding="utf-8"))
    agents = {row.agent for board in measured.boards for row in board.standings}
    return GameBoards(
        game=spec.id,
        names=game_title(spec.id),
        levels=_levels(spec, agents),
        levels_board=board_title(spec.id, spec.offered_presets[0]),
        machine=Message(f"{COMMON}.machine", measured.machine.model_dump()).texts(),
        board_titles={board.preset: board_title(spec.id, board.preset) for board in measured.boards},
        agent_titles={agent: agent_title(spec.id, agent) for agent in sorted(agents)},
        notes={board.preset: game_note(spec.id, board.note) for board in measured.boards if board.note},
        boards=measured.boards,
    )


def _levels(spec: GameSpec, compared: Set[str]) -> list[RatedLevel]:
    rated = [
        RatedLevel(title=level.title.texts(), agent=agent_title(spec.id, level.agent), rating=level.rating)
        for name, level in spec.levels.items()
        if level.rating is not None and name not in compared
    ]
    return sorted(rated, key=lambda level: -level.rating)
