"""Typed options of games and agents, and the text they are written in: `name:key=value:key="quoted: value"`."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.config import JsonDict
from pydantic.fields import FieldInfo

from ludex.core.errors import BadOption, LudexError
from ludex.core.messages import COMMON, ListOf, Message


class StrictModel(BaseModel):
    """Unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class OptionsFault(ValueError):
    """Options that do not go together, with the sentence that people read."""

    def __init__(self, explanation: Message) -> None:
        super().__init__(explanation.text())
        self.explanation = explanation


class Options(StrictModel):
    """The base of every options model."""


class NoOptions(Options):
    """For what has nothing to set."""


class CommonOptions(Options):
    """What every agent can be set to besides its own options."""

    mistakes: float = Field(
        0.0,
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="share of its moves that it plays at random, in the phases that the game allows",
    )


LOCAL: Final[JsonDict] = {"local": True}
"""The `json_schema_extra` of an option that names a file or takes memory: who runs Ludex sets it, a visitor may not."""


def is_local(field: FieldInfo) -> bool:
    """Whether visitors of a server may not set the option: one that is marked so, and every path.

    >>> from pydantic import Field
    >>> is_local(Field(64, json_schema_extra=LOCAL)), is_local(Field(64))
    (True, False)
    """
    if any(
        isinstance(kind, type) and issubclass(kind, Path) for kind in (field.annotation, *get_args(field.annotation))
    ):
        return True
    return isinstance(field.json_schema_extra, dict) and bool(field.json_schema_extra.get("local"))


O = TypeVar("O", bound=BaseModel)  # noqa: E741 - the model's type, next to S and V of the contract


def parse_options(model: type[O], values: Mapping[str, Any], owner: str) -> O:
    """The typed options, or a `BadOption` that names the owner, the key, what was found and what exists."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        refused = BadOption(f"{owner}: {complaint(error, model)}")
        refused.explanation = fault_message(error.errors())
        raise refused from error


def validate(model: type[O], document: Any, source: str, fault: type[LudexError]) -> O:
    """The document as a model, or a `fault` that names the source, the keys and what was found."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise fault(f"{source}: {complaint(error, model)}") from error


def complaint(error: ValidationError, model: type[BaseModel]) -> str:
    """Every fault of a validation in one line, each with its key, what was found and what was expected."""
    faults = []
    for fault in error.errors():
        key = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            faults.append(f"unknown key {key!r}; known keys: {', '.join(_keys(model, fault['loc'])) or 'none'}")
        elif fault["type"] == "missing":
            faults.append(f"missing key {key!r}")
        else:
            where = f"key {key!r}: " if key else ""
            ending = f", found {fault['input']!r}" if key else ""
            faults.append(f"{where}{fault['msg'].removeprefix('Value error, ')}{ending}")
    return "; ".join(faults)


def _keys(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    candidates = [model.model_fields]
    for part in (part for part in location[:-1] if isinstance(part, str)):
        annotations = [fields[part].annotation for fields in candidates if part in fields]
        if annotations:
            candidates = [inner.model_fields for annotation in annotations for inner in _models(annotation)]
        else:
            # The part is no key but the tag by which a union chose one of its models.
            candidates = [fields for fields in candidates if any(part in _choices(field) for field in fields.values())]
    return sorted({key for fields in candidates for key in fields})


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in _models(argument)]


def _choices(field: FieldInfo) -> tuple[Any, ...]:
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()


