"""Rules in words and steps of a tutorial, by the names of their sentences in the game's catalogues."""

from collections.abc import Mapping
from typing import Any

from ludex.core.game import AnyGame, Json
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook, RuleSection, Term
from ludex.core.tutorial import StepSpec, TurnSpec


def rulebook(
    game: AnyGame,
    *terms: str,
    sizes: Mapping[str, Any],
    titles: Mapping[str, str] | None = None,
    **pictures: PositionSpec | None,
) -> Rulebook:
    """Sections by name with their pictures, of the entries `rules_NAME_title` and `rules_NAME_text`.

    Their texts may use the numbers of `sizes`; a section in `titles` has the title of another name. A term is the
    entries `term_NAME` and `term_NAME_meaning`.
    """
    named = titles or {}

    def text(name: str) -> Message:
        return Message(f"{game.info.id}.{name}", sizes)

    return Rulebook(
        sections=tuple(
            RuleSection(
                title=text(f"rules_{named.get(name, name)}_title"), text=text(f"rules_{name}_text"), picture=picture
            )
            for name, picture in pictures.items()
        ),
        terms=tuple(
            Term(name=name, title=text(f"term_{name}"), meaning=text(f"term_{name}_meaning")) for name in terms
        ),
    )


def step(
    name: str, board: str, moves: str, *turns: TurnSpec, cells: tuple[int, ...] = (), position: Json = None
) -> StepSpec:
    """A step of a tutorial where moves, separated by spaces, lead from the first position, or from a dumped one."""
    return step_at(name, PositionSpec(board=board, position=position, moves=tuple(moves.split()), cells=cells), *turns)


def step_at(name: str, position: PositionSpec, *turns: TurnSpec) -> StepSpec:
    """A step of a tutorial that begins in a position."""
    return StepSpec(name=name, position=position, turns=turns)


def turn(accept: str, reply: str = "", **refuse: str) -> TurnSpec:
    """A turn that any accepted move completes: patterns, separated by spaces. `reply` is what the other player answers.

    `refuse` has, by the name of a sentence, the pattern of wrong moves.
    """
    patterns = {pattern: reason for reason, pattern in refuse.items()}
    return TurnSpec(accept=tuple(accept.split()), reply=tuple(reply.split()), refuse=patterns)
