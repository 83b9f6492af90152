"""A training's configurations as a form: every key with its type, its limits and its documentation."""

import ast
import inspect
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from textwrap import dedent
from typing import Any, Final, Literal

from pydantic import BaseModel

from ludex.core.messages import LANGUAGES, Texts
from ludex.core.options import is_local
from ludex.core.spec import GameSpec, TrainingSpec
from ludex.learn.config import BOARD, leaves, load_config
from ludex.learn.trainings import training_names, training_of

Kind = Literal["integer", "number", "boolean", "choice", "board", "text", "json"]

BASE: Final = "base"
"""The name of a file that only others extend."""
_TYPES: Final[dict[str, Kind]] = {"integer": "integer", "number": "number", "boolean": "boolean", "string": "text"}


@dataclass(frozen=True, slots=True)
class TrainingKey:
    """One key of a configuration."""

    name: str
    """Dotted, such as `ppo.lr`."""
    kind: Kind
    optional: bool
    """Whether it may be null, which is left to the learner."""
    choices: tuple[str, ...]
    least: float | None
    most: float | None
    documentation: Texts


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration that can be named, with all its values."""

    name: str
    title: Texts
    sentence: Texts
    """What it is for; empty where its package says nothing."""
    minutes: float | None
    """How long it takes on two cores, as its package says; None: it does not."""
    values: dict[str, Any]
    """By dotted key; null is left to the learner."""
    keys: tuple[TrainingKey, ...]
    training: TrainingSpec


def configurations(spec: GameSpec) -> list[Configuration]:
    """Every configuration that can be named for a game, its own first."""
    return [configuration(spec, name) for name in training_names(spec) if name != BASE]


def configuration(spec: GameSpec, name: str) -> Configuration:
    """A shipped configuration by its name. Raises `BadConfig` if there is none."""
    training = training_of(spec, name)
    loaded = load_config(training.config, training.configs, name, {})
    named = {language: _document(training.configs, f"titles.{language}.json").get(name, {}) for language in LANGUAGES}
    return Configuration(
        name=name,
        title={language: text.get("title", name) for language, text in named.items()},
        sentence={language: text.get("sentence", "") for language, text in named.items()},
        minutes=named["en"].get("minutes"),
        values={dotted: section.model_dump(mode="json")[name] for dotted, section, name in _public(loaded)},
        keys=tuple(_keys(loaded, _french(training))),
        training=training,
    )


def _public(config: BaseModel) -> Iterator[tuple[str, BaseModel, str]]:
    """The keys that can be set from a browser, as `leaves` gives them."""
    for dotted, section, name in leaves(config):
        # A constant only names the kind of a section.
        if "const" not in _schema(type(section))[name] and not is_local(type(section).model_fields[name]):
            yield dotted, section, name


def _keys(config: BaseModel, french: Mapping[str, str]) -> Iterator[TrainingKey]:
    for dotted, section, name in _public(config):
        whole = _schema(type(section))[name]
        inner = [kind for kind in whole.get("anyOf", [whole]) if kind.get("type") != "null"]
        schema = inner[0] if len(inner) == 1 else {}
        english = _descriptions(type(section)).get(name, "")
        yield TrainingKey(
            name=dotted,
            kind=_kind(whole | schema),
            optional=len(inner) < len(whole.get("anyOf", [whole])),
            choices=tuple(schema.get("enum", ())),
            least=_bound(schema, "minimum", "exclusiveMinimum", 1),
            most=_bound(schema, "maximum", "exclusiveMaximum", -1),
            documentation={"en": english, "fr": french.get(dotted, english)},
        )


def _bound(schema: Mapping[str, Any], inclusive: str, exclusive: str, inwards: int) -> float | None:
    """A limit of a number, as inputs have it: the limit itself is allowed, which only integers can express."""
    if exclusive not in schema:
        return schema.get(inclusive)
    return float(schema[exclusive] + inwards) if schema["type"] == "integer" else float(schema[exclusive])


def _kind(schema: Mapping[str, Any]) -> Kind:
    if "enum" in schema:
        return "choice"
    if schema.get("format") == BOARD["format"]:
        return "board"
    return _TYPES.get(schema.get("type", ""), "json")


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of every key of a section."""
    properties: dict[str, Any] = model.model_json_schema(by_alias=False)["properties"]
    return properties


@cache
def _descriptions(model: type[BaseModel]) -> dict[str, str]:
    """What every key of a section means: its description, or the docstring below it."""
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if base is not BaseModel and isinstance(base, type) and issubclass(base, BaseModel):
            texts |= _docstrings(base)
    return texts | {name: key.description for name, key in model.model_fields.items() if key.description is not None}


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The docstrings below the keys that a class declares itself. Pydantic would read them at every import."""
    [declared] = ast.parse(dedent(inspect.getsource(model))).body
    assert isinstance(declared, ast.ClassDef)
    texts = {}
    for key, below in zip(declared.body, declared.body[1:], strict=False):
        if not (isinstance(key, ast.AnnAssign) and isinstance(key.target, ast.Name) and isinstance(below, ast.Expr)):
            continue
        if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            texts[key.target.id] = inspect.cleandoc(below.value.value).replace("\n", " ")
    return texts


def _french(training: TrainingSpec) -> dict[str, str]:
    return {} if training.documentation is None else _document(training.documentation, "keys.fr.json")


@cache
def _document(package: str, name: str) -> dict[str, Any]:
    """A JSON file of a package; empty if there is none."""
    file = files(package).joinpath(name)
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return document
