"""Write docs/api.md, the reference of the public Python API, from the code itself."""

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

contract_reference: Any = import_module("contract_reference")
"""The script beside this one."""
PAGE = Path(__file__).parents[1] / "docs" / "api.md"
RENDERER = PAGE.parents[1] / "src/ludex/web/static/types/renderer.d.ts"
CONTRACT = PAGE.with_name("contract.md")
INTRODUCTION = """# The Python API

This page is generated from the code by `python scripts/api_reference.py`. The names of `ludex` are the public API; the
modules below it, and those of [the contract](contract.md), are what authors of games and agents use.
"""
MODULES = {
    "ludex": "games, agents and matches by name",
    "ludex.core.messages": "sentences in every language",
    "ludex.core.options": "options of boards and agents",
    "ludex.core.levels": "the ladder of levels",
    "ludex.core.rulebook": "rules in words",
    "ludex.core.illustration": "positions in pictures",
    "ludex.core.tutorial": "steps to play",
    "ludex.core.puzzle": "puzzles and their proofs",
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
    "ludex.kit.effects": "what a move does, in words",
    "ludex.kit.spec": "what a grid game declares",
    "ludex.kit.warmup": "what is compiled before a game is played",
}
"""What games on grids have in common, with types and meaning of every public name."""


PARTS = {
    "ludex.arena.terms": "what determines games",
    "ludex.arena.duel": "two agents against each other",
    "ludex.arena.tournament": "many agents against each other",
    "ludex.arena.pairs": "side-swapped pairs of games",
    "ludex.arena.journal": "games that survive a kill",
    "ludex.arena.standings": "tables of results",
    "ludex.arena.ratings": "ratings of agents",
    "ludex.arena.sprt": "sequential tests",
    "ludex.arena.statistics": "intervals",
    "ludex.arena.tuning": "tuning of numeric options",
    "ludex.store.database": "the database, and stored rankings",
    "ludex.store.matches": "stored matches",
    "ludex.store.backup": "backups",
    "ludex.coach.review": "reviews of matches",
    "ludex.coach.model": "what a review says",
    "ludex.coach.analyst": "who judges moves",
    "ludex.coach.accuracy": "accuracy and classes of moves",
    "ludex.coach.win_probability": "scores as win probabilities",
    "ludex.coach.openenv": "environments for language models",
    "ludex.learn.config": "configurations",
    "ludex.learn.runs": "folders of runs",
    "ludex.learn.trainings": "the trainings of a game",
    "ludex.learn.trainer": "the loop of every training",
    "ludex.learn.stages": "stages that train a network",
    "ludex.learn.rollout": "rollouts and advantages",
    "ludex.learn.ppo": "the update of PPO",
    "ludex.learn.export": "networks as ONNX",
}
"""The public part of the arena, the store, the coach and learning."""


def page() -> str:
    """The whole page."""
    blocks = [INTRODUCTION]
    for name, title in {**MODULES, **KIT, **PARTS}.items():
        blocks += [f"## `{name}`: {title}", *_module(import_module(name))]
    blocks += ["## `renderer.d.ts`: a renderer of your own", f"```text\n{RENDERER.read_text(encoding='utf-8')}\n```"]
    text: str = contract_reference.joined(blocks)
    return text


def _module(module: Any) -> Iterator[str]:
    """What a module defines; of names that it offers from elsewhere, their description or the link to it."""
    names = getattr(module, "__all__", None)
    if names is None:
        yield from contract_reference.described(module.__name__)
        return
    tree = ast.parse(inspect.getsource(module))
    homes = {name: module.__name__ for node in tree.body for name in contract_reference.names_of(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            homes |= {alias.name: str(node.module) for alias in node.names}
    if module.__name__ in KIT:
        yield contract_reference.docstring(tree)
    values = {name: getattr(module, name) for name in sorted(names, key=str.lower)}
    linked = {name: link for name, value in values.items() if (link := _link(name, value, module.__name__))}
    yield "\n".join(linked.values())
    for name, value in values.items():
        if name in linked:
            continue
        if name in homes and module.__name__ in KIT:
            # A kernel is no function to `inspect`.
            yield from contract_reference.described(homes[name], name)
        elif (inspect.isclass(value) or inspect.isfunction(value)) and value.__module__.startswith("ludex."):
            yield from contract_reference.described(value.__module__, value.__name__)


def _link(name: str, value: Any, module: str) -> str:
    """The line of a class that is described elsewhere; empty for others."""
    home = getattr(value, "__module__", module)
    page = _page(home) if inspect.isclass(value) and home != module else None
    return f"- `{name}`: {_summary(value)} See [`{home}`]({page})." if page else ""


def _page(module: str) -> str | None:
    """The link to a module's section here or on the page of the contract."""
    if module in MODULES:
        heading = f"{module}: {MODULES[module]}".lower().replace(" ", "-")
        return "#" + re.sub(r"[^a-z0-9_-]", "", heading)
    is_contract = f"## `{module}`\n" in CONTRACT.read_text(encoding="utf-8")
    return f"contract.md#{module.replace('.', '')}" if is_contract else None


def _summary(value: Any) -> str:
    """The first paragraph of a docstring."""
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(page())
