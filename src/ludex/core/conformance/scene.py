"""What people see of a game: `check_scene`, `check_text` and `check_editor`."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeVar

import numpy as np

from ludex.core.conformance.report import Report, unwritten
from ludex.core.conformance.walk import Play, Trial, VarySecret, Visit, answer_of
from ludex.core.editing import Draft, Editor
from ludex.core.errors import BadPosition
from ludex.core.game import AnyGame, Player, legal_actions
from ludex.core.messages import Message
from ludex.core.registry import entry_of, resolve, spec
from ludex.core.scene import Scene
from ludex.core.spec import GameSpec
from ludex.core.text import GameText, game_text
from ludex.core.web_files import renderer_of


def check_scene(spec: GameSpec, game: AnyGame, *, plays: int = 2, seed: int = 1) -> None:
    """Raise `ConformanceError` that names what is wrong with the scenes of a game; a spec without a scene has none.

    >>> from ludex.core import registry
    >>> check_scene(registry.spec("tictactoe"), registry.make("tictactoe"))
    """
    if spec.screen.scene is None:
        return
    report, own = Report(f"the scene of {spec.id} {game.info.preset}"), renderer_of(spec) is not None
    scene = resolve(spec.screen.scene)
    for number in range(plays):
        for visit in Play(Trial(game), seed + number).walk():
            scenes = Scenes(visit, scene)
            if own:
                report.run(scene_json, scenes, visit.where)
            elif report.run(scene_typed, scenes, visit.where):
                report.run(scene_moves, scenes, visit.where)
                report.run(scene_end, scenes, visit.where)
    report.conclude()


@dataclass(frozen=True, slots=True)
class Scenes:
    """The scenes of a position, as the web app requests them."""

    visit: Visit
    scene: Callable[..., Any]

    def may_move(self, player: Player) -> bool:
        """Whether the player's mask is that of the position."""
        return self.visit.live and (self.visit.info.information == "perfect" or player == self.visit.mover)

    def of(self, player: Player) -> Any:
        visit = self.visit
        mask = visit.mask if self.may_move(player) else np.zeros(visit.info.num_actions, np.bool_)
        return self.scene(visit.game, answer_of(visit.game.view, visit.state, player), mask)


def scene_json(scenes: Scenes) -> Iterator[str]:
    """The scene of a game with a renderer is an object of JSON."""
    yield from _of_type(scenes, dict, "a dict for the game's renderer")


def scene_typed(scenes: Scenes) -> Iterator[str]:
    """The scene of a game without a renderer is a `ludex.core.scene.Scene`, with all its texts."""
    yield from _of_type(scenes, Scene, "ludex.core.scene.Scene")


def _of_type(scenes: Scenes, expected: type, description: str) -> Iterator[str]:
    for player in scenes.visit.players:
        scene = scenes.of(player)
        if not isinstance(scene, expected):
            yield f"the scene of player {player} is {type(scene).__name__}, expected {description}"
            return
        json.dumps(scene.document() if isinstance(scene, Scene) else scene, allow_nan=False)


def scene_moves(scenes: Scenes) -> Iterator[str]:
    """The player to move can play every legal move and no other."""
    visit = scenes.visit
    if not visit.live:
        return
    offered, legal = {move.text for move in scenes.of(visit.mover).moves}, set(visit.texts.values())
    missing, illegal = sorted(legal - offered), sorted(offered - legal)
    faults = [f"no way to play {', '.join(missing)}"] if missing else []
    faults += [f"moves that are not legal: {', '.join(illegal)}"] if illegal else []
    if faults:
        yield f"the scene offers {' and '.join(faults)}"


def scene_end(scenes: Scenes) -> Iterator[str]:
    """Where the viewer may not move, nothing is offered; at the end the reason has words."""
    for player in scenes.visit.players:
        if not scenes.may_move(player) and scenes.of(player).moves:
            yield f"the scene of player {player} offers moves, and its mask has none"
    outcome, reasons = scenes.visit.outcome, scenes.of(0).reasons
    # A reason that neither names is shown as it is in every language.
    if outcome is not None and reasons and outcome.reason not in reasons:
        name = f"reason_{outcome.reason.replace(' ', '_')}"
        if entry_of(scenes.visit.info.id, name) is None:
            named = ", ".join(map(repr, reasons))
            yield f"the reason is {outcome.reason!r}, expected one of {named} or an entry {name!r} of the catalogues"


NAMINGS = (None, 1, 2)
"""The game's own names, and two others."""


