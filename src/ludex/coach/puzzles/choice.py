"""Which puzzle comes next: one that a person has not tried and may just solve; and that of the day, for everybody."""

from collections.abc import Callable, Collection, Sequence
from datetime import date
from typing import Final

from ludex.coach.puzzles.collection import games_with_puzzles, shipped
from ludex.core.documents import digest
from ludex.core.errors import UnknownPuzzle
from ludex.core.puzzle import Puzzle

AMONG: Final = 12
"""The puzzles nearest to a person's rating, of which one is chosen."""


def next_puzzle(
    puzzles: Sequence[Puzzle], tried: Collection[str], points: float, rating_of: Callable[[Puzzle], float], key: str
) -> Puzzle:
    """A puzzle near a rating, those that were never tried first; `key` decides between equals.

    Raises `UnknownPuzzle` if there is none at all.
    """
    if not puzzles:
        raise UnknownPuzzle("there are no puzzles of this kind")
    fresh = [puzzle for puzzle in puzzles if puzzle.id not in tried] or [*puzzles]
    nearest = sorted(fresh, key=lambda puzzle: (abs(rating_of(puzzle) - points), puzzle.id))[:AMONG]
    return nearest[_number(key) % len(nearest)]


def daily(day: date, game: str | None = None) -> Puzzle:
    """The puzzle of a day, the same on every server: of a game, or of the game whose turn it is.

    Raises `UnknownPuzzle` if there is none.
    """
    games = games_with_puzzles()
    if not games or (game is not None and game not in games):
        raise UnknownPuzzle("no game ships puzzles" if game is None else f"{game} ships no puzzles")
    chosen = games[day.toordinal() % len(games)] if game is None else game
    ids = sorted(shipped(chosen))
    return shipped(chosen)[ids[_number(f"{day.isoformat()} {chosen}") % len(ids)]]


def _number(key: str) -> int:
    return int(digest(key)[:12], 16)
