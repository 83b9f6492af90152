"""The caller: nickname, ratings and the difficulties that suit them."""

import asyncio
from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeVar

from fastapi import APIRouter, Query, Response
from pydantic import Field

from ludex.arena.performance_rating import performance
from ludex.coach.puzzles.collection import games_with_puzzles
from ludex.coach.puzzles.mistakes import mistakes_of, reviewed_matches
from ludex.coach.puzzles.training import PuzzleStanding, Training, weak_themes
from ludex.core.messages import Message
from ludex.core.puzzle import title_of
from ludex.store.database import Database
from ludex.store.nicknames import checked_nickname
from ludex.web.answers import StreamedFile, StrictRoute
from ludex.web.boards import board_title, fill_message, game_title
from ludex.web.errors import problems
from ludex.web.leaderboard import Leaderboard, levels_of
from ludex.web.ratings import (
    AVERAGE,
    LevelOffers,
    PersonalRatings,
    Played,
    Results,
    encounters_of,
    estimate_of,
    finished_matches,
    level_offers,
    opponent_of,
    personal_ratings,
    verdict_of,
)
from ludex.web.routes.rounds import RoundResult, best_rounds
from ludex.web.routes.times import TimedBoard, own_times
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.state import Person, State

router = APIRouter(prefix="/api/me", tags=["me"], route_class=StrictRoute)
T = TypeVar("T")
MOST_POINTS: Final = 40
"""Of a curve: more would not be seen."""
MOST_SUGGESTIONS: Final = 4


class TimedValue(Document):
    """A value at one time."""

    at_utc: str
    value: float


class PlayedGame(Document):
    """A person's finished matches of one game."""

    game: str
    names: Texts
    matches: int
    wins: int
    draws: int
    losses: int
    last_utc: str


class PersonalCurve(Document):
    """How a number of one board has changed."""

    game: str
    names: Texts
    board: Texts | None
    """None: of all boards."""
    points: list[TimedValue]
    """The oldest first."""


class WeakTheme(Document):
    """A theme of puzzles that a person often fails at."""

    game: str
    names: Texts
    theme: str
    title: Texts
    attempts: int
    solved: int


class Suggestion(Document):
    """Something to try next."""

    text: Texts
    href: str
    """The page on which it is done."""


class PersonalPage(Document):
    """What the server knows of the caller's play."""

    games: list[PlayedGame]
    ratings: list[PersonalCurve]
    """Elo points after matches that count, 1500 being the average of the machines."""
    accuracies: list[PersonalCurve]
    """The caller's accuracy, 0 to 100, in matches that were reviewed, by game."""
    puzzles: PuzzleStanding
    puzzle_ratings: list[TimedValue]
    rounds: list[RoundResult]
    """The caller's best rush and streak by game."""
    times: list[TimedBoard]
    """The caller's best time on each board of a timed game."""
    weak: list[WeakTheme]
    next: list[Suggestion]


class DeleteRequest(RequestBody):
    """The deletion of everything that the server has of the caller."""

    confirm: Literal["delete everything"]


class DeletedPerson(Document):
    """What was deleted."""

    matches: int
    left: int
    """Matches with other people, which stay without the caller."""
    attempts: int
    """At puzzles."""


class Me(Document):
    """The caller."""

    nickname: str | None
    """None until one is chosen."""


class NicknameRequest(RequestBody):
    """A nickname for the caller."""

    nickname: str | None = Field(max_length=100)
    """2 to 20 letters, digits, spaces or `-_.'`, at least one of them a letter; None takes it away."""


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
        rounds=best_rounds(database, person),
        times=own_times(database, person),
        weak=weak,
        next=[*_suggestions(database, training, person, weak)][:MOST_SUGGESTIONS],
    )


def _games(played: list[Played], person: str) -> Iterator[PlayedGame]:
    for game in dict.fromkeys(finished.match.game for finished in played):
        of_game = [finished for finished in played if finished.match.game == game]
        scores = [finished.score_of(person) for finished in of_game]
        yield PlayedGame(
            game=game,
            names=game_title(game),
            matches=len(scores),
            wins=sum(score > 0 for score in scores),
            draws=sum(score == 0 for score in scores),
            losses=sum(score < 0 for score in scores),
            last_utc=max(finished.match.updated_utc for finished in of_game),
        )


