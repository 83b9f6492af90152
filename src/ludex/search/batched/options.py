"""What shapes a batched search."""

import math
from dataclasses import dataclass
from typing import Literal

from ludex.core.errors import BadOption


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The numbers of a batched search. Raises `BadOption` for what makes no sense."""

    simulations: int = 32
    """Evaluations per move, the root's own not counted."""
    rule: Literal["gumbel", "puct"] = "gumbel"
    """How actions are chosen: Gumbel noise with sequential halving at the root, or PUCT with Dirichlet noise."""
    considered: int = 16
    """Gumbel: the most root actions that are tried."""
    gumbel_scale: float = 1.0
    """Gumbel: the weight of the noise; 0 plays the same move every time."""
    value_scale: float = 0.1
    """Gumbel: the weight of values beside the network's policy."""
    visit_offset: float = 50.0
    """Gumbel: visits that are added to those of the most visited action, whose sum is the other weight of values."""
    least_range: float = 0.2
    """Gumbel: the values of a node's actions are stretched to 0..1, but no more than values that differ by so much."""
    c_puct: float = 1.25
    """PUCT: the weight of the network's policy."""
    first_play: float = 0.2
    """PUCT: how much less than its parent an action is worth that was never tried."""
    noise_alpha: float = 0.0
    """PUCT: the parameter of the Dirichlet noise at the root; 0 means 10 / legal actions."""
    noise_share: float = 0.0
    """PUCT: the share of noise in the root's policy."""
    draw_value: float = 0.0
    """What a draw is worth to player 0; player 1 gets the opposite."""
    widening: float = 2.0
    """The most positions that chance makes of one action, times the root of how often it was tried."""
    threads: int = 1
    """Threads over the games."""
    double_buffer: bool = False
    """Search the games in two halves: the tree work of one beside the network's work for the other."""
    fixed_batches: bool = False
    """Evaluate one row per game each time, also where a game needs none: every batch has the same size."""
    cache_size: int = 0
    """How many evaluations are remembered."""

    def __post_init__(self) -> None:
        least = {"simulations": 1, "considered": 1, "threads": 1, "cache_size": 0}
        for name, bound in least.items():
            _require(getattr(self, name) >= bound, name, f"at least {bound}", getattr(self, name))
        for name in ("gumbel_scale", "value_scale", "visit_offset", "c_puct", "first_play", "noise_alpha", "widening"):
            value = getattr(self, name)
            _require(math.isfinite(value) and value >= 0.0, name, "a number of at least 0", value)
        _require(0.0 < self.least_range <= 2.0, "least_range", "above 0 and at most 2", self.least_range)
        _require(0.0 <= self.noise_share <= 1.0, "noise_share", "in 0..1", self.noise_share)
        _require(-1.0 <= self.draw_value <= 1.0, "draw_value", "in -1..1", self.draw_value)
        _require(self.rule in ("gumbel", "puct"), "rule", "gumbel or puct", self.rule)
        if self.fixed_batches and self.cache_size:
            raise BadOption("cache_size needs fixed_batches=false: what is remembered is not evaluated again")


def _require(holds: bool, name: str, expected: str, value: object) -> None:
    if not holds:
        raise BadOption(f"{name} must be {expected}, found {value!r}")
