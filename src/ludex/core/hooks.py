"""Hooks of games: what they must give people, and how everything goes on where one of another package fails."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import numpy as np

from ludex.core.errors import BrokenGame
from ludex.core.log import logger
from ludex.core.messages import LANGUAGES, Message

T = TypeVar("T")
LONGEST: Final = 10_000
"""Characters of a message: a page of text."""
_logged: Final[set[tuple[str, str]]] = set()
"""The games and hooks of which a fault is in the log: one that fails at every move is there once."""


def try_hook(
    game: str, hook: str, call: Callable[[], T], otherwise: T, *, may_raise: tuple[type[Exception], ...] = ()
) -> T:
    """What a hook of a game gives; where it fails, `otherwise`, so that everything goes on without its part.

    The first fault of each hook is in the log, with the game, the hook and the error. `may_raise` is no fault.
    """
    try:
        return call()
    except may_raise:
        raise
    except Exception as error:
        # A game of another package may raise anything.
        if (game, hook) not in _logged:
            _logged.add((game, hook))
            what = f"{type(error).__name__}: {error}"
            logger("core.hooks").exception("a hook fails, its part is left out", game=game, hook=hook, error=what)
        return otherwise


def silence(game: str, hook: str) -> None:
    """Keep the log silent about a hook whose fault is reported otherwise."""
    _logged.add((game, hook))


def as_message(given: Any) -> Message:
    """A sentence that can be shown in every language and sent as JSON. Raises `BrokenGame` that says what is wrong."""
    if not isinstance(given, Message):
        raise BrokenGame(f"expected a Message, found {type(given).__name__}")
    for language, text in given.texts().items():
        if not text.strip():
            raise BrokenGame(f"message {given.id!r} is empty in {language}")
        if len(text) > LONGEST:
            raise BrokenGame(f"message {given.id!r} has {len(text):,} characters in {language}, at most {LONGEST:,}")
    try:
        json.dumps(given.document(), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BrokenGame(f"message {given.id!r} cannot be sent: {error}") from error
    return given


def as_messages(given: Any) -> tuple[Message, ...]:
    """Such sentences."""
    return tuple(as_message(message) for message in given)


def as_amount(given: Any) -> float | None:
    """A finite number, or None. Raises `BrokenGame` for anything else."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not math.isfinite(float(given)):
        raise BrokenGame(f"expected a finite number or None, found {given!r}")
    return float(given)


def as_flag(given: Any) -> bool:
    """True or False. Raises `BrokenGame` for anything else."""
    if not isinstance(given, bool | np.bool_):
        raise BrokenGame(f"expected True or False, found {given!r}")
    return bool(given)


def as_texts(given: Any) -> list[str] | None:
    """Several texts, or None. Raises `BrokenGame` for anything else."""
    if given is None:
        return None
    if isinstance(given, str) or not all(isinstance(text, str) for text in given):
        raise BrokenGame(f"expected a list of texts, found {given!r}")
    return [*given]


def as_titles(given: Any) -> dict[str, str]:
    """A text by language. Raises `BrokenGame` for anything else."""
    if not isinstance(given, dict) or given.keys() != {*LANGUAGES} or not all(map(_is_text, given.values())):
        raise BrokenGame(f"expected a text for each of {', '.join(LANGUAGES)}, found {given!r}")
    return given


def as_json(given: Any) -> dict[str, Any]:
    """A dict that can be sent as JSON. Raises `BrokenGame` for anything else."""
    if not isinstance(given, dict):
        raise BrokenGame(f"expected a dict, found {type(given).__name__}")
    try:
        json.dumps(given, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise BrokenGame(f"it cannot be sent as JSON: {error}") from error
    return given


def as_figures(given: Any) -> dict[str, float]:
    """Finite numbers by name. Raises `BrokenGame` for anything else."""
    if not isinstance(given, Mapping) or not all(map(_is_text, given)) or None in given.values():
        raise BrokenGame(f"expected numbers by name, found {given!r}")
    return {name: as_amount(value) or 0.0 for name, value in given.items()}


def as_counts(given: Any) -> dict[str, int]:
    """Counts by name, none below 0. Raises `BrokenGame` for anything else."""
    figures = as_figures(given)
    if any(value < 0 or value != int(value) for value in figures.values()):
        raise BrokenGame(f"expected counts by name, found {given!r}")
    return {name: int(value) for name, value in figures.items()}


def _is_text(given: Any) -> bool:
    return isinstance(given, str) and bool(given.strip())
