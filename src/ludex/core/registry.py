"""Every game and agent by name.

Packages register games through the entry points `ludex.games`, and agents of other packages' games through
`ludex.agents`; Ludex registers its own in the same way.
"""

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ludex.core.errors import BadOption, BrokenGame, NotInstalled, UnknownAgent, UnknownGame, UnknownPreset, Unsupported
from ludex.core.messages import COMMON, Message, catalogue, register_catalogues

if TYPE_CHECKING:
    from ludex.core.agent import AnyAgent
    from ludex.core.game import AnyGame
    from ludex.core.options import Options
    from ludex.core.ranking import RankingCodec
    from ludex.core.services import Services
    from ludex.core.spec import AgentSpec, GameSpec, LevelSpec, Ref

OUTSIDE_FACTORY: Final = "ludex.core.outside:outside"
"""Makes agents of classes and of other packages, each in a process of its own."""
TRAINED: Final = {"run:": "ludex.learn.run_agents:run_agent", "kept:": "ludex.core.kept_agents:kept_agent"}
"""By what a reference begins with, `(game_spec, rest) -> AgentSpec`: agents that were trained here, in files."""
REMOTE: Final = {"llm:": "ludex.remote.llm_agent:llm_spec", "http:": "ludex.remote.http_agent:http_spec"}
"""The same for agents that are called over the network."""


GAME_GROUP: Final = "ludex.games"
AGENT_GROUP: Final = "ludex.agents"
IGNORE: Final = "LUDEX_IGNORE"
"""The variable that names installed packages whose games and agents are left out, separated by commas."""


def load_point(point: EntryPoint, kind: str = "game") -> Any:
    """What an entry point names. Raises `BrokenGame`."""
    try:
        return point.load()
    except Exception as error:
        # A third-party module may raise anything.
        owner = f"package {point.dist.name!r}" if point.dist else "an unknown package"
        problem = f"{type(error).__name__}: {error}"
        raise BrokenGame(f"{kind} {point.name!r} of {owner} cannot be loaded: {problem}") from error


@cache
def game_points() -> dict[str, EntryPoint]:
    """Every registered game, by name."""
    return _points(GAME_GROUP)


@cache
def agent_points() -> dict[str, EntryPoint]:
    """Every registered agent of other packages' games, by name."""
    return _points(AGENT_GROUP)


def _points(group: str) -> dict[str, EntryPoint]:
    """The entry points by name; a name that this package uses cannot be taken by another. Raises `NotInstalled`."""
    left_out = os.environ.get(IGNORE, "").split(",")
    points = [point for point in entry_points(group=group) if point.dist is None or point.dist.name not in left_out]
    ours = {point.name: point for point in points if is_ours(point)}
    if not ours:
        raise NotInstalled(
            f"the installed metadata of Ludex has no entry points {group!r}, so its {group.partition('.')[2]} are "
            "unknown; run `pip install ludex`, or `pip install -e .` in a clone"
        )
    return {point.name: point for point in points} | ours


def is_ours(point: EntryPoint) -> bool:
    """Whether this package registers it."""
    return point.module.partition(".")[0] == __name__.partition(".")[0]


class ChosenAgent(NamedTuple):
    """An agent that can be made: its factory is given these options and this name."""

    spec: "AgentSpec"
    options: "Options"
    name: str
    mistakes: float
    """The share of its moves that it plays at random."""
    reference: str
    """Its name without the options of every agent, as an agent from outside knows itself."""


def names() -> list[str]:
    """Every registered game, in alphabetical order; no spec is loaded."""
    return sorted(game_points())


@cache
def spec(game_id: str) -> "GameSpec":
    """The `GameSpec` of a game. Raises `UnknownGame`."""
    from ludex.core.game import CONTRACT
    from ludex.core.spec import GameSpec

    points = game_points()
    if game_id not in points:
        raise UnknownGame(_unknown("game", game_id, names()))
    game_spec = load_point(points[game_id])
    if not isinstance(game_spec, GameSpec):
        raise BrokenGame(f"game {game_id!r} is registered as {type(game_spec).__name__}, expected a GameSpec")
    if game_spec.id != game_id:
        raise BrokenGame(f"game {game_id!r} is registered under another name than its own, {game_spec.id!r}")
    if game_spec.contract != CONTRACT:
        age = "newer" if game_spec.contract > CONTRACT else "older"
        raise BrokenGame(
            f"game {game_id!r} is written for version {game_spec.contract} of the contract, "
            f"this Ludex has version {CONTRACT}: install a {age} Ludex or another version of the game"
        )
    return with_registered_agents(game_spec)


