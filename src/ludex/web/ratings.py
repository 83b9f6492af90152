"""The rating of a person on the scale of the leaderboard, computed from their own finished matches."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ludex.arena.performance_rating import Encounter, Performance, performance
from ludex.arena.statistics import wilson95
from ludex.core.match import FORFEIT, RESIGNATION, TIME_FORFEIT
from ludex.core.messages import Message, Parameter
from ludex.core.record import PERSON
from ludex.core.registry import spec
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.matches import StoredMatch
from ludex.web.leaderboard import levels_of
from ludex.web.schemas.arena import Leaderboard, LeftOut, PersonalBoard, PersonalRatings, Verdict

MOST_MATCHES: Final = 1_000
"""The number of a person's newest finished matches that are rated."""
PROVISIONAL_WIDTH: Final = 400.0
"""Elo points: a rating with a wider interval is provisional."""
AVERAGE: Final = 1500
"""What is added to Elo points for people, who know ratings as numbers above zero."""
FIRST_STEP: Final = 200.0
"""Elo points below the first level, from which the way to it is counted."""
ALONE: Final = "alone"
"""The opponent's name in a game for one."""


@dataclass
class Results:
    """The results of a person's matches on one board."""

    players: int
    scores: dict[str, list[float]] = field(default_factory=dict)
    """By opponent: a win is 1, a draw 0, a loss -1."""
    verdicts: Counter[Verdict] = field(default_factory=Counter)


class Played(NamedTuple):
    """A match with what decides whether it counts."""

    match: StoredMatch
    hosting: Hosting
    clocked: bool


class Ahead(NamedTuple):
    """The next level, and the share of the way to it."""

    title: Message
    progress: float


def personal_ratings(database: Database, leaderboard: Leaderboard, person: str, match: str | None) -> PersonalRatings:
    """The ratings of a person, and whether one of their matches counts."""
    levels = levels_of(leaderboard)
    boards: dict[tuple[str, str], Results] = {}
    requested: Verdict | None = None
    for played in finished_matches(database, person):
        record = played.match.record
        board = (record.game, record.preset)
        verdict = verdict_of(played, levels.get(board))
        results = boards.setdefault(board, Results(len(record.agents)))
        results.verdicts[verdict] += 1
        if verdict == "counted":
            results.scores.setdefault(opponent_of(record.agents), []).append(_score(played, person))
        if played.match.id == match:
            requested = verdict
    rated = [_board(*board, results, levels.get(board, {})) for board, results in sorted(boards.items())]
    return PersonalRatings(boards=rated, match=requested)


def finished_matches(database: Database, person: str) -> Iterator[Played]:
    """A person's undamaged matches with a result."""
    page, hostings = database.hostings.finished(person, MOST_MATCHES)
    clocked = database.hostings.clocked(hostings)
    for match in page:
        # It may have been deleted a moment ago.
        if isinstance(match, StoredMatch) and match.id in hostings:
            yield Played(match, hostings[match.id], match.id in clocked)


def verdict_of(played: Played, levels: dict[str, float] | None) -> Verdict:
    """Whether a match counts, or a live one may, given the ratings of the agents on its board, None if it has none."""
    agents, hosting = played.match.record.agents, played.hosting
    if agents.count(PERSON) != 1:
        return "people"
    if hosting.practice:
        return "practice"
    if levels is None or (len(agents) > 1 and (opponent_of(agents) not in levels or hosting.movetime_ms is not None)):
        return "unrated"
    if hosting.help:
        return "helped"
    return "counted" if _played_through(played) else "altered"


def opponent_of(agents: tuple[str, ...]) -> str:
    """The machine of a match, or `ALONE`."""
    return next((name for name in agents if name != PERSON), ALONE)


def _played_through(played: Played) -> bool:
    """Whether a match of one person was played from its first ply on with nothing taken back.

    With clocks every match is: none is forked or imported with them, and nothing is taken back. Without, each version
    after the first is one ply, or a resignation, or the open seat taken by another person than the creator. A move
    taken back adds at least two versions more than plies, and a forked or imported match begins with more versions
    than plies. Where one text may stand for several moves, plies may share a version.
    """
    if played.clocked:
        return True
    record, changes = played.match.record, played.match.version - 1
    conceded = record.outcome is not None and record.outcome.reason in (RESIGNATION, FORFEIT, TIME_FORFEIT)
    joined = sum(holder not in (None, played.hosting.creator) for holder in played.hosting.seats.values())
    expected = len(record.actions) + conceded + joined
    if spec(record.game).screen.composite is None:
        return changes == expected
    return 0 < changes <= expected or changes == expected == 0


