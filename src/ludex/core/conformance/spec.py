"""What a game declares: `check_spec` and `check_teaching`.

Every reference of a spec resolves, every preset builds, the options of agents and levels parse. What a game tells
people, rules, tutorial, coach, reasons and moves in words, holds on its own boards.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from ludex.core import registry
from ludex.core.conformance.hooks import hook_faults
from ludex.core.conformance.report import describe_error, unwritten
from ludex.core.errors import BrokenGame, LudexError
from ludex.core.illustration import Illustration
from ludex.core.messages import COMMON, LANGUAGES, Template, catalogue, parameters_of, read_catalogue
from ludex.core.options import CommonOptions, parse_options, split_reference
from ludex.core.registry import with_registered_agents
from ludex.core.rulebook import Rulebook
from ludex.core.spec import GameSpec, Ref, ReviewSpec
from ludex.core.tutorial import WRONG, StepSpec, TurnSpec, Tutorial, judge
from ludex.core.web_files import web_folder

NOT_REFERENCES = {
    *("id", "title", "summary", "analyst", "web", "messages", "leaderboard", "nets", "curves", "alternatives"),
    *("measured_against", "example"),
}
"""Fields of a spec and its groups that hold other texts than references."""
SENTENCE: Final = 4
"""From so many words, a text that is the same in both languages was not translated."""
_WORD: Final = re.compile(r"(?<![{.])\b[^\W\d_]{2,}\b(?![}])")
"""A word of a text, none of its parameters."""


def check_spec(spec: GameSpec) -> None:
    """Raise `BrokenGame` that lists everything wrong with a spec; return None if nothing is.

    >>> from ludex.core import registry
    >>> check_spec(registry.spec("tictactoe"))
    """
    # Whatever is written with a broken catalogue would fail with the same error.
    _require_whole(spec, [*_unreadable(spec)])
    problems = [*_references(spec), *([] if spec.presets else ["presets: there is none, expected at least one"])]
    # Levels may name agents of other packages, such as those that play every game.
    spec = spec if problems else with_registered_agents(spec)
    problems += [*_agents(spec), *_files(spec), *_languages(spec)]
    # Presets are built by the factory, which must resolve first.
    problems += [] if problems else _presets(spec)
    _require_whole(spec, problems)


def _unreadable(spec: GameSpec) -> Iterator[str]:
    reference = spec.screen.messages
    if reference is None:
        return
    for language in LANGUAGES:
        try:
            for name, template in read_catalogue(spec.id, reference, language).items():
                where = f"{reference}/{language}.json: {name!r}"
                parameters_of(template)
        except BrokenGame as error:
            head = f"game {spec.id!r}: "
            yield error.message.removeprefix(head) if error.message.startswith(head) else f"{where}: {error.message}"


def _require_whole(spec: GameSpec, problems: Sequence[str]) -> None:
    """Raise `BrokenGame` that lists the problems of a game's spec, if there are any."""
    if problems:
        raise BrokenGame(f"game {spec.id!r}: " + "; ".join(problems))


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
    if training is not None and training.positions is not None:
        yield "learning.training.positions", training.positions


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
        own = {*agent.options.model_fields}
        common = {key: value for key, value in level.options.items() if key in {*CommonOptions.model_fields} - own}
        unknown = level.options.keys() - own - common.keys()
        if unknown:
            known = ", ".join(sorted(own | {*CommonOptions.model_fields}))
            yield f"{where}.options: unknown keys {', '.join(sorted(unknown))}; known: {known}"
            continue
        try:
            options = {key: value for key, value in level.options.items() if key in own}
            parse_options(agent.options, {**agent.defaults, **options}, f"level {name!r} of {spec.id}")
            parse_options(CommonOptions, common, f"level {name!r} of {spec.id}")
        except LudexError as error:
            yield f"{where}.options: {error.message}"
        yield from unwritten(f"{where}.title", level.title)
        yield from unwritten(f"{where}.description", level.description)


def _presets(spec: GameSpec) -> Iterator[str]:
    factory = registry.resolve(spec.factory)
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
    aliased = [alias.partition(":")[0] for alias in spec.aliases.values()]
    yield from _unknown("aliases: unknown presets", aliased, spec.presets)