def check_text(
    game: AnyGame, *, plays: int = 2, seed: int = 1, every: int = 1, vary_secret: VarySecret | None = None
) -> None:
    """Raise `ConformanceError` for texts that hold a secret, leave out what matters, or name moves twice.

    A game that declares no texts is checked in its own names alone. Of long games, each `every`th position is.

    >>> from ludex.core import registry
    >>> check_text(registry.make("tictactoe"))
    """
    own = spec(game.info.id).screen.text is not None
    for naming in NAMINGS if own else NAMINGS[:1]:
        names = "own names" if naming is None else f"naming {naming}"
        report, text = Report(f"the text of {game.info.id} {game.info.preset}, {names}"), game_text(game, naming)
        known: dict[tuple[Player, str], frozenset[str]] = {}
        for number in range(plays):
            for visit in Play(Trial(game, vary_secret), seed + number).walk():
                if visit.ply % every:
                    continue
                texts = Texts(visit, text, known)
                for check in (text_of_view, text_hides, text_decides, text_moves):
                    report.run(check, texts, visit.where)
        report.conclude()


@dataclass(frozen=True)
class Texts:
    """What is said of a position."""

    visit: Visit
    text: GameText
    known: dict[tuple[Player, str], frozenset[str]] = field(default_factory=dict)
    """The legal moves of every text so far, by the player to move."""

    def of(self, state: object, player: Player) -> tuple[str, str]:
        """The text and the JSON of a player's view."""
        view = answer_of(self.visit.game.view, state, player)
        return self.text.board(view), json.dumps(self.text.document(view), sort_keys=True, allow_nan=False)


def text_of_view(texts: Texts) -> Iterator[str]:
    """The same view gives the same text again."""
    for player in texts.visit.players:
        if texts.of(texts.visit.state, player) != texts.of(texts.visit.state, player):
            yield f"the text of player {player} changes from call to call"


def text_hides(texts: Texts) -> Iterator[str]:
    """A text does not change with what its reader may not know."""
    visit = texts.visit
    if visit.info.information != "hidden" or visit.trial.vary_secret is None or not visit.live:
        return
    for player in visit.players:
        varied = visit.trial.vary_secret(visit.game, visit.state, player, visit.probe())
        if texts.of(varied, player) != texts.of(visit.state, player):
            yield f"the text shows player {player} a secret: it changed with what this player may not know"


def text_decides(texts: Texts) -> Iterator[str]:
    """Positions with different legal moves have different texts."""
    visit = texts.visit
    if not visit.live:
        return
    legal = frozenset(visit.texts.values())
    for form in texts.of(visit.state, visit.mover):
        if texts.known.setdefault((visit.mover, form), legal) != legal:
            other = sorted(texts.known[visit.mover, form] ^ legal)[:3]
            yield f"two positions have one text, and different legal moves, such as {', '.join(other)}"


def text_moves(texts: Texts) -> Iterator[str]:
    """Every legal move has a text of its own, one ASCII token, which means that move."""
    written: dict[str, str] = {}
    for move in texts.visit.texts.values():
        name = texts.text.write(move)
        if not name.isascii() or not name or len(name.split()) != 1 or written.setdefault(name, move) != move:
            yield f"{move} is called {name!r}, expected one ASCII token that no other move has"
            return
        if texts.text.read(name) != move:
            yield f"{name!r}, which {move} is called, is read as {texts.text.read(name)!r}"
            return


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

    def try_change(self, change: Callable[[str, str], Draft], name: str, value: str) -> Draft | None:
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
        scene = resolve(hook)(draft.game, draft.view, draft.places)
        json.dumps(scene.document() if isinstance(scene, Scene) else scene, allow_nan=False)


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
    for name in _select(names, TOOLS):
        for place in places:
            after = edited.try_change(draft.put, name, place)
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
        after = edited.try_change(draft.set, setting.name, setting.value)
        if after is not None and edited.read_back(after) != after.text:
            yield f"{setting.name} {setting.value}: the text {after.text!r} reads back as {edited.read_back(after)!r}"
        if edited.try_change(draft.set, setting.name, "-1") is not None:
            yield f"{setting.name} takes '-1'"


def edit_refusals(edited: Edited) -> Iterator[str]:
    """What is no position, place or tool is refused by a `BadPosition` with a sentence in every language."""
    draft = edited.draft
    if edited.try_change(draft.put, draft.tools[0].name, "nowhere") is not None:
        yield "a place 'nowhere' is taken"
    if edited.try_change(draft.put, "no tool", _places(edited)[0]) is not None:
        yield "a tool 'no tool' is taken"
    for text in NONSENSE:
        if edited.try_change(lambda _, text: edited.editor.read(draft.game, text), "read", text) is not None:
            yield f"the text {text[:20]!r} is read as a position"


def _places(edited: Edited) -> Sequence[str]:
    """The texts of some places, the first and the last among them."""
    draft, state = edited.draft, edited.visit.state
    return [draft.game.action_text(state, action) for action in _select(legal_actions(draft.places), PLACES)]


def _select(values: Sequence[T], count: int) -> Sequence[T]:
    """About so many values, the first and the last among them."""
    step = max(1, (len(values) - 1) // max(1, count - 1))
    return [*values[:-1:step], values[-1]]