def _curves(played: list[Played], leaderboard: Leaderboard, person: str) -> Iterator[PersonalCurve]:
    """By board with rated machines: the rating after each match that counts."""
    levels = levels_of(leaderboard)
    for board in dict.fromkeys(finished.board for finished in played):
        rated, on_board = levels.get(board), [finished for finished in played if finished.board == board]
        rivals = [finished for finished in on_board if len(finished.match.agents) > 1]
        counted = [finished for finished in rivals if verdict_of(finished, rated) == "counted"]
        if not counted or rated is None:
            continue
        results, points = Results(2), []
        drawn_ids = {finished.match.id for finished in _thin(counted)}
        for finished in counted:
            match = finished.match
            results.scores.setdefault(opponent_of(match.agents), []).append(finished.score_of(person))
            if match.id in drawn_ids:
                encounters = encounters_of(results, rated)
                estimate = estimate_of(performance(encounters), encounters)
                points.append(TimedValue(at_utc=match.updated_utc, value=AVERAGE + (estimate or 0.0)))
        yield PersonalCurve(game=board[0], names=game_title(board[0]), board=board_title(*board), points=points)


def _accuracies(database: Database, person: str) -> Iterator[PersonalCurve]:
    """By game, the accuracy in each match that was reviewed."""
    points: dict[str, list[TimedValue]] = {}
    for match, hosting, review in reversed([*reviewed_matches(database, person)]):
        for player, holder in hosting.seats.items():
            accuracy = review["accuracies"][player] if holder == person else None
            if accuracy is not None:
                points.setdefault(match.game, []).append(TimedValue(at_utc=match.updated_utc, value=accuracy))
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
        title = title_of(theme.game, theme.theme)
        text = Message("ludex.try_theme", {"theme": title, "solved": theme.solved, "of": theme.attempts})
        yield Suggestion(text=text.texts(), href=f"/puzzles/{theme.game}/{theme.theme}")
    for offer in level_offers(database, person).offers:
        if offer.text is not None:
            names = game_title(offer.game)
            yield Suggestion(text={key: f"{names[key]}: {offer.text[key]}" for key in ("en", "fr")}, href="/")
    tried = {result.game for result in training.themes(person) if result.attempts}
    for game in games_with_puzzles():
        if game not in tried:
            yield Suggestion(text=fill_message("ludex.try_puzzles", "game", game_title(game)), href=f"/puzzles/{game}")


@router.get("")
async def me(state: State, person: Person) -> Me:
    """The caller's nickname."""
    return Me(nickname=(await state.nicknames.of([person])).get(person))


@router.put("/nickname", responses=problems("bad_request", "bad_nickname", "wrong_origin", "too_large"))
async def nickname(state: State, person: Person, request: NicknameRequest) -> Me:
    """Choose the name that others see in matches and lists, or take it away."""
    checked = None if request.nickname is None else checked_nickname(request.nickname)
    await state.nicknames.set(person, checked)
    state.matches.announce_nickname(person)
    return Me(nickname=checked)


@router.get("/ratings", responses=problems("bad_request"))
async def ratings(
    state: State,
    person: Person,
    match: Annotated[str | None, Query(max_length=64, description="a match of the caller: whether it counts")] = None,
) -> PersonalRatings:
    """The caller's strength against the levels, from their own finished matches."""
    leaderboard = await state.leaderboard.games()
    return await asyncio.to_thread(personal_ratings, state.database, leaderboard, person, match)


@router.get("/page", responses=problems())
async def page(state: State, person: Person) -> PersonalPage:
    """What the server knows of the caller's play, and what they might try next."""
    leaderboard = await state.leaderboard.games()
    return await asyncio.to_thread(personal_page, state.database, leaderboard, person)


@router.get("/export", responses=problems())
async def export(state: State, person: Person) -> Response:
    """Everything that the server has of the caller, as one JSON file; one at a time per person."""
    reservation = await state.budgets.exports.reserve(owner=person)
    headers = {"Content-Disposition": 'attachment; filename="ludex.json"'}
    return StreamedFile(state.database.personal.export(person), reservation, headers)


@router.post("/delete", responses=problems("bad_request", "wrong_origin", "too_large", "stale_match", "preparing"))
async def delete(state: State, person: Person, request: DeleteRequest) -> DeletedPerson:
    """Delete everything that the server has of the caller; matches of other people stay, without the caller.

    In those that are live the caller resigns, so that no opponent waits for moves that never come.
    """
    for match in await asyncio.to_thread(state.database.personal.live_with_others, person):
        view = await state.matches.view(match, person)
        await state.matches.resign(match, view.version, person)
    deleted = await asyncio.to_thread(state.database.personal.delete, person)
    await state.nicknames.set(person, None)
    for match in deleted.matches:
        state.hub.announce_removal(match)
    for match in deleted.left:
        state.hub.announce_change(match)
    return DeletedPerson(matches=len(deleted.matches), left=len(deleted.left), attempts=deleted.attempts)


@router.get("/levels", responses=problems())
async def levels(state: State, person: Person) -> LevelOffers:
    """The next difficulty by game, after a win or three losses in a row."""
    return await asyncio.to_thread(level_offers, state.database, person)