def available() -> "tuple[list[GameSpec], list[BrokenGame]]":
    """All games that load, by `order`, and the errors of other games and agents: one must not hide the rest."""
    specs, broken = [], []
    for name in names():
        try:
            specs.append(spec(name))
        except BrokenGame as error:
            broken.append(error)
    broken += load_agents()[1].values()
    return sorted(specs, key=lambda game_spec: game_spec.order), broken


def summaries() -> dict[str, str]:
    """What `available` lists, by name: the summary of each game. Specs of games of this package are not loaded."""
    listed = []
    for name, point in game_points().items():
        if is_ours(point):
            package = importlib.import_module(point.module.rpartition(".")[0])
            listed.append((package.ORDER, name, str(package.__doc__)))
            continue
        try:
            listed.append((spec(name).order, name, spec(name).summary))
        except BrokenGame:
            # `available` reports it; it must not hide the others.
            continue
    return {name: summary for _, name, summary in sorted(listed)}


def resolve(ref: "Ref") -> Any:
    """Import what a reference names."""
    module, _, name = ref.partition(":")
    return getattr(importlib.import_module(module), name)


def make(game_id: str, preset: str | None = None, **options: Any) -> "AnyGame":
    """A game on one board.

    >>> make("tictactoe").info.num_actions
    9
    >>> make("tictactoe", "3x3x3:rows=4").info.preset == make("tictactoe", rows=4).info.preset
    True
    """
    values, text = board_options(game_id, preset, **options)
    factory: Callable[..., AnyGame] = resolve(spec(game_id).factory)
    return factory(values, text)


def board_options(game_id: str, preset: str | None = None, **options: Any) -> "tuple[Options, str]":
    """The options of a board, and its name: that of a preset, with the options that differ from it.

    >>> board_options("tictactoe", "3x3x3:rows=4:cols=4:k=4")[1]
    '4x4x4'
    """
    from ludex.core.options import join_reference, parse_options, split_reference

    game_spec = spec(game_id)
    name, values = split_reference(game_spec.default_preset if preset is None else preset)
    if name in game_spec.aliases:
        name, aliased = split_reference(game_spec.aliases[name])
        values = {**aliased, **values}
    if name not in game_spec.presets:
        raise UnknownPreset(_unknown(f"preset of {game_id}", name, list(game_spec.presets)))
    base = parse_options(game_spec.options, game_spec.presets[name], f"{game_id} preset {name!r}")
    parsed = parse_options(game_spec.options, {**game_spec.presets[name], **values, **options}, f"{game_id} {name!r}")
    changed = {key: value for key, value in parsed if value != getattr(base, key)}
    text = join_reference(name, changed)
    for other, defaults in game_spec.presets.items():
        # A board has one name: options that make another preset are that preset.
        if changed and parsed == parse_options(game_spec.options, defaults, f"{game_id} preset {other!r}"):
            text = other
    return parsed, text


def make_agent(
    game: "AnyGame | str", agent: str | None = None, services: "Services | None" = None, **options: Any
) -> "AnyAgent":
    """A player of a game, by name and options. A game's name alone means its default board.

    >>> make_agent("tictactoe", "perfect").name
    'perfect'
    """
    from ludex.core.services import Services

    board = make(game) if isinstance(game, str) else game
    choice = choose_agent(board, agent, **options)
    factory: Callable[..., AnyAgent] = resolve(OUTSIDE_FACTORY if is_outside(choice.spec) else choice.spec.factory)
    player = factory(board, choice.options, services or Services(), choice.reference)
    return let_err(board, player, choice.mistakes, choice.name)


