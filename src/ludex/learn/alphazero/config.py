"""What a run of the learner depends on. Apart from the training, so that reading it loads no torch.

`complete` fills in what a configuration leaves open: sizes that follow from the game's board and the device.
"""

from typing import Final, Literal, NamedTuple, Self, TypeVar

from pydantic import Field, model_validator

from ludex.core.compiled import compiled_rules
from ludex.core.errors import BadConfig, Unsupported
from ludex.core.game import AnyGame
from ludex.core.messages import COMMON, Message
from ludex.core.options import LOCAL
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.core.spec import GameSpec
from ludex.core.system import usable_cores
from ludex.learn.config import BOARD, WORKERS, Config
from ludex.search.model import require_learnable, require_ownership

T = TypeVar("T")

BY_BOARD = "none: by the size of the board"
CPU_DEMONSTRATIONS: Final = 0.5
RESIGN_BELOW: Final = -0.97
DEMONSTRATION_SIMULATIONS: Final = 100

ALPHAZERO_METRICS: Final = (
    *("iteration", "minutes", "games", "steps", "window"),
    *("brier_opening", "brier_middle", "brier_end"),
    *("rating", "win_rate", "win_rate_low", "win_rate_high", "elo"),
    *("loss", "policy_loss", "value_loss", "moves_left_loss", "ownership_loss", "learning_rate"),
    *("game_length", "score", "first_player_score", "draws", "resigned", "wrongly_resigned", "aborted"),
    *("moves_per_second", "leaves_per_second", "mean_batch", "results"),
    *("playing_seconds", "network_seconds", "learning_seconds"),
)
"""Every number that a run logs."""


def require_value(value: T | None) -> T:
    """A value that `defaults.complete` has filled in where a file left it open."""
    assert value is not None
    return value


class NetConfig(Config):
    """The residual tower."""

    channels: int | None = Field(ge=1, le=1024, description=f"width of the tower; {BY_BOARD}")
    blocks: int | None = Field(ge=0, le=100, description=f"residual blocks; {BY_BOARD}")
    pooled_every: int | None = Field(
        ge=0, description=f"every so many blocks see the means and maxima of the whole board, 0: none; {BY_BOARD}"
    )


class SearchConfig(Config):
    """The tree search of self-play."""

    rule: Literal["gumbel", "puct"] = Field(description="how a search divides its simulations")
    simulations: int | None = Field(ge=2, le=100_000, description=f"simulations per move; {BY_BOARD}")
    considered: int | None = Field(ge=2, description="moves of the root that gumbel begins with; none: 16")
    c_puct: float | None = Field(gt=0, description="weight of moves tried seldom, with puct; none: 1.5")
    noise_alpha: float | None = Field(gt=0, description=f"concentration of the root's noise, with puct; {BY_BOARD}")
    noise_share: float | None = Field(
        ge=0, lt=1, description="share of the root's noise in its probabilities, with puct; none: 0.25"
    )
    draw_value: float = Field(ge=-1, le=1, description="what a draw is worth to player 0; player 1 gets the opposite")
    cache: int | None = Field(ge=0, description=f"evaluations remembered until weights change; {BY_BOARD}")
    threads: int | None = Field(
        ge=1,
        description="threads of the tree, and on a CPU of the network; none: what is fastest when the run begins",
        json_schema_extra=WORKERS,
    )


class SelfPlayConfig(Config):
    """Games of the network against itself."""

    games: int | None = Field(ge=1, description="games at once; none: by the device and the size of the board")
    plies: int | None = Field(ge=1, description="plies that each of them advances per iteration; none: by the device")
    opening_plies: int = Field(ge=0, description="random plies at the start of a game, at most; none is learned from")
    temperature: float = Field(ge=0, le=10, description="how freely early moves are drawn; 0: the best one")
    temperature_plies: int | None = Field(ge=0, description=f"plies whose moves are drawn; {BY_BOARD}")
    resign_below: float | None = Field(
        ge=-1, lt=0, description=f"a side gives up once it expects less; -1: never; none: {RESIGN_BELOW:g}, -1 alone"
    )
    resign_turns: int = Field(ge=1, description="turns of its own in a row that a side must expect so little")
    resign_exempt: float = Field(ge=0, le=1, description="share of games that are played to their end, to check this")
    demonstrations: float | None = Field(
        ge=0,
        lt=1,
        description="share of the run at whose beginning mcts plays in place of the network; "
        f"none: {CPU_DEMONSTRATIONS:g} on a CPU, for games with compiled rules, else 0",
    )
    demonstration_simulations: int | None = Field(
        ge=2, le=100_000, description=f"simulations per move of that mcts; none: {DEMONSTRATION_SIMULATIONS}"
    )


