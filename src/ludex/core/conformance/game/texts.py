"""Checks of actions as texts."""

from collections import Counter
from collections.abc import Iterable, Iterator

from ludex.core.conformance.report import told
from ludex.core.conformance.walk.visit import SAMPLE, Visit
from ludex.core.errors import MalformedAction

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
        try:
            parsed = visit.game.parse_action(visit.state, text)
        except MalformedAction:
            continue
        except Exception as error:
            yield f"{_short(text)} raised {told(error)}, expected MalformedAction"
        else:
            yield f"{_short(text)} was read as action {parsed!r}, expected MalformedAction"


def legality_unparsed(visit: Visit) -> Iterator[str]:
    """Whether the action of a text is legal here is not for `parse_action` to say."""
    if not visit.live:
        return
    for text in sorted(visit.earlier_texts - {*visit.texts.values()})[:SAMPLE]:
        try:
            parsed = visit.game.parse_action(visit.state, text)
        except MalformedAction:
            continue
        except Exception as error:
            yield f"{text!r}, legal earlier, raised {told(error)}, expected an action or MalformedAction"
        else:
            if type(parsed) is not int or not 0 <= parsed < visit.info.num_actions:
                yield f"{text!r}, legal earlier, was read as {parsed!r}, expected an action or MalformedAction"


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