def let_err(board: "AnyGame", agent: "AnyAgent", share: float, name: str) -> "AnyAgent":
    """An agent that plays a share of its moves at random, in the phases in which its game lets agents err."""
    if not share:
        return agent
    from ludex.core.agent import MistakenAgent

    return MistakenAgent(agent, share, name, board, spec(board.info.id).mistake_phases)


def is_outside(agent: "AgentSpec") -> bool:
    """Whether an agent is registered by another package than Ludex and its game's: it has a process of its own."""
    return bool(agent.games) and agent.factory.partition(".")[0] != __name__.partition(".")[0]


def choose_agent(board: "AnyGame", agent: str | None = None, **options: Any) -> ChosenAgent:
    """Check what `make_agent` would create: raises what is wrong with the name, its options or the board.

    >>> choose_agent(make("tictactoe"), "perfect:ties=random").name
    'perfect:ties=random'
    """
    from ludex.core.options import CommonOptions, join_reference, parse_options, split_reference

    game_spec = spec(board.info.id)
    name, values = split_reference(default_agent(board) if agent is None else agent)
    selected = agent_spec(game_spec, name)
    everything: Mapping[str, Any] = {**values, **options}
    shared = CommonOptions.model_fields.keys() - selected.options.model_fields.keys()
    agent_options = {key: value for key, value in everything.items() if key not in shared}
    owner = f"agent {name!r} of {game_spec.id}"
    merged = {**selected.defaults, **everything}
    parsed = parse_options(selected.options, {key: value for key, value in merged.items() if key not in shared}, owner)
    common = parse_options(CommonOptions, {key: value for key, value in merged.items() if key in shared}, owner)
    # Only an agent's own check can say whether it supports a board that is no preset.
    is_checked = selected.check is not None and (selected.presets_of or board.info.preset not in game_spec.presets)
    if not agent_options and selected.presets is not None and not is_checked and not selected.plays(board.info.preset):
        raise BadOption(
            f"{owner} supports {', '.join(selected.presets) or 'no preset'} only, not {board.info.preset}; "
            f"its options are {', '.join(selected.options.model_fields) or 'none'}"
        )
    if selected.boards is not None and board.info.preset not in selected.boards:
        raise Unsupported(f"{owner} has learned {', '.join(selected.boards)} only, not {board.info.preset}")
    if selected.check is not None:
        resolve(selected.check)(board, parsed)
    reference = join_reference(name, agent_options)
    return ChosenAgent(selected, parsed, join_reference(name, everything), common.mistakes, reference)


def default_agent(board: "AnyGame") -> str:
    """The first agent that supports a board without options. Raises `Unsupported` if there is none.

    >>> default_agent(make("tictactoe")), default_agent(make("tictactoe", rows=5, cols=5))
    ('ranking', 'tactical')
    """
    game_spec = spec(board.info.id)
    for name in game_spec.agents:
        if supports(board, name):
            return name
    known = ", ".join(game_spec.agents)
    raise Unsupported(f"no agent of {game_spec.id} supports {board.info.preset} without options; known: {known}")


def supports(board: "AnyGame", agent: str) -> bool:
    """Whether an agent supports a board without options.

    >>> supports(make("tictactoe", rows=5, cols=5), "perfect")
    False
    """
    try:
        choose_agent(board, agent)
    except (BadOption, Unsupported):
        # It does not support this board, or needs an option.
        return False
    return True


def levels(board: "AnyGame") -> "dict[str, LevelSpec]":
    """The levels that a board offers, the weakest first, by the names that stand wherever an agent is named."""
    return {name: level for name, level in spec(board.info.id).levels.items() if supports(board, name)}


def kept_levels(board: "AnyGame") -> "dict[str, LevelSpec]":
    """The trained agents that were kept as levels and support a board, by the names that stand for agents."""
    levels = resolve("ludex.core.kept_agents:levels_of")(board.info.id)
    return {name: level for name, level in levels.items() if supports(board, name)}


def default_level(board: "AnyGame") -> str | None:
    """The level that people meet first: the second weakest, which a beginner beats now and then; None if none plays.

    >>> default_level(make("tictactoe"))
    'beginner'
    """
    offered = [*levels(board)]
    return next(iter(offered[1:2] or offered), None)


