"""Documents that describe no position, made from one that does."""

import copy
from collections.abc import Iterator
from typing import Any

from ludex.core.game import Json
from ludex.core.seeding import Rng

STRANGER = {"no such thing": True}
"""A value that belongs nowhere."""


def broken(document: Json, rng: Rng) -> Iterator[tuple[str, Any]]:
    """Documents that must be refused, each with what is wrong with it."""
    aliens: list[Json] = [None, True, 17, -0.5, "x", [], {}]
    for alien in aliens:
        # Of the same type it might be another position of the game.
        if type(alien) is not type(document):
            yield f"the document {alien!r}", alien
    if isinstance(document, dict):
        yield "the document {}", {}
        yield "an unknown key", {**document, **STRANGER}
        for key in document:
            yield f"key {key!r} missing", {other: value for other, value in document.items() if other != key}
    elif isinstance(document, list):
        yield "a stranger at the end", [*document, STRANGER]
    for path in _paths(document, rng):
        value = _at(document, path)
        for wrong in _of_wrong_type(value):
            yield f"{wrong!r} at {_told(path)}", _with(document, path, wrong)


def odd(document: Json, rng: Rng) -> Iterator[tuple[str, Any]]:
    """Documents of the right types that may or may not describe a position."""
    for path in _paths(document, rng):
        value = _at(document, path)
        for unusual in _unusual(value):
            yield f"{unusual!r} at {_told(path)}", _with(document, path, unusual)


def _of_wrong_type(value: Json) -> Iterator[Any]:
    yield STRANGER if not isinstance(value, dict) else "x"
    if isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, str) and value:
        yield [*value]


def _unusual(value: Json) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (-1, value + 1, 1 << 70, float("nan"), float("inf"))
    elif isinstance(value, str):
        yield from ("", value[:-1], value + "?", "\u2654", "\u00b2")
    elif isinstance(value, list):
        yield from ([], value[:-1], [*value, *value[:1]])
    yield None


def _paths(document: Json, rng: Rng) -> list[tuple[Any, ...]]:
    """Every entry at the top, and a few from below it."""
    found = list(_below(document, ()))
    top = [path for path in found if len(path) == 1]
    deep = [path for path in found if len(path) > 1]
    rng.shuffle(deep)
    return top[:16] + deep[:8]


def _below(node: Json, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, dict | list):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            yield (*path, key)
            yield from _below(value, (*path, key))


def _at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def _with(document: Json, path: tuple[Any, ...], value: Any) -> Any:
    changed: Any = copy.deepcopy(document)
    _at(changed, path[:-1])[path[-1]] = value
    return changed


def _told(path: tuple[Any, ...]) -> str:
    return "".join(f"[{key!r}]" for key in path)
