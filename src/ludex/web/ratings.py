"""The rating of a person and the level that suits them, computed from their own finished matches."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, Literal, NamedTuple

from ludex.arena.performance_rating import Encounter, Performance, performance
from ludex.arena.statistics import wilson95
from ludex.core.match import FORFEIT, RESIGNATION, TIME_FORFEIT
from ludex.core.messages import Message, Parameter
from ludex.core.record import PERSON
from ludex.core.registry import available, levels, spec
from ludex.core.spec import GameSpec
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.matches import ListedMatch
from ludex.web.boards import agent_title, board, board_title, fill_message
from ludex.web.leaderboard import Leaderboard, levels_of
from ludex.web.schemas.base import Document, Texts

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
LOSSES: Final = 3
"""In a row, after which the level below is offered; after a win it is the one above."""
RECENT: Final = 50
"""How many of a person's newest finished matches are read for that."""
Verdict = Literal["counted", "people", "practice", "unrated", "altered", "helped"]
"""Whether a finished match counts for a person's rating, or why not: see `LeftOut`."""


class LeftOut(Document):
    """The numbers of a person's finished matches that do not count, by reason."""

    people: int
    """Another person took part, or this one held both seats."""
    practice: int
    unrated: int
    """The leaderboard has no such board, or no such agent, or its time per move was set."""
    altered: int
    """Moves were taken back, or the match was forked or read from a file."""
    helped: int
    """Hints, analyses or overlays were used, or the live match was forked."""


class PersonalBoard(Document):
    """A person's result on one board, from the matches that count."""

    game: str
    preset: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float | None
    """The share of points won, 0..1, in a game for one the share of games won; None without games."""
    ci95: tuple[float, float] | None
    """Of the share, in a game for one only: else the rating has the interval."""
    elo: float | None
    """None also if every game was won, or every game lost: only the interval is known then."""
    elo_ci95: tuple[float | None, float | None] | None
    """An end is None where it is unbounded; None in a game for one and without games."""
    estimate: float | None
    """The rating as one number: `elo`, else that of the same games and one imaginary draw. None as `elo_ci95`."""
    provisional: bool
    """Whether the interval is open or too wide for the rating to say much."""
    next_level: Texts | None
    """The level that the person has not reached yet; None above the highest, and where levels have no ratings."""
    progress: float | None
    """The share of the way from the last level to the next one, 0..1."""
    sentence: Texts | None
    """How the person stands, with one number; None without games."""
    details: Texts | None
    """How sure that number is, and how it was found; None without games."""
    left_out: LeftOut


class PersonalRatings(Document):
    """The caller's strength on every board on which they have finished a match."""

    boards: list[PersonalBoard]
    match: Verdict | None
    """Whether the requested match counts; None if there is none, or it is not a finished match of the caller."""


class LevelOffer(Document):
    """The results of a person at the difficulty that they played last in a game."""

    game: str
    level: str
    """The level of the machine; in a game for one the board."""
    streak: int
    """Wins in a row at this difficulty; losses in a row are negative."""
    offer: str | None
    """The difficulty that the results suggest: above after a win, below after three losses."""
    text: Texts | None
    """The suggestion in words."""


class LevelOffers(Document):
    """By game, the last difficulty of a person and the next one."""

    offers: list[LevelOffer]


class Tally(NamedTuple):
    """A person's games on one board in numbers."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float | None
    """The share of the points, in a game for one of the games won; None without games."""


@dataclass
class Results:
    """The results of a person's matches on one board."""

    players: int
    scores: dict[str, list[float]] = field(default_factory=dict)
    """By opponent: a win is 1, a draw 0, a loss -1."""
    verdicts: Counter[str] = field(default_factory=Counter)

    @property
    def tally(self) -> Tally:
        scores = [score for each in self.scores.values() for score in each]
        games, wins, losses = len(scores), sum(score > 0 for score in scores), sum(score < 0 for score in scores)
        draws = games - wins - losses
        points = wins if self.players == 1 else wins + draws / 2
        return Tally(games, wins, draws, losses, points / games if games else None)


class Played(NamedTuple):
    """A match with what decides whether it counts."""

    match: ListedMatch
    hosting: Hosting
    clocked: bool

    @property
    def board(self) -> tuple[str, str]:
        return self.match.game, self.match.preset

    def score_of(self, person: str) -> float:
        """The person's result; that of the first seat where they held both."""
        assert self.match.outcome is not None, "the match is finished"
        return self.match.outcome.scores[min(seat for seat, holder in self.hosting.seats.items() if holder == person)]


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
        verdict = verdict_of(played, levels.get(played.board))
        results = boards.setdefault(played.board, Results(len(played.match.agents)))
        results.verdicts[verdict] += 1
        if verdict == "counted":
            results.scores.setdefault(opponent_of(played.match.agents), []).append(played.score_of(person))
        if played.match.id == match:
            requested = verdict
    rated = [_board(*board, results, levels.get(board, {})) for board, results in sorted(boards.items())]
    return PersonalRatings(boards=rated, match=requested)


