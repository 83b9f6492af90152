"""The standings of a saved tournament that another process may be playing: each request reads what is new."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic, thread_time
from typing import Final

from ludex.arena.journal import Reader
from ludex.arena.pairs import Pair, PairKey, PlayedGame, pair_score
from ludex.arena.ratings import rate
from ludex.arena.saved_tournament import SavedTournament
from ludex.arena.standings import Standings
from ludex.arena.tournament import Tournament, so_far

QUICK: Final = 0.1
"""CPU seconds: longer computations are not repeated after every match."""
PAUSE: Final = 4
"""After such a one so many times as long is waited, so that watching costs a fifth of a processor at most."""
MOST_POINTS: Final = 96
"""A curve has at most so many points, and the last."""


@dataclass(frozen=True, slots=True)
class Point:
    """How everybody stood after so many games."""

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
    curve: Sequence[Point]


class LiveStandings:
    """What is known of a tournament so far. Threads may ask at the same time."""

    def __init__(self, saved: SavedTournament) -> None:
        self.saved = saved
        self._reader = Reader(saved.journal, saved.header)
        self._lock = Lock()
        self._points: dict[int, Point] = {}
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
        return State(tournament, Standings.of(tournament), [*_numbered(pairs)], self._curve(pairs))

    def _curve(self, pairs: dict[PairKey, Pair]) -> list[Point]:
        """Points at equal distances, twice as far apart whenever there are too many: each is computed once."""
        step = 1
        while len(pairs) > step * MOST_POINTS:
            step *= 2
        self._points = {count: point for count, point in self._points.items() if count % step == 0}
        found: list[Point] = []
        scores: dict[tuple[int, ...], list[float]] = {}
        games = 0
        for count, (key, pair) in enumerate(pairs.items(), start=1):
            scores.setdefault(key.seats, []).append(pair_score(pair))
            games += len(pair)
            if count % step == 0:
                if count not in self._points:
                    self._points[count] = Point(games, self._values(scores))
                found.append(self._points[count])
            elif count == len(pairs):
                found.append(Point(games, self._values(scores)))
        return found

    def _values(self, scores: dict[tuple[int, ...], list[float]]) -> tuple[float | None, ...]:
        agents = len(self.saved.terms.agents)
        if self.saved.terms.players == 1:
            own = [scores.get((agent,), []) for agent in range(agents)]
            return tuple(sum(points) / len(points) if points else None for points in own)
        return rate(agents, {(seats[0], seats[1]): points for seats, points in scores.items()}).elo


def _numbered(pairs: dict[PairKey, Pair]) -> Iterator[NumberedGame]:
    played = ((key, game) for key, pair in pairs.items() for game in pair)
    return (NumberedGame(number, key, game) for number, (key, game) in enumerate(played, start=1))
