"""What a configuration leaves open: sizes that follow from the game's board and the device."""

from typing import NamedTuple

from ludex.core.errors import BadConfig, Unsupported
from ludex.core.game import AnyGame
from ludex.core.messages import COMMON, Message
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.core.spec import GameSpec
from ludex.core.system import usable_cores
from ludex.learn.alphazero.config import AlphaZeroConfig, SearchConfig
from ludex.search.model import require_learnable, require_ownership


class Sizes(NamedTuple):
    """What suits boards of up to so many cells."""

    cells: int
    channels: int
    blocks: int
    simulations: int
    window: int


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

    game = make(spec.id, config.preset)
    require_learnable(game)
    if config.learning.ownership_weight > 0:
        _require_ownership(game, config.learning.ownership_weight)
    on_gpu = select_device(config.device).type == "cuda"
    if config.precision in ("tf32", "bf16") and not on_gpu:
        raise BadConfig(f"precision {config.precision} needs a GPU, and this run is trained on the CPU")
    cells = board_cells(game)
    sizes = next(step for step in LADDER if cells <= step.cells)
    by_rule: dict[str, dict[str, float]] = {
        "gumbel": {"considered": CONSIDERED},
        "puct": {"c_puct": C_PUCT, "noise_share": NOISE_SHARE, "noise_alpha": NOISE / game.info.num_actions},
    }
    own = by_rule.pop(config.search.rule)
    _refuse(config.search, [key for others in by_rule.values() for key in others])
    changes: dict[str, object] = {
        "preset": game.info.preset,
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
            "threads": usable_cores(),
        },
        "self_play": {
            "games": CUDA_GAMES if on_gpu else CPU_GAMES,
            "plies": CUDA_PLIES if on_gpu else CPU_PLIES,
            "temperature_plies": min(MOST_EARLY, max(2, round(EARLY_SHARE * game.info.max_plies))),
        },
        "learning": {
            "batch": CUDA_BATCH if on_gpu else CPU_BATCH,
            "window": sizes.window * (CUDA_WINDOW if on_gpu else 1),
        },
    }
    return AlphaZeroConfig.model_validate(_fill_in(config.model_dump(), changes))


def _refuse(search: SearchConfig, others: list[str]) -> None:
    """Raise `BadConfig` for values of the other rule."""
    unused = [f"search.{key}" for key in others if getattr(search, key) is not None]
    if unused:
        reason = f"rule={search.rule} does not use {', '.join(unused)}: set to null"
        raise BadConfig.of(Message(f"{COMMON}.fault_together", {"reason": reason}))


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
