"""The games, their boards, agents and levels, as pages show them."""

from typing import Any, Literal

from ludex.web.schemas.base import Document, GamePreparation, Problem, Texts


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
    """What people call it."""
    summary: str
    presets: list[str] | None
    """The presets it supports without options; None means all."""
    options: dict[str, Any]
    """The JSON schema of what can be set, written `name:key=value`."""


class GameCard(Document):
    """One game as the registry knows it."""

    id: str
    title: str
    summary: str
    players: Literal[1, 2]
    chance: Literal["none", "sampled"]
    information: Literal["perfect", "hidden"]
    presets: list[str]
    """Those offered to people; they begin on the first."""
    boards: dict[str, Texts]
    """By preset, what people call its board."""
    options: dict[str, Any]
    """The JSON schema of a board's options, written `preset:key=value`."""
    option_titles: dict[str, Texts]
    option_values: dict[str, dict[str, Texts]]
    """By option, what people call its values, as far as the game's catalogue names them."""
    """By option of a board, what people call it."""
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
    """A moment of the game as a scene of the generic board; None for games without one, or with a picture."""
    translated: bool
    """Whether `card.fr.json` of `/static/games/ID/` has its French texts."""
    rules: bool
    """Whether it brings its rules in words and pictures."""
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
    """What people call it."""
    agents: list[str]
    """The agents that support it without options."""
    levels: list[str]
    """The levels that support it, the weakest first."""


class Preparations(Document):
    """How far the kernels of every game are compiled."""

    games: list[GamePreparation]
    agents: list[GamePreparation]
    """The kernels of agents that a game can be played without."""
