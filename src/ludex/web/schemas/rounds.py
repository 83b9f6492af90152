"""The documents of rounds of puzzles."""

from typing import Literal

from pydantic import Field

from ludex.coach.puzzles.training import Kind
from ludex.store.rounds import Mode
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.schemas.puzzles import PuzzleMove
from ludex.web.teaching import ShownPosition


class RoundPuzzle(Document):
    """A puzzle of a round as it is set. Its id is not in it, so that its solution cannot be looked up meanwhile."""

    number: int
    """1 for the first."""
    title: Texts
    task: Texts
    turns: int
    solutions: int
    board: Texts
    position: ShownPosition


class MissedPuzzle(Document):
    """A puzzle that was answered wrongly, known once the round is over."""

    id: str
    title: Texts


class RoundView(Document):
    """A round of one person."""

    id: str
    game: str
    names: Texts
    mode: Mode
    solved: int
    errors: int
    most_errors: int
    """The errors that end it."""
    left_ms: int | None
    """None without a limit of time."""
    over: bool
    puzzle: RoundPuzzle | None
    """None once it is over."""
    missed: list[MissedPuzzle]
    """Empty before the end."""


class RoundRequest(RequestBody):
    """A new round."""

    game: str = Field(min_length=1, max_length=64)
    mode: Mode


class RoundMove(PuzzleMove):
    """A move in a puzzle of a round."""

    number: int = Field(ge=1, lt=1 << 31)
    """The number of the puzzle."""


class RoundVerdict(Document):
    """What became of a move in a round."""

    legal: bool
    kind: Kind | Literal["late"]
    """As of other puzzles; late: the round was over, and the move counts for nothing."""
    solved: bool = False
    text: Texts | None = None
    """Why it is not the solution, or why the rules refuse it."""
    reply: str | None = None
    position: ShownPosition | None = None
    """After a note, and after the answer to a part."""
    round: RoundView


class RoundResult(Document):
    """The best round of a person."""

    game: str
    names: Texts
    mode: Mode
    day: str
    """In UTC."""
    solved: int
    seconds: float
    """From its beginning to the last right answer."""


class RoundRow(Document):
    """A person in the table of a day."""

    name: str
    solved: int
    seconds: float
    you: bool


class RoundTable(Document):
    """The best rounds of a day, of a game and mode."""

    names: Texts
    day: str
    """In UTC."""
    puzzles: int
    """How many the game ships."""
    rows: list[RoundRow]
    """The best of each person with a nickname, the best first."""
    today: RoundResult | None
    """The caller's best of the day."""
    best: RoundResult | None
    """And of all days."""
    unfinished: str | None
    """The id of the caller's newest round, if it is not over."""
    nickname: str | None
    """The caller's: a person without one is not in the table."""
