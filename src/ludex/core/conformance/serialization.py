"""Checks of positions as JSON and of actions as texts."""

import copy
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.report import BlockedError, attempt, describe_error
from ludex.core.conformance.walk import SAMPLE, Play, Visit, answers
from ludex.core.errors import BadPosition, MalformedAction
from ludex.core.game import Json
from ludex.core.seeding import Rng


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
    """Changing the returned dump changes nothing else."""
    before = fingerprint(visit.dump)
    with _scribble(visit.game.dump(visit.state)):
        again = fingerprint(visit.game.dump(visit.state))
    if again != before:
        yield "a change of the returned dump changed the game's next answer"


def load_restores(visit: Visit) -> Iterator[str]:
    """`load` of what `dump` wrote gives the same position."""
    loaded = visit.game.load(through_json(visit.dump))
    for name, answer in answers(visit.game, loaded).items():
        if answer != visit.answers[name]:
            yield f"the loaded position has another {name}"


def load_plays_on(play: Play) -> Iterator[str]:
    """Every position of the play can be loaded, and plays on like the one that was dumped."""
    play.require_finished()
    for visit in play.visits:
        loaded = attempt(play.game.load, through_json(visit.dump))
        if isinstance(loaded, Exception):
            yield f"load of the position at ply {visit.ply} raised {describe_error(loaded)}"
            return
        if fingerprint(play.game.dump(loaded)) != fingerprint(visit.dump):
            yield f"the position that was loaded at ply {visit.ply} has another dump"
            return
    middle = len(play.visits) // 2
    for start in sorted({0, min(1, middle), middle}):
        state = play.game.load(through_json(play.visits[start].dump))
        for visit, after in zip(play.visits[start:], play.visits[start + 1 :], strict=False):
            state = play.game.apply(state, visit.choice, visit.chance())
            loaded = answers(play.game, state)
            differ = [name for name, answer in after.answers.items() if loaded[name] != answer]
            if differ:
                yield f"loaded at ply {start} and played on, {differ[0]} differs at ply {after.ply}"
                return


def load_refuses(visit: Visit) -> Iterator[str]:
    """JSON that no `dump` wrote raises `BadPosition` and nothing else."""
    yield from _wrong_loads(visit, broken(through_json(visit.dump), visit.probe()), "BadPosition")


def load_total(visit: Visit) -> Iterator[str]:
    """JSON of the right types is a position of the game, with an outcome or moves, or raises `BadPosition`."""
    yield from _wrong_loads(visit, odd(through_json(visit.dump), visit.probe()), "a position or BadPosition")


def _wrong_loads(visit: Visit, documents: Iterable[tuple[str, Any]], expected: str) -> Iterator[str]:
    for oddity, document in documents:
        state = attempt(visit.game.load, document)
        if isinstance(state, Exception) and not isinstance(state, BadPosition):
            yield f"load with {oddity} raised {describe_error(state)}, expected {expected}"
        elif not isinstance(state, Exception) and expected == "BadPosition":
            yield f"load with {oddity} was accepted, expected BadPosition"
        elif not isinstance(state, Exception):
            answer = attempt(answers, visit.game, state)
            if isinstance(answer, Exception):
                yield f"load with {oddity} was accepted, and the position raises {describe_error(answer)}"
            elif visit.game.outcome(state) is None and not visit.game.legal(state).any():
                yield f"load with {oddity} was accepted, and the position has no outcome and no move"


def load_unchanged(visit: Visit) -> Iterator[str]:
    """`load` does not change its document, nor hold on to it."""
    document: Any = through_json(visit.dump)
    before = copy.deepcopy(document)
    state = visit.game.load(document)
    if document != before:
        yield "load changed the document it was given"
        return
    dumped = fingerprint(visit.game.dump(state))
    with _scribble(document):
        again = fingerprint(visit.game.dump(state))
    if again != dumped:
        yield "a change of the document changed the position that had been loaded from it"


