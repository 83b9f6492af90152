"""The documents of puzzles."""

from typing import Annotated

from pydantic import Field

from ludex.coach.puzzles.training import Kind, PuzzleStanding
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.teaching import ShownPosition


class PuzzleTheme(Document):
    """One kind of puzzle, with the caller's first attempts."""

    theme: str
    title: Texts
    puzzles: int
    attempts: int
    solved: int


class PuzzleGame(Document):
    """The puzzles of a game."""

    game: str
    names: Texts
    themes: list[PuzzleTheme]


class DailyPuzzle(Document):
    """The puzzle of the day, the same for all people."""

    day: str
    """In UTC."""
    game: str
    names: Texts
    id: str
    title: Texts
    solved: bool
    tried: bool


class OwnMistakes(Document):
    """The mistakes in the caller's reviewed matches."""

    count: int
    solved: int
    """Those for which a better move was found since."""


class PuzzleCalendar(Document):
    """The puzzles of the days of a month, up to today."""

    month: str
    """Such as 2026-11."""
    days: list[DailyPuzzle]
    """The first day first."""
    before: str | None
    """The month before it; None at the first one."""
    after: str | None
    """The month after it; None if that has not begun."""


class PuzzleOverview(Document):
    """Everything to choose from."""

    games: list[PuzzleGame]
    mistakes: OwnMistakes
    standing: PuzzleStanding
    daily: DailyPuzzle | None
    """None where no game ships puzzles."""


class PuzzleView(Document):
    """A puzzle as it is set: its solution is not in it."""

    id: str
    game: str
    names: Texts
    theme: str
    title: Texts
    task: Texts
    rating: int | None = None
    """None for one of the caller's own mistakes, which is not rated."""
    board: Texts
    position: ShownPosition
    turns: int
    """The moves to find, one after the other: the other player's best answers are played in between."""
    solutions: int | None = None
    """How many moves solve it; None for one of the caller's own mistakes."""
    tried: bool
    """Whether the caller has tried it before: then nothing is at stake."""
    standing: PuzzleStanding


class PuzzleMove(RequestBody):
    """A move that may be the solution."""

    move: str = Field(min_length=1, max_length=64)
    notes: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(default=[], max_length=64)
    """Moves that only mark the board, such as flags, made before."""
    made: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(default=[], max_length=16)
    """The right moves of earlier turns, in a puzzle of several moves."""


class PuzzleReason(Document):
    """A sentence, with the cells that it is about."""

    text: Texts
    cells: list[int]


class PuzzleSolution(Document):
    """The solution and its proof."""

    accept: list[str]
    """Every right move."""
    words: list[Texts]
    """The same in words, or in the game's notation where people read it."""
    proof: list[PuzzleReason]
    line: list[str]
    """Moves that show it, a right move first."""
    frames: list[ShownPosition]
    """The position after each move of the line; after a right move where there is no line."""


class PuzzleVerdict(Document):
    """What became of a move."""

    legal: bool
    kind: Kind
    """A note, such as a flag, only marks the board; a part is right and not the last move; a move that the task does
    not ask for changes nothing."""
    solved: bool = False
    text: Texts | None = None
    """Why it is not the solution, or why the rules refuse it."""
    cells: list[int] = Field(default=[])
    counted: bool = False
    """Whether it was the caller's first attempt, which is rated."""
    change: int = 0
    """Points that it gave or took."""
    standing: PuzzleStanding
    solution: PuzzleSolution | None = None
    """With a right move only."""
    reply: str | None = None
    """The other player's answer to a part."""
    position: ShownPosition | None = None
    """After a note, and after the answer to a part."""
