"""Boards shared by matches: a game is immutable, and some hold megabytes of tables."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, get_args

from pydantic import BaseModel

from ludex.core.errors import BadNet, BadOption, UnknownAgent
from ludex.core.game import AnyGame
from ludex.core.kept_agents import find_kept
from ludex.core.messages import COMMON, Language, Message, catalogue
from ludex.core.options import KEPT, RUN, is_local, split_reference
from ludex.core.registry import agent_spec, board_options, make, resolve, spec

MOST_BOARDS: Final = 64


@lru_cache(maxsize=MOST_BOARDS)
def board(game: str, preset: str | None) -> AnyGame:
    """A game on one board, made once. Raises `LudexError` if its name is invalid."""
    return make(game, preset)


@lru_cache(maxsize=MOST_BOARDS)
def board_title(game: str, preset: str) -> dict[Language, str]:
    """What people call a board, in every language. Raises `LudexError` if its name is invalid."""
    hook = spec(game).screen.board_title
    options, name = board_options(game, preset)
    message: Message = Message.plain(name) if hook is None else resolve(hook)(options, name)
    return message.texts()


@lru_cache(maxsize=MOST_BOARDS)
def game_title(game: str) -> dict[Language, str]:
    """What people call a game, in every language."""
    if spec(game).screen.messages is None:
        return Message.plain(spec(game).title).texts()
    return Message(f"{game}.title").texts()


def agent_title(game: str, reference: str) -> dict[Language, str]:
    """What people call a level or an agent, in every language: its reference where no catalogue names it."""
    if reference.startswith((RUN, KEPT)):
        return _trained_title(reference).texts()
    game_spec, (name, _, options) = spec(game), reference.partition(":")
    if name in game_spec.levels:
        title = game_spec.levels[name].title
    elif game_spec.screen.messages is not None and f"agent_{name}" in catalogue(game, "en"):
        title = Message(f"{game}.agent_{name}")
    elif name in game_spec.agents and f"agent_{name}" in catalogue(COMMON, "en"):
        title = Message(f"{COMMON}.agent_{name}")
    else:
        return Message.plain(reference).texts()
    if not options:
        return title.texts()
    return Message(f"{COMMON}.agent_with", {"agent": title, "options": options.replace(":", ", ")}).texts()


def _trained_title(reference: str) -> Message:
    """What people call a trained agent: its title, or its run and step."""
    name, _ = split_reference(reference)
    if name.startswith(KEPT):
        try:
            return Message.plain(find_kept(name.removeprefix(KEPT)).title)
        except (UnknownAgent, BadNet):
            # It was removed since the match.
            return Message.plain(reference)
    run, at, step = name.removeprefix(RUN).rpartition("@")
    return Message(f"{COMMON}.run_agent", {"run": run, "step": step}) if at else Message.plain(step)


def figure_titles(game: str, names: Iterable[str]) -> dict[str, dict[Language, str]]:
    """What people call the figures of a decision and their values, in every language: those that a catalogue names."""
    owners = (*((game,) if spec(game).screen.messages is not None else ()), COMMON)
    titles: dict[str, dict[Language, str]] = {}
    for name in names:
        entry = f"figure_{name}"
        owner = next((candidate for candidate in owners if entry in catalogue(candidate, "en")), None)
        if owner is not None:
            titles[name] = Message(f"{owner}.{entry}").texts()
    return titles


def game_note(game: str, note: str) -> dict[Language, str]:
    """A remark of a game's data: the message of that id, or the text as it stands."""
    known = spec(game).screen.messages is not None and note in catalogue(game, "en")
    return (Message(f"{game}.{note}") if known else Message.plain(note)).texts()


def option_title(game: str, option: str) -> dict[Language, str]:
    """What people call an option of a game's boards, in every language; its name where the catalogue has no entry."""
    message = f"option_{option}"
    if spec(game).screen.messages is None or message not in catalogue(game, "en"):
        return Message.plain(option.replace("_", " ")).texts()
    return Message(f"{game}.{message}").texts()


def option_values(game: str, options: type[BaseModel]) -> dict[str, dict[str, dict[Language, str]]]:
    """By option of a game's boards, what people call its values: those that the catalogue names."""
    if spec(game).screen.messages is None:
        return {}
    values: dict[str, dict[str, dict[Language, str]]] = {}
    for name, field in options.model_fields.items():
        for value in get_args(field.annotation):
            if isinstance(value, str) and f"option_{name}_{value}" in catalogue(game, "en"):
                values.setdefault(name, {})[value] = Message(f"{game}.option_{name}_{value}").texts()
    return values


def public_game(game: str, preset: str | None) -> AnyGame:
    """The board of a visitor's request. Raises `LudexError` if it is invalid."""
    if preset is not None:
        _require_public(preset, spec(game).options)
    return board(game, preset)


def require_public_agent(game: str, reference: str) -> None:
    """Raise `BadOption` if an agent's reference sets an option that visitors may not set."""
    name, _ = split_reference(reference)
    _require_public(reference, agent_spec(spec(game), name).options)


def _require_public(reference: str, options: type[BaseModel]) -> None:
    for key in split_reference(reference)[1]:
        field = options.model_fields.get(key)
        if field is not None and is_local(field):
            raise BadOption(f"{key}: it names a file or takes memory of the server, and cannot be set from the web")
