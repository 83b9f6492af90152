"""Strict configuration: YAML into a typed model. An unknown, missing or ill-typed key is an error that names it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from importlib.resources import files
from math import log2
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.config import JsonDict

from ludex.core.documents import read_text
from ludex.core.errors import BadConfig
from ludex.core.messages import COMMON, Message
from ludex.core.options import complaint, fault_message


class Config(BaseModel):
    """The base of every configuration: unknown keys are errors, numbers are not read from texts."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


C = TypeVar("C", bound=BaseModel)

BOARD: Final[dict[str, Any]] = {"format": "board"}
"""In the schema of a key that names one of the game's boards: forms offer them."""

AGENTS: Final[JsonDict] = {"agents": True}
"""The `json_schema_extra` of a key that names agents: a browser may name those that its permissions allow."""

WORKERS: Final[JsonDict] = {"workers": True}
"""The `json_schema_extra` of a key that counts processes or threads: a job may have so many and no more."""

EXTENDS = "extends"
"""The key that names the file a file extends."""

MOST_ALIASES: Final = 64
LARGEST: Final = 1 << 64
"""Every number of a configuration is smaller, seeds among them."""


class _Loader(yaml.SafeLoader):
    """YAML as people write it: 1e-3 is a number, though YAML 1.1 wants a point in it. A key given twice is refused.

    An alias stands for one value: those of lists, in lists of aliases, make gigabytes of a few hundred bytes.
    """

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._aliases = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        is_alias = self.check_event(yaml.AliasEvent)
        node = super().compose_node(parent, index)
        self._aliases += is_alias
        if node is not None and is_alias and (not isinstance(node, yaml.ScalarNode) or self._aliases > MOST_ALIASES):
            expected = f"expected at most {MOST_ALIASES} aliases, each of one value, not of a list or of keys"
            raise yaml.composer.ComposerError(None, None, expected, node.start_mark)
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key, _ in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            if name is not None and name in seen:
                raise yaml.constructor.ConstructorError(None, None, f"key {name!r} is given twice", key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9][0-9_]*(\.[0-9_]*)?[eE][-+]?[0-9]+$"), list("-+0123456789")
)


def config_names(package: str) -> list[str]:
    """The configurations a package ships."""
    return sorted(file.name.removesuffix(".yaml") for file in files(package).iterdir() if file.name.endswith(".yaml"))


def load_config(model: type[C], package: str, name: str, changes: Mapping[str, Any]) -> C:
    """A shipped configuration by name, or any file by a path that ends in .yaml, with changes by dotted key.

    A file may extend another: `extends: base` takes every key that it does not set itself from base.yaml, which is
    looked up beside the file and then among the shipped ones; `extends: package:base` names one of another package.
    """
    return _validate(model, _merge(package, name, ()), name, changes)


def parse_config(model: type[C], text: str, source: str, changes: Mapping[str, Any] | None = None) -> C:
    """A configuration from YAML text that extends no file."""
    return _validate(model, parse_keys(text, source), source, changes or {})


def _validate(model: type[C], data: dict[str, Any], source: str, changes: Mapping[str, Any]) -> C:
    for key, value in deepcopy(dict(changes)).items():
        _change(data, key, value, source)
    _check_numbers(data, source, "")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        refusal = BadConfig(f"{source}: {complaint(error, model)}")
        refusal.explanation = fault_message(error.errors())
        raise refusal from error


