"""Sentences for people as data: an id, parameters and cells, put into words by catalogues per package and language.

A catalogue is a JSON file per language, `en.json` and `fr.json`, in the folder that `ScreenSpec.messages` names. An
entry is a template with its parameters in braces, or two, `one` and `other`, of which the parameter `count` chooses:

    {"wins": {"one": "{move} wins in {count} ply", "other": "{move} wins in {count} plies"}}

These entries are read by name, in capitals what the game itself names; any other is a sentence of the game's own:

    title, summary                     the game, on its card: in English as in its spec
    agent_NAME, summary_NAME           an agent, and how it plays
    option_NAME, option_NAME_VALUE     an option of the boards, and a value of it that is a word
    board_NAME                         what a board is called, for a game without `ScreenSpec.board_title`
    level_NAME                         how a level of `ludex.core.levels.ladder` plays
    player_1, player_2                 the players of a game of the kit
    reason_REASON                      how a game of the kit ends, `_` for spaces
    action_WORD                        an action of the kit that is a word, such as `words("pass")`
    effect_NAME                        what a move does, of `ludex.kit.effects`
    rules_NAME_title, rules_NAME_text  a section of the kit's `rulebook`
    term_NAME, term_NAME_meaning       a word of it
    tutorial_STEP_title, tutorial_STEP_task, tutorial_STEP_task_2, tutorial_STEP_done, tutorial_STEP_wrong
                                       a step: its turns, the end, and `{move}` is legal but not the move
    tutorial_STEP_NAME                 why another pattern of moves is not, `turn(..., NAME=pattern)`
    puzzle_THEME_title, puzzle_THEME_task, puzzle_THEME_wrong
                                       a theme of puzzles
    figure_NAME                        a figure of a decision
    timing_NAME, timing_NAME_value     a figure of a finished match, see `ScreenSpec.timing`
    error_CODE                         an error of the game

Formats are those of Python, with `percent` for shares and a list written as "a1, b2 and c3".
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final, Literal, TypeAlias, Union, get_args

from ludex.core.errors import BrokenGame

Language = Literal["en", "fr"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
Texts: TypeAlias = dict[Language, str]

Parameter: TypeAlias = Union[str, int, float, "Message", tuple[str, ...], "ListOf"]
"""What a template may name: a text, a number, another message, or a list of texts or of messages."""
Template: TypeAlias = str | dict[str, str]
Catalogue: TypeAlias = dict[str, Template]

COMMON: Final = "ludex"
"""The owner of the messages that no game owns."""
COMMON_CATALOGUES: Final = "ludex.core:texts"
_AND: Final[dict[Language, str]] = {"en": " and ", "fr": " et "}


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for people.

    The id is the entry behind its owner; a parameter may be a message too, and a tuple is written as a list:

    >>> Message("ludex.effects_move", {"move": "b2", "effects": ("wins", "blocks a1")}).text()
    'b2 wins and blocks a1.'
    >>> Message.plain("as it is").text("fr")
    'as it is'
    """

    id: str
    """`OWNER.NAME`: a game's id, or `ludex`, and an entry of the owner's catalogues."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    cells: tuple[int, ...] = ()
    """The cells of the board that the sentence is about, to be marked while it is read."""
    _texts: "dict[Language, str]" = field(default_factory=dict, init=False, repr=False, compare=False)
    """The sentence in every language, once it was put into words."""

    @classmethod
    def plain(cls, text: str) -> "Message":
        """A text that stays as it is in every language, such as the words of another program."""
        return cls(f"{COMMON}.text", {"text": text})

    def text(self, language: Language = "en") -> str:
        """The sentence in a language. Raises `BrokenGame` if the catalogue has no such entry or lacks a parameter."""
        owner, _, name = self.id.partition(".")
        template = catalogue(owner, language).get(name)
        if template is None:
            raise BrokenGame(f"the {language} catalogue of {owner} has no message {name!r}")
        try:
            if not isinstance(template, str):
                template = template["one" if _is_one(self.parameters["count"], language) else "other"]
            if "{" not in template and "}" not in template:
                return template
            return "".join(
                text if name is None else text + _write_value(self.parameters[name], spec, language)
                for text, name, spec in _parts(template)
            )
        except KeyError as error:
            raise BrokenGame(f"message {self.id!r} has no parameter {error}, which the {language} text names") from None

    def texts(self) -> dict[Language, str]:
        """The sentence in every language; of a message that is kept, as scenes keep those of a board, made once."""
        if not self._texts:
            self._texts.update({language: self.text(language) for language in LANGUAGES})
        return {**self._texts}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """A field of a pydantic model holds a message, and is its texts where the model is sent."""
        from pydantic_core.core_schema import is_instance_schema, plain_serializer_function_ser_schema

        texts = plain_serializer_function_ser_schema(cls.texts, return_schema=handler.generate_schema(Texts))
        return is_instance_schema(cls, serialization=texts)

    def document(self) -> dict[str, Any]:
        """As JSON: messages among the parameters are documents too."""
        return {
            "id": self.id,
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "cells": [*self.cells],
        }


@dataclass(frozen=True, slots=True)
class ListOf:
    """Several messages as one parameter, written as a list."""

    messages: tuple[Message, ...]


def text_of(messages: Sequence[Message], language: Language = "en") -> str:
    """Several sentences as one paragraph."""
    return "; ".join(message.text(language) for message in messages)


def _not_registered(owner: str) -> str | None:
    raise BrokenGame(f"the messages of {owner!r} are unknown before ludex.core.registry is imported")


_folder_of: Callable[[str], str | None] = _not_registered


def register_catalogues(folder_of: Callable[[str], str | None]) -> None:
    """Set the function that finds a game's `ScreenSpec.messages`; the registry does, to keep imports one-way."""
    global _folder_of  # noqa: PLW0603 - one registry per process
    _folder_of = folder_of


