"""The arrays that the kernels of a batch work on. N lanes, HW cells, A actions, C channels."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.env.config import BASE_CHANNELS, MINES_UNIT, REWARD_KEYS, EnvConfig
from ludex.games.minesweeper.rules.bitboard import empty_lines
from ludex.games.minesweeper.rules.geometry import surroundings
from ludex.games.minesweeper.rules.layout import Cells, Lines, Near, Numbers, Opened, States
from ludex.games.minesweeper.rules.mine_placement import KEPT

PROGRESS, WIN, LOSS, STEP, INVALID, FLAGGING = range(6)
COMPONENTS: Final = ("progress", "win", "loss", "step", "invalid", "flag")
"""The terms of a reward, in the order of the columns of `components`."""
TERMINATED, TRUNCATED, WON, REFUSED = range(4)
"""The rows of `marks`."""
RATIO, OPENED, SHARE, COUNT = range(4)
"""The layers of `levels`."""
REST: Final = -1
"""The action of a lane that does not move in this step, in batches without auto-reset."""

Bits = type[np.uint8] | type[np.uint16] | type[np.uint32]
BITS: Final[dict[str, Bits]] = {"uint8": np.uint8, "float16": np.uint16, "float32": np.uint32}
"""The unsigned integers in which kernels write an observation: they have no float16."""

LEDGER: Final = np.dtype(
    [
        ("key", np.uint64),
        ("word", np.uint64),
        ("episode", np.int64),
        ("plies", np.int32),
        ("mines", np.int32),
        ("opened", np.int32),
        ("flags", np.int32),
        ("new_cells", np.int32),
        ("final_mines", np.int32),
        ("over", np.bool_),
    ],
    align=True,
)
"""The counters of a lane. `key`, of the stream of chance, and `word`, the lane's number, give its generators."""


class Buffers(NamedTuple):
    """What a step reads and writes, in the order in which `step_range` takes it; all of it is allocated once."""

    near: Near
    terms: NDArray[Any]
    """One record of what is the same in every lane and step, see `_terms`."""
    ledger: NDArray[Any]
    """[N] records of `LEDGER`."""
    states: States
    """[N]: the generator that a lane draws from in this step."""
    cells: Cells
    """[N, HW], see `layout`."""
    lines: Lines
    """[N, 4, H + 2]: the same as bits, see `bitboard`."""
    opened: Opened
    """[N, HW]: the safe cells that are revealed, step by step."""
    obs: NDArray[Any]
    """[N, C, HW], the bits of numbers in the observation's type."""
    mask: NDArray[np.bool_]
    """[N, A]"""
    numbers: Numbers
    """[N, HW], -1 where hidden."""
    final_cells: Cells
    """[N, HW]: the cells at the end of a lane's last finished episode."""
    reward: NDArray[np.float32]
    components: NDArray[np.float32]
    """[N, 6]"""
    marks: NDArray[np.bool_]
    """[4, N]"""
    levels: NDArray[Any]
    """[4, mines, counted]: the bits of the channels that repeat one number over the board, by the episode's mines
    (from the fewest on) and by the mines without a flag, or by the cells that are opened."""


def allocate(cfg: EnvConfig, lanes: int, auto_reset: bool) -> Buffers:
    """The arrays of `lanes` lanes."""
    bits, size = BITS[cfg.obs_dtype], cfg.cells
    return Buffers(
        near=surroundings(cfg.H, cfg.W),
        terms=_terms(cfg, auto_reset),
        ledger=np.zeros(lanes, LEDGER),
        states=np.zeros(lanes, np.uint64),
        cells=np.zeros((lanes, size), np.uint8),
        lines=empty_lines(lanes, cfg.H),
        opened=np.zeros((lanes, size), np.int16),
        obs=np.zeros((lanes, cfg.channels, size), bits),
        mask=np.zeros((lanes, cfg.num_actions), np.bool_),
        numbers=np.zeros((lanes, size), np.int8),
        final_cells=np.zeros((lanes, size), np.uint8),
        reward=np.zeros(lanes, np.float32),
        components=np.zeros((lanes, len(COMPONENTS)), np.float32),
        marks=np.zeros((4, lanes), np.bool_),
        levels=_levels(cfg),
    )


def _terms(cfg: EnvConfig, auto_reset: bool) -> NDArray[Any]:
    least, most = cfg.mine_bounds
    optional = cfg.optional_channels
    at = [BASE_CHANNELS + sum(optional[:index]) if on else -1 for index, on in enumerate(optional)]
    values: dict[str, Any] = {
        "one": as_bits(np.ones(1), cfg)[0],
        "cols": cfg.W,
        "keep": KEPT[cfg.start],
        "random_first": cfg.random_first_click,
        "draws_first": cfg.random_first_click or least < most,
        "least_mines": least,
        "most_mines": most,
        "max_steps": cfg.max_steps,
        **dict(zip(("frontier_at", "ratio_at", "progress_at", "share_at", "count_at"), at, strict=True)),
        "has_levels": any(optional[1:]),
        "frontier_mask": cfg.frontier_mask,
        "keep_flags": cfg.keep_flags,
        "auto_reset": auto_reset,
        **{key: float(getattr(cfg, key)) * (cfg.use_flag_shaping or "flag" not in key) for key in REWARD_KEYS},
    }
    kind = np.dtype([(name, np.asarray(value).dtype) for name, value in values.items()], align=True)
    return np.array([tuple(values.values())], kind)


def _levels(cfg: EnvConfig) -> NDArray[Any]:
    if not any(cfg.optional_channels[1:]):
        return as_bits(np.zeros((4, 1, 1)), cfg)
    least, most = cfg.mine_bounds
    mines = np.arange(least, most + 1)[:, None]
    counted = np.arange(cfg.cells + 1)
    share = mines / np.maximum(1, cfg.cells - counted)
    count = np.broadcast_to(mines / MINES_UNIT, share.shape)
    return as_bits(np.stack([counted / mines, counted / (cfg.cells - mines), share, count]), cfg)


def as_bits(values: NDArray[np.float64], cfg: EnvConfig) -> NDArray[Any]:
    """Numbers in the observation's type, as unsigned integers of the same bits."""
    return values.astype(cfg.obs_dtype).view(BITS[cfg.obs_dtype])
