"""A tournament with a name is a folder: `tournament.json` says what is to be played, `journal.jsonl` what was.

It can be looked at while it goes on, and the same command goes on with it after a kill. `LiveStandings` reads what
is new in one that another process may be playing.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from time import monotonic, thread_time
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from ludex.arena.journal import Journal, Reader, open_journal
from ludex.arena.pairs import Pair, PairKey, PlayedGame, pair_score
from ludex.arena.ratings import rate
from ludex.arena.schedules import Format, format_of
from ludex.arena.standings import Standings
from ludex.arena.terms import Terms
from ludex.arena.tournament import Tournament, so_far
from ludex.core.documents import read_json, write_text
from ludex.core.errors import BadOption, BadTournament
from ludex.core.folders import make_folder
from ludex.core.options import complaint

FORMAT: Final = "ludex-tournament"
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
DOCUMENT: Final = "tournament.json"
JOURNAL: Final = "journal.jsonl"


@dataclass(frozen=True, slots=True)
class Plan:
    """The request, beside the terms."""

    format: str
    games: int
    """Of each meeting; in a league of each agent."""
    rounds: int | None
    """Of a Swiss tournament."""


@dataclass(frozen=True, slots=True)
class SavedTournament:
    """One folder, as its document describes it."""

    folder: Path
    created_utc: str
    header: dict[str, Any]
    """The journal's first line, which is there before the journal is."""
    terms: Terms
    plan: Plan
    bots: "tuple[Bot, ...]" = ()
    """Those invited to a ladder: they are the agents of its terms, but not of the journal's header."""

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Read what a tournament is. Raises `BadTournament`."""
        path = folder / DOCUMENT
        body = read_json(path, BadTournament)
        if not isinstance(body, dict) or body.get("format") != FORMAT:
            raise BadTournament(f"{path}: not a tournament: expected an object with format {FORMAT!r}")
        try:
            document = _Document.model_validate(body)
            terms = Terms.from_header(document.terms, document.players)
            if document.bots:
                terms = replace(terms, agents=tuple(bot.name for bot in document.bots))
            saved = cls(folder, document.created_utc, document.terms, terms, document.plan, document.bots)
            _ = saved.planned
        except (ValidationError, TypeError, ValueError, KeyError, BadOption) as error:
            wrong = complaint(error, _Document) if isinstance(error, ValidationError) else error
            raise BadTournament(f"{path}: ill-typed or missing value: {wrong}") from error
        return saved

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def journal(self) -> Path:
        return self.folder / JOURNAL

    @property
    def format(self) -> Format:
        terms, plan = self.terms, self.plan
        return format_of(
            plan.format, players=terms.players, agents=len(terms.agents), games=plan.games, rounds=plan.rounds
        )

    @property
    def planned(self) -> int:
        """How many games there will be."""
        return self.format.meetings * self.plan.games


class Bot(BaseModel):
    """A bot of a ladder."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, frozen=True, populate_by_name=True)

    name: str = Field(pattern=NAME.pattern + "$")
    token_sha256: str
    """The token itself is known to the bot's owner alone."""


class _Document(BaseModel):
    """What `tournament.json` holds."""

    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)

    format: Literal["ludex-tournament"]
    format_version: Literal[1]
    created_utc: str
    players: Literal[1, 2]
    plan: Plan
    terms: dict[str, Any]
    bots: tuple[Bot, ...] = ()


def write_bots(saved: SavedTournament, bots: tuple[Bot, ...]) -> None:
    """Let these bots play on a ladder; those that have played keep their places."""
    document = _Document.model_validate({**read_json(saved.folder / DOCUMENT, BadTournament), "bots": bots})
    write_text(saved.folder / DOCUMENT, document.model_dump_json(indent=1, by_alias=True) + "\n")


@contextmanager
def open_tournament(base: Path, name: str, terms: Terms, plan: Plan) -> Iterator[Journal]:
    """Hold the tournament of this name, begun if there is none yet.

    Raises `BadOption` for what is no name, and `BadTournament` or `BadJournal` if the name is another tournament's.
    """
    path = journal_of(base, name)
    folder = make_folder(make_folder(base, "LUDEX_TOURNAMENTS") / name, "LUDEX_TOURNAMENTS")
    with open_journal(path, terms) as journal:
        if (folder / DOCUMENT).exists():
            _require_same(SavedTournament.open(folder), terms, plan)
        else:
            # Last, because it makes the folder a tournament.
            write_text(folder / DOCUMENT, _new_document(terms, plan).model_dump_json(indent=1, by_alias=True) + "\n")
        yield journal


def journal_of(base: Path, name: str) -> Path:
    """Where the tournament of this name has its journal. Raises `BadOption` for what is no name."""
    if not NAME.fullmatch(name):
        raise BadOption(
            f"a tournament's name has up to 64 letters, digits, dots, dashes and underscores and begins with a letter "
            f"or digit, found {name!r}"
        )
    return base / name / JOURNAL


