"""The saved tournaments of this machine, as visitors see them. The last ones viewed are followed live."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Final

from ludex.arena.pairs import record_of
from ludex.arena.saved_tournament import (
    NAME,
    CurvePoint,
    LiveStandings,
    NumberedGame,
    SavedTournament,
    State,
    list_saved,
)
from ludex.arena.standings import MeetingRow, TournamentRow
from ludex.core.errors import BadTournament, DataError, LudexError, UnknownMatch
from ludex.core.messages import Message
from ludex.store.matches import StoredMatch
from ludex.web.boards import agent_title, board_title, game_title
from ludex.web.errors import BadRequest, DamagedMatch, UnknownTournament
from ludex.web.model_answers import game_of_evaluation
from ludex.web.paths import without_folders
from ludex.web.recent import Recent
from ludex.web.schemas.base import Document, Texts
from ludex.web.schemas.matches import TournamentGame

MATCH: Final = re.compile(rf"({NAME.pattern})~([1-9][0-9]{{0,8}})")
"""The id of a tournament's game; ids of the database's matches contain no `~`."""
GAME_VERSION: Final = 1
"""Of a tournament's game as a match: it never changes."""
MOST_FOLLOWED: Final = 4
"""A journal of ten thousand games takes some 30 MB."""
MOST_FORFEITS: Final = 50


class TournamentSummary(Document):
    """What lists and pages say of a tournament."""

    name: str
    game: str
    names: Texts
    preset: str
    board: Texts
    """What people call the board of the preset."""
    format: str
    agents: list[str]
    agent_titles: dict[str, Texts]
    games: int
    planned: int
    finished: bool
    created_utc: str
    updated_utc: str
    """When the last pair was finished."""


class TournamentLine(TournamentSummary):
    """A tournament in a list."""

    fault: str | None = None
    """Why the tournament cannot be shown, if it is damaged."""


class TournamentList(Document):
    """Every tournament that was given a name."""

    tournaments: list[TournamentLine]


class GameFault(Document):
    """The forfeiting agent and its fault."""

    agent: str
    code: str
    message: str


class GameLine(Document):
    """A game of a tournament in a list."""

    number: int
    """From 1, in the order in which pairs were finished; it never changes."""
    match: str
    """The id under which every address of a match knows this game."""
    agents: list[str]
    scores: list[float]
    reason: str
    plies: int
    seed: str
    """As text: it may be longer than JavaScript's numbers."""
    fault: GameFault | None


class GameList(Document):
    """A page of a tournament's games, newest first."""

    games: list[GameLine]
    before: int | None
    """Ask with this for the next page; None at the end."""


class TournamentDetail(TournamentSummary):
    """A tournament as it stands."""

    players: int
    seed: str
    movetime: int | None
    depth: int | None
    nodes: int | None
    clock: tuple[float, float] | None
    """Milliseconds, and those that each move gives back."""
    opening_plies: int
    prior_pairs: int | None
    """Imaginary drawn pairs in each meeting, if an agent won or lost every game; None in a game for one."""
    standings: list[TournamentRow]
    superiority: list[list[float | None]]
    """The likelihood that the agent of a row is stronger than that of a column, in the order of the standings."""
    meetings: list[MeetingRow]
    curve: list[CurvePoint]
    forfeits: list[GameLine]
    """The newest of them."""


def is_game(match_id: str) -> bool:
    """Whether a match of this id is a tournament's game."""
    return MATCH.fullmatch(match_id) is not None


class Tournaments:
    """Reads journals that other processes write. Every method may be slow: call it in a thread."""

    def __init__(self, base: Callable[[], Path]) -> None:
        self._base = base
        self._followed = Recent[str, LiveStandings](MOST_FOLLOWED)
        self._lock = Lock()

    def all(self) -> TournamentList:
        """Every tournament, the newest first; a damaged one says why."""
        lines = [_line(folder) for folder in list_saved(self._base())]
        return TournamentList(tournaments=sorted(lines, key=lambda line: line.created_utc, reverse=True))

    def detail(self, name: str) -> TournamentDetail:
        """A tournament as it stands. Raises `UnknownTournament`, and `DataError` for a damaged one."""
        with self._following(name) as following:
            return _detail(following.saved, following.state())

    def games(self, name: str, agents: tuple[str, ...], before: int | None, limit: int) -> GameList:
        """The games before a number, newest first: all, or those in which these agents took part."""
        with self._following(name) as following:
            saved, state = following.saved, following.state()
            numbers = {_number_of(agent, saved) for agent in agents}
            older = state.games if before is None else state.games[: max(0, before - 1)]
            games = [game for game in reversed(older) if numbers <= set(game.key.seats)]
            lines = [_game(saved, game) for game in games[:limit]]
            return GameList(games=lines, before=lines[-1].number if len(games) > limit else None)

    def match(self, match_id: str) -> tuple[StoredMatch, TournamentGame]:
        """A game as if it were a match of the database. Raises `UnknownMatch` or `DamagedMatch`."""
        name_and_number = MATCH.fullmatch(match_id)
        assert name_and_number is not None
        name, number = name_and_number[1], int(name_and_number[2])
        try:
            with self._following(name) as following:
                saved, games = following.saved, following.state().games
        except UnknownTournament as error:
            return _evaluated_match(match_id, name, number, error.message)
        except DataError as error:
            raise DamagedMatch(f"the tournament is damaged: {error.message}") from error
        if number > len(games):
            raise UnknownMatch(f"tournament {name!r} has games 1..{len(games)}, found {number}")
        game = games[number - 1]
        record = record_of(saved.terms, game.key.seats, game.game)
        stored = StoredMatch(match_id, GAME_VERSION, saved.created_utc, saved.created_utc, record)
        fault = None if game.game.fault is None else game.game.fault.message
        return stored, TournamentGame(tournament=name, page=f"/tournaments/{name}", number=number, fault=fault)

    @contextmanager
    def _following(self, name: str) -> Iterator[LiveStandings]:
        """Errors inside do not reveal the tournaments' folder."""
        base = self._base()
        if base / name not in list_saved(base):
            raise UnknownTournament(f"no tournament is called {name!r}")
        try:
            yield self._follow(SavedTournament.open(base / name))
        except DataError as error:
            self._followed.pop(name, None)
            raise type(error)(error.message.replace(f"{base}/", "")) from error

    def _follow(self, saved: SavedTournament) -> LiveStandings:
        with self._lock:
            following = self._followed.get(saved.name)
            # A folder may have been deleted, and another begun under its name.
            if following is None or following.saved != saved:
                following = LiveStandings(saved)
            self._followed[saved.name] = following
            return following


