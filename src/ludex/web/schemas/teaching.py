"""The documents of rules and tutorials."""

from typing import Any

from pydantic import Field

from ludex.web.schemas.base import Document, Request, Texts
from ludex.web.schemas.matches import LegalMove, PlayedMove


class ShownPosition(Document):
    """A position that a page draws with the game's renderer."""

    preset: str
    board: dict[str, Any] | None
    """What never changes; None where the game ships no renderer."""
    scene: dict[str, Any] | None
    picture: str
    """The board as text, where the game ships no renderer; else empty."""
    legal: list[LegalMove] | None
    """Every legal move, where the game ships no renderer."""
    moves: list[PlayedMove]
    viewer: int
    """The player whose view it is."""
    to_move: int | None
    """None once the game is over."""
    players: int
    phase: str
    cells: list[int]
    """The cells that are marked."""
    show_legal: bool
    """Whether legal moves are drawn."""


class RuleView(Document):
    """One rule of a board."""

    title: Texts
    text: Texts
    """Its paragraphs are lines."""
    position: ShownPosition | None


class TermView(Document):
    """A word of the game and what it means."""

    name: str
    title: Texts
    meaning: Texts


class RulesView(Document):
    """The rules of a board, in the order in which a person should read them."""

    game: str
    preset: str
    names: Texts
    """The game's name."""
    title: Texts
    """What people call the board."""
    sections: list[RuleView]
    """Empty where the game brings no rules."""
    terms: list[TermView]


class StepView(Document):
    """One step of a tutorial."""

    name: str
    title: Texts
    task: Texts
    turns: int
    """How many moves a person has to find."""


class TutorialView(Document):
    """A tutorial, without its positions."""

    game: str
    names: Texts
    """The game's name."""
    steps: list[StepView]


class StepPosition(Document):
    """Where a step begins."""

    step: str
    task: Texts
    position: ShownPosition


class TutorialMoves(Request):
    """The moves that a person has made in a step, of which the last is to be judged."""

    moves: list[str] = Field(min_length=1, max_length=16)


class TutorialVerdict(Document):
    """What became of the last move."""

    legal: bool
    """Whether the rules accept the move."""
    accepted: bool
    """Whether it completes its turn."""
    done: bool
    """Whether the step is completed."""
    text: Texts
    """Why the move was not accepted, what to do next, or what was learned."""
    position: ShownPosition | None
    """After the move and its replies; None if it was not accepted."""
