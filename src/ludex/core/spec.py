"""What a game package declares. Screens, commands and tables are generated from it.

Every argument of these classes is given by its name: `AgentSpec(summary=..., factory=..., options=...)`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel

from ludex.core.messages import Message
from ludex.core.options import Options

Ref: TypeAlias = str
"""`"package.module:name"`, imported when it is needed and not before."""

RENDERER_FILES: Final = ("renderer.js", "renderer.css", "texts.en.json", "texts.fr.json")
"""A renderer of a game's own in the folder of `ScreenSpec.web`: all of them or none."""
WEB_FILES: Final = ("renderer.js", "preview.js")
"""What that folder holds at least one of; it may hold more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSpec:
    """One named player of a game. Other `defaults` under another name make another agent, not other code."""

    summary: str
    factory: Ref
    """`(game, options, services, name) -> Agent`"""
    options: type[Options]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Option values that make this agent."""
    presets: tuple[str, ...] | None = None
    """The presets it supports without options; None means all."""
    check: Ref | None = None
    """`(game, options) -> None`, raises what keeps it from this board, without making it: tables, nets and searches
    are the factory's. None: it supports every board, or only its factory can check."""
    presets_of: Ref | None = None
    """`(game_spec) -> tuple[str, ...]`, the presets that an agent of several games supports without options; its check
    says why not others. The registry writes them into `presets`."""
    games: tuple[str, ...] | Literal["*"] = ()
    """The games it plays, if it is an entry point of `ludex.agents`; "*" means every game."""
    boards: tuple[str, ...] | None = None
    """The only boards it supports, whatever its options, such as the board that a trained agent has learned."""
    kernels: Literal["player", "agents"] = "player"
    """The group of the game's `Warmup` that must be compiled before it plays; a game is ready with "player" alone."""

    def plays(self, preset: str) -> bool:
        """Whether it supports a preset; a board with other options is no preset."""
        return self.presets is None or preset in self.presets


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelSpec:
    """A difficulty that a person chooses: an agent with options, whose name stands wherever an agent is named."""

    title: Message
    """A word or two, such as "Beginner"."""
    description: Message
    """The machine's character in a sentence."""
    agent: str
    """The name of an agent of the game."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The agent's own options, and those of every agent, such as `mistakes`."""
    rating: float | None = None
    """Elo points on the board that people begin on, on the scale of the game's leaderboard; None: not measured."""


