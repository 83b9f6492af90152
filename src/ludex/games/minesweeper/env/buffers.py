"""The arrays that the kernels of a batch work on, and what they show, changed only where the board changed.

N lanes, HW cells, A actions, C channels.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.env.config import BASE_CHANNELS, MINES_UNIT, REWARD_KEYS, EnvConfig
from ludex.games.minesweeper.rules.layout import (
    DEGREE,
    FLAG,
    MINE,
    NUMBER,
    REVEALED,
    TOUCHED,
    Cells,
    Lines,
    Near,
    Numbers,
    Opened,
    States,
    surroundings,
)
from ludex.games.minesweeper.rules.position import FLAG_PLANE, REVEALED_PLANE, ZERO_PLANE
from ludex.games.minesweeper.rules.revealing import KEPT, empty_lines
from ludex.kernels.jit import bare_kernel, inline_kernel, to_word

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
    """[N, 4, H + 2]: the same as bits, see `revealing`."""
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
        "draws_first": cfg.random_first_click or cfg.no_guess or least < most,
        "no_guess": cfg.no_guess,
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


@inline_kernel
def show_opened(buffers: Buffers, lane: int, before: int, after: int) -> None:
    """Show a lane's cells that `opened` holds from `before` to before `after`."""
    full, size = buffers.terms[0].one, buffers.cells.shape[1]
    has_flags = buffers.mask.shape[1] > size
    for place in range(before, after):
        cell = to_word(buffers.opened[lane, place])
        number = to_word(buffers.cells[lane, cell] & NUMBER)
        buffers.obs[lane, REVEALED_PLANE, cell] = full
        buffers.obs[lane, to_word(ZERO_PLANE) + number, cell] = full
        buffers.numbers[lane, cell] = number
        buffers.mask[lane, cell] = False
        if has_flags:
            buffers.mask[lane, to_word(size) + cell] = False


@inline_kernel
def wipe_opened(buffers: Buffers, lane: int, count: int) -> None:
    """Take a lane's opened cells out of its observation again."""
    for place in range(count):
        cell = to_word(buffers.opened[lane, place])
        buffers.obs[lane, REVEALED_PLANE, cell] = 0
        buffers.obs[lane, to_word(ZERO_PLANE) + to_word(buffers.cells[lane, cell] & NUMBER), cell] = 0


@inline_kernel
def wipe_plane(obs: NDArray[Any], lane: int, channel: int) -> None:
    """Clear one channel of a lane's observation."""
    for cell in range(obs.shape[2]):
        obs[lane, channel, cell] = 0


@inline_kernel
def show_frontier(buffers: Buffers, lane: int, before: int, after: int) -> None:
    """Bring a lane's frontier up to date, the hidden cells beside a revealed number, in channel and mask.

    With nothing revealed there is none, and every hidden cell is open. Afterwards there always is one, since the board
    is connected.
    """
    term = buffers.terms[0]
    if term.frontier_mask and before == 0 and after > 0:
        for cell in range(len(buffers.near)):
            buffers.mask[lane, cell] = False
    for place in range(before, after):
        cell = buffers.opened[lane, place]
        if term.frontier_at >= 0:
            buffers.obs[lane, term.frontier_at, cell] = 0
        for k in range(DEGREE):
            other = buffers.near[cell, k]
            if buffers.cells[lane, other] & (REVEALED | TOUCHED) == 0:
                buffers.cells[lane, other] |= TOUCHED
                if term.frontier_at >= 0:
                    buffers.obs[lane, term.frontier_at, other] = term.one
                if term.frontier_mask:
                    buffers.mask[lane, other] = True


@inline_kernel
def show_levels(buffers: Buffers, lane: int, mines: int, flags: int, opened: int, obs: NDArray[Any]) -> None:
    """Bring a lane's channels up to date that repeat one number over the board."""
    term, levels = buffers.terms[0], buffers.levels
    row = mines - term.least_mines
    for cell in range(obs.shape[2]):
        if term.ratio_at >= 0:
            obs[lane, term.ratio_at, cell] = levels[RATIO, row, max(0, mines - flags)]
        if term.progress_at >= 0:
            obs[lane, term.progress_at, cell] = levels[OPENED, row, opened]
        if term.share_at >= 0:
            obs[lane, term.share_at, cell] = levels[SHARE, row, opened]
        if term.count_at >= 0:
            obs[lane, term.count_at, cell] = levels[COUNT, row, opened]


@bare_kernel
def show_final(buffers: Buffers, obs: NDArray[Any]) -> None:
    """Draw the last observations of the episodes that ended in this step, `obs [N, C, HW]`, from the cells then kept.

    Learning needs few of them, so they are not drawn in every step.
    """
    term, cells = buffers.terms[0], buffers.final_cells
    for lane in range(len(buffers.ledger)):
        if not buffers.marks[TERMINATED, lane] and not buffers.marks[TRUNCATED, lane]:
            continue
        obs[lane] = 0
        opened = 0
        flags = 0
        for place in range(cells.shape[1]):
            cell = cells[lane, place]
            if cell & FLAG:
                flags += 1
                obs[lane, FLAG_PLANE, place] = term.one
            if cell & REVEALED:
                obs[lane, REVEALED_PLANE, place] = term.one
                if cell & MINE == 0:
                    opened += 1
                    obs[lane, ZERO_PLANE + (cell & NUMBER), place] = term.one
            elif term.frontier_at >= 0 and cell & TOUCHED:
                obs[lane, term.frontier_at, place] = term.one
        if term.has_levels:
            show_levels(buffers, lane, buffers.ledger[lane].final_mines, flags, opened, obs)