def _evaluated_match(match_id: str, name: str, number: int, unknown: str) -> tuple[StoredMatch, TournamentGame]:
    """A game of an evaluation as if it were a match of the database. Raises `UnknownMatch` or `DamagedMatch`."""
    try:
        evaluated = game_of_evaluation(name, number)
    except DataError as error:
        raise DamagedMatch(f"the evaluation is damaged: {without_folders(error.message)}") from error
    if evaluated is None:
        raise UnknownMatch(unknown)
    job, record, fault = evaluated
    stored = StoredMatch(match_id, GAME_VERSION, job.created_utc, job.created_utc, record)
    return stored, TournamentGame(tournament=job.id, page=f"/lab/jobs/{job.id}", number=number, fault=fault)


def _line(folder: Path) -> TournamentLine:
    try:
        saved = SavedTournament.open(folder)
        played = _games_played(saved)
        return TournamentLine(games=played, finished=played == saved.planned, **_description(saved))
    except BadTournament as error:
        # One damaged tournament must not hide the others.
        blank: dict[str, Any] = dict.fromkeys(("game", "preset", "format", "created_utc", "updated_utc"), "")
        fault = error.message.replace(f"{folder.parent}/", "")
        return TournamentLine(
            name=folder.name,
            names={},
            board={},
            agents=[],
            agent_titles={},
            games=0,
            planned=0,
            finished=False,
            fault=fault,
            **blank,
        )


def _games_played(saved: SavedTournament) -> int:
    """The number of finished games, without reading them: one line per pair, after the first."""
    try:
        lines = saved.journal.read_bytes().count(b"\n")
    except OSError as error:
        raise BadTournament(f"cannot read {saved.journal}: {error.strerror}") from error
    return max(0, lines - 1) * saved.terms.players


def _description(saved: SavedTournament) -> dict[str, Any]:
    """The fields that lists and pages share."""
    terms = saved.terms
    try:
        names, board = game_title(terms.game), board_title(terms.game, terms.preset)
        agents = {agent: agent_title(terms.game, agent) for agent in terms.agents}
    except LudexError:
        # The results of a third-party game that is not installed here can still be read.
        names, board = Message.plain(terms.game).texts(), Message.plain(terms.preset).texts()
        agents = {agent: Message.plain(agent).texts() for agent in terms.agents}
    return {
        "name": saved.name,
        "game": terms.game,
        "names": names,
        "preset": terms.preset,
        "board": board,
        "format": saved.plan.format,
        "agents": [*terms.agents],
        "agent_titles": agents,
        "planned": saved.planned,
        "created_utc": saved.created_utc,
        "updated_utc": datetime.fromtimestamp(saved.journal.stat().st_mtime, UTC).isoformat(timespec="seconds"),
    }


def _detail(saved: SavedTournament, state: State) -> TournamentDetail:
    terms = saved.terms
    conditions: dict[str, Any] = terms.conditions
    standings = state.standings
    faults = [game for game in reversed(state.games) if game.game.fault is not None]
    return TournamentDetail(
        **_description(saved),
        **conditions,
        players=terms.players,
        seed=str(terms.seed),
        games=len(state.games),
        finished=not state.tournament.interrupted,
        prior_pairs=standings.prior_pairs,
        standings=standings.table(),
        superiority=standings.superiorities(),
        meetings=standings.meetings(),
        curve=[*state.curve],
        forfeits=[_game(saved, game) for game in faults[:MOST_FORFEITS]],
    )


def _game(saved: SavedTournament, numbered: NumberedGame) -> GameLine:
    record, fault = record_of(saved.terms, numbered.key.seats, numbered.game), numbered.game.fault
    return GameLine(
        number=numbered.number,
        match=f"{saved.name}~{numbered.number}",
        agents=[*record.agents],
        scores=[*numbered.game.outcome.scores],
        reason=numbered.game.outcome.reason,
        plies=len(numbered.game.actions),
        seed=str(numbered.game.seed),
        fault=None
        if fault is None
        else GameFault(
            agent=saved.terms.agents[numbered.key.seats[numbered.game.loser]], code=fault.code, message=fault.message
        ),
    )


def _number_of(agent: str, saved: SavedTournament) -> int:
    if agent not in saved.terms.agents:
        raise BadRequest(f"agent: {agent!r} does not take part; it is {', '.join(saved.terms.agents)}")
    return saved.terms.agents.index(agent)
