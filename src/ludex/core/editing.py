"""A position as people edit it: drawn with tools on the board, or read from a text that they paste.

`ScreenSpec.editor` names an `Editor`. A `Draft` is a position under way. It may break the rules, as a board does whose
second mark is missing, until `position` has the game accept it. People see what a view holds: where information is
hidden, a draft is a view, and `position` draws what it hides.

The board on the screen is the game's own: `scene(game, draft.view, draft.places)` draws it, and the actions of `places`
stand for the places that can be clicked. A click, a key or a finger gives `put` the text of such an action.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from ludex.core import registry
from ludex.core.documents import parse_json
from ludex.core.errors import BadPosition, BadRecord, Unsupported
from ludex.core.game import AnyGame, Mask, Player
from ludex.core.match import Match
from ludex.core.messages import Message, Parameter
from ludex.core.record import MatchFile, is_line, match_of
from ludex.core.seeding import CHANCE, Rng, generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What a click puts on the board."""

    __pydantic_config__: ClassVar = {"json_schema_serialization_defaults_required": True}

    name: str
    title: Message
    symbol: str = ""
    """What stands on its button, a character or two; its title if empty."""
    key: str = ""
    """The key that selects it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What the position has beside the board, such as whose turn it is: a number or one of several values."""

    __pydantic_config__: ClassVar = {"json_schema_serialization_defaults_required": True}

    name: str
    title: Message
    value: str
    bounds: tuple[int, int] | None = None
    """The least and the largest number; None: one of `choices`."""
    choices: Mapping[str, Message] = field(default_factory=dict)


class Draft(Protocol):
    """A position while it is edited. Each change gives another draft."""

    @property
    def game(self) -> AnyGame:
        """The board, which a text or a setting may change."""
        ...

    @property
    def text(self) -> str:
        """The position as people write it; `Editor.read` reads it back."""
        ...

    @property
    def view(self) -> Any:
        """What is drawn."""
        ...

    @property
    def places(self) -> Mask:
        """The actions that stand for the places of the board."""
        ...

    @property
    def to_move(self) -> Player:
        """Whose turn it is."""
        ...

    @property
    def tools(self) -> Sequence[Tool]:
        """The first is selected to begin with."""
        ...

    @property
    def settings(self) -> Sequence[Setting]: ...

    def put(self, tool: str, place: str) -> "Draft":
        """The draft after a click. Raises `BadPosition` where that cannot be."""
        ...

    def set(self, setting: str, value: str) -> "Draft":
        """The draft with another value of a setting. Raises `BadPosition`."""
        ...

    def position(self, rng: Rng) -> Any:
        """The position, what is hidden drawn with `rng`. Raises `BadPosition` if the rules do not allow it."""
        ...


class Editor(Protocol):
    """How the positions of one game are edited."""

    @property
    def files(self) -> Mapping[str, Callable[[bytes], str]]:
        """By the ending of a file's name, such as `.mbf`, what reads such a file as a text."""
        ...

    def read(self, game: AnyGame, text: str) -> Draft:
        """The draft of a text, on this board unless the text says which. Raises `BadPosition`."""
        ...

    def of(self, game: AnyGame, view: Any) -> Draft:
        """The draft of what a player sees."""
        ...


OpenBoard = Callable[[str, str], AnyGame]
"""The game on a board, by their names; the web app's refuses what visitors may not name."""


def editor_of(game: str) -> Editor:
    """The editor of a game. Raises `Unsupported` if it has none."""
    reference = registry.spec(game).screen.editor
    if reference is None:
        raise Unsupported(f"{game} declares no editor of positions")
    editor: Editor = registry.resolve(reference)
    return editor


def read_draft(game: AnyGame, text: str, open_board: OpenBoard = registry.make) -> Draft:
    """The draft of a text: the game's own form, a line of moves, or a match file.

    Without a text it is the first position of the board.

    >>> read_draft(registry.make("tictactoe"), "tictactoe 3x3x3: b2 a1").text
    '. . .\\n. X .\\nO . .'
    """
    editor, text = editor_of(game.info.id), text.strip()

    def open_own(name: str, preset: str) -> AnyGame:
        if name != game.info.id:
            raise BadPosition.of(Message("ludex.position_other_game", {"game": name, "expected": game.info.id}))
        return open_board(name, preset)

    if not text:
        return draft_of(Match(game, seed=0))
    if is_line(text):
        return draft_of(match_of(text, open_own))
    if text.startswith("{"):
        file = MatchFile.parse(parse_json(text, "the text", BadRecord), "the text")
        return draft_of(file.replay(open_own(file.record.game, file.record.preset)))
    return editor.read(game, text)


def read_file(game: AnyGame, name: str, data: bytes, open_board: OpenBoard = registry.make) -> Draft:
    """The draft of a file, by the ending of its name; any other is a text. Raises `BadPosition`."""
    for ending, reader in editor_of(game.info.id).files.items():
        if name.lower().endswith(ending):
            return read_draft(game, reader(data), open_board)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadPosition.of(Message("ludex.position_no_text")) from None
    return read_draft(game, text, open_board)


def begin_match(draft: Draft, seed: int) -> Match[Any, Any]:
    """A match that begins with a draft; what it hides is drawn from the seed. Raises `BadPosition`."""
    game = draft.game
    state = draft.position(generator(seed, 0, CHANCE))
    if game.outcome(state) is not None:
        raise BadPosition.of(Message("ludex.position_over"))
    # As it comes from a file: what `dump` does not keep must make no difference.
    return Match(game, seed, position=json.loads(json.dumps(game.dump(state))))


def setting_number(setting: Setting, value: str) -> int:
    """A setting's new value as a number. Raises `BadPosition` if it is none, or out of bounds."""
    assert setting.bounds is not None
    least, most = setting.bounds
    if not value.isascii() or not value.isdecimal() or len(value) > len(str(most)) or not least <= int(value) <= most:
        parameters: dict[str, Parameter] = {"setting": setting.title, "least": least, "most": most, "value": value[:20]}
        raise BadPosition.of(Message("ludex.position_number", parameters))
    return int(value)


def setting_choice(setting: Setting, value: str) -> str:
    """A setting's new value, one of its choices. Raises `BadPosition`."""
    if value not in setting.choices:
        parameters: dict[str, Parameter] = {
            "setting": setting.title,
            "value": value[:20],
            "choices": ", ".join(setting.choices),
        }
        raise BadPosition.of(Message("ludex.position_choice", parameters))
    return value


def draft_of(match: Match[Any, Any]) -> Draft:
    """The draft of what the player to move sees; at the end, of what the last one to move does."""
    player = match.to_move if not match.over else match.moves[-1].player if match.moves else 0
    return editor_of(match.game.info.id).of(match.game, match.game.view(match.state, player))
