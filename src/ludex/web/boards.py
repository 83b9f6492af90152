"""Boards shared by matches: a game is immutable, and some hold megabytes of tables."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, get_args

from pydantic import BaseModel

from ludex.core.errors import BadNet, BadOption, LudexError, UnknownAgent
from ludex.core.folders import runs_folder
from ludex.core.game import AnyGame
from ludex.core.hooks import as_message, try_hook
from ludex.core.kept_agents import find_kept
from ludex.core.match import Match
from ludex.core.messages import COMMON, LANGUAGES, Language, Message, Parameter
from ludex.core.options import KEPT, RUN, split_reference
from ludex.core.record import Record, replay
from ludex.core.registry import board_options, entry_of, make, resolve, spec
from ludex.learn.runs import example_runs, find_run
from ludex.learn.training_form import configuration
from ludex.operations.permissions import VISITOR

MOST_BOARDS: Final = 64
_SIZE: Final = re.compile(r"(?<=\d)x(?=\d)")
"""What stands for × in the name of a board, such as `5x5`."""


@lru_cache(maxsize=MOST_BOARDS)
def board(game: str, preset: str | None) -> AnyGame:
    """A game on one board, made once. Raises `LudexError` if its name is invalid."""
    return make(game, preset)


def replay_record(record: Record) -> Match[Any, Any]:
    """A stored match on its board. Raises `BadRecord` if it does not replay."""
    return replay(board(record.game, record.preset), record)


@lru_cache(maxsize=MOST_BOARDS)
def board_title(game: str, preset: str) -> dict[Language, str]:
    """What people call a board, in every language. Raises `LudexError` if its name is invalid."""
    hook = spec(game).screen.board_title
    options, name = board_options(game, preset)
    plain = entry_of(game, f"board_{name}") or Message.plain(_SIZE.sub("×", name))
    if hook is not None:
        plain = try_hook(game, "screen.board_title", lambda: as_message(resolve(hook)(options, name)), plain)
    return plain.texts()


@lru_cache(maxsize=MOST_BOARDS)
def game_title(game: str) -> dict[Language, str]:
    """What people call a game, in every language."""
    return (entry_of(game, "title") or Message.plain(spec(game).title)).texts()


def game_summary(game: str) -> dict[Language, str]:
    """What a game is about in a sentence, in every language."""
    return (entry_of(game, "summary") or Message.plain(spec(game).summary)).texts()


def agent_summary(game: str, name: str) -> dict[Language, str]:
    """How an agent of a game plays, in every language."""
    agent = spec(game).agents[name]
    common = entry_of(COMMON, f"summary_{name}") if agent.games == "*" else None
    return (entry_of(game, f"summary_{name}") or common or Message.plain(agent.summary)).texts()


def agent_title(game: str, reference: str) -> dict[Language, str]:
    """What people call a level or an agent, in every language: its reference where no catalogue names it."""
    if reference.startswith(RUN):
        return _run_agent_title(reference)
    if reference.startswith(KEPT):
        return _kept_title(reference).texts()
    game_spec, (name, _, options) = spec(game), reference.partition(":")
    if name in game_spec.levels:
        title = game_spec.levels[name].title
    else:
        common = entry_of(COMMON, f"agent_{name}") if name in game_spec.agents else None
        named = entry_of(game, f"agent_{name}") or common
        if named is None:
            return Message.plain(reference).texts()
        title = named
    if not options:
        return title.texts()
    return Message(f"{COMMON}.agent_with", {"agent": title, "options": options.replace(":", ", ")}).texts()


def _kept_title(reference: str) -> Message:
    """What people call an agent that was kept: its title."""
    try:
        name, _ = split_reference(reference)
        return Message.plain(find_kept(name.removeprefix(KEPT)).title)
    except (UnknownAgent, BadNet, BadOption):
        # It was removed since the match, or another version wrote its name.
        return Message.plain(reference)


def _run_agent_title(reference: str) -> dict[Language, str]:
    """What people call an agent of a run: the run's title and the step."""
    try:
        name, _ = split_reference(reference)
    except BadOption:
        # Another version wrote its name.
        return Message.plain(reference).texts()
    run, at, step = name.removeprefix(RUN).rpartition("@")
    title = run_title(run if at else step)
    if not at:
        return title
    return {
        language: Message(f"{COMMON}.run_agent", {"run": title[language], "step": step}).text(language)
        for language in LANGUAGES
    }


def run_title(name: str) -> dict[Language, str]:
    """What people call a run, in every language: its configuration, and the end of its name, which no other has.

    The name of a run that is gone, or of a configuration that does not ship.
    """
    try:
        run = find_run(runs_folder(), name)
        title = configuration_title(run.game, run.config_name)
        if name in example_runs():
            return title
    except LudexError:
        return Message.plain(name).texts()
    return {language: f"{title[language]} {name.rpartition('-')[2]}" for language in LANGUAGES}


@lru_cache(maxsize=64)
def configuration_title(game: str, config: str) -> dict[Language, str]:
    """What people call a configuration that ships. Raises `LudexError` where it does not."""
    return configuration(spec(game), config).title


def figure_titles(game: str, names: Iterable[str]) -> dict[str, dict[Language, str]]:
    """What people call the figures of a decision and their values, in every language: those that a catalogue names."""
    titles = {name: entry_of(game, f"figure_{name}") or entry_of(COMMON, f"figure_{name}") for name in names}
    return {name: title.texts() for name, title in titles.items() if title is not None}


def game_note(game: str, note: str) -> dict[Language, str]:
    """A remark of a game's data: the message of that id, or the text as it stands."""
    return (entry_of(game, note) or Message.plain(note)).texts()


def option_title(game: str, option: str) -> dict[Language, str]:
    """What people call an option of a game's boards, in every language; its name where no catalogue has it."""
    named = entry_of(game, f"option_{option}") or entry_of(COMMON, f"option_{option}")
    return (named or Message.plain(option.replace("_", " "))).texts()


def option_values(game: str, options: type[BaseModel]) -> dict[str, dict[str, dict[Language, str]]]:
    """By option of a game's boards, what people call its values: those that the catalogue names."""
    values: dict[str, dict[str, dict[Language, str]]] = {}
    for name, field in options.model_fields.items():
        for value in get_args(field.annotation):
            if isinstance(value, str) and (title := entry_of(game, f"option_{name}_{value}")) is not None:
                values.setdefault(name, {})[value] = title.texts()
    return values


def fill_message(message: str, parameter: str, titles: dict[Language, str], **others: Parameter) -> dict[Language, str]:
    """A message in every language, in each with what people call one of its parameters there."""
    return {
        language: Message(message, {**others, parameter: titles[language]}).text(language) for language in LANGUAGES
    }


def public_game(game: str, preset: str | None) -> AnyGame:
    """The board of a visitor's request. Raises `LudexError` if it is invalid."""
    VISITOR.check_board(game, preset)
    return board(game, preset)
