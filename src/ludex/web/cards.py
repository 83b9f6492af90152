"""The games as the home page lists them."""

import asyncio
from collections.abc import Iterable
from functools import cache
from typing import Any, Final, Literal

import numpy as np
from pydantic import BaseModel

from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.core.game import legal_actions
from ludex.core.kept_agents import kept_agents, level_of
from ludex.core.log import logger
from ludex.core.match import Match
from ludex.core.options import CommonOptions, is_local, join_reference
from ludex.core.scene import Scene
from ludex.core.seeding import generator
from ludex.core.spec import GameSpec, LevelSpec
from ludex.core.web_files import renderer_of, web_folder
from ludex.web.boards import (
    agent_summary,
    agent_title,
    board_title,
    game_summary,
    game_title,
    option_title,
    option_values,
    public_game,
)
from ludex.web.errors import problem_of
from ludex.web.schemas.base import Document, GamePreparation, Problem, Texts
from ludex.web.workers.preparation import Preparation


class LevelCard(Document):
    """One difficulty that a person can choose."""

    name: str
    """What stands in the seats of a new match."""
    title: Texts
    description: Texts
    """The machine's character in a sentence."""
    agent: str
    """The agent and its options, such as `easy:mistakes=0.3`."""
    presets: list[str] | None
    """The presets it supports; None means all."""
    rating: float | None
    """Elo points on the board that people begin on; None: not measured."""
    kept: bool = False
    """Whether it is a trained agent that the administrator has kept."""


class AgentCard(Document):
    """One agent of a game."""

    name: str
    title: Texts
    summary: Texts
    presets: list[str] | None
    """The presets it supports without options; None means all."""
    options: dict[str, Any]
    """The JSON schema of what can be set, written `name:key=value`."""


class GameCard(Document):
    """One game as the registry knows it."""

    id: str
    names: Texts
    summary: Texts
    shelf: Texts | None
    """The title of its row of the home page; None: the first row."""
    players: Literal[1, 2]
    chance: Literal["none", "sampled"]
    information: Literal["perfect", "hidden"]
    presets: list[str]
    """Those offered to people; they begin on the first."""
    boards: dict[str, Texts]
    options: dict[str, Any]
    """The JSON schema of a board's options, written `preset:key=value`."""
    option_titles: dict[str, Texts]
    option_values: dict[str, dict[str, Texts]]
    """By option, what people call its values, as far as the game's catalogue names them."""
    levels: list[LevelCard]
    """The difficulties, the weakest first."""
    default_level: str | None
    """The level that a new player meets on the first board; None if no level plays it."""
    agents: list[AgentCard]
    """The first that supports a board analyses it by default, and plays it where no level does."""
    analyst: str
    """The default agent for hints on the default board."""
    renderer: str | None
    """The name of the folder `/static/games/NAME/` that draws it; None: the generic board."""
    pictured: bool
    """Whether `preview.js` of `/static/games/ID/` draws its picture on the home page."""
    sketch: dict[str, Any] | None
    """A moment of the game as a scene of the generic board; None without one, with a picture, or until it is ready."""
    rules: bool
    """Whether it brings its rules in words and pictures."""
    editor: bool
    explains: bool
    """Whether the game says why any place of its board is good or bad."""
    """Whether its positions can be edited, at `/edit/ID`."""
    timed: bool
    """Whether the times of its matches are compared, in which the player had no help."""
    tutorial: int
    """How many steps its tutorial has; 0 without one."""
    preparation: GamePreparation
    """Whether it can be played already."""


class Games(Document):
    """Every game there is."""

    games: list[GameCard]
    broken: list[Problem]
    """Games that cannot be loaded, and why."""


class BoardCard(Document):
    """One board of a game, of a preset or with options of its own."""

    preset: str
    """Its one name: that of a preset, with the options that differ from it."""
    title: Texts
    agents: list[str]
    """The agents that support it without options."""
    levels: list[str]
    """The levels that support it, the weakest first."""


log = logger("web.cards")
SKETCH_SEED: Final = 7
SKETCH_PLIES: Final = 7