def list_saved(base: Path) -> list[Path]:
    """The folders of every tournament, by name."""
    if not base.is_dir():
        return []
    return sorted(path for path in base.iterdir() if NAME.fullmatch(path.name) and (path / DOCUMENT).is_file())


def _new_document(terms: Terms, plan: Plan) -> _Document:
    return _Document.model_validate(
        {
            "format": FORMAT,
            "formatVersion": 1,
            "createdUtc": datetime.now(UTC).isoformat(timespec="seconds"),
            "players": terms.players,
            "plan": plan,
            "terms": terms.header(),
        }
    )


def _require_same(saved: SavedTournament, terms: Terms, plan: Plan) -> None:
    there, here = _determining(saved.header, saved.plan), _determining(terms.header(), plan)
    for key, value in here.items():
        if there.get(key) != value:
            raise BadTournament(
                f"{saved.name!r} is another tournament: {key} is {there.get(key)!r} there and {value!r} here; "
                "choose another name"
            )


def _determining(header: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """All that must be the same where a tournament goes on."""
    return {**header, "format": plan.format, "games": plan.games, "rounds": plan.rounds}


QUICK: Final = 0.1
"""CPU seconds: longer computations are not repeated after every match."""
PAUSE: Final = 4
"""After such a one so many times as long is waited, so that watching costs a fifth of a processor at most."""
MOST_POINTS: Final = 96
"""A curve has at most so many points, and the last."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The standings after so many games."""

    games: int
    values: tuple[float | None, ...]
    """By agent, its rating; in a league its mean score. None where the games do not say."""


@dataclass(frozen=True, slots=True)
class NumberedGame:
    """A game of a tournament, by the order in which pairs were finished."""

    number: int
    """From 1; it never changes."""
    key: PairKey
    game: PlayedGame


@dataclass(frozen=True, slots=True)
class State:
    """A tournament at one moment."""

    tournament: Tournament
    standings: Standings
    games: Sequence[NumberedGame]
    """In the order in which they were finished."""
    curve: Sequence[CurvePoint]


class LiveStandings:
    """What is known of a tournament so far. Threads may ask at the same time."""

    def __init__(self, saved: SavedTournament) -> None:
        self.saved = saved
        self._reader = Reader(saved.journal, saved.header)
        self._lock = Lock()
        self._points: dict[int, CurvePoint] = {}
        self._state: State | None = None
        self._known = 0
        self._due = 0.0

    def state(self) -> State:
        """The tournament as it is now, or was a moment ago if it is a large one. Raises `BadJournal`."""
        with self._lock:
            if self._state is not None and monotonic() < self._due:
                return self._state
            begin = thread_time()
            self._reader.read_on()
            if self._state is None or self._known != len(self._reader.pairs):
                self._known = len(self._reader.pairs)
                self._state = self._read()
                spent = thread_time() - begin
                self._due = monotonic() + (PAUSE * spent if spent > QUICK else 0.0)
            return self._state

    def _read(self) -> State:
        saved, pairs = self.saved, self._reader.pairs
        tournament = so_far(saved.terms, saved.format, games=saved.plan.games, pairs=pairs)
        return State(tournament, Standings.of(tournament), [*_number_games(pairs)], self._curve(pairs))

    def _curve(self, pairs: dict[PairKey, Pair]) -> list[CurvePoint]:
        """Points at equal distances, twice as far apart whenever there are too many: each is computed once."""
        step = 1
        while len(pairs) > step * MOST_POINTS:
            step *= 2
        self._points = {count: point for count, point in self._points.items() if count % step == 0}
        points: list[CurvePoint] = []
        scores: dict[tuple[int, ...], list[float]] = {}
        games = 0
        for count, (key, pair) in enumerate(pairs.items(), start=1):
            scores.setdefault(key.seats, []).append(pair_score(pair))
            games += len(pair)
            if count % step == 0:
                if count not in self._points:
                    self._points[count] = CurvePoint(games, self._values(scores))
                points.append(self._points[count])
            elif count == len(pairs):
                points.append(CurvePoint(games, self._values(scores)))
        return points

    def _values(self, scores: dict[tuple[int, ...], list[float]]) -> tuple[float | None, ...]:
        agents = len(self.saved.terms.agents)
        if self.saved.terms.players == 1:
            own = [scores.get((agent,), []) for agent in range(agents)]
            return tuple(sum(points) / len(points) if points else None for points in own)
        return rate(agents, {(seats[0], seats[1]): points for seats, points in scores.items()}).elo


def _number_games(pairs: dict[PairKey, Pair]) -> Iterator[NumberedGame]:
    played = ((key, game) for key, pair in pairs.items() for game in pair)
    return (NumberedGame(number, key, game) for number, (key, game) in enumerate(played, start=1))