AgentFormat: TypeAlias = Literal["onnx", "safetensors", "json"]
"""The files of trained agents: networks, tables of weights and rankings. None of them can hold code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedAgentSpec:
    """How what a training has made so far is played: the agent, and the file that it reads."""

    agent: str
    """The agent of the game that plays it."""
    option: str
    """The option of that agent that names the file."""
    format: AgentFormat
    board: str | None = None
    """The configuration's attribute that names the board it learns, the first of several; None: the default board."""
    any_board: bool = False
    """Whether it plays every board of the game, whichever it has learned."""


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
    """`(config, run, advance) -> summary`: trains a `ludex.learn.runs.Run` and calls `advance` per step."""
    complete: Ref | None = None
    """`(game_spec, config) -> config`, fills what a configuration leaves open; raises what keeps the game from it."""
    amount: str = "games"
    """The configuration's attribute that says the total that `advance` reports; None: unknown."""
    requires: tuple[str, ...] = ()
    """Modules that only training needs: `pip install 'ludex[train]'` brings them."""
    shared: bool = False
    """Whether several processes, started by torchrun, can train together: see `ludex.learn.distributed`."""
    headline: str | None = None
    """The metric that matters: charts show it first."""
    metrics: tuple[str, ...] = ()
    """Every number that a run logs; the pages have names for those of the games that ship."""
    knobs: tuple[str, ...] = ()
    """The keys that matter first, dotted, such as `ppo.lr`: a form shows them before the others."""
    documentation: str | None = None
    """The package that holds `keys.fr.json`, the documentation of the keys in French; English is the configuration's.

    People call a configuration what `titles.en.json` and `titles.fr.json` of the package `configs` say.
    """
    positions: Ref | None = None
    """A tuple of `ludex.core.illustration.PositionSpec` in which one sees what is learned, each by its seed and moves.

    Those are shown in which the first and the last agent of a run differ most; where they do not, others are tried."""
    trained: TrainedAgentSpec | None = None
    """How the agents play that a run keeps while it is trained, see `ludex.learn.run_agents`; None: it keeps none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSpec:
    """How a game is shown to people."""

    terminal: Ref
    """`(game, view, decision | None) -> rich renderable`, the board in a terminal."""
    describe_ply: Ref | None = None
    """`(game, state) -> list[str]`, the effects of the last ply beside the move: rolls, losses, points."""
    describe_move: Ref | None = None
    """`(game, state, action) -> Message`, a legal move in words, where people do not read the game's notation."""
    reason: Ref | None = None
    """`(game, view, decision, addressed) -> Message | None`, why a move is good in the game's own terms, whichever
    agent chose it: the text of a hint. `addressed`: the player to move reads it ("your path"); else players are named.
    """
    effects: Ref | None = None
    """`(game, view, action) -> Iterable[Message]`, what a move does, the most important first: verb phrases without a
    subject, such as "takes the corner", of good effects and bad ones. Hints and reviews are made of them where `reason`
    and `reasons` are None.
    """
    web: str | None = None
    """`"package:folder"`, the folder with what the game ships for the browser: `WEB_FILES`, `RENDERER_FILES`.

    The page of the Python API ends with `renderer.d.ts`, which says what they hold. A game without a renderer is drawn
    from its `Scene`.
    """
    messages: str | None = None
    """`"package:folder"`, the catalogues of the game's sentences and names, see `ludex.core.messages`."""
    board_title: Ref | None = None
    """`(options, preset) -> Message`, what people call a board, such as "9x9, 10 walls"; None: the preset's name."""
    board_model: Ref | None = None
    """`(game) -> dict`, as JSON what the renderer needs and never changes during a match."""
    scene: Ref | None = None
    """`(game, view, legal) -> Scene`, the board as `ludex.core.scene` describes it, from a view only, so that no secret
    can leak; for a renderer of the game's own a dict, as JSON what it draws. None: a list of the legal moves.

    `legal` is all False where the viewer may not know it, and once the match is over.
    """
    history: Ref | None = None
    """`(match, ply) -> dict`, as JSON what the earlier plies add to a scene: what happened.

    For a live match it contains only what every player may know.
    """
    facts: Ref | None = None
    """`(match, limit) -> dict`, as JSON what takes time to compute of a finished match, such as its luck.

    A worker computes it when a page shows the end, and stops once `limit.stopped`.
    """
    timing: Ref | None = None
    """`(match, seconds) -> Mapping[str, float]`, the figures of a finished match of one player that took so long,
    such as a speed. It makes the game timed: the server keeps the times of matches that were won, by board.

    A figure's title is the entry `timing_NAME` of the catalogues, its text `timing_NAME_value`, which names `value`."""
    hidden_presets: tuple[str, ...] = ()
    """Presets that the home page does not offer; they can be played by name."""
    rules: Ref | None = None
    """`(game) -> ludex.core.rulebook.Rulebook`, the rules of a board in words and pictures; None: there are none."""
    tutorial: Ref | None = None
    """The game's `ludex.core.tutorial.Tutorial`, which the page `/learn/GAME` plays; None: there is none."""
    coach: Ref | None = None
    """`(game, view, legal) -> Message`, what the viewer, whose turn it is, can do now, for a person who is new.

    It gives no advice on which move is good: in a rated match that would be a hint."""
    shelf: Ref | None = None
    """`{"en": ..., "fr": ...}`, the title of the row of the home page where the games of a distribution stand together,
    below those that name none."""
    first_presets: tuple[str, ...] = ()
    """Presets that the home page offers first, the easiest first: people begin on the first of them.

    The others follow in the order of `GameSpec.presets`.
    """
    explain: Ref | None = None
    """`(game, view, text) -> Decision`, why a place of the board, which a text names as a move does, is good or bad:
    its explanation, with `action` as the place. Nothing is searched. None: people ask only for the best move."""
    editor: Ref | None = None
    """The game's `ludex.core.editing.Editor`, which the page `/edit/GAME` uses; None: its positions are not edited."""
    text: Ref | None = None
    """`(game, naming) -> ludex.core.text.GameText`, what players that read get to see, such as language models.

    None: the rulebook, the picture of the terminal and the notation, which cannot be renamed.
    """
    composite: Ref | None = None
    """`(game, view, text) -> list[str] | None`, the moves a text stands for, in order; None: it is no composite.

    Such a text is taken wherever people type moves: on the page, by `ludex play` and `--moves`, by `Match.play_text`.
    A move that an earlier one of them has made illegal is left out when they are played; if one was never legal, all
    are refused.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSpec:
    """What a game offers to learning."""

    batch: Ref | None = None
    """`(game, num_lanes) -> BatchEnv`"""
    gym: Ref | None = None
    """`() -> None`, registers the game's environments with Gymnasium; `import ludex.envs.gymnasium` calls it."""
    training: TrainingSpec | None = None
    figures: Ref | None = None
    """`(rows, row | None) -> ludex.learn.figures.RunFigures`, pictures of a row of a run's metrics, by default the last
    row that has some; raises `BadOption` for a row without any."""
    measured_against: str | None = None
    """Whom the steps of a run meet on the boards that this agent can play: a perfect player, so that what
    counts is which games they do not lose. None, and on other boards: the default level."""
    example: str | None = None
    """`"package:folder"`, a finished and measured run that ships, which the laboratory shows as any other run; its
    name is the folder's: see `scripts/example_runs.py`."""
    rankings: Ref | None = None
    """`(game) -> RankingCodec`, for games with tables of learned values."""
    nets: str | None = None
    """The package that holds networks for the agent `zero`: `zero-GAME-PRESET.onnx`, each with its card in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsSpec:
    """Commands, measurements and data of a game."""

    verbs: Mapping[str, Ref] = field(default_factory=dict)
    """By name, what `ludex GAME NAME` runs: `(...) -> VerbResult`, see `ludex.core.verb`."""
    export: Ref | None = None
    """`(game, net, output) -> None`, writes a network file of the game's own training as the ONNX file that plays."""
    measure: Ref | None = None
    """`(...) -> VerbResult`, what `ludex GAME measure` runs; None: the trained agent is measured as by `ludex eval`."""
    evaluate: Ref | None = None
    """How an agent of a one-player game is measured: a `ludex.core.verb.Evaluate`."""
    perft: Ref | None = None
    """`(game, state, depth) -> int`, where kernels count faster than the contract."""
    signature: Ref | None = None
    """`() -> NamedTuple(nodes, positions, depth, cpu_seconds)`, the nodes of fixed searches."""
    warmup: Ref | None = None
    """`() -> ludex.kernels.warmup.Warmup`, each kernel's name with a call that compiles it."""
    metrics: Ref | None = None
    """`(game, state, action, stats) -> dict[str, int]`, what `/metrics` counts of one move played in `state`.

    `stats` are those of an agent's decision, or empty.
    """
    leaderboard: str | None = None
    """The package that holds `leaderboard.json`: the agents' strength, by `benchmarks/leaderboard.py`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSpec:
    """How the coach reviews a match; a game that declares nothing is reviewed by the agents that play every game.

    A `review` takes the place of the one that `grid_spec` makes: `ReviewSpec(reasons=...)` has the same `analysts`, and
    2000 `nodes` in place of the 6000 of games with compiled rules; `ReviewSpec(reasons=..., nodes=6000)` keeps them.
    """

    factory: Ref | None = None
    """`(game, services) -> Agent`, an analyst of the game's own that is no opponent; None: one of `analysts`."""
    analysts: tuple[str, ...] = ("mcts", "minimax")
    """Agents with options; the first that supports a board evaluates its positions."""
    nodes: int = 2000
    """The budget of each position: nodes or simulations."""
    shallow: int | None = None
    """The nodes of a glance, which shows how hard a move is to find; None: a twentieth of `nodes`."""
    alternatives: str | None = None
    """An analyst that values the second best move too, for games whose first analyst values the best alone."""
    samples: int = 6
    """Draws averaged for what a move was worth before the dice, where the analyst does not value each move."""
    curves: str | None = None
    """The package that holds `win_probability.json`: the fitted curves of `ludex.coach.win_probability`."""
    reasons: Ref | None = None
    """`(judged) -> Sequence[Message]`, why a move was worse or better than others, by a `JudgedMove` of
    `ludex.core.decision`, in place of what the game's `effects` say; None: those."""
    is_mark: Ref | None = None
    """`(game, action) -> bool`, whether a move decides nothing, such as a flag or an order: it is not judged."""
    luck: Ref | None = None
    """`(judged) -> float | None`, what chance gave the mover, in win probability and zero in expectation; None if it
    had no part. Without such a function the coach draws `samples` times."""
    dice: Ref | None = None
    """`(judged) -> float | None`, what the dice gave the mover in things that people count, such as units of the other
    player, and zero in expectation; None if none were rolled."""
    dice_text: Ref | None = None
    """`(amount) -> Message`, on what the dice gave a player in a whole match, less what they gave the others."""
    version: int = 1
    """Raised when the same match is reviewed differently, as by another `estimate`, other `effects` or `reasons`:
    stored reviews of an older one are made again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeSpec:
    """One kind of puzzle: how its positions are found and how its answers are proven, see `ludex.core.puzzle`."""

    boards: tuple[str, ...]
    """Where its puzzles are made: presets, or boards with options such as `5x5:walls=2`."""
    make: Ref
    """`(game, rng) -> Candidate | None`, a position that may be a puzzle."""
    prove: Ref
    """`(game, state) -> Proof | None`, the right moves of any position and why; None: the position is no puzzle."""
    answers: str = "*"
    """A pattern (`fnmatch`) of the moves that are attempts at a solution; others do not count."""
    notes: str = ""
    """A pattern of moves that only mark the board, such as flags: a person may make them before an attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzlesSpec:
    """The puzzles of a game."""

    themes: Mapping[str, ThemeSpec] = field(default_factory=dict)
    """By name, the easiest first."""
    data: str | None = None
    """The package that holds those that ship, `puzzles_THEME.json`, which `ludex puzzles make` writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec:
    """A game as the registry knows it: what it is, and what it offers to screens, learning and tools."""

    id: str
    contract: int = 1
    """The version of the contract that the game is written for, `ludex.core.game.CONTRACT`; another one is refused."""
    title: str
    summary: str
    order: int = 100
    """Its place on the home page and in listings, the lowest first; games of one place are listed by name."""
    options: type[Options]
    presets: Mapping[str, Mapping[str, Any]]
    """Option values by name; the first is the default."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other names of presets, or of presets with options."""
    factory: Ref
    """`(options, preset) -> Game`"""
    agents: Mapping[str, AgentSpec]
    """The first that supports a board without options is the default opponent there.

    The registry appends the agents of the entry points `ludex.agents` that play the game; the game's own names win.
    """
    levels: Mapping[str, LevelSpec] = field(default_factory=dict)
    """The difficulties that people choose from, the weakest first, by the name that stands wherever an agent is named.

    A level has the name of an agent only if it is that agent. Where a game declares none, the registry derives levels
    from the agents that play every game.
    """
    mistake_phases: tuple[str, ...] | None = None
    """The phases, of `GameInfo.phases`, in which agents may err by design: `mistakes` applies in them and in no other.
    None means all. In the others every level plays as its agent does, the lowest too."""
    slow_start: Ref | None = None
    """`(game) -> bool`, whether the first position of a board takes so long to make that a click should not wait for
    it: the web app has workers make it, some ahead of time. None: on no board."""
    generic_agents: tuple[str, ...] | None = None
    """Which agents that play every game are offered, by name; None means all, `()` none."""
    evaluation: Ref | None = None
    """`(game, state, player) -> float`, the score that a player may expect, in -1..1: what searches stop at."""
    compiled: Ref | None = None
    """`(game) -> CompiledRules | None`, the rules over packed positions, see `ludex.core.compiled`; None for a board
    that is too large for them."""
    analyst: str | None = None
    """The agent that analyses and plays as an engine by default; the board's default opponent if None."""
    vary_secret: Ref | None = None
    """`(game, state, player, rng) -> state`, differs only in what this player may not know."""
    screen: ScreenSpec
    learning: LearningSpec = LearningSpec()
    tools: ToolsSpec = ToolsSpec()
    review: ReviewSpec = ReviewSpec()
    puzzles: PuzzlesSpec = PuzzlesSpec()

    @property
    def default_preset(self) -> str:
        return next(iter(self.presets))

    @property
    def offered_presets(self) -> tuple[str, ...]:
        """The presets of the home page in their order: people begin on the first, and levels are measured there."""
        hidden, first = self.screen.hidden_presets, self.screen.first_presets
        return (*first, *(preset for preset in self.presets if preset not in first and preset not in hidden))
