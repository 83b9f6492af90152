"""A person's own page: what they played, how their ratings changed, what they are weak at, what to try next."""

from collections.abc import Iterator
from typing import Final, TypeVar

from ludex.arena.performance_rating import performance
from ludex.coach.puzzles.collection import games_with_puzzles
from ludex.coach.puzzles.mistakes import mistakes_of, reviewed_matches
from ludex.coach.puzzles.training import Training, weak_themes
from ludex.core.messages import Message
from ludex.core.puzzle import title_of
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.matches import StoredMatch
from ludex.web.boards import board_title, game_title
from ludex.web.leaderboard import levels_of
from ludex.web.ratings import (
    AVERAGE,
    Played,
    Results,
    encounters_of,
    estimate_of,
    finished_matches,
    level_offers,
    opponent_of,
    verdict_of,
)
from ludex.web.schemas.arena import Leaderboard
from ludex.web.schemas.personal import PersonalCurve, PersonalPage, PlayedGame, Suggestion, TimedValue, WeakTheme

T = TypeVar("T")

MOST_POINTS: Final = 40
"""Of a curve: more would not be seen."""
MOST_SUGGESTIONS: Final = 4


def personal_page(database: Database, leaderboard: Leaderboard, person: str) -> PersonalPage:
    """Everything on a person's page."""
    training = Training(database)
    played = [*finished_matches(database, person)][::-1]
    attempts = [result for result in database.puzzles.attempts(person) if result.counted][::-1]
    weak = [
        WeakTheme(
            game=result.game,
            names=game_title(result.game),
            theme=result.theme,
            title=title_of(result.game, result.theme).texts(),
            attempts=result.attempts,
            solved=result.solved,
        )
        for result in weak_themes(training.themes(person))
    ]
    return PersonalPage(
        games=[*_games(played, person)],
        ratings=[*_curves(played, leaderboard, person)],
        accuracies=[*_accuracies(database, person)],
        puzzles=training.standing(person),
        puzzle_ratings=[TimedValue(at_utc=result.at_utc, value=result.points) for result in _thin(attempts)],
        weak=weak,
        next=[*_suggestions(database, training, person, weak)][:MOST_SUGGESTIONS],
    )


def _games(played: list[Played], person: str) -> Iterator[PlayedGame]:
    for game in dict.fromkeys(played_match.match.record.game for played_match in played):
        scores = [
            _score(played_match.match, played_match.hosting, person)
            for played_match in played
            if played_match.match.record.game == game
        ]
        yield PlayedGame(
            game=game,
            names=game_title(game),
            matches=len(scores),
            wins=sum(score > 0 for score in scores),
            draws=sum(score == 0 for score in scores),
            losses=sum(score < 0 for score in scores),
            last_utc=max(
                played_match.match.updated_utc for played_match in played if played_match.match.record.game == game
            ),
        )


def _score(match: StoredMatch, hosting: Hosting, person: str) -> float:
    """The person's result; that of the first seat where they held both."""
    player = min(player for player, holder in hosting.seats.items() if holder == person)
    assert match.record.outcome is not None, "the match is finished"
    return match.record.outcome.scores[player]


def _curves(played: list[Played], leaderboard: Leaderboard, person: str) -> Iterator[PersonalCurve]:
    """By board with rated machines: the rating after each match that counts."""
    levels = levels_of(leaderboard)
    boards = dict.fromkeys(
        (played_match.match.record.game, played_match.match.record.preset) for played_match in played
    )
    for game, preset in boards:
        rated = levels.get((game, preset))
        counted = [
            played_match
            for played_match in played
            if (played_match.match.record.game, played_match.match.record.preset) == (game, preset)
            and len(played_match.match.record.agents) > 1
            and verdict_of(played_match, rated) == "counted"
        ]
        if not counted or rated is None:
            continue
        results, points = Results(2), []
        drawn_ids = {played_match.match.id for played_match in _thin(counted)}
        for match, hosting, _ in counted:
            results.scores.setdefault(opponent_of(match.record.agents), []).append(_score(match, hosting, person))
            if match.id in drawn_ids:
                encounters = encounters_of(results, rated)
                estimate = estimate_of(performance(encounters), encounters)
                points.append(TimedValue(at_utc=match.updated_utc, value=AVERAGE + (estimate or 0.0)))
        yield PersonalCurve(game=game, names=game_title(game), board=board_title(game, preset), points=points)


def _accuracies(database: Database, person: str) -> Iterator[PersonalCurve]:
    """By game, the accuracy in each match that was reviewed."""
    points: dict[str, list[TimedValue]] = {}
    for match, hosting, review in reversed([*reviewed_matches(database, person)]):
        for player, holder in hosting.seats.items():
            accuracy = review["accuracies"][player] if holder == person else None
            if accuracy is not None:
                points.setdefault(match.record.game, []).append(TimedValue(at_utc=match.updated_utc, value=accuracy))
    for game, values in points.items():
        yield PersonalCurve(game=game, names=game_title(game), board=None, points=_thin(values))


def _thin(items: list[T]) -> list[T]:
    """At most `MOST_POINTS` of them, evenly, the last among them."""
    step = max(1, -(-len(items) // MOST_POINTS))
    return items[::-1][::step][::-1]


def _suggestions(database: Database, training: Training, person: str, weak: list[WeakTheme]) -> Iterator[Suggestion]:
    solved = {attempt.puzzle for attempt in database.puzzles.attempts(person) if attempt.solved}
    open_mistakes = [mistake for mistake in mistakes_of(database, person) if mistake.id not in solved]
    if open_mistakes:
        text = Message("ludex.try_mistakes", {"count": len(open_mistakes)})
        yield Suggestion(text=text.texts(), href="/puzzles/mistakes")
    for theme in weak[:1]:
        text = Message(
            "ludex.try_theme",
            {"theme": title_of(theme.game, theme.theme), "solved": theme.solved, "of": theme.attempts},
        )
        yield Suggestion(text=text.texts(), href=f"/puzzles/{theme.game}/{theme.theme}")
    for offer in level_offers(database, person).offers:
        if offer.text is not None:
            names = game_title(offer.game)
            yield Suggestion(text={key: f"{names[key]}: {offer.text[key]}" for key in ("en", "fr")}, href="/")
    tried = {result.game for result in training.themes(person) if result.attempts}
    for game in games_with_puzzles():
        if game not in tried:
            yield Suggestion(
                text={
                    key: Message("ludex.try_puzzles", {"game": game_title(game)[key]}).text(key) for key in ("en", "fr")
                },
                href=f"/puzzles/{game}",
            )