class LearningConfig(Config):
    """How the network learns from positions."""

    batch: int | None = Field(ge=2, description="positions per step; none: by the device")
    passes: float | None = Field(
        gt=0, description="times that a position is learned from, on average; none: by the device"
    )
    window: int | None = Field(ge=1, description=f"positions remembered at most; {BY_BOARD} and the device")
    window_growth: float = Field(gt=0, le=1, description="share of all positions so far that are learned from")
    learning_rate: float = Field(gt=0, description="the highest, before its cosine decay")
    warmup_steps: int = Field(ge=0, description="steps until the highest learning rate")
    weight_decay: float = Field(ge=0, description="AdamW's")
    max_grad_norm: float = Field(gt=0, description="longer gradients are cut to this")
    value_weight: float = Field(ge=0, description="weight of the value's loss; the policy's is 1")
    moves_left_weight: float = Field(ge=0, description="weight of the loss of the plies left; 0: no such head")
    ownership_weight: float = Field(
        default=0.0,
        ge=0,
        description="weight of the loss of what becomes of each cell, if the game declares it; 0: no such head",
    )
    search_share: float = Field(ge=0, le=1, description="share of the search in the value's target; the rest: results")
    average: float = Field(ge=0, lt=1, description="decay per step of the averaged weights that play; 0: none")
    symmetries: bool = Field(description="whether positions are seen under the symmetries that the game declares")


class EvaluationConfig(Config):
    """Matches between networks of one run."""

    every: int | None = Field(ge=1, description="iterations between two evaluations; none: by the device")
    games: int | None = Field(
        ge=2, multiple_of=2, description="games against each opponent at most; seats are swapped; none: by the device"
    )
    simulations: int = Field(ge=2, le=100_000, description="simulations per move")
    opening_plies: int = Field(ge=0, description="random plies at the start of each pair of games")
    elo0: float = Field(description="the sequential test's null hypothesis, in Elo points")
    elo1: float = Field(description="a network that is stronger by so much becomes the next opponent")

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, found {self.elo0:g} and {self.elo1:g}")
        return self


class AlphaZeroConfig(Config):
    """Everything a run depends on."""

    algorithm: Literal["alphazero"]
    preset: str | None = Field(description="the board to learn; none: the game's default", json_schema_extra=BOARD)
    start_from: str | None = Field(
        default=None, description="a net.pt of an earlier run that this one begins with", json_schema_extra=LOCAL
    )
    minutes: float | None = Field(gt=0, description="minutes of training; none: until the last iteration")
    iterations: int | None = Field(ge=1, description="iterations of self-play and learning; none: until time is up")
    seed: int = Field(ge=0, lt=1 << 63, description="names every random number of the run")
    device: Literal["auto", "cpu", "cuda"] = Field(description="where the network runs and learns")
    precision: Literal["auto", "fp32", "tf32", "bf16"] = Field(
        description="of the network; auto: fp32 on a CPU, else bf16"
    )
    synchronous: bool = Field(description="one process, so that runs of one seed are equal bit for bit")
    workers: int | None = Field(
        ge=0,
        description="processes that play; 0: the learner plays itself; none: on a CPU one per core "
        "but the learner's, at most 4",
        json_schema_extra=WORKERS,
    )
    executor: Literal["local", "ray"] = Field(description="where workers run: this machine, or a Ray cluster")
    address: str = Field(description="of the Ray cluster", json_schema_extra=LOCAL)
    checkpoint_every: int = Field(ge=1, description="iterations between two checkpoints")
    net: NetConfig
    search: SearchConfig
    self_play: SelfPlayConfig
    learning: LearningConfig
    evaluation: EvaluationConfig

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.minutes is None and self.iterations is None:
            raise ValueError("minutes or iterations must be given: nothing else ends a run")
        if self.synchronous and self.minutes is not None:
            raise ValueError("a synchronous run ends after its iterations, not by the clock: set minutes to none")
        if self.synchronous and self.plays_apart:
            raise ValueError(
                f"a synchronous run plays in its own process, found {self.workers or 0} workers, {self.executor}"
            )
        if self.executor == "local" and self.address != "auto":
            raise ValueError(f"address is for executor=ray, found {self.address!r} with local processes")
        if self.executor == "ray" and self.workers:
            raise ValueError(f"a cluster has the workers it has: executor=ray takes no workers, found {self.workers}")
        if self.device == "cpu" and self.precision in ("tf32", "bf16"):
            raise ValueError(f"precision {self.precision} needs device cuda")
        return self

    @property
    def plays_apart(self) -> bool:
        """Whether games are played by workers, and not by the process that learns."""
        return bool(self.workers) or self.executor == "ray"

    def done(self, iteration: int, seconds: float) -> float:
        """The share of the run that is over, in 0..1: by iterations or by time, whichever is further."""
        shares = [0.0]
        if self.iterations is not None:
            shares.append(iteration / self.iterations)
        if self.minutes is not None:
            shares.append(seconds / (60 * self.minutes))
        return min(1.0, max(shares))


