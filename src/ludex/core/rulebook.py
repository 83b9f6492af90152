"""The rules of a game in words and pictures, as data of its slice: `ScreenSpec.rules` returns a `Rulebook`."""

from dataclasses import dataclass

from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSection:
    """One rule: a heading, a short text whose paragraphs are lines, and a picture."""

    title: Message
    text: Message
    picture: PositionSpec | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word of the game and what it means; renderers show it as a tooltip, by its name."""

    name: str
    title: Message
    meaning: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """The rules of one board, in the order in which a person should read them."""

    sections: tuple[RuleSection, ...]
    terms: tuple[Term, ...] = ()