def finished_matches(database: Database, person: str) -> Iterator[Played]:
    """A person's undamaged matches with a result."""
    page, hostings = database.hostings.finished_matches(person, MOST_MATCHES)
    clocked = database.hostings.ids_with_clocks(hostings)
    for match in page:
        # It may have been deleted a moment ago.
        if isinstance(match, ListedMatch) and match.id in hostings:
            yield Played(match, hostings[match.id], match.id in clocked)


def verdict_of(played: Played, levels: dict[str, float] | None) -> Verdict:
    """Whether a match counts, or a live one may, given the ratings of the agents on its board, None if it has none."""
    agents, hosting = played.match.agents, played.hosting
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
    """Whether a match of one person was played from the game's first position on with nothing taken back.

    With clocks every match is: none is forked or imported with them, and nothing is taken back. Without, each version
    after the first is one ply, or a resignation, or the open seat taken by another person than the creator. A move
    taken back adds at least two versions more than plies, and a forked or imported match begins with more versions
    than plies. Where one text may stand for several moves, plies may share a version.
    """
    if played.match.positioned:
        return False
    if played.clocked:
        return True
    match, changes = played.match, played.match.version - 1
    conceded = match.outcome is not None and match.outcome.reason in (RESIGNATION, FORFEIT, TIME_FORFEIT)
    joined = sum(holder not in (None, played.hosting.creator) for holder in played.hosting.seats.values())
    expected = match.plies + conceded + joined
    if spec(match.game).screen.composite is None:
        return changes == expected
    return 0 < changes <= expected or changes == expected == 0


def _board(game: str, preset: str, results: Results, levels: dict[str, float]) -> PersonalBoard:
    tally, alone = results.tally, results.players == 1
    ci95 = wilson95(tally.score, tally.games) if alone and tally.score is not None else None
    rated = None if alone or not tally.games else performance(encounters_of(results, levels))
    estimate = None if rated is None else estimate_of(rated, encounters_of(results, levels))
    ahead = None if estimate is None else _ahead(game, estimate, levels)
    sentence = details = None
    if tally.score is not None and ci95 is not None:
        parameters: dict[str, Parameter] = {"share": tally.score, "low": ci95[0], "high": ci95[1], "count": tally.games}
        sentence, details = Message("ludex.share_won", parameters), Message("ludex.share_sure", parameters)
    elif rated is not None and estimate is not None:
        sentence, details = _sentence(rated, estimate, ahead), _certainty(rated, tally.games)
    return PersonalBoard(
        game=game,
        preset=preset,
        **tally._asdict(),
        ci95=ci95,
        elo=None if rated is None else rated.elo,
        elo_ci95=None if rated is None else (rated.low, rated.high),
        estimate=estimate,
        provisional=rated is not None and _is_provisional(rated),
        next_level=None if ahead is None else ahead.title.texts(),
        progress=None if ahead is None else ahead.progress,
        sentence=None if sentence is None else sentence.texts(),
        details=None if details is None else details.texts(),
        left_out=LeftOut.model_validate({reason: results.verdicts[reason] for reason in LeftOut.model_fields}),
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
    games = sum(encounter.games for encounter in encounters)
    mean = sum(encounter.rating * encounter.games for encounter in encounters) / games
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


def level_offers(database: Database, person: str) -> LevelOffers:
    """By game, the difficulty of the person's last match and the one that its results suggest.

    Alone, the difficulty is the board. Matches with help say nothing about a person's strength.
    """
    page, hostings = database.hostings.finished_matches(person, RECENT)
    results: dict[str, list[tuple[str, float, str]]] = {}
    for match in page:
        if isinstance(match, ListedMatch) and match.id in hostings:
            played = Played(match, hostings[match.id], clocked=False)
            if match.agents.count(PERSON) == 1 and not played.hosting.help:
                level = next((name for name in match.agents if name != PERSON), match.preset)
                results.setdefault(match.game, []).append((level, played.score_of(person), match.preset))
    offers = [_offer(spec, results.get(spec.id, [])) for spec in available()[0]]
    return LevelOffers(offers=[offer for offer in offers if offer is not None])


def _offer(game: GameSpec, results: list[tuple[str, float, str]]) -> LevelOffer | None:
    """What the newest results, all at one difficulty and of one kind, suggest."""
    if not results:
        return None
    level, score, preset = results[0]
    alone = level == preset
    ladder = [*game.offered_presets] if alone else [*levels(board(game.id, preset))]
    if level not in ladder or score == 0:
        return None
    run = sum(1 for _ in takewhile(lambda result: result[0] == level and result[1] * score > 0, results))
    place = ladder.index(level) + (score > 0) - (score < 0 and run >= LOSSES)
    offered = ladder[place] if 0 <= place < len(ladder) and ladder[place] != level else None
    text: Texts | None = None
    if offered is not None:
        titles = board_title(game.id, offered) if alone else agent_title(game.id, offered)
        key = "offer_down" if score < 0 else "offer_up" if run > 1 else "offer_next"
        text = fill_message(f"ludex.{key}", "level", titles, count=run)
    return LevelOffer(game=game.id, level=level, streak=run if score > 0 else -run, offer=offered, text=text)
