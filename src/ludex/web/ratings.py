"""The rating of a person and the level that suits them, computed from their own finished matches."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ludex.arena.performance_rating import Encounter, Performance, performance
from ludex.arena.statistics import wilson95
from ludex.core.match import FORFEIT, RESIGNATION, TIME_FORFEIT
from ludex.core.messages import LANGUAGES, Message, Parameter
from ludex.core.record import PERSON
from ludex.core.registry import available, levels, spec
from ludex.core.spec import GameSpec
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.matches import StoredMatch
from ludex.web.boards import agent_title, board, board_title
from ludex.web.leaderboard import levels_of
from ludex.web.schemas.arena import (
    Leaderboard,
    LeftOut,
    LevelOffer,
    LevelOffers,
    PersonalBoard,
    PersonalRatings,
    Verdict,
)
from ludex.web.schemas.base import Texts

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
REASONS: Final[tuple[Verdict, ...]] = ("people", "practice", "unrated", "altered", "helped")
"""Why a match does not count."""
WINS: Final = 2
LOSSES: Final = 3
"""In a row, after which another level is offered."""
RECENT: Final = 50
"""How many of a person's newest finished matches are read for that."""


class Tally(NamedTuple):
    """A person's games on one board in numbers."""

    games: int
    wins: int
    draws: int
    losses: int
    share: float | None
    """Of the points, in a game for one of the games won; None without games."""


@dataclass
class Results:
    """The results of a person's matches on one board."""

    players: int
    scores: dict[str, list[float]] = field(default_factory=dict)
    """By opponent: a win is 1, a draw 0, a loss -1."""
    verdicts: Counter[Verdict] = field(default_factory=Counter)

    @property
    def tally(self) -> Tally:
        scores = [score for each in self.scores.values() for score in each]
        games, wins, losses = len(scores), sum(score > 0 for score in scores), sum(score < 0 for score in scores)
        draws = games - wins - losses
        points = wins if self.players == 1 else wins + draws / 2
        return Tally(games, wins, draws, losses, points / games if games else None)


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
    page, hostings = database.hostings.finished_matches(person, MOST_MATCHES)
    clocked = database.hostings.ids_with_clocks(hostings)
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
    tally, alone = results.tally, results.players == 1
    ci95 = wilson95(tally.share, tally.games) if alone and tally.share is not None else None
    rated = None if alone or not tally.games else performance(encounters_of(results, levels))
    estimate = None if rated is None else estimate_of(rated, encounters_of(results, levels))
    ahead = None if estimate is None else _ahead(game, estimate, levels)
    sentence = details = None
    if tally.share is not None and ci95 is not None:
        won: dict[str, Parameter] = {"share": tally.share, "low": ci95[0], "high": ci95[1], "count": tally.games}
        sentence, details = Message("ludex.share_won", won), Message("ludex.share_sure", won)
    elif rated is not None and estimate is not None:
        sentence, details = _sentence(rated, estimate, ahead), _certainty(rated, tally.games)
    return PersonalBoard(
        game=game,
        preset=preset,
        games=tally.games,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        score=tally.share,
        ci95=ci95,
        elo=None if rated is None else rated.elo,
        elo_ci95=None if rated is None else (rated.low, rated.high),
        estimate=estimate,
        provisional=rated is not None and _is_provisional(rated),
        next_level=None if ahead is None else ahead.title.texts(),
        progress=None if ahead is None else ahead.progress,
        sentence=None if sentence is None else sentence.texts(),
        details=None if details is None else details.texts(),
        left_out=LeftOut.model_validate({reason: results.verdicts[reason] for reason in REASONS}),
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

    Alone, the difficulty is the board. Practice and matches with help say nothing about a person's strength.
    """
    page, hostings = database.hostings.finished_matches(person, RECENT)
    results_by_game = [
        (match.record.game, *played)
        for match in page
        if isinstance(match, StoredMatch) and match.id in hostings
        for played in [_result_of(match, hostings[match.id], person)]
        if played is not None
    ]
    offers = []
    for each in available()[0]:
        results = [(level, score, preset) for game, level, score, preset in results_by_game if game == each.id]
        offer = _offer(each, results)
        if offer is not None:
            offers.append(offer)
    return LevelOffers(offers=offers)


def _result_of(match: StoredMatch, hosting: Hosting, person: str) -> tuple[str, float, str] | None:
    """The difficulty, the person's score and the board of a match; None where it says nothing about their strength."""
    agents, outcome = match.record.agents, match.record.outcome
    if agents.count(PERSON) != 1 or hosting.practice or hosting.help or outcome is None:
        return None
    (player,) = (player for player, holder in hosting.seats.items() if holder == person)
    level = next((name for name in agents if name != PERSON), match.record.preset)
    return level, outcome.scores[player], match.record.preset


def _offer(game: GameSpec, results: list[tuple[str, float, str]]) -> LevelOffer | None:
    """What the newest results, all at one difficulty and of one kind, suggest."""
    if not results:
        return None
    level, score, preset = results[0]
    alone = level == preset
    ladder = [*game.offered_presets] if alone else [*levels(board(game.id, preset))]
    if level not in ladder or score == 0:
        return None
    run = 0
    for other, other_score, _ in results:
        if other != level or other_score * score <= 0:
            break
        run += 1
    place = ladder.index(level) + (score > 0 and run >= WINS) - (score < 0 and run >= LOSSES)
    offered = ladder[place] if 0 <= place < len(ladder) and ladder[place] != level else None
    streak = run if score > 0 else -run
    if offered is None:
        return LevelOffer(game=game.id, level=level, streak=streak, offer=None, text=None)
    titles = board_title(game.id, offered) if alone else agent_title(game.id, offered)
    sentence = "ludex.offer_up" if score > 0 else "ludex.offer_down"
    text: Texts = {
        language: Message(sentence, {"count": run, "level": titles[language]}).text(language) for language in LANGUAGES
    }
    return LevelOffer(game=game.id, level=level, streak=streak, offer=offered, text=text)