@cache
def catalogue(owner: str, language: Language) -> Catalogue:
    """The messages of a game, or of `ludex`, in a language. Raises `BrokenGame` if there are none."""
    reference = COMMON_CATALOGUES if owner == COMMON else _folder_of(owner)
    if reference is None:
        raise BrokenGame(f"game {owner!r} has no messages: screen.messages names no folder")
    return read_catalogue(owner, reference, language)


def read_catalogue(owner: str, reference: str, language: Language) -> Catalogue:
    """The messages in the folder that a reference names, of a game that need not be registered. Raises `BrokenGame`."""
    package, _, folder = reference.partition(":")
    try:
        entries = json.loads(files(package).joinpath(folder, f"{language}.json").read_text(encoding="utf-8"))
    except (OSError, ModuleNotFoundError, ValueError) as error:
        raise BrokenGame(f"game {owner!r}: {reference}/{language}.json: {error}") from error
    wrong = [name for name, entry in entries.items() if not _is_template(entry)]
    if wrong:
        raise BrokenGame(f"game {owner!r}: {reference}/{language}.json: no texts: {', '.join(wrong)}")
    checked: Catalogue = entries
    return checked


def parameters_of(template: Template) -> set[str]:
    """The parameters that a template names.

    >>> sorted(parameters_of({"one": "{move} in {count} ply", "other": "{move} in {count} plies"}))
    ['count', 'move']
    """
    texts = [template] if isinstance(template, str) else template.values()
    return {name for text in texts for _, name, _ in _parts(text) if name is not None}


def _is_template(entry: Any) -> bool:
    return isinstance(entry, str) or (isinstance(entry, dict) and entry.keys() == {"one", "other"})


def _is_one(count: Parameter, language: Language) -> bool:
    """Whether a count takes the singular: in French zero does too."""
    assert isinstance(count, int | float)
    return count == 1 or (language == "fr" and 0 <= count < 2)


def _plain(value: Parameter) -> Any:
    if isinstance(value, Message):
        return value.document()
    if isinstance(value, ListOf):
        return [message.document() for message in value.messages]
    return [*value] if isinstance(value, tuple) else value


@cache
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """The texts of a template, each with the parameter after it, if there is one, and its format."""
    try:
        parts = [*Formatter().parse(template)]
    except ValueError as error:
        raise BrokenGame(f"the text {template!r} cannot be read: {error}") from error
    if any(conversion is not None for *_, conversion in parts):
        raise BrokenGame(f"the text {template!r} converts a parameter by `!`, which messages do not")
    return tuple((text, name, spec or "") for text, name, spec, _ in parts)


def _write_value(value: Any, spec: str, language: Language) -> str:
    """A parameter as a language writes it."""
    if isinstance(value, Message):
        return value.text(language)
    if isinstance(value, ListOf):
        value = tuple(message.text(language) for message in value.messages)
    if isinstance(value, tuple):
        *first, last = value
        # A comma within a part would bind what follows it to the wrong one.
        comma = "," if any(", " in part for part in value) else ""
        return f"{', '.join(first)}{comma}{_AND[language]}{last}" if first else str(last)
    if spec.endswith("percent"):
        digits = spec.removesuffix("percent") or ".0"
        return _decimal(f"{100 * value:{digits}f}", language) + ("%" if language == "en" else "\u00a0%")
    written = format(value, spec)
    return _decimal(written, language) if isinstance(value, float) else written


def _decimal(number: str, language: Language) -> str:
    return number.replace(".", ",") if language == "fr" else number