def _check_numbers(value: Any, source: str, key: str) -> None:
    """Raise `BadConfig` for a number that no array, clock or progress bar can hold, such as 10**400."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            _check_numbers(inner, source, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        for inner in value:
            _check_numbers(inner, source, key)
    elif isinstance(value, int) and abs(value) >= LARGEST:
        size = str(value) if value.bit_length() <= 128 else f"~{'-' * (value < 0)}2**{round(log2(abs(value)))}"
        refusal = BadConfig(f"{source}: key {key!r}: expected a number between -2**64 and 2**64, found {size}")
        refusal.explanation = Message(f"{COMMON}.fault_between", {"key": key, "found": size, "limit": "2**64"})
        raise refusal


def parse_keys(text: str, source: str) -> dict[str, Any]:
    """The keys of a YAML text, before any model has checked them. Raises `BadConfig`."""
    try:
        data = yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadConfig(f"{source}: not valid YAML: {error}") from error
    if not isinstance(data, dict):
        raise BadConfig(f"{source}: expected keys and values, found {type(data).__name__}")
    return data


def _merge(package: str, name: str, above: tuple[str, ...]) -> dict[str, Any]:
    """A file's keys over those of the file it extends. `above` holds the files that led here, against cycles."""
    data = parse_keys(_text(package, name), name)
    base = data.pop(EXTENDS, None)
    if base is None:
        return data
    if not isinstance(base, str):
        raise BadConfig(f"{name}: key {EXTENDS!r}: expected the name of a config, found {base!r}")
    beside = Path(name).with_name(f"{base}.yaml")
    source = str(beside) if _is_path(name) and beside.is_file() else base
    if source in (name, *above):
        raise BadConfig(f"{name}: {' -> '.join((*above, name, source))} extend each other in a circle")
    elsewhere, _, last = ("", "", source) if _is_path(source) else source.rpartition(":")
    try:
        return _over(_merge(elsewhere or package, last, (*above, name)), data)
    except BadConfig as error:
        raise error if above else BadConfig(f"{name}: {error}") from error


def _over(base: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Every key of both; where both hold keys of their own, these are merged in turn."""
    return dict(base) | {
        key: _over(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
        for key, value in changed.items()
    }


def _text(package: str, name: str) -> str:
    if _is_path(name):
        return read_text(Path(name), BadConfig)
    if name in config_names(package):
        return files(package).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    raise BadConfig(f"unknown config {name!r}; known: {', '.join(config_names(package))}, or a path to a .yaml file")


def _is_path(name: str) -> bool:
    return name.endswith((".yaml", ".yml"))


def parse_changes(texts: Sequence[str]) -> dict[str, Any]:
    """Changes as written on a command line.

    >>> parse_changes(["ppo.lr=0.001", "games=10"])
    {'ppo.lr': 0.001, 'games': 10}
    """
    return {key: parse_value(key, value) for key, value in split_keys(texts, "key=value", "given").items()}


def split_keys(texts: Sequence[str], expected: str, given: str) -> dict[str, str]:
    """The texts behind the keys; the words say what was expected, and what happened to a key that comes twice."""
    values: dict[str, str] = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if not key or not separator:
            raise BadConfig(f"expected {expected}, found {text!r}")
        if key in values:
            raise BadConfig(f"key {key!r} is {given} twice")
        values[key] = value
    return values


def parse_value(key: str, text: str) -> Any:
    """The value of a key as written on a command line."""
    try:
        return yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadConfig(f"{key}: the value is not valid YAML") from error


def dump_config(config: BaseModel) -> str:
    """A configuration as YAML that loads to an equal one."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False)


def leaves(config: BaseModel, prefix: str = "") -> Iterator[tuple[str, BaseModel, str]]:
    """Every key that holds no keys of its own: its dotted name, the section it is in and its name there."""
    for name in type(config).model_fields:
        value = getattr(config, name)
        if isinstance(value, BaseModel):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, config, name


def all_leaves(config: BaseModel, prefix: str = "") -> Iterator[tuple[str, BaseModel, str]]:
    """As `leaves`, but also the keys of sections in a list, such as `curriculum.0.presets`."""
    for key, section, name in leaves(config, prefix):
        value = getattr(section, name)
        if isinstance(value, list | tuple) and any(isinstance(item, BaseModel) for item in value):
            for index, item in enumerate(value):
                if isinstance(item, BaseModel):
                    yield from all_leaves(item, f"{key}.{index}.")
        else:
            yield key, section, name


def _change(data: dict[str, Any], dotted: str, value: Any, source: str) -> None:
    *parents, last = dotted.split(".")
    for parent in parents:
        inner = data.get(parent)
        if not isinstance(inner, dict):
            refusal = BadConfig(f"{source}: cannot set {dotted!r}: {parent!r} holds no keys")
            refusal.explanation = Message(f"{COMMON}.fault_parent", {"key": dotted})
            raise refusal
        data = inner
    data[last] = value
