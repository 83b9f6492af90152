"""Checks of positions as JSON."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from ludex.core.conformance.instruments.documents import broken, odd
from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.conformance.report import BlockedError, told
from ludex.core.conformance.walk.answers import answers
from ludex.core.conformance.walk.play import Play
from ludex.core.conformance.walk.visit import Visit
from ludex.core.errors import BadPosition
from ludex.core.game import Json


def dump_json(visit: Visit) -> Iterator[str]:
    """A dump is plain JSON: no NaN, no tuple, no number of NumPy, no key that is not a text."""
    dumped = visit.game.dump(visit.state)
    try:
        read = json.loads(json.dumps(dumped, allow_nan=False))
    except (TypeError, ValueError) as error:
        yield f"dump is not JSON: {error}"
        return
    if not _identical(read, dumped):
        yield f"dump changes on its way through JSON: {dumped!r} is read back as {read!r}"


def dump_private(visit: Visit) -> Iterator[str]:
    """Who changes the dump they were given changes nothing else."""
    before = fingerprint(visit.dump)
    given = visit.game.dump(visit.state)
    _scribble(given)
    again = fingerprint(visit.game.dump(visit.state))
    _erase(given)
    if again != before:
        yield "a change of the returned dump changed the game's next answer"


def load_restores(visit: Visit) -> Iterator[str]:
    """`load` of what `dump` wrote gives the same position."""
    loaded = visit.game.load(through_json(visit.dump))
    for name, answer in answers(visit.game, loaded).items():
        if answer != visit.answers[name]:
            yield f"the loaded position has another {name}"


def load_plays_on(play: Play) -> Iterator[str]:
    """A loaded position plays on like the one that was dumped."""
    play.require_finished()
    middle = len(play.visits) // 2
    for start in sorted({0, min(1, middle), middle}):
        state = play.game.load(through_json(play.visits[start].dump))
        for visit, after in zip(play.visits[start:], play.visits[start + 1 :], strict=False):
            state = play.game.apply(state, visit.choice, visit.chance())
            found = answers(play.game, state)
            differ = [name for name, answer in after.answers.items() if found[name] != answer]
            if differ:
                yield f"loaded at ply {start} and played on, {differ[0]} differs at ply {after.ply}"
                return


def load_refuses(visit: Visit) -> Iterator[str]:
    """JSON that no `dump` wrote raises `BadPosition` and nothing else."""
    for flaw, document in broken(through_json(visit.dump), visit.probe()):
        try:
            visit.game.load(document)
        except BadPosition:
            continue
        except Exception as error:
            yield f"load with {flaw} raised {told(error)}, expected BadPosition"
        else:
            yield f"load with {flaw} was accepted, expected BadPosition"


def load_total(visit: Visit) -> Iterator[str]:
    """JSON of the right types is a position or raises `BadPosition`."""
    for oddity, document in odd(through_json(visit.dump), visit.probe()):
        try:
            visit.game.load(document)
        except BadPosition:
            continue
        except Exception as error:
            yield f"load with {oddity} raised {told(error)}, expected a position or BadPosition"


def load_unchanged(visit: Visit) -> Iterator[str]:
    """`load` does not change its document, nor hold on to it."""
    document: Any = through_json(visit.dump)
    before = copy.deepcopy(document)
    state = visit.game.load(document)
    if document != before:
        yield "load changed the document it was given"
        return
    dumped = fingerprint(visit.game.dump(state))
    _scribble(document)
    if fingerprint(visit.game.dump(state)) != dumped:
        yield "a change of the document changed the position that had been loaded from it"


def through_json(document: Json) -> Json:
    """The document as a file would give it back."""
    try:
        read: Json = json.loads(json.dumps(document, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise BlockedError("the dump is not JSON") from error
    return read


def _identical(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_identical(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_identical, one, other))
    return bool(one == other)


def _scribble(node: Any) -> None:
    """Add something to every list and object in place."""
    if isinstance(node, dict | list):
        for inner in [*(node.values() if isinstance(node, dict) else node)]:
            _scribble(inner)
    if isinstance(node, dict):
        node["scribble"] = 0
    elif isinstance(node, list):
        node.append("scribble")


def _erase(node: Any) -> None:
    """Take back what `_scribble` added."""
    if isinstance(node, dict):
        node.pop("scribble", None)
    elif isinstance(node, list):
        node.pop()
    if isinstance(node, dict | list):
        for inner in node.values() if isinstance(node, dict) else node:
            _erase(inner)
