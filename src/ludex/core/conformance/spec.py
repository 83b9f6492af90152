"""`check_spec`: every reference of a spec resolves, every preset builds, the options of agents and levels parse."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from difflib import get_close_matches
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from ludex.core.conformance.report import require_whole, unwritten
from ludex.core.errors import BrokenGame, LudexError
from ludex.core.options import CommonOptions, parse_options, split_reference
from ludex.core.puzzle import title_of
from ludex.core.registry import resolve, with_registered_agents
from ludex.core.spec import GameSpec, Ref, ReviewSpec
from ludex.core.web_files import web_folder

NOT_REFERENCES = {
    *("id", "title", "summary", "analyst", "web", "messages", "leaderboard", "nets", "curves", "alternatives"),
}
"""Fields of a spec and its groups that hold other texts than references."""


def check_spec(spec: GameSpec) -> None:
    """Raise `BrokenGame` that lists everything wrong with a spec; return None if nothing is.

    >>> from ludex.core import registry
    >>> check_spec(registry.spec("tictactoe"))
    """
    problems = [*_references(spec)]
    # Levels may name agents of other packages, such as those that play every game.
    spec = spec if problems else with_registered_agents(spec)
    problems += [*_agents(spec), *_puzzles(spec), *_files(spec)]
    # Presets are built by the factory, which must resolve first.
    problems += [] if problems else _presets(spec)
    require_whole(spec, problems)


def _references(spec: GameSpec) -> Iterator[str]:
    for where, ref in _named_references(spec):
        problem = _why_unresolved(ref)
        if problem:
            yield f"{where}: {problem}"


def _named_references(spec: GameSpec) -> Iterator[tuple[str, Ref]]:
    """Every reference of a spec, by the name of its field."""
    groups: dict[str, Any] = {"screen.": spec.screen, "learning.": spec.learning, "tools.": spec.tools}
    for prefix, group in {"": spec, **groups, "review.": spec.review}.items():
        for member in fields(group):
            value = getattr(group, member.name)
            if isinstance(value, str) and member.name not in NOT_REFERENCES:
                yield prefix + member.name, value
    yield from ((f"tools.verbs[{name!r}]", ref) for name, ref in spec.tools.verbs.items())
    for name, theme in spec.puzzles.themes.items():
        yield f"puzzles.themes[{name!r}].make", theme.make
        yield f"puzzles.themes[{name!r}].prove", theme.prove
    for name, agent in spec.agents.items():
        yield f"agents[{name!r}].factory", agent.factory
        if agent.check is not None:
            yield f"agents[{name!r}].check", agent.check
    training = spec.learning.training
    if training is not None and all(find_spec(module) for module in training.requires):
        yield "learning.training.run", training.run


def _why_unresolved(ref: Ref) -> str | None:
    """Why a reference cannot be imported, or None."""
    module, _, name = ref.partition(":")
    if not module or not name:
        return f"{ref!r} is no reference, expected 'package.module:name'"
    try:
        target = import_module(module)
    except Exception as error:
        # A third-party module may raise anything.
        return f"{ref!r} cannot be imported: {type(error).__name__}: {error}"
    if hasattr(target, name):
        return None
    close = get_close_matches(name, dir(target), n=1)
    return f"{ref!r}: {module} has no {name!r}" + (f" (did you mean {close[0]!r}?)" if close else "")


def _agents(spec: GameSpec) -> Iterator[str]:
    for name, agent in spec.agents.items():
        try:
            parse_options(agent.options, agent.defaults, f"agent {name!r} of {spec.id}")
        except LudexError as error:
            yield f"agents[{name!r}].defaults: {error.message}"
        yield from _unknown(f"agents[{name!r}].presets: unknown", agent.presets or (), spec.presets)
    yield from _levels(spec)
    for reference in (*spec.review.analysts, *([spec.review.alternatives] if spec.review.alternatives else [])):
        name, _ = split_reference(reference)
        # A game may offer none of the agents that play every game.
        if name not in spec.agents and spec.review != ReviewSpec():
            yield f"review: unknown agent {name!r}; known: {', '.join(spec.agents)}"
    if spec.analyst is not None and spec.analyst not in spec.agents:
        yield f"analyst: unknown agent {spec.analyst!r}; known: {', '.join(spec.agents)}"


def _levels(spec: GameSpec) -> Iterator[str]:
    for name, level in spec.levels.items():
        where = f"levels[{name!r}]"
        if level.agent not in spec.agents:
            yield f"{where}.agent: unknown agent {level.agent!r}; known: {', '.join(spec.agents)}"
            continue
        if name in spec.agents and (name != level.agent or level.options):
            yield f"{where}: {name!r} is an agent, so this level must be that agent without options"
        agent = spec.agents[level.agent]
        if spec.mistake_phases is not None and (level.agent, agent.games) == ("random", "*"):
            yield f"{where}: 'random' errs in every phase, not only in mistake_phases; use an agent with mistakes=1"
        own = {key: value for key, value in level.options.items() if key in agent.options.model_fields}
        rest = {key: value for key, value in level.options.items() if key not in own}
        try:
            parse_options(agent.options, {**agent.defaults, **own}, f"level {name!r} of {spec.id}")
            parse_options(CommonOptions, rest, f"level {name!r} of {spec.id}")
        except LudexError as error:
            yield f"{where}.options: {error.message}"
        yield from unwritten(f"{where}.title", level.title)
        yield from unwritten(f"{where}.description", level.description)


def _puzzles(spec: GameSpec) -> Iterator[str]:
    for theme in spec.puzzles.themes:
        yield from unwritten(f"puzzles.themes[{theme!r}]", title_of(spec.id, theme))


def _presets(spec: GameSpec) -> Iterator[str]:
    factory = resolve(spec.factory)
    for preset, values in spec.presets.items():
        try:
            phases = factory(parse_options(spec.options, values, f"{spec.id} preset {preset!r}"), preset).info.phases
        except Exception as error:
            # A third-party factory may raise anything.
            yield f"presets[{preset!r}] cannot be built: {type(error).__name__}: {error}"
            continue
        unknown = sorted(set(spec.mistake_phases or ()) - set(phases))
        if unknown:
            yield f"mistake_phases: {preset!r} has no phase {', '.join(unknown)}; it has {', '.join(phases)}"
    yield from _unknown("screen.hidden_presets: unknown", spec.screen.hidden_presets, spec.presets)
    yield from _unknown("screen.first_presets: unknown", spec.screen.first_presets, spec.presets)
    yield from _unknown("aliases: unknown presets", spec.aliases.values(), spec.presets)


def _unknown(problem: str, given: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    unknown = sorted({*given} - {*known})
    if unknown:
        yield f"{problem} {', '.join(unknown)}; known: {', '.join(known)}"


def _files(spec: GameSpec) -> Iterator[str]:
    wanted = []
    if spec.tools.leaderboard is not None:
        wanted.append(("tools.leaderboard", spec.tools.leaderboard, "leaderboard.json"))
    if spec.review.curves is not None:
        wanted.append(("review.curves", spec.review.curves, "win_probability.json"))
    if spec.learning.training is not None:
        training = spec.learning.training
        wanted.append(("learning.training.default", training.configs, f"{training.default}.yaml"))
    if spec.puzzles.data is not None:
        wanted += [("puzzles.data", spec.puzzles.data, f"puzzles_{theme}.json") for theme in spec.puzzles.themes]
    for where, package, name in wanted:
        try:
            there = files(package).joinpath(name).is_file()
        except ModuleNotFoundError as error:
            yield f"{where}: {error}"
            continue
        if not there:
            yield f"{where}: {package} holds no {name}"
    try:
        web_folder(spec)
    except BrokenGame as error:
        yield error.message.removeprefix(f"game {spec.id!r}: ")
