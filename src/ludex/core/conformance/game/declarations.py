"""Checks of what a game declares before anything is played."""

from collections.abc import Iterator
from typing import Any

from ludex.core.conformance.walk.trial import Trial
from ludex.core.game import GameInfo


def declarations(trial: Trial) -> Iterator[str]:
    """The declarations are of the declared types and stay the same."""
    info: Any = trial.game.info
    if not isinstance(info, GameInfo):
        yield f"info is {type(info).__name__}, expected GameInfo"
        return
    for name in ("id", "preset"):
        if not _is_token(getattr(info, name)):
            yield f"{name} is {getattr(info, name)!r}, expected an ASCII text without spaces"
    for name, least in (("version", 0), ("num_actions", 1), ("max_plies", 1)):
        value = getattr(info, name)
        if type(value) is not int or value < least:
            yield f"{name} is {value!r}, expected a whole number of at least {least}"
    choices: dict[str, tuple[Any, ...]] = {
        "players": (1, 2),
        "chance": ("none", "sampled"),
        "information": ("perfect", "hidden"),
        "zero_sum": (True, False),
    }
    for name, known in choices.items():
        value = getattr(info, name)
        if not any(type(value) is type(choice) and value == choice for choice in known):
            yield f"{name} is {value!r}, expected one of {', '.join(map(repr, known))}"
    for name in ("phases", "aborts"):
        value = getattr(info, name)
        if not isinstance(value, tuple) or not all(_is_token(text) for text in value) or len({*value}) < len(value):
            yield f"{name} is {value!r}, expected a tuple of different ASCII texts without spaces"
    if not info.phases:
        yield "phases is empty, expected at least one"
    if trial.game.info != info:
        yield f"info changed from {info} to {trial.game.info}"


def _is_token(text: object) -> bool:
    return isinstance(text, str) and text.isascii() and text.isprintable() and bool(text) and " " not in text
