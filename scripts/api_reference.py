"""Write docs/api.md, the reference of the public Python API, from the code itself."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel

contract_reference: Any = import_module("contract_reference")
"""The script beside this one."""
PAGE = Path(__file__).parents[1] / "docs" / "api.md"
CONTRACT = PAGE.with_name("contract.md")
INTRODUCTION = """# The Python API

This page is generated from the code by `python scripts/api_reference.py`. The names of `ludex` are the public API; the
modules below it, and those of [the contract](contract.md), are what authors of games and agents use.
"""
MODULES = {
    "ludex": "games, agents and matches by name",
    "ludex.core.messages": "sentences in every language",
    "ludex.core.seeding": "chance by argument",
    "ludex.core.conformance": "the checker",
    "ludex.envs": "environments for other libraries",
}


KIT = {
    "ludex.kit.game": "the contract of a grid game",
    "ludex.kit.rules": "rules as kernels",
    "ludex.kit.compiled": "compiled rules and symmetries",
    "ludex.kit.geometry": "grids of squares and hexagons",
    "ludex.kit.notation": "the table of a game's actions",
    "ludex.kit.bits64": "bit boards of one word",
    "ludex.kit.bits128": "bit boards of two words",
    "ludex.kit.screen": "the board for people",
    "ludex.kit.teaching": "rules in words and tutorials",
    "ludex.kit.spec": "what a grid game declares",
    "ludex.kit.warmup": "what is compiled before anybody plays",
}
"""What games on grids have in common, with types and meaning of every public name."""


def page() -> str:
    """The whole page."""
    blocks = [INTRODUCTION]
    for name, title in MODULES.items():
        blocks += [f"## `{name}`: {title}\n", *_module(import_module(name))]
    for name, title in KIT.items():
        blocks.append("\n" + contract_reference.joined([f"## `{name}`: {title}", *contract_reference.described(name)]))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(blocks)).rstrip() + "\n"


def _module(module: Any) -> Iterator[str]:
    public = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    for name in sorted(public, key=str.lower):
        value = getattr(module, name)
        home = getattr(value, "__module__", "")
        is_public = home == module.__name__ or hasattr(module, "__all__")
        if inspect.isclass(value) and home != module.__name__ and (page := _page(home)):
            yield f"- `{name}`: {_summary(value)} See [`{home}`]({page})."
        elif inspect.isclass(value) and is_public:
            yield from _class(name, value)
        elif inspect.isfunction(value) and is_public:
            yield f"\n### `{name}{_signature(value)}`\n\n{_summary(value)}\n"


def _page(module: str) -> str | None:
    """The link to a module's section here or on the page of the contract."""
    if module in MODULES:
        heading = f"{module}: {MODULES[module]}".lower().replace(" ", "-")
        return "#" + re.sub(r"[^a-z0-9_-]", "", heading)
    is_contract = f"## `{module}`\n" in CONTRACT.read_text(encoding="utf-8")
    return f"contract.md#{module.replace('.', '')}" if is_contract else None


def _class(name: str, cls: type) -> Iterator[str]:
    yield f"\n### class `{name}`\n\n{_summary(cls)}\n"
    names: list[str] = []
    if is_dataclass(cls):
        names = [field.name for field in fields(cls)]
    elif issubclass(cls, BaseModel):
        names = [*cls.model_fields]
    if names:
        yield f"Fields: {', '.join(f'`{field}`' for field in names)}.\n"
    elif "__init__" in vars(cls):
        yield f"- `{name}{_signature(cls)}`"
    methods = {key: value for key, value in vars(cls).items() if not key.startswith("_") and inspect.isfunction(value)}
    for key, method in methods.items():
        yield f"- `{key}{_signature(method)}`: {_summary(method)}".removesuffix(": ")
    if methods:
        yield ""


def _signature(function: Any) -> str:
    text = str(inspect.signature(function)).replace("'", "")
    # Modules of names and the variance of type variables are noise.
    text = re.sub(r"[~+-](?=[A-Z])", "", re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text))
    return text.replace("ndarray[tuple[Any, ...], dtype[bool]]", "Mask").replace(
        "ndarray[tuple[Any, ...], dtype[Any]]", "ndarray"
    )


def _summary(value: Any) -> str:
    """The first paragraph of a docstring."""
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(page())
