"""`check_editor`: what a game's editor writes it reads back, and the rules play on from it."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeVar

from ludex.core.conformance.report import Report, unwritten
from ludex.core.conformance.walk import Play, Trial, Visit, answer_of
from ludex.core.editing import Draft, Editor
from ludex.core.errors import BadPosition
from ludex.core.game import AnyGame, legal_actions
from ludex.core.messages import Message
from ludex.core.registry import resolve
from ludex.core.scene import Scene
from ludex.core.spec import GameSpec

T = TypeVar("T")

NONSENSE: Final = ("@", "no position at all", "9\n" * 200, "pawns x9 y9 z9")
"""Texts that are no position of any game."""
PLACES: Final = 3
"""Places of a position that a tool is tried at, at least."""
TOOLS: Final = 6
"""Tools that are tried, about."""


def check_editor(spec: GameSpec, game: AnyGame, *, plays: int = 1, every: int = 1, seed: int = 1) -> None:
    """Raise `ConformanceError` that names what is wrong with a game's editor; a game without one has none.

    Of each random play the position of every so many plies is looked at.

    >>> from ludex.core import registry
    >>> check_editor(registry.spec("tictactoe"), registry.make("tictactoe"))
    """
    if spec.screen.editor is None:
        return
    report, editor = Report(f"the editor of {spec.id} {game.info.preset}"), resolve(spec.screen.editor)
    for number in range(plays):
        for visit in Play(Trial(game), seed + number).walk():
            if visit.ply % every or not visit.live:
                continue
            edited = Edited(spec, editor, visit)
            for check in (edit_text, edit_position, edit_scene, edit_tools, edit_settings, edit_refusals):
                report.run(check, edited, visit.where)
    report.conclude()


@dataclass(frozen=True)
class Edited:
    """A position in the editor, as the player to move sees it."""

    spec: GameSpec
    editor: Editor
    visit: Visit

    @cached_property
    def draft(self) -> Draft:
        visit = self.visit
        return self.editor.of(visit.game, answer_of(visit.game.view, visit.state, visit.mover))

    def read_back(self, draft: Draft) -> str:
        """The text of what is read from a draft's text."""
        return self.editor.read(draft.game, draft.text).text

    def changed(self, change: Callable[[str, str], Draft], name: str, value: str) -> Draft | None:
        """The draft after a change; None if the editor refuses it with a sentence. Raises anything else."""
        try:
            return change(name, value)
        except BadPosition as error:
            if not isinstance(error.explanation, Message):
                raise AssertionError(f"{name} {value}: the refusal {error.message!r} is no Message") from error
            return None


def edit_text(edited: Edited) -> Iterator[str]:
    """A position's text reads back as the same text."""
    draft = edited.draft
    if not draft.text.strip():
        yield "the text is empty, which stands for the first position"
    elif (again := edited.read_back(draft)) != draft.text:
        yield f"the text {draft.text!r} reads back as {again!r}"


def edit_position(edited: Edited) -> Iterator[str]:
    """The position of a text has the mover and the legal moves of the one it was written of, and can be kept."""
    visit, draft = edited.visit, edited.editor.read(edited.visit.game, edited.draft.text)
    game, state = draft.game, draft.position(visit.chance())
    if game.to_move(state) != visit.mover or draft.to_move != visit.mover:
        yield f"player {game.to_move(state)} is to move, the draft says {draft.to_move}, expected {visit.mover}"
        return
    texts = {game.action_text(state, action) for action in legal_actions(game.legal(state))}
    if texts != (expected := {*visit.texts.values()}):
        yield f"other moves are legal: {', '.join(sorted(texts ^ expected)[:5])}"
    game.load(json.loads(json.dumps(game.dump(state), allow_nan=False)))
    if (again := edited.editor.of(game, game.view(state, visit.mover)).text) != draft.text:
        yield f"the position of {draft.text!r} is written {again!r}"


def edit_scene(edited: Edited) -> Iterator[str]:
    """The game's scene draws a draft, and offers places to click."""
    draft, hook = edited.draft, edited.spec.screen.scene
    if not draft.places.any():
        yield "no place can be clicked"
    if hook is not None:
        drawn = resolve(hook)(draft.game, draft.view, draft.places)
        json.dumps(drawn.document() if isinstance(drawn, Scene) else drawn, allow_nan=False)


def edit_tools(edited: Edited) -> Iterator[str]:
    """Every tool has a name and a title, changes something somewhere, and leaves a text that reads back."""
    draft = edited.draft
    yield from unwritten("tools", *(tool.title for tool in draft.tools))
    names = [tool.name for tool in draft.tools]
    if len({*names}) < len(names) or not names:
        yield f"tools need names of their own, found {', '.join(names) or 'none'}"
        return
    places = _places(edited)
    effects = 0
    for name in _some(names, TOOLS):
        for place in places:
            after = edited.changed(draft.put, name, place)
            effects += after is not None and after.text != draft.text
            if after is not None and edited.read_back(after) != after.text:
                yield f"after {name} at {place} the text {after.text!r} reads back as {edited.read_back(after)!r}"
                return
    if not effects:
        yield f"no tool changes anything at {', '.join(places)}"


def edit_settings(edited: Edited) -> Iterator[str]:
    """Every setting has a title, takes its own value, and refuses one that it cannot have."""
    draft = edited.draft
    for setting in draft.settings:
        yield from unwritten("settings", setting.title, *setting.choices.values())
        after = edited.changed(draft.set, setting.name, setting.value)
        if after is not None and edited.read_back(after) != after.text:
            yield f"{setting.name} {setting.value}: the text {after.text!r} reads back as {edited.read_back(after)!r}"
        if edited.changed(draft.set, setting.name, "-1") is not None:
            yield f"{setting.name} takes '-1'"


def edit_refusals(edited: Edited) -> Iterator[str]:
    """What is no position, place or tool is refused by a `BadPosition` with a sentence in every language."""
    draft = edited.draft
    if edited.changed(draft.put, draft.tools[0].name, "nowhere") is not None:
        yield "a place 'nowhere' is taken"
    if edited.changed(draft.put, "no tool", _places(edited)[0]) is not None:
        yield "a tool 'no tool' is taken"
    for text in NONSENSE:
        if edited.changed(lambda _, text: edited.editor.read(draft.game, text), "read", text) is not None:
            yield f"the text {text[:20]!r} is read as a position"


def _places(edited: Edited) -> Sequence[str]:
    """The texts of some places, the first and the last among them."""
    draft, state = edited.draft, edited.visit.state
    return [draft.game.action_text(state, action) for action in _some(legal_actions(draft.places), PLACES)]


def _some(values: Sequence[T], count: int) -> Sequence[T]:
    """About so many values, the first and the last among them."""
    step = max(1, (len(values) - 1) // max(1, count - 1))
    return [*values[:-1:step], values[-1]]