PY: Final = "py:"
"""What begins a reference to a Python class from outside, `py:package.module:Class` or `py:./file.py:Class`."""
RUN: Final = "run:"
"""What begins a reference to an agent that a training run keeps, `run:NAME@STEP`; `run:NAME` is its last one."""
KEPT: Final = "kept:"
"""What begins a reference to a trained agent that was kept under a name, `kept:NAME`."""
LLM: Final = "llm:"
"""What begins a reference to a language model, `llm:NAME:url="http://127.0.0.1:8080/v1"`."""
HTTP: Final = "http:"
"""What begins a reference to a bot of another machine, `http:"http://127.0.0.1:9000"`."""
NETWORK: Final = (LLM, HTTP)
"""What begins a reference to an agent that is called over the network."""
_SEPARATOR: Final = re.compile(r':(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""A colon outside double quotes."""
_PLAIN: Final = re.compile(r'[^:,"\s]*')


def split_reference(text: str) -> tuple[str, dict[str, str]]:
    """Take a reference apart.

    >>> split_reference("hard:depth=3:noise=2")
    ('hard', {'depth': '3', 'noise': '2'})
    >>> split_reference("py:./mine.py:Mine:width=3")
    ('py:./mine.py:Mine', {'width': '3'})
    >>> split_reference("run:tictactoe-minute@500:mistakes=0.1")
    ('run:tictactoe-minute@500', {'mistakes': '0.1'})
    >>> split_reference('llm:"a/model":url="http://127.0.0.1:8080/v1"')
    ('llm:a/model', {'url': 'http://127.0.0.1:8080/v1'})
    """
    if text.count('"') % 2:
        raise BadOption(f"{text!r}: a double quote is not closed")
    name, *pairs = _SEPARATOR.split(text)
    if text.startswith((RUN, KEPT, *NETWORK)):
        if not pairs or not _unquote(pairs[0]):
            expected = 'run:NAME@STEP, kept:NAME, llm:"NAME" or http:"URL"'
            raise BadOption(f"{text!r}: expected {expected}, then key=value")
        name, pairs = f"{name}:{quote_value(_unquote(pairs[0]))}", pairs[1:]
    if text.startswith(PY):
        if len(pairs) < 2 or not pairs[0] or not pairs[1].isidentifier():
            raise BadOption(f"{text!r}: expected py:package.module:Class:key=value or py:./file.py:Class:key=value")
        name, pairs = ":".join([name, *pairs[:2]]), pairs[2:]
    values: dict[str, str] = {}
    for pair in pairs:
        key, separator, quoted = pair.partition("=")
        value = _unquote(quoted)
        if not key or not separator or not value:
            raise BadOption(f"{text!r}: expected name:key=value:key=value, found {pair!r}")
        if key in values:
            raise BadOption(f"{text!r}: key {key!r} is given twice")
        values[key] = value
    return name, values


def join_reference(name: str, values: Mapping[str, Any]) -> str:
    """Put a reference together, keys in order.

    >>> join_reference("3x3x3", {"k": 2})
    '3x3x3:k=2'
    """
    return ":".join([name, *(f"{key}={quote_value(str(values[key]))}" for key in sorted(values))])


def quote_value(value: str) -> str:
    """A value as it stands in a reference: in double quotes where it holds a colon, a comma or a blank.

    >>> quote_value("a/model"), quote_value("http://127.0.0.1:8080/v1")
    ('a/model', '"http://127.0.0.1:8080/v1"')
    """
    if '"' in value:
        raise BadOption(f"{value!r}: a value in a reference holds no double quotes")
    return value if _PLAIN.fullmatch(value) else f'"{value}"'


def _unquote(text: str) -> str:
    """The text without the double quotes around it; inside there are none. Raises `BadOption`."""
    whole = text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
    if '"' in whole:
        raise BadOption(f"{text!r}: double quotes stand around a whole value")
    return whole


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


def fault_message(faults: Sequence[Mapping[str, Any]]) -> Message:
    """The faults of a pydantic validation as one sentence."""
    messages = tuple(_message(fault) for fault in faults[:MOST])
    return messages[0] if len(messages) == 1 else Message(f"{COMMON}.faults", {"faults": ListOf(messages)})


def _message(fault: Mapping[str, Any]) -> Message:
    key = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "value_error":
        # A rule of several keys, in the words of the configuration that declares it.
        error = fault["ctx"]["error"]
        if isinstance(error, OptionsFault):
            return error.explanation
        return Message(f"{COMMON}.fault_together", {"reason": str(error)})
    limit = next((fault["ctx"][name] for name in _LIMITS if name in fault.get("ctx", {})), "")
    value = repr(fault["input"])[:LONGEST_FOUND]
    kind = _KINDS.get(fault["type"], "other")
    return Message(f"{COMMON}.fault_{kind}", {"key": key, "found": value, "limit": str(limit).replace(" or ", ", ")})
