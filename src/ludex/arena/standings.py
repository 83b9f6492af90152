"""A tournament's table: points, ratings and how sure they are; in a league the mean score on the same seeds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

from pydantic import BaseModel, ConfigDict

from ludex.arena.pairs import Pair, PlayedGame, pair_score
from ludex.arena.ratings import Ratings, rate
from ludex.arena.schedules import Meeting
from ludex.arena.sprt import IMAGINARY_PAIRS
from ludex.arena.statistics import MoveTimes, interval95
from ludex.arena.tournament import Tournament

IMAGINARY_DIFFERENCE = 1 / 2
"""By so much the difference of two independent decisive games varies."""


class StandingRow(BaseModel):
    """The result of one agent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rank: int
    agent: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """Its share of the points it played for, 0..1; in a game for one the share of games won."""
    ci95: tuple[float, float]
    elo: float | None
    """None in a game for one, and where no chain of games leads to the others."""
    elo_ci95: tuple[float, float] | None
    superiority: float | None
    """The likelihood that it is stronger than the next; None for the last, and without a comparison."""


class TournamentRow(StandingRow):
    """The result of one agent, with times and forfeits."""

    forfeits: int
    time_forfeits: int
    ms_per_move: float
    ms_p99: float
    ms_max: float


class MeetingRow(BaseModel):
    """The result of two agents against each other; wins in their order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    agents: tuple[str, str]
    games: int
    wins: tuple[int, int]
    draws: int
    score: float
    """The first agent's."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one agent did."""

    agent: int
    wins: int
    draws: int
    losses: int
    score: float
    """Its share of the points it played for, 0..1."""
    ci95: tuple[float, float]
    forfeits: int
    time_forfeits: int
    move_times: MoveTimes

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.score * self.games


@dataclass(frozen=True, slots=True)
class Standings:
    """Everybody's, best first."""

    tournament: Tournament
    rows: tuple[Standing, ...]
    """Those who finished a pair: by rating, in a league by score."""
    ratings: Ratings | None
    """None in a league, which has no meetings."""

    @classmethod
    def of(cls, tournament: Tournament) -> Self:
        terms = tournament.terms
        rows = [_standing(tournament, agent) for agent in range(len(terms.agents))]
        present = [row for row in rows if row is not None]
        if terms.players == 1:
            return cls(tournament, tuple(sorted(present, key=lambda row: (-row.score, row.agent))), None)
        scores = {
            (meeting[0], meeting[1]): [pair_score(pair) for pair in pairs]
            for meeting, pairs in tournament.meetings.items()
        }
        ratings = rate(len(terms.agents), scores)

        def rank(row: Standing) -> tuple[float, float, int]:
            elo = ratings.elo[row.agent]
            return (math.inf if elo is None else -elo, -row.score, row.agent)

        return cls(tournament, tuple(sorted(present, key=rank)), ratings)

    def superiority(self, first: int, second: int) -> float | None:
        """The likelihood that the first agent is the stronger one; None if the games do not say."""
        if self.ratings is not None:
            return self.ratings.superiority(first, second)
        meetings = self.tournament.meetings
        return None if first == second else _better(meetings[first,], meetings[second,])

    def table(self) -> list[TournamentRow]:
        """The rows as every list of them shows them."""
        return [self._row(place, row) for place, row in enumerate(self.rows)]

    def superiorities(self) -> list[list[float | None]]:
        """The likelihood that the agent of a row is stronger than that of a column, in the order of the rows."""
        order = [row.agent for row in self.rows]
        return [[self.superiority(first, second) for second in order] for first in order]

    def meetings(self) -> list[MeetingRow]:
        """The results of those who met; none in a league."""
        return [] if self.ratings is None else [self._meeting(*met) for met in self.tournament.meetings.items()]

    @property
    def prior_pairs(self) -> int | None:
        """Imaginary drawn pairs in each meeting, if an agent won or lost every game; None in a league."""
        return None if self.ratings is None else self.ratings.prior_pairs

    def _row(self, place: int, row: Standing) -> TournamentRow:
        ratings = self.ratings
        below = self.rows[place + 1].agent if place + 1 < len(self.rows) else None
        return TournamentRow(
            rank=place + 1,
            agent=self.tournament.terms.agents[row.agent],
            games=row.games,
            wins=row.wins,
            draws=row.draws,
            losses=row.losses,
            score=row.score,
            ci95=row.ci95,
            elo=None if ratings is None else ratings.elo[row.agent],
            elo_ci95=None if ratings is None else ratings.ci95(row.agent),
            superiority=None if below is None else self.superiority(row.agent, below),
            forfeits=row.forfeits,
            time_forfeits=row.time_forfeits,
            ms_per_move=row.move_times.mean,
            ms_p99=row.move_times.p99,
            ms_max=row.move_times.longest,
        )

    def _meeting(self, meeting: Meeting, pairs: Sequence[Pair]) -> MeetingRow:
        games = [game for pair in pairs for game in pair]
        first, second = (self.tournament.terms.agents[agent] for agent in meeting)
        return MeetingRow(
            agents=(first, second),
            games=len(games),
            wins=(sum(game.points > 0.5 for game in games), sum(game.points < 0.5 for game in games)),
            draws=sum(game.points == 0.5 for game in games),
            score=sum(game.points for game in games) / len(games),
        )


def _standing(tournament: Tournament, agent: int) -> Standing | None:
    """None for an agent that has not finished a pair."""
    own: list[tuple[int, Pair]] = [
        (key.seats.index(agent), pair) for key, pair in tournament.pairs.items() if agent in key.seats
    ]
    if not own:
        return None
    scores = [_own(pair_score(pair), side) for side, pair in own]
    games: list[tuple[int, PlayedGame]] = [(side, game) for side, pair in own for game in pair]
    points = [_own(game.points, side) for side, game in games]
    return Standing(
        agent=agent,
        wins=sum(share > 0.5 for share in points),
        draws=sum(share == 0.5 for share in points),
        losses=sum(share < 0.5 for share in points),
        score=math.fsum(points) / len(points),
        ci95=interval95(scores),
        forfeits=sum(game.fault is not None and game.loser == side for side, game in games),
        time_forfeits=sum(game.lost_on_time == side for side, game in games),
        move_times=MoveTimes.of([micros for side, game in games for micros in game.micros[side]]),
    )


def _own(first: float, side: int) -> float:
    return 1 - first if side else first


def _better(first: Sequence[Pair], second: Sequence[Pair]) -> float | None:
    """The likelihood that the first agent's mean score is higher, from its lead on each seed that both played."""
    one, other = (_by_seed(pairs) for pairs in (first, second))
    leads = [one[seed] - other[seed] for seed in one if seed in other]
    if not leads:
        return None
    mean = math.fsum(leads) / len(leads)
    spread = math.fsum((lead - mean) ** 2 for lead in leads) + IMAGINARY_PAIRS * IMAGINARY_DIFFERENCE
    error = math.sqrt(spread / (len(leads) + IMAGINARY_PAIRS) / len(leads))
    return NormalDist().cdf(mean / error)


def _by_seed(pairs: Sequence[Pair]) -> Mapping[int, float]:
    return {pair[0].seed: pair_score(pair) for pair in pairs}
