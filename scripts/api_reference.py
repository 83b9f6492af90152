"""Write docs/api.md, the reference of the public Python API, from the code itself."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
INTRODUCTION = """# The Python API

This page is generated from the code by `python scripts/api_reference.py`. The names of `ludex` are the public API; the
modules below it are what authors of games and agents use. `src/ludex/core/game.py` is the manual of the contract.
"""
MODULES = {
    "ludex": "games, agents and matches by name",
    "ludex.core.game": "the contract of a game",
    "ludex.core.agent": "the contract of an agent",
    "ludex.core.decision": "a move with its reasons",
    "ludex.core.limit": "budgets and the stop flag",
    "ludex.core.spec": "what a package declares",
    "ludex.core.scene": "boards for the browser",
    "ludex.core.compiled": "rules as kernels",
    "ludex.core.messages": "sentences in every language",
    "ludex.core.seeding": "chance by argument",
    "ludex.core.conformance": "the checker",
    "ludex.envs": "environments for other libraries",
}


def page() -> str:
    """The whole page."""
    blocks = [INTRODUCTION]
    for name, title in MODULES.items():
        blocks += [f"## `{name}`: {title}\n", *_module(import_module(name))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(blocks)).rstrip() + "\n"


def _module(module: Any) -> Iterator[str]:
    public = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    for name in sorted(public, key=str.lower):
        found = getattr(module, name)
        own = getattr(found, "__module__", None) == module.__name__ or hasattr(module, "__all__")
        home = getattr(found, "__module__", "")
        if inspect.isclass(found) and home != module.__name__ and home in MODULES:
            yield f"- `{name}`: {_words(found)} See [`{home}`](#{_anchor(home)})."
        elif inspect.isclass(found) and own:
            yield from _class(name, found)
        elif inspect.isfunction(found) and own:
            yield f"\n### `{name}{_signature(found)}`\n\n{_words(found)}\n"


def _anchor(module: str) -> str:
    heading = f"{module}: {MODULES[module]}".lower().replace(" ", "-")
    return re.sub(r"[^a-z0-9_-]", "", heading)


def _class(name: str, found: type) -> Iterator[str]:
    yield f"\n### class `{name}`\n\n{_words(found)}\n"
    names: list[str] = []
    if is_dataclass(found):
        names = [one.name for one in fields(found)]
    elif issubclass(found, BaseModel):
        names = [*found.model_fields]
    if names:
        yield f"Fields: {', '.join(f'`{one}`' for one in names)}.\n"
    methods = [one for one, value in vars(found).items() if not one.startswith("_") and inspect.isfunction(value)]
    for one in methods:
        yield f"- `{one}{_signature(getattr(found, one))}`: {_words(getattr(found, one))}"
    if methods:
        yield ""


def _signature(function: Any) -> str:
    text = str(inspect.signature(function)).replace("'", "")
    # Modules of names and the variance of type variables are noise.
    text = re.sub(r"[~+-](?=[A-Z])", "", re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text))
    return text.replace("ndarray[tuple[Any, ...], dtype[bool]]", "Mask").replace(
        "ndarray[tuple[Any, ...], dtype[Any]]", "ndarray"
    )


def _words(found: Any) -> str:
    """The first paragraph of a docstring."""
    return " ".join((inspect.getdoc(found) or "").split("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(page())