def default_analyst(board: "AnyGame") -> str:
    """The agent that analyses a board by default. Raises what `default_agent` does."""
    return spec(board.info.id).analyst or default_agent(board)


def ranking_of(game: str, preset: str | None) -> "tuple[AnyGame, RankingCodec]":
    """The board whose moves a ranking values, and how its file is written. Raises `Unsupported`."""
    game_spec = spec(game)
    if game_spec.learning.rankings is None:
        others = ", ".join(other.id for other in available()[0] if other.learning.rankings is not None)
        raise Unsupported(f"{game_spec.id} has no rankings; these have: {others}")
    board = make(game_spec.id, preset)
    return board, resolve(game_spec.learning.rankings)(board)


def agent_spec(game_spec: "GameSpec", name: str) -> "AgentSpec":
    """The description of an agent, a level's agent, a trained one or one of the network. Raises `UnknownAgent`."""
    for prefix, resolver in {**TRAINED, **REMOTE}.items():
        if name.startswith(prefix):
            resolved: AgentSpec = resolve(resolver)(game_spec, name.removeprefix(prefix))
            return resolved
    if name.startswith("py:"):
        outside: AgentSpec = resolve("ludex.core.outside:OUTSIDE")
        return outside
    if name in game_spec.agents:
        return game_spec.agents[name]
    if name in game_spec.levels:
        level = game_spec.levels[name]
        base = agent_spec(game_spec, level.agent)
        return replace(base, summary=level.description.text(), defaults={**base.defaults, **level.options})
    if name in load_agents()[1]:
        raise load_agents()[1][name]
    raise UnknownAgent(_unknown(f"agent of {game_spec.id}", name, [*game_spec.agents, *game_spec.levels]))


def agents_of_packages() -> "dict[str, AgentSpec]":
    """The agents of the entry points `ludex.agents` that load, by name."""
    return load_agents()[0]


def refresh() -> None:
    """Read the entry points again: packages have come or gone in this process."""
    for cached in (spec, load_agents, game_points, agent_points):
        cached.cache_clear()


@cache
def load_agents() -> "tuple[dict[str, AgentSpec], dict[str, BrokenGame]]":
    """The agents of the entry points `ludex.agents` that load, and the errors of the others, both by name."""
    from ludex.core.spec import AgentSpec

    agents, broken = {}, {}
    for name, point in sorted(agent_points().items()):
        try:
            agent = load_point(point, "agent")
            if not isinstance(agent, AgentSpec) or not agent.games:
                raise BrokenGame(f"agent {name!r} is registered as {agent!r}, expected an AgentSpec with `games`")
            agents[name] = agent
        except BrokenGame as error:
            broken[name] = error
    return agents, broken


def with_registered_agents(game_spec: "GameSpec") -> "GameSpec":
    """The spec with the agents that packages offer for its game behind its own, whose names win, and with levels."""
    wanted = game_spec.generic_agents
    others = {
        name: agent
        for name, agent in load_agents()[0].items()
        if name not in game_spec.agents
        and (game_spec.id in agent.games if agent.games != "*" else wanted is None or name in wanted)
    }
    for name, agent in others.items():
        if agent.presets_of is not None:
            others[name] = replace(agent, presets=resolve(agent.presets_of)(game_spec))
    agents = {**game_spec.agents, **others}
    if game_spec.levels:
        return replace(game_spec, agents=agents)
    from ludex.core.levels import generic_levels

    networks, everywhere = game_spec.learning.nets is not None, game_spec.mistake_phases is None
    levels = generic_levels(agents, networks=networks, errs_everywhere=everywhere)
    return replace(game_spec, agents=agents, levels=levels)


def entry_of(owner: str, name: str) -> Message | None:
    """A message of a game or of `COMMON`; None if it has no catalogue, or no such entry."""
    if owner != COMMON and spec(owner).screen.messages is None:
        return None
    return Message(f"{owner}.{name}") if name in catalogue(owner, "en") else None


def _unknown(kind: str, name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return f"unknown {kind}: {name!r}{hint}; known: {', '.join(known)}"


register_catalogues(lambda game_id: spec(game_id).screen.messages)