def _score(played: Played, person: str) -> float:
    (player,) = (player for player, holder in played.hosting.seats.items() if holder == person)
    outcome = played.match.record.outcome
    assert outcome is not None, "the match is finished"
    return outcome.scores[player]


def _board(game: str, preset: str, results: Results, levels: dict[str, float]) -> PersonalBoard:
    scores = [score for each in results.scores.values() for score in each]
    games, wins, losses = len(scores), sum(score > 0 for score in scores), sum(score < 0 for score in scores)
    draws, alone = games - wins - losses, results.players == 1
    share = None if not games else wins / games if alone else (wins + draws / 2) / games
    rated = None if alone or not games else performance(encounters_of(results, levels))
    verdicts = results.verdicts
    ci95 = wilson95(share, games) if alone and share is not None else None
    estimate = None if rated is None else estimate_of(rated, encounters_of(results, levels))
    sentence = details = ahead = None
    if share is not None and ci95 is not None:
        won: dict[str, Parameter] = {"share": share, "low": ci95[0], "high": ci95[1], "count": games}
        sentence, details = Message("ludex.share_won", won), Message("ludex.share_sure", won)
    elif rated is not None and estimate is not None:
        ahead = _ahead(game, estimate, levels)
        sentence, details = _sentence(rated, estimate, ahead), _certainty(rated, games)
    return PersonalBoard(
        game=game,
        preset=preset,
        games=games,
        wins=wins,
        draws=draws,
        losses=losses,
        score=share,
        ci95=ci95,
        elo=None if rated is None else rated.elo,
        elo_ci95=None if rated is None else (rated.low, rated.high),
        estimate=estimate,
        provisional=rated is not None and _is_provisional(rated),
        next_level=None if ahead is None else ahead.title.texts(),
        progress=None if ahead is None else ahead.progress,
        sentence=None if sentence is None else sentence.texts(),
        details=None if details is None else details.texts(),
        left_out=LeftOut(
            people=verdicts["people"],
            practice=verdicts["practice"],
            unrated=verdicts["unrated"],
            altered=verdicts["altered"],
            helped=verdicts["helped"],
        ),
    )


def encounters_of(results: Results, levels: dict[str, float]) -> list[Encounter]:
    """The games against each machine, with its rating."""
    return [
        Encounter(levels[opponent], len(scores), sum((score > 0) + (score == 0) / 2 for score in scores))
        for opponent, scores in results.scores.items()
    ]


def estimate_of(rated: Performance, encounters: list[Encounter]) -> float | None:
    """One number also for a person who has won every game, or lost every one."""
    if rated.elo is not None:
        return rated.elo
    mean = sum(one.rating * one.games for one in encounters) / sum(one.games for one in encounters)
    return performance([*encounters, Encounter(mean, 1, 0.5)]).elo


def _ahead(game: str, estimate: float, levels: dict[str, float]) -> Ahead | None:
    """The next level above a rating; None above the highest, and where levels have no ratings."""
    ladder = [(levels[name], level.title) for name, level in spec(game).levels.items() if name in levels]
    last = ladder[0][0] - FIRST_STEP if ladder else 0.0
    for rating, title in ladder:
        if estimate < rating:
            return Ahead(title, max(0.0, (estimate - last) / (rating - last)))
        last = rating
    return None


def _sentence(rated: Performance, estimate: float, ahead: Ahead | None) -> Message:
    """One number, marked while it is provisional, and how far the next level is."""
    number = Message(f"ludex.elo{'_provisional' if _is_provisional(rated) else ''}", {"elo": AVERAGE + estimate})
    if ahead is None:
        return Message("ludex.rating", {"rating": number})
    return Message("ludex.rating_next", {"rating": number, "progress": ahead.progress, "level": ahead.title})


def _certainty(rated: Performance, games: int) -> Message:
    """The interval of a rating, and the number of games behind it."""
    count: dict[str, Parameter] = {"count": games}
    low, high = (None if end is None else AVERAGE + end for end in (rated.low, rated.high))
    if low is not None and high is not None:
        return Message("ludex.rating_between", {"low": low, "high": high, **count})
    if low is not None:
        return Message("ludex.rating_above", {"low": low, **count})
    if high is not None:
        return Message("ludex.rating_below", {"high": high, **count})
    return Message("ludex.rating_vague", count)


def _is_provisional(rated: Performance) -> bool:
    if rated.elo is None or rated.low is None or rated.high is None:
        return True
    return rated.high - rated.low > PROVISIONAL_WIDTH
