"""Puzzles from a person's own mistakes: positions of their reviewed matches in which they gave chances away.

They are not proven, so they are not rated: the analyst judges each move that a person tries.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ludex.core.errors import UnknownPuzzle
from ludex.core.messages import Message
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.matches import ListedMatch

THEME: Final = "mistake"
CLASSES: Final = ("mistake", "blunder")
MOST_MATCHES: Final = 200
"""The number of a person's newest finished matches whose reviews are read."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move of a person that gave chances away, in a finished match."""

    match_id: str
    ply: int
    game: str
    preset: str
    player: int
    move: str
    loss: float
    """Of the win probability."""
    review: Mapping[str, Any]
    """The move's part of the review."""

    @property
    def id(self) -> str:
        """The match and the ply."""
        return f"{self.match_id}-{self.ply}"

    @property
    def title(self) -> Message:
        return Message("ludex.puzzle_mistake_title")

    def task(self, move: Message) -> Message:
        """What a person has to find; `move` is the mistake in words."""
        return Message("ludex.puzzle_mistake_task", {"move": move, "loss": self.loss})


def reviewed_matches(database: Database, person: str) -> Iterator[tuple[ListedMatch, Hosting, dict[str, Any]]]:
    """A person's finished matches that were reviewed, with the reviews, the newest first."""
    page, hostings = database.hostings.finished_matches(person, MOST_MATCHES)
    reviews = database.reviews.of([match.id for match in page])
    for match in page:
        if isinstance(match, ListedMatch) and match.id in reviews and match.id in hostings:
            yield match, hostings[match.id], reviews[match.id]


def mistakes_of(database: Database, person: str) -> list[Mistake]:
    """A person's mistakes, those of the newest match first, in each the worst first."""
    mistakes: list[Mistake] = []
    for match, hosting, review in reviewed_matches(database, person):
        own = {player for player, holder in hosting.seats.items() if holder == person}
        of_match = [
            Mistake(
                match_id=match.id,
                ply=move["ply"],
                game=match.game,
                preset=match.preset,
                player=move["player"],
                move=move["text"],
                loss=move["loss"],
                review=move,
            )
            for move in review["moves"]
            if move["player"] in own and move["class"] in CLASSES and not move["forced"]
        ]
        mistakes += sorted(of_match, key=lambda mistake: -mistake.loss)
    return mistakes


def mistake(database: Database, person: str, mistake_id: str) -> Mistake:
    """A person's mistake by its id. Raises `UnknownPuzzle`."""
    for candidate in mistakes_of(database, person):
        if candidate.id == mistake_id:
            return candidate
    raise UnknownPuzzle(f"none of your reviewed matches has the mistake {mistake_id!r}")


def next_mistake(database: Database, person: str) -> Mistake:
    """A mistake that was not tried yet, else the one whose last try is longest ago. Raises `UnknownPuzzle`."""
    mistakes = mistakes_of(database, person)
    if not mistakes:
        raise UnknownPuzzle("none of your reviewed matches has a mistake: review a match first")
    tries = {attempt.puzzle: attempt.at_utc for attempt in reversed(database.puzzles.attempts(person))}
    return min(mistakes, key=lambda mistake: tries.get(mistake.id, ""))