class Sizes(NamedTuple):
    """What suits boards of up to so many cells."""

    cells: int
    channels: int
    blocks: int
    simulations: int
    window: int


CPU_LADDER = (
    Sizes(9, 32, 2, 32, 50_000),
    Sizes(16, 32, 2, 32, 100_000),
    Sizes(25, 32, 3, 32, 200_000),
    Sizes(49, 32, 1, 32, 300_000),
    Sizes(100, 24, 3, 32, 300_000),
    Sizes(1 << 30, 32, 4, 32, 300_000),
)
"""For minutes on a few cores: a small network that has played many games beats a large one that has played few."""
LADDER = (
    Sizes(9, 32, 2, 32, 50_000),
    Sizes(16, 48, 3, 40, 100_000),
    Sizes(25, 48, 4, 48, 400_000),
    Sizes(49, 64, 6, 48, 500_000),
    Sizes(100, 64, 6, 64, 750_000),
    Sizes(1 << 30, 96, 8, 64, 750_000),
)
POOLED_FROM = 25
"""Cells from which three layers of convolution no longer see the whole board."""
CACHED_CELLS = 16
"""On boards up to this size most positions of a search come again."""
CACHE = 1 << 16
CUDA_GAMES, CPU_GAMES = 1024, 128
CUDA_PLIES, CPU_PLIES = 24, 12
CUDA_BATCH, CPU_BATCH = 2048, 256
CUDA_PASSES, CPU_PASSES = 2.0, 4.0
"""On a CPU positions are dearer than steps."""
CUDA_EVERY, CPU_EVERY, APART_EVERY = 10, 40, 200
CUDA_MATCH, CPU_MATCH = 128, 32
"""Iterations between two evaluations, and their games: on a CPU they would take half of the time. Iterations are short
while workers play."""
MOST_WORKERS = 4
"""Each takes the memory of a process with torch, and one learner keeps up with few."""
CUDA_WINDOW = 2
"""On a GPU more games are played in the same time, and more positions are remembered."""
EARLY_SHARE = 0.15
"""The share of the longest match whose moves are drawn, on small boards; at most `MOST_EARLY` plies."""
MOST_EARLY = 24
CONSIDERED, C_PUCT, NOISE_SHARE = 16, 1.5, 0.25
NOISE = 10.0
"""The root's noise has this concentration over all moves together."""