def through_json(document: Json) -> Json:
    """The document as a file would give it back."""
    try:
        read: Json = json.loads(json.dumps(document, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise BlockedError("the dump is not JSON") from error
    return read


def _identical(left: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down."""
    if type(left) is not type(other):
        return False
    if isinstance(left, dict):
        return left.keys() == other.keys() and all(_identical(value, other[key]) for key, value in left.items())
    if isinstance(left, list):
        return len(left) == len(other) and all(map(_identical, left, other))
    return bool(left == other)


@contextmanager
def _scribble(node: Any) -> Iterator[None]:
    """Add something to every list and object in place, for a block."""
    entries = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    with ExitStack() as inside:
        for entry in [*entries]:
            inside.enter_context(_scribble(entry))
        if isinstance(node, dict):
            node["scribble"] = 0
            inside.callback(node.pop, "scribble", None)
        elif isinstance(node, list):
            node.append("scribble")
            inside.callback(node.pop)
        yield


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
            yield f"{wrong!r} at {_path_text(path)}", _with(document, path, wrong)


def odd(document: Json, rng: Rng) -> Iterator[tuple[str, Any]]:
    """Documents of the right types that may or may not describe a position."""
    for path in _paths(document, rng):
        value = _at(document, path)
        for unusual in _unusual(value):
            yield f"{unusual!r} at {_path_text(path)}", _with(document, path, unusual)


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
    paths = list(_below(document, ()))
    top = [path for path in paths if len(path) == 1]
    deep = [path for path in paths if len(path) > 1]
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


def _path_text(path: tuple[Any, ...]) -> str:
    return "".join(f"[{key!r}]" for key in path)


FULL_WIDTH = str.maketrans("0123456789", "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19")
SUPERSCRIPT = str.maketrans("0123456789", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


def text_form(visit: Visit) -> Iterator[str]:
    """A text is one ASCII token without spaces."""
    for action in visit.legal:
        text = visit.game.action_text(visit.state, action)
        if not isinstance(text, str) or not text or not text.isascii() or not text.isprintable() or " " in text:
            yield f"the text of action {action} is {text!r}, expected one ASCII token without spaces"


def text_unique(visit: Visit) -> Iterator[str]:
    """No two legal actions share a text."""
    actions: dict[str, int] = {}
    for action, text in visit.texts.items():
        if actions.setdefault(text, action) != action:
            yield f"actions {actions[text]} and {action} share the text {text!r}"


def text_parsed(visit: Visit) -> Iterator[str]:
    """A legal action's text is read back as that action."""
    owners = Counter(visit.texts.values())
    for action in visit.some_legal:
        text = visit.texts[action]
        if owners[text] > 1:
            # Owned by `text_unique`.
            continue
        parsed = visit.game.parse_action(visit.state, text)
        if type(parsed) is not int or parsed != action:
            yield f"the text {text!r} of action {action} is read back as {parsed!r}"


def garbage_refused(visit: Visit) -> Iterator[str]:
    """A text that names no action raises `MalformedAction` and nothing else."""
    if not visit.live:
        return
    for text in _garbage([visit.texts[action] for action in visit.some_legal]):
        parsed: Any = attempt(visit.game.parse_action, visit.state, text)
        if not isinstance(parsed, MalformedAction):
            failed = isinstance(parsed, Exception)
            manner = f"raised {describe_error(parsed)}" if failed else f"was read as action {parsed!r}"
            yield f"{_short(text)} {manner}, expected MalformedAction"


def legality_unparsed(visit: Visit) -> Iterator[str]:
    """Whether the action of a text is legal here is not for `parse_action` to say."""
    if not visit.live:
        return
    for text in sorted(visit.earlier_texts - {*visit.texts.values()})[:SAMPLE]:
        parsed: Any = attempt(visit.game.parse_action, visit.state, text)
        if isinstance(parsed, MalformedAction) or (type(parsed) is int and 0 <= parsed < visit.info.num_actions):
            continue
        manner = f"raised {describe_error(parsed)}" if isinstance(parsed, Exception) else f"was read as {parsed!r}"
        yield f"{text!r}, legal earlier, {manner}, expected an action or MalformedAction"


def _garbage(legal_texts: list[str]) -> Iterable[str]:
    yield from ("", " ", "\t\n", "??", "\u2654", "x" * 10_000, "\0")
    for text in legal_texts[:1]:
        yield f"{text} {text}"
        yield text + "\u2654"
    for text in legal_texts:
        # Python's own reading of numbers accepts the first kind, and fails oddly on the second.
        yield from {text.translate(FULL_WIDTH), text.translate(SUPERSCRIPT)} - {text}


def _short(text: str) -> str:
    return repr(text) if len(text) <= 40 else f"a text of {len(text)} characters"
