"""A tournament's table: points, ratings and how sure they are; in a league the mean score on the same seeds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from statistics import NormalDist
from typing import Self

from ludex.arena.pairs import Pair, PlayedGame, pair_score
from ludex.arena.ratings import Ratings, rate
from ludex.arena.schedules import Meeting
from ludex.arena.sprt import IMAGINARY_PAIRS
from ludex.arena.statistics import MoveTimes, interval95
from ludex.arena.tournament import Tournament
from ludex.core.options import StrictModel

IMAGINARY_DIFFERENCE = 1 / 2
"""By so much the difference of two independent decisive games varies."""


class StandingRow(StrictModel):
    """The result of one agent."""

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


class MeetingRow(StrictModel):
    """The result of two agents against each other; wins in their order."""

    agents: tuple[str, str]
    games: int
    wins: tuple[int, int]
    draws: int
    score: float
    """The first agent's."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The results of every agent, best first."""

    tournament: Tournament
    order: tuple[int, ...]
    """Those who finished a pair: by rating, in a league by score."""
    results: Mapping[int, TournamentRow]
    """By agent, before it is compared with others."""
    ratings: Ratings | None
    """None in a league, which has no meetings."""

    @classmethod
    def of(cls, tournament: Tournament) -> Self:
        agents = len(tournament.terms.agents)
        results = {agent: result for agent in range(agents) if (result := _result(tournament, agent)) is not None}
        if tournament.terms.players == 1:
            order = sorted(results, key=lambda agent: (-results[agent].score, agent))
            return cls(tournament, tuple(order), results, None)
        scores = {
            (meeting[0], meeting[1]): [pair_score(pair) for pair in pairs]
            for meeting, pairs in tournament.meetings.items()
        }
        ratings = rate(agents, scores)

        def rank(agent: int) -> tuple[float, float, int]:
            elo = ratings.elo[agent]
            return (math.inf if elo is None else -elo, -results[agent].score, agent)

        return cls(tournament, tuple(sorted(results, key=rank)), results, ratings)

    def superiority(self, first: int, second: int) -> float | None:
        """The likelihood that the first agent is the stronger one; None if the games do not say."""
        if self.ratings is not None:
            return self.ratings.superiority(first, second)
        meetings = self.tournament.meetings
        return None if first == second else _better(meetings[first,], meetings[second,])

    def table(self) -> list[TournamentRow]:
        """The rows as every list of them shows them."""
        ratings = self.ratings
        return [
            self.results[agent].model_copy(
                update={
                    "rank": rank,
                    "elo": None if ratings is None else ratings.elo[agent],
                    "elo_ci95": None if ratings is None else ratings.ci95(agent),
                    "superiority": None if below is None else self.superiority(agent, below),
                }
            )
            for rank, (agent, below) in enumerate(zip_longest(self.order, self.order[1:]), start=1)
        ]

    def superiorities(self) -> list[list[float | None]]:
        """The likelihood that the agent of a row is stronger than that of a column, in the order of the rows."""
        return [[self.superiority(first, second) for second in self.order] for first in self.order]

    def meetings(self) -> list[MeetingRow]:
        """The results of those who met; none in a league."""
        return [] if self.ratings is None else [self._meeting(*met) for met in self.tournament.meetings.items()]

    @property
    def prior_pairs(self) -> int | None:
        """Imaginary drawn pairs in each meeting, if an agent won or lost every game; None in a league."""
        return None if self.ratings is None else self.ratings.prior_pairs

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


def _result(tournament: Tournament, agent: int) -> TournamentRow | None:
    """None for an agent that has not finished a pair."""
    own = [(key.seats.index(agent), pair) for key, pair in tournament.pairs.items() if agent in key.seats]
    if not own:
        return None
    games: list[tuple[int, PlayedGame]] = [(side, game) for side, pair in own for game in pair]
    points = [_own(game.points, side) for side, game in games]
    times = MoveTimes.of([micros for side, game in games for micros in game.micros[side]])
    return TournamentRow(
        rank=0,
        agent=tournament.terms.agents[agent],
        games=len(games),
        wins=sum(share > 0.5 for share in points),
        draws=sum(share == 0.5 for share in points),
        losses=sum(share < 0.5 for share in points),
        score=math.fsum(points) / len(points),
        ci95=interval95([_own(pair_score(pair), side) for side, pair in own]),
        elo=None,
        elo_ci95=None,
        superiority=None,
        forfeits=sum(game.fault is not None and game.loser == side for side, game in games),
        time_forfeits=sum(game.lost_on_time == side for side, game in games),
        ms_per_move=times.mean,
        ms_p99=times.p99,
        ms_max=times.longest,
    )


def _own(first: float, side: int) -> float:
    return 1 - first if side else first


def _better(first: Sequence[Pair], second: Sequence[Pair]) -> float | None:
    """The likelihood that the first agent's mean score is higher, from its lead on each seed that both played."""
    scores, others = (_by_seed(pairs) for pairs in (first, second))
    leads = [scores[seed] - others[seed] for seed in scores if seed in others]
    if not leads:
        return None
    mean = math.fsum(leads) / len(leads)
    spread = math.fsum((lead - mean) ** 2 for lead in leads) + IMAGINARY_PAIRS * IMAGINARY_DIFFERENCE
    error = math.sqrt(spread / (len(leads) + IMAGINARY_PAIRS) / len(leads))
    return NormalDist().cdf(mean / error)


def _by_seed(pairs: Sequence[Pair]) -> Mapping[int, float]:
    return {pair[0].seed: pair_score(pair) for pair in pairs}
