"""The documents of a person's own page."""

from typing import Literal

from pydantic import Field

from ludex.coach.puzzles.training import PuzzleStanding
from ludex.web.schemas.base import Document, Request, Texts


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
    weak: list[WeakTheme]
    next: list[Suggestion]


class DeleteRequest(Request):
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


class NicknameRequest(Request):
    """A nickname for the caller."""

    nickname: str | None = Field(max_length=100)
    """2 to 20 letters, digits, spaces or `-_.'`, at least one of them a letter; None takes it away."""