def _unknown(problem: str, given: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    unknown = sorted({*given} - {*known})
    if unknown:
        yield f"{problem} {', '.join(unknown)}; known: {', '.join(known)}"


def _files(spec: GameSpec) -> Iterator[str]:
    references = []
    if spec.tools.leaderboard is not None:
        references.append(("tools.leaderboard", spec.tools.leaderboard, "leaderboard.json"))
    if spec.review.curves is not None:
        references.append(("review.curves", spec.review.curves, "win_probability.json"))
    if spec.learning.training is not None:
        training = spec.learning.training
        references.append(("learning.training.default", training.configs, f"{training.default}.yaml"))
    if spec.learning.example is not None:
        package, _, folder = spec.learning.example.partition(":")
        references.append(("learning.example", package, f"{folder}/run.json"))
    if spec.puzzles.data is not None:
        references += [("puzzles.data", spec.puzzles.data, f"puzzles_{theme}.json") for theme in spec.puzzles.themes]
    for where, package, name in references:
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


def _languages(spec: GameSpec) -> Iterator[str]:
    """What one language's texts have and the other's lack: entries of the catalogues and of the page, parameters."""
    if spec.screen.messages is not None:
        english, french = (read_catalogue(spec.id, spec.screen.messages, language) for language in LANGUAGES)
        yield from _check_translations("screen.messages", {"en.json": {*english}, "fr.json": {*french}})
        yield from _unlike_spec(spec, english)
        for name in sorted(english.keys() & french.keys()):
            blank = [file for file, text in (("en", english[name]), ("fr", french[name])) if not all(_texts_of(text))]
            if blank:
                yield f"screen.messages: {name!r} of {' and '.join(blank)}.json is empty"
            elif english[name] == french[name] and len(_WORD.findall(_texts_of(english[name])[0])) >= SENTENCE:
                yield f"screen.messages: {name!r} of fr.json is the English text"
            ours, theirs = parameters_of(english[name]), parameters_of(french[name])
            if ours != theirs:
                differing = ", ".join(sorted(ours ^ theirs))
                yield f"screen.messages: {name!r}: only one of en.json and fr.json names {differing}"
    try:
        folder = web_folder(spec)
    except BrokenGame:
        # It is named above.
        return
    if folder is not None and folder.joinpath("renderer.js").is_file():
        page = {name: {*_names(json.loads(folder.joinpath(name).read_text(encoding="utf-8")))} for name in PAGE_TEXTS}
        yield from _check_translations("screen.web", page)


def _texts_of(template: Template) -> list[str]:
    return [text.strip() for text in ([template] if isinstance(template, str) else template.values())]


def _unlike_spec(spec: GameSpec, english: Mapping[str, Any]) -> Iterator[str]:
    """What the home page says of a game and its catalogue lacks, or says in other words than the command line."""
    own = {f"summary_{name}": agent.summary for name, agent in spec.agents.items() if agent.games != "*"}
    for name, text in {"title": spec.title, "summary": spec.summary, **own}.items():
        if english.get(name) != text:
            yield f"screen.messages: {name!r} of en.json must be {text!r} as in the spec, found {english.get(name)!r}"
    entries = {*english, *catalogue(COMMON, "en")}
    named = [f"option_{option}" for option in spec.options.model_fields]
    named += [f"puzzle_{theme}_{part}" for theme in spec.puzzles.themes for part in ("title", "task", "wrong")]
    if unnamed := [name for name in named if name not in entries]:
        yield f"screen.messages: en.json has no {', '.join(unnamed)}"


def _check_translations(where: str, names: Mapping[str, set[str]]) -> Iterator[str]:
    (first, ours), (second, theirs) = names.items()
    for file, missing in ((second, ours - theirs), (first, theirs - ours)):
        if missing:
            yield f"{where}: {file} has no {', '.join(sorted(missing))}"


def _names(texts: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The names of texts, those of groups with the group's."""
    for name, text in texts.items():
        yield from _names(text, f"{prefix}{name}.") if isinstance(text, dict) else [prefix + name]


PAGE_TEXTS: Final = ("texts.en.json", "texts.fr.json")


def check_teaching(spec: GameSpec) -> None:
    """Raise `BrokenGame` that lists everything wrong with what a game tells people; return None if nothing is.

    >>> check_teaching(registry.spec("tictactoe"))
    """
    parts = {"screen.rules": _rules, "screen.tutorial": _tutorial, "the hooks": hook_faults}
    _require_whole(spec, [fault for name, part in parts.items() for fault in _named(name, part(spec))])


def _named(name: str, faults: Iterator[str]) -> Iterator[str]:
    """The faults of a part, the last that its hook raises."""
    try:
        yield from faults
    except Exception as error:
        # A third-party hook may raise anything, or be something else than it should.
        yield f"{name}: raised {describe_error(error)}"


def _rules(spec: GameSpec) -> Iterator[str]:
    if spec.screen.rules is None:
        return
    for preset in spec.presets:
        book: Any = registry.resolve(spec.screen.rules)(registry.make(spec.id, preset))
        where = f"rules of {preset}"
        if not isinstance(book, Rulebook):
            yield f"{where}: expected a Rulebook, found {type(book).__name__}"
            continue
        if not book.sections:
            yield f"{where}: there is no section"
        for section in book.sections:
            yield from unwritten(where, section.title, section.text)
            if section.picture is not None:
                try:
                    section.picture.build(spec.id)
                except LudexError as error:
                    yield f"{where}: {section.title.id}: the position cannot be built: {error.message}"
        for term in book.terms:
            yield from unwritten(where, term.title, term.meaning)


def _tutorial(spec: GameSpec) -> Iterator[str]:
    if spec.screen.tutorial is None:
        return
    tutorial: Any = registry.resolve(spec.screen.tutorial)
    if not isinstance(tutorial, Tutorial):
        yield f"tutorial: expected a Tutorial, found {type(tutorial).__name__}"
        return
    names = [step.name for step in tutorial.steps]
    if not names or len(names) > len({*names}):
        yield f"tutorial: its steps need names of their own, found {names}"
    for step in tutorial.steps:
        where = f"tutorial step {step.name!r}"
        yield from unwritten(where, *step.messages(spec.id))
        try:
            position = step.position.build(spec.id)
        except LudexError as error:
            yield f"{where}: the position cannot be built: {error.message}"
            continue
        if not step.turns:
            yield f"{where}: it has no turn, so no move completes it"
        faults = [*_turns(spec, step, position, ())]
        yield from faults
        line = [] if faults else [*_line(spec, step, position)]
        # A forced move, such as a pass, is a task: a person learns that it exists.
        forced = all(len(texts) == 1 for _, texts in line)
        if not forced and all(turn.accepts(text) for turn, texts in line for text in texts):
            yield f"{where}: every legal move completes it, so it is no task"


def _turns(spec: GameSpec, step: StepSpec, position: Illustration, played: tuple[str, ...]) -> Iterator[str]:
    """The faults of the turns from this position on, after the moves that a person has made in the step."""
    if len(played) == len(step.turns):
        return
    where = f"tutorial step {step.name!r}, turn {len(played) + 1}"
    turn, texts = step.turns[len(played)], [] if position.to_move is None else position.legal_texts()
    accepted = [text for text in texts if turn.accepts(text)]
    for pattern in (*turn.accept, *turn.refuse):
        if not any(fnmatchcase(text, pattern) for text in texts):
            yield f"{where}: no legal move is {pattern!r}; legal are {', '.join(texts[:20])}"
    wrong = next((text for text in texts if text not in accepted), None)
    if wrong is not None:
        verdict = judge(spec.id, step, (*played, wrong))
        if verdict.accepted or verdict.reason is None:
            yield f"{where}: {wrong} is wrong, and is not refused with a reason such as {WRONG!r}"
    for text in accepted:
        try:
            verdict = judge(spec.id, step, (*played, text))
        except LudexError as error:
            yield f"{where}: after {text} a reply fails: {error.message}"
            return
        faults = [] if verdict.accepted else [f"{where}: {text} is not accepted"]
        faults += _turns(spec, step, verdict.position, (*played, text))
        if faults:
            yield from faults
            return


def _line(spec: GameSpec, step: StepSpec, position: Illustration) -> Iterator[tuple[TurnSpec, list[str]]]:
    """Each turn of a step without faults with the legal moves before it, after the first accepted ones."""
    moves: list[str] = []
    for turn in step.turns:
        texts = position.legal_texts()
        yield turn, texts
        moves.append(next(text for text in texts if turn.accepts(text)))
        position = judge(spec.id, step, moves).position