class Cards:
    """Every game, made once, with how far its kernels are compiled now."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation
        self._games = cache(_games)
        self._sketch = cache(_sketch)

    async def games(self) -> Games:
        unprepared, prepared = await asyncio.to_thread(self._games), await self._preparation.games()
        trained = await asyncio.to_thread(_kept_levels)

        def update_card(card: GameCard) -> GameCard:
            levels = [*card.levels, *trained.get(card.id, [])]
            preparation = prepared[card.id]
            # Rules that are not compiled yet would be compiled here, before the page is answered.
            sketch = None if card.pictured or preparation.state != "ready" else self._sketch(card.id)
            return card.model_copy(update={"preparation": preparation, "levels": levels, "sketch": sketch})

        games = await asyncio.to_thread(lambda: [*map(update_card, unprepared.games)])
        return unprepared.model_copy(update={"games": games})


def board_card(game: str, preset: str) -> BoardCard:
    """A board as a visitor names it. Raises `LudexError` if there is none."""
    board = public_game(game, preset)
    name = board.info.preset
    agents = [agent for agent in registry.spec(game).agents if registry.supports(board, agent)]
    levels = [*registry.levels(board), *registry.kept_levels(board)]
    return BoardCard(preset=name, title=board_title(game, name), agents=agents, levels=levels)


def _games() -> Games:
    """The games as if all of them were ready."""
    specs, faults = registry.available()
    broken = [problem_of(fault) for fault in faults]
    games = []
    for spec in specs:
        try:
            games.append(_card(spec))
        except LudexError as error:
            broken.append(Problem(code=error.code, message=error.message))
        except Exception as error:
            # A third-party board may fail in any way, and must not hide the other games.
            broken.append(Problem(code="broken_game", message=f"{spec.id}: {type(error).__name__}: {error}"))
    return Games(games=games, broken=broken)


def _card(spec: GameSpec) -> GameCard:
    board = registry.make(spec.id)
    info = board.info
    return GameCard(
        id=spec.id,
        names=game_title(spec.id),
        summary=game_summary(spec.id),
        shelf=None if spec.screen.shelf is None else registry.resolve(spec.screen.shelf),
        players=info.players,
        chance=info.chance,
        information=info.information,
        presets=[*spec.offered_presets],
        boards={preset: board_title(spec.id, preset) for preset in spec.presets},
        options=_public_options(spec.options),
        option_titles={name: option_title(spec.id, name) for name in spec.options.model_fields},
        option_values=option_values(spec.id, spec.options),
        levels=[
            _level(
                *(name, level, join_reference(level.agent, level.options)),
                registry.agent_spec(spec, level.agent).presets,
            )
            for name, level in spec.levels.items()
        ],
        default_level=registry.default_level(registry.make(spec.id, spec.offered_presets[0])),
        agents=[
            AgentCard(
                name=name,
                title=agent_title(spec.id, name),
                summary=agent_summary(spec.id, name),
                presets=None if agent.presets is None else [*agent.presets],
                options=_agent_options(agent.options),
            )
            for name, agent in spec.agents.items()
        ],
        analyst=registry.default_analyst(board),
        renderer=None if renderer_of(spec) is None else spec.id,
        pictured=_ships(spec, "preview.js"),
        sketch=None,
        rules=spec.screen.rules is not None,
        editor=spec.screen.editor is not None,
        explains=spec.screen.explain is not None,
        timed=spec.screen.timing is not None,
        tutorial=0 if spec.screen.tutorial is None else len(registry.resolve(spec.screen.tutorial).steps),
        preparation=GamePreparation(game=spec.id, state="ready", done=0, total=0),
    )


def _level(name: str, level: LevelSpec, agent: str, presets: Iterable[str] | None, *, kept: bool = False) -> LevelCard:
    return LevelCard(
        name=name,
        title=level.title.texts(),
        description=level.description.texts(),
        agent=agent,
        presets=None if presets is None else [*presets],
        rating=level.rating,
        kept=kept,
    )


def _kept_levels() -> dict[str, list[LevelCard]]:
    """By game, the trained agents that were kept as levels, the oldest first."""
    levels: dict[str, list[LevelCard]] = {}
    for agent in kept_agents()[0]:
        presets = None if agent.any_board else (agent.board,)
        card = _level(agent.reference, level_of(agent), agent.agent, presets, kept=True)
        levels.setdefault(agent.game, []).append(card)
    return levels


def _agent_options(options: type[BaseModel]) -> dict[str, Any]:
    """The schema of what a visitor may set of an agent: its own options, and those of every agent."""
    own, common = _public_options(options), _public_options(CommonOptions)
    return {**own, "properties": {**own.get("properties", {}), **common["properties"]}}


def _ships(spec: GameSpec, file: str) -> bool:
    """Whether a game ships a file for the browser."""
    folder = web_folder(spec)
    return folder is not None and folder.joinpath(file).is_file()


def _sketch(game: str) -> dict[str, Any] | None:
    """A position a few random moves into a match, as a scene."""
    spec = registry.spec(game)
    if spec.screen.scene is None:
        return None
    try:
        board = registry.make(game)
        match = Match(board, seed=SKETCH_SEED)
        for ply in range(SKETCH_PLIES):
            if match.over:
                break
            match.play(generator(SKETCH_SEED, ply).choice(legal_actions(match.legal())))
        view = board.view(match.state, 0)
        scene = registry.resolve(spec.screen.scene)(board, view, np.zeros(board.info.num_actions, np.bool_))
    except Exception as error:
        # A third-party scene may raise anything; the game can be played without a picture.
        log.exception("cannot draw a picture", game=game, error=repr(error))
        return None
    return scene.document() if isinstance(scene, Scene) else None


def _public_options(options: type[BaseModel]) -> dict[str, Any]:
    """The schema of what a visitor may set."""
    schema = options.model_json_schema()
    for name, field in options.model_fields.items():
        if is_local(field):
            del schema["properties"][name]
    return schema