def complete(spec: GameSpec, config: AlphaZeroConfig) -> AlphaZeroConfig:
    """The configuration with nothing left open that its rule of search needs.

    Raises `Unsupported` for games that it cannot learn, and `BadConfig` for a value of the other rule.
    """
    from ludex.learn.device import select_device
    from ludex.learn.launch import read_launch

    game = make(spec.id, config.preset)
    require_learnable(game)
    if config.learning.ownership_weight > 0:
        _require_ownership(game, config.learning.ownership_weight)
    alone = game.info.players == 1
    demonstrates = compiled_rules(game) is not None and game.info.chance == "none" and not alone
    if config.self_play.demonstrations and not demonstrates:
        raise BadConfig(
            f"self_play.demonstrations is {config.self_play.demonstrations:g}, but {spec.id} has no compiled rules "
            "of two players without dice, by which mcts plays fast enough; give 0"
        )
    if alone:
        _refuse_for_one(config)
    on_gpu = select_device(config.device).type == "cuda"
    if config.precision in ("tf32", "bf16") and not on_gpu:
        raise BadConfig(f"precision {config.precision} needs a GPU, and this run is trained on the CPU")
    # A group has a process per core already.
    apart = not (on_gpu or config.synchronous or config.executor == "ray" or read_launch().size > 1)
    workers = (min(MOST_WORKERS, usable_cores() - 1) if apart else 0) if config.workers is None else config.workers
    cells = board_cells(game)
    sizes = next(step for step in (LADDER if on_gpu else CPU_LADDER) if cells <= step.cells)
    by_rule: dict[str, dict[str, float]] = {
        "gumbel": {"considered": CONSIDERED},
        "puct": {"c_puct": C_PUCT, "noise_share": NOISE_SHARE, "noise_alpha": NOISE / game.info.num_actions},
    }
    own = by_rule.pop(config.search.rule)
    _refuse(config.search, [key for others in by_rule.values() for key in others])
    changes: dict[str, object] = {
        "preset": game.info.preset,
        "workers": workers,
        "precision": ("bf16" if on_gpu else "fp32") if config.precision == "auto" else config.precision,
        "net": {
            "channels": sizes.channels,
            "blocks": sizes.blocks,
            "pooled_every": 3 if cells >= POOLED_FROM else 0,
        },
        "search": {
            "simulations": sizes.simulations,
            **own,
            "cache": CACHE if cells <= CACHED_CELLS else 0,
            # On a CPU the learner measures, unless equal seeds must give equal bits.
            "threads": usable_cores() if on_gpu or config.synchronous else None,
        },
        "self_play": {
            "games": CUDA_GAMES if on_gpu else CPU_GAMES,
            "plies": CUDA_PLIES if on_gpu else CPU_PLIES,
            "demonstrations": 0.0 if on_gpu or not demonstrates else CPU_DEMONSTRATIONS,
            "resign_below": -1.0 if alone else RESIGN_BELOW,
            "demonstration_simulations": DEMONSTRATION_SIMULATIONS,
            "temperature_plies": min(MOST_EARLY, max(2, round(EARLY_SHARE * game.info.max_plies))),
        },
        "learning": {
            "batch": CUDA_BATCH if on_gpu else CPU_BATCH,
            "passes": CUDA_PASSES if on_gpu else CPU_PASSES,
            "window": sizes.window * (CUDA_WINDOW if on_gpu else 1),
        },
        "evaluation": {
            "every": CUDA_EVERY if on_gpu else APART_EVERY if workers else CPU_EVERY,
            "games": CUDA_MATCH if on_gpu else CPU_MATCH,
        },
    }
    return AlphaZeroConfig.model_validate(_fill_in(config.model_dump(), changes))


def _refuse(search: SearchConfig, others: list[str]) -> None:
    """Raise `BadConfig` for values of the other rule."""
    unused = [f"search.{key}" for key in others if getattr(search, key) is not None]
    if unused:
        reason = f"rule={search.rule} does not use {', '.join(unused)}: set to null"
        raise BadConfig.of(Message(f"{COMMON}.fault_together", {"reason": reason}))


def _refuse_for_one(config: AlphaZeroConfig) -> None:
    """Raise `BadConfig` for values that need an opponent."""
    if config.self_play.resign_below not in (None, -1.0):
        raise BadConfig(f"self_play.resign_below is {config.self_play.resign_below:g}, but one player has no opponent")
    if config.search.draw_value:
        raise BadConfig(f"search.draw_value is {config.search.draw_value:g}, but one player has no draws; give 0")


def _require_ownership(game: AnyGame, weight: float) -> None:
    try:
        require_ownership(game)
    except Unsupported as error:
        raise BadConfig(f"learning.ownership_weight is {weight:g}, but {error}; give 0 to learn without it") from error


def board_cells(game: AnyGame) -> int:
    """The cells of the largest plane that a player observes; of a game without planes the number of actions."""
    seen = game.observe(game.view(game.initial(Rng(0)), 0))
    planes = [array.shape[-2] * array.shape[-1] for array in seen.values() if array.ndim >= 2]
    return max(planes, default=game.info.num_actions)


def _fill_in(values: dict[str, object], changes: dict[str, object]) -> dict[str, object]:
    """Every value given, and where none is the one that follows from board and device."""
    filled = dict(values)
    for key, value in changes.items():
        current = values[key]
        if isinstance(value, dict) and isinstance(current, dict):
            filled[key] = _fill_in(current, value)
        elif current is None or key == "precision":
            filled[key] = value
    return filled
