"""Rules and tutorials of games as documents: every position is built and every move judged by the game's own rules."""

from functools import lru_cache
from typing import Any, Final

import numpy as np
from pydantic import Field

from ludex.core import registry
from ludex.core.errors import UsageError
from ludex.core.illustration import Illustration, PositionSpec
from ludex.core.match import Match
from ludex.core.messages import Language, Message
from ludex.core.rendering import plain_picture
from ludex.core.rulebook import Rulebook, Term
from ludex.core.scene import Scene
from ludex.core.tutorial import StepSpec, Tutorial, judge
from ludex.web.boards import board_title, game_title, public_game
from ludex.web.errors import UnknownTutorial, error_texts
from ludex.web.schemas.base import Document, RequestBody, Texts
from ludex.web.schemas.matches import LegalMove, PlayedMove

MOST_RULES: Final = 64
"""Boards whose rules are remembered."""


class ShownPosition(Document):
    """A position that a page draws with the game's renderer."""

    preset: str
    board: dict[str, Any] | None
    """What never changes; None where the game ships no renderer."""
    scene: dict[str, Any] | None
    picture: str
    """The board as text, where the game ships no renderer; else empty."""
    legal: list[LegalMove] | None = None
    """Every legal move, where the game ships no renderer."""
    moves: list[PlayedMove] = Field(default=[])
    viewer: int
    to_move: int | None
    """None once the game is over."""
    players: int
    phase: str = ""
    cells: list[int] = Field(default=[])
    """The cells that are marked."""
    show_legal: bool = False


class RuleView(Document):
    """One rule of a board."""

    title: Texts
    text: Texts
    """Its paragraphs are lines."""
    position: ShownPosition | None


class RulesView(Document):
    """The rules of a board, in the order in which a person should read them."""

    game: str
    preset: str
    names: Texts
    title: Texts
    sections: list[RuleView]
    """Empty where the game brings no rules."""
    terms: list[Term]


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
    steps: list[StepView]


class StepPosition(Document):
    """Where a step begins."""

    step: str
    task: Texts
    position: ShownPosition


class TutorialMoves(RequestBody):
    """The moves that a person has made in a step, of which the last is to be judged."""

    moves: list[str] = Field(min_length=1, max_length=16)


class TutorialVerdict(Document):
    """What became of the last move."""

    legal: bool
    accepted: bool
    """Whether it completes its turn."""
    done: bool
    text: Texts
    """Why the move was not accepted, what to do next, or what was learned."""
    position: ShownPosition | None
    """After the move and its replies; None if it was not accepted."""


def rules_view(game: str, preset: str) -> RulesView:
    """The rules of a visitor's board. Raises `LudexError` if there is no such board."""
    return _rules(game, public_game(game, preset).info.preset)


@lru_cache(maxsize=MOST_RULES)
def _rules(game: str, preset: str) -> RulesView:
    hook = registry.spec(game).screen.rules
    book: Rulebook = Rulebook(sections=()) if hook is None else registry.resolve(hook)(public_game(game, preset))
    return RulesView(
        game=game,
        preset=preset,
        names=game_title(game),
        title=board_title(game, preset),
        sections=[
            RuleView(
                title=section.title.texts(),
                text=section.text.texts(),
                position=None if section.picture is None else shown_position(section.picture.build(game)),
            )
            for section in book.sections
        ],
        terms=[*book.terms],
    )


def tutorial_view(game: str) -> TutorialView:
    """The steps of a game's tutorial. Raises `UnknownTutorial` if it has none."""
    steps = [
        StepView(
            name=step.name,
            title=step.message(game, "title").texts(),
            task=step.task(game).texts(),
            turns=len(step.turns),
        )
        for step in _tutorial(game).steps
    ]
    return TutorialView(game=game, names=game_title(game), steps=steps)


def step_position(game: str, name: str, *, picture: bool = False) -> StepPosition:
    """Where a step begins. Raises `LudexError` if there is no such step."""
    step = _step(game, name)
    return StepPosition(
        step=name, task=step.task(game).texts(), position=shown_position(step.position.build(game), picture=picture)
    )


def tutorial_verdict(game: str, name: str, moves: list[str], *, picture: bool = False) -> TutorialVerdict:
    """What became of the last of a person's moves in a step. Raises `LudexError` if there is no such step."""
    step = _step(game, name)
    verdict = judge(game, step, moves)
    if not verdict.accepted:
        why: dict[Language, str]
        why = error_texts(verdict.error) if verdict.error is not None else _require_message(verdict.reason).texts()
        return TutorialVerdict(legal=verdict.error is None, accepted=False, done=False, text=why, position=None)
    done = verdict.turn == len(step.turns)
    text = step.message(game, "done", moves[-1]) if done else step.task(game, verdict.turn)
    position = shown_position(verdict.position, picture=picture)
    return TutorialVerdict(legal=True, accepted=True, done=done, text=text.texts(), position=position)


def _require_message(reason: Message | None) -> Message:
    assert reason is not None, "a legal move that is not accepted has a reason"
    return reason


def _tutorial(game: str) -> Tutorial:
    hook = registry.spec(game).screen.tutorial
    if hook is None:
        raise UnknownTutorial(f"{game} has no tutorial")
    tutorial: Tutorial = registry.resolve(hook)
    return tutorial


def _step(game: str, name: str) -> StepSpec:
    try:
        return _tutorial(game).step(name)
    except UsageError as error:
        raise UnknownTutorial(error.message) from error


def illustrate(match: Match[Any, Any], ply: int, **options: Any) -> Illustration:
    """The position of a match after so many plies, with options of its `PositionSpec`."""
    spec = PositionSpec(board=match.game.info.preset, **options)
    return Illustration(game=match.game, state=match.positions[ply], spec=spec, moves=tuple(match.moves[:ply]))


def shown_position(position: Illustration, *, picture: bool = False) -> ShownPosition:
    """A position as the page draws it; with `picture`, or without a scene, also as text with its legal moves."""
    game, viewer, mover = position.game, position.seen_by, position.to_move
    screen = registry.spec(game.info.id).screen
    picture = picture or screen.scene is None
    board_model = None if screen.scene is None else screen.board_model
    sees = mover == viewer or (mover is not None and game.info.information == "perfect")
    legal = game.legal(position.state) if sees else np.zeros(game.info.num_actions, np.bool_)
    view = game.view(position.state, viewer)
    return ShownPosition(
        preset=game.info.preset,
        board=None if board_model is None else registry.resolve(board_model)(game),
        scene=None if screen.scene is None else scene_document(registry.resolve(screen.scene)(game, view, legal)),
        picture=plain_picture(game, position.state, viewer) if picture else "",
        legal=_legal(position) if picture else None,
        moves=[PlayedMove(player=move.player, action=move.action, text=move.text) for move in position.moves],
        viewer=viewer,
        to_move=mover,
        players=game.info.players,
        phase=game.phase(position.state),
        cells=[*position.spec.cells],
        show_legal=position.spec.show_legal,
    )


def scene_document(drawn: Scene | dict[str, Any]) -> dict[str, Any]:
    """What a game's `scene` returned, as JSON."""
    return drawn.document() if isinstance(drawn, Scene) else drawn


def _legal(position: Illustration) -> list[LegalMove]:
    if position.to_move != position.seen_by:
        return []
    game, state = position.game, position.state
    return [LegalMove(action=game.parse_action(state, text), text=text) for text in position.legal_texts()]
