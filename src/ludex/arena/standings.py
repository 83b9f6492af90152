"""A tournament's table: points, ratings and how sure they are; in a league the mean score on the same seeds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

from ludex.arena.pairs import Pair, PlayedGame, pair_score
from ludex.arena.ratings import Ratings, rate
from ludex.arena.schedules import Meeting
from ludex.arena.sprt import IMAGINARY_PAIRS
from ludex.arena.statistics import MoveTimes, interval95
from ludex.arena.tournament import Tournament
from ludex.core.game import Json

IMAGINARY_DIFFERENCE = 1 / 2
"""By so much the difference of two independent decisive games varies."""


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

    def to_json(self) -> dict[str, Json]:
        """The shape of `ludex tournament --json`."""
        held, terms, ratings = self.tournament, self.tournament.terms, self.ratings
        order = [row.agent for row in self.rows]
        return {
            "game": terms.game,
            "preset": terms.preset,
            "format": held.format,
            "agents": list(terms.agents),
            "games": held.games,
            "seed": terms.seed,
            "standings": [self._row(place, row) for place, row in enumerate(self.rows)],
            "superiority": [[self.superiority(one, other) for other in order] for one in order],
            "meetings": [self._meeting(*met) for met in held.meetings.items()] if ratings is not None else [],
            "rounds": [[[terms.agents[agent] for agent in met] for met in one] for one in held.rounds],
            "prior_pairs": None if ratings is None else ratings.prior_pairs,
            "forfeits": [
                {
                    "agent": terms.agents[key.seats[game.loser]],
                    "pair": key.index,
                    "agents": [terms.agents[agent] for agent in key.seats],
                    "swapped": game.swapped,
                    "seed": str(game.seed),
                    "ply": len(game.actions),
                    "code": game.fault.code,
                    "message": game.fault.message,
                }
                for key, game in held.faults
                if game.fault is not None
            ],
            "interrupted": held.interrupted,
        }

    def _row(self, place: int, row: Standing) -> dict[str, Json]:
        ratings = self.ratings
        interval = None if ratings is None else ratings.ci95(row.agent)
        below = self.rows[place + 1].agent if place + 1 < len(self.rows) else None
        return {
            "rank": place + 1,
            "agent": self.tournament.terms.agents[row.agent],
            "games": row.games,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "points": row.points,
            "score": row.score,
            "ci95": list(row.ci95),
            "elo": None if ratings is None else ratings.elo[row.agent],
            "elo_ci95": None if interval is None else list(interval),
            "superiority": None if below is None else self.superiority(row.agent, below),
            "forfeits": row.forfeits,
            "time_forfeits": row.time_forfeits,
            "ms_per_move": row.move_times.mean,
            "ms_p99": row.move_times.p99,
            "ms_max": row.move_times.longest,
        }

    def _meeting(self, meeting: Meeting, pairs: Sequence[Pair]) -> dict[str, Json]:
        games = [game for pair in pairs for game in pair]
        return {
            "agents": [self.tournament.terms.agents[agent] for agent in meeting],
            "games": len(games),
            "wins": [sum(game.points > 0.5 for game in games), sum(game.points < 0.5 for game in games)],
            "draws": sum(game.points == 0.5 for game in games),
            "score": sum(game.points for game in games) / len(games),
        }


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
