"""What is wrong with a configuration or a request, as a sentence in every language."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ludex.core.messages import COMMON, ListOf, Message

LONGEST_FOUND: Final = 60
MOST: Final = 5
"""Faults that a sentence names; more of them would not be read."""
_KINDS: Final = {
    "extra_forbidden": "unknown",
    "missing": "missing",
    "greater_than": "above",
    "greater_than_equal": "least",
    "less_than": "below",
    "less_than_equal": "most",
    "multiple_of": "multiple",
    "literal_error": "choice",
    "int_type": "integer",
    "int_parsing": "integer",
    "int_from_float": "integer",
    "float_type": "number",
    "float_parsing": "number",
    "finite_number": "number",
    "bool_type": "boolean",
    "bool_parsing": "boolean",
    "string_type": "string",
}
"""By pydantic's type of a fault: the message `fault_...` of the catalogue."""
_LIMITS: Final = ("gt", "ge", "lt", "le", "multiple_of", "expected")


def explained(faults: Sequence[Mapping[str, Any]]) -> Message:
    """The faults of a pydantic validation as one sentence."""
    messages = tuple(_message(one) for one in faults[:MOST])
    return messages[0] if len(messages) == 1 else Message(f"{COMMON}.faults", {"faults": ListOf(messages)})


def _message(fault: Mapping[str, Any]) -> Message:
    key = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "value_error":
        # A rule of several keys, in the words of the configuration that declares it.
        return Message(f"{COMMON}.fault_together", {"reason": str(fault["ctx"]["error"])})
    limit = next((fault["ctx"][name] for name in _LIMITS if name in fault.get("ctx", {})), "")
    found = repr(fault["input"])[:LONGEST_FOUND]
    kind = _KINDS.get(fault["type"], "other")
    return Message(f"{COMMON}.fault_{kind}", {"key": key, "found": found, "limit": str(limit).replace(" or ", ", ")})
