"""What a game package declares. Screens, commands and tables are generated from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import BaseModel

from ludex.core.options import Options

Ref: TypeAlias = str
"""`"package.module:name"`, imported when it is needed and not before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSpec:
    """One named player of a game. A level is a name with other `defaults`, not other code."""

    summary: str
    factory: Ref
    """`(game, options, services, name) -> Agent`"""
    options: type[Options]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Option values that make this level."""
    presets: tuple[str, ...] | None = None
    """The presets it supports without options; None means all."""
    check: Ref | None = None
    """`(game, options) -> None`, raises what keeps it from this board, without making it: tables, nets and searches
    are the factory's. None: it supports every board, or only its factory can check."""

    def plays(self, preset: str) -> bool:
        """Whether it supports a preset; a board with other options is no preset."""
        return self.presets is None or preset in self.presets


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSpec:
    """How a game's agents are trained."""

    config: type[BaseModel]
    """Every scalar field at its top is also a flag of `ludex train`."""
    configs: str
    """The package that holds the YAML files."""
    default: str
    """The name of the file used when none is named."""
    run: Ref
    """`(config, run, advance) -> summary`, see `ludex.learn.runs.Trainer`."""
    amount: str = "games"
    """The configuration's attribute that says how much `advance` will hear of in all."""
    requires: tuple[str, ...] = ()
    """Modules that only training needs: `pip install 'ludex[train]'` brings them."""
    shared: bool = False
    """Whether several processes, started by torchrun, can train together: see `ludex.learn.distributed`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec:
    """A game as the registry knows it."""

    id: str
    title: str
    summary: str
    options: type[Options]
    presets: Mapping[str, Mapping[str, Any]]
    """Option values by name; the first is the default."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other names of presets."""
    factory: Ref
    """`(options, preset) -> Game`"""
    agents: Mapping[str, AgentSpec]
    """The first that supports a board without options is the default opponent there."""
    analyst: str | None = None
    """The agent that analyses and plays as an engine by default; the board's default opponent if None."""
    draw: Ref
    """`(game, view, decision | None) -> rich renderable`, the board in a terminal."""
    tell: Ref | None = None
    """`(game, state) -> list[str]`, what the last ply brought beside the move: rolls, losses, points."""
    renderer: str | None = None
    """The module in `ludex/web/static/games/` that draws it in a browser; None: the generic board of legal moves."""
    stage: Ref | None = None
    """`(game) -> dict`, as JSON what never changes during a match and the renderer needs."""
    scene: Ref | None = None
    """`(game, view, legal) -> dict`, as JSON what the renderer draws: of a view alone, so that no secret can leak.

    `legal` is all False where the viewer may not know it, and once the match is over.
    """
    history: Ref | None = None
    """`(match, ply) -> dict`, as JSON what the way to a ply adds to its scene: what happened, how lucky it was.

    For a live match it contains only what every player may know.
    """
    composite: Ref | None = None
    """`(game, view, text) -> list[str] | None`, the moves a text stands for, in order; None: it is no composite.

    A move that an earlier one of them has made needless, and thereby illegal, is left out when they are played.
    """
    counters: Ref | None = None
    """`(game, state, action, stats) -> dict[str, int]`, what `/metrics` counts of one move played in `state`.

    `stats` are those of a machine's decision, or empty.
    """
    batch: Ref | None = None
    """`(game, num_lanes) -> BatchEnv`"""
    evaluate: Ref | None = None
    """How an agent of a game for one does, measured by the slice: a `ludex.core.evaluation.Evaluate`."""
    gym: Ref | None = None
    """`() -> None`, registers the game's environments with Gymnasium; `import ludex.gym` calls it."""
    training: TrainingSpec | None = None
    bench: Ref | None = None
    """`(seconds) -> list[BenchRow]`, measured beside peers."""
    signature: Ref | None = None
    """`() -> NamedTuple(nodes, positions, depth, cpu_seconds)`, the nodes of fixed searches."""
    peers: tuple[str, ...] = ()
    """The packages `bench` compares with, whose versions belong to its figures."""
    warmup: Ref | None = None
    """`() -> ludex.kernels.warmup.Warmup`, each kernel's name with a call that compiles it."""
    perft: Ref | None = None
    """`(game, state, depth) -> int`, where kernels count faster than the contract."""
    leaderboard: str | None = None
    """The package that holds `leaderboard.json`: how strong the agents are, by `benchmarks/leaderboard.py`."""
    rankings: Ref | None = None
    """`(game) -> RankingCodec`, for games with tables of learned values."""
    verbs: Mapping[str, Ref] = field(default_factory=dict)
    """By name, what `ludex GAME NAME` does: `(...) -> VerbResult`, see `ludex.core.verb`."""
    vary_secret: Ref | None = None
    """`(game, state, player, rng) -> state`, differs only in what this player may not know."""

    @property
    def default_preset(self) -> str:
        return next(iter(self.presets))
