"""N boards side by side in preallocated arrays, and the batch environment of the contract over them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.game import Observation
from ludex.core.seeding import CHANCE, Rng, generator, stream_key
from ludex.games.minesweeper.env.buffers import LEDGER, REFUSED, TERMINATED, TRUNCATED, WON, allocate, show_final
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.step import begin_lanes, mask_lanes, step_range
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import FLAG, MINE, REVEALED, has_bit
from ludex.games.minesweeper.rules.no_guess import hidden_board
from ludex.games.minesweeper.rules.revealing import read_lines
from ludex.kernels.batch import require_allowed
from ludex.kernels.calls import address_of, run_in_chunks
from ludex.kernels.jit import most_threads, on_threads

MOST_LANES: Final = 65_536
LANE_STATE: Final = ("ledger", "cells", "lines", "opened", "obs", "mask", "numbers")
"""The buffers that hold games in progress."""
EVAL_STREAM: Final = 129
"""Stream from which the seeds of an evaluation's games are drawn."""


def game_seed(seed: int, number: int) -> int:
    """The seed of one game of an evaluation: `Match(game, game_seed(seed, number))` is that game."""
    return generator(seed, number, EVAL_STREAM).seed()


class Lanes:
    """Boards of one configuration. Arrays are reused: copy what must outlive the next step.

    Lane i's generators are named by (seed, i, episode, ply), or by (seeds[i], 0, episode, ply) if every lane has a seed
    of its own: a reset draws from ply 0, the n-th step of an episode from ply n. Without `auto_reset` a finished lane
    rests until the next reset, and the action `REST` makes a live one rest.
    """

    def __init__(self, cfg: EnvConfig, num_lanes: int, *, threads: int = 1, auto_reset: bool = True) -> None:
        if not 1 <= num_lanes <= MOST_LANES:
            raise ValueError(f"the number of lanes must be in 1..{MOST_LANES}, found {num_lanes}")
        if not 1 <= threads <= most_threads():
            raise ValueError(f"threads must be in 1..{most_threads()}, found {threads}")
        self.cfg = cfg
        self.num_lanes = num_lanes
        self.threads = threads
        self._chunk = -(-num_lanes // threads)
        self._auto_reset = auto_reset
        self._buffers = buffers = allocate(cfg, num_lanes, auto_reset)
        actions = np.zeros(num_lanes, np.int64)
        self._nothing = np.zeros((0, 0), np.bool_)
        self._step_address = (
            address_of(step_range, *buffers, actions, self._nothing, 0, num_lanes) if threads > 1 else 0
        )
        self._final_obs: NDArray[Any] | None = None
        self._final_drawn = False
        shape = (num_lanes, cfg.H, cfg.W)
        self.obs: NDArray[Any] = buffers.obs.view(cfg.obs_dtype).reshape(num_lanes, cfg.channels, cfg.H, cfg.W)
        """[N, C, H, W] in the configured type."""
        self.mask: NDArray[np.bool_] = buffers.mask
        """[N, A]: what each lane may do; nothing at all in a lane that is over."""
        self.numbers: NDArray[np.int8] = buffers.numbers.reshape(shape)
        """[N, H, W]: revealed numbers, -1 elsewhere; what solvers take."""
        self.cells: NDArray[np.uint8] = buffers.cells.reshape(shape)
        """[N, H, W], see `layout`: mines included."""
        self.final_cells: NDArray[np.uint8] = buffers.final_cells.reshape(shape)
        """[N, H, W]: the cells at the end of each lane's last finished episode, with auto-reset."""
        self.reward: NDArray[np.float32] = buffers.reward
        self.components: NDArray[np.float32] = buffers.components
        """[N, 6]: what the rewards are the sums of, in the order of `COMPONENTS`."""
        self.terminated: NDArray[np.bool_] = buffers.marks[TERMINATED]
        self.truncated: NDArray[np.bool_] = buffers.marks[TRUNCATED]
        self.won: NDArray[np.bool_] = buffers.marks[WON]
        self.invalid: NDArray[np.bool_] = buffers.marks[REFUSED]
        self.episode: NDArray[np.int64] = buffers.ledger["episode"]
        self.plies: NDArray[np.int32] = buffers.ledger["plies"]
        """[N]: steps of the episode, invalid ones included."""
        self.mines: NDArray[np.int32] = buffers.ledger["mines"]
        self.opened: NDArray[np.int32] = buffers.ledger["opened"]
        """[N]: revealed safe cells."""
        self.new_cells: NDArray[np.int32] = buffers.ledger["new_cells"]
        """[N]: safe cells that this step revealed."""
        self.flag_count: NDArray[np.int32] = buffers.ledger["flags"]
        self.over: NDArray[np.bool_] = buffers.ledger["over"]
        """[N]: finished lanes that rest, without auto-reset."""
        self.seed(0)

    def seed(self, seed: int | Sequence[int], lane: int = 0) -> None:
        """Name the generators: one seed and the lanes from `lane` on, or one seed per lane, each then of a lane 0."""
        ledger = self._buffers.ledger
        if isinstance(seed, int):
            ledger["key"] = stream_key(seed, CHANCE)
            ledger["word"] = np.arange(lane, lane + self.num_lanes, dtype=np.uint64)
        elif len(seed) == self.num_lanes:
            ledger["key"] = np.array([stream_key(lane_seed, CHANCE) for lane_seed in seed], np.uint64)
            ledger["word"] = 0
        else:
            raise ValueError(f"expected {self.num_lanes} seeds, one per lane, found {len(seed)}")
        self.episode[:] = -1

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Begin the next episode in every lane; with a seed, episode 0 of its generators."""
        if seed is not None:
            self.seed(seed)
        self.episode += 1
        begin_lanes(self._buffers)
        self._place_boards(range(self.num_lanes))

    def step(self, actions: NDArray[np.int64], also: NDArray[np.bool_] | None = None) -> None:
        """One step in every lane; the results are in the arrays.

        `also: bool[N, H, W]` are more cells that a legal action reveals with it, on boards that are not untouched; the
        first that is a mine ends the game.
        """
        if actions.shape != (self.num_lanes,) or actions.dtype != np.int64:
            raise ValueError(
                f"actions must be int64[{self.num_lanes}], one per lane, found {actions.dtype}{list(actions.shape)}"
            )
        more = self._nothing if also is None else np.ascontiguousarray(also).reshape(self.num_lanes, -1)
        self._final_drawn = False
        if self.threads == 1:
            step_range(*self._buffers, actions, more, 0, self.num_lanes)
        else:
            arguments = (*self._buffers, np.ascontiguousarray(actions), more)
            with on_threads(self.threads):
                run_in_chunks(self._step_address, arguments, self.num_lanes, self._chunk)
        if self._auto_reset:
            self._place_boards(np.flatnonzero(self.terminated | self.truncated).tolist())

    def _place_boards(self, lanes: Iterable[int]) -> None:
        """Give lanes whose episode begins their boards without a guess; the start cell alone may be revealed."""
        cfg, buffers = self.cfg, self._buffers
        if not cfg.no_guess:
            return
        for lane in lanes:
            rng = Rng(int(buffers.states[lane]))
            start_cell = rng.below(cfg.cells)
            board = cfg.board().model_copy(update={"mines": int(self.mines[lane])})
            buffers.cells[lane] = hidden_board(board, start_cell, rng)
            read_lines(buffers.cells, lane, cfg.W, buffers.lines)
            buffers.mask[lane] = np.arange(cfg.num_actions) == start_cell

    @property
    def start_cells(self) -> NDArray[np.int64]:
        """[N], a new array: the cell that alone may be revealed first, in lanes without a guess; elsewhere -1."""
        waiting = (self.opened == 0) & ~self.over & self.cfg.no_guess
        return np.where(waiting, self.mask.argmax(1), -1)

    def state(self) -> dict[str, NDArray[np.uint8]]:
        """What `restore` resumes from: the games and generators of every lane, as bytes uint8[N, ...]."""
        return {name: _as_bytes(getattr(self._buffers, name)).copy() for name in LANE_STATE}

    def restore(self, state: Mapping[str, NDArray[np.uint8]]) -> None:
        """Resume the games of as many lanes of the same configuration. Raises `ValueError` for those of others."""
        games = {name: _as_bytes(getattr(self._buffers, name)) for name in LANE_STATE}
        for name, buffer in games.items():
            if state[name].dtype != np.uint8 or state[name].shape != buffer.shape:
                form = f"{state[name].dtype}{list(state[name].shape)}"
                raise ValueError(f"{name} of the lanes must be uint8{list(buffer.shape)}, form {form}")
        self._check_content(state)
        for name, buffer in games.items():
            buffer[:] = state[name]

    def _check_content(self, state: Mapping[str, NDArray[np.uint8]]) -> None:
        """Raise `ValueError` unless the counters of every lane are those of its cells: kernels rely on them."""
        ledger = np.ascontiguousarray(state["ledger"]).view(LEDGER)[:, 0]
        order = np.ascontiguousarray(state["opened"]).view(np.int16)
        cells = state["cells"]
        mines = has_bit(cells, MINE)
        placed = ledger["opened"] > 0
        counts = {
            "opened": (has_bit(cells, REVEALED) & ~mines).sum(1),
            "flags": has_bit(cells, FLAG).sum(1),
            "mines": np.where(placed, mines.sum(1), np.clip(ledger["mines"], *self.cfg.mine_bounds)),
        }
        for name, count in counts.items():
            if (wrong := np.flatnonzero(ledger[name] != count)).size:
                lane = int(wrong[0])
                raise ValueError(f"lane {lane}: {name} is {ledger[name][lane]}, its cells have {count[lane]}")
        listed = np.arange(cells.shape[1]) < ledger["opened"][:, None]
        if (listed & ((order < 0) | (order >= cells.shape[1]))).any():
            raise ValueError(f"opened names cells beyond the {cells.shape[1]} of a board")

    def set_frontier_mask(self, on: bool) -> None:
        """Switch the frontier mask, at once in every lane."""
        self._buffers.terms["frontier_mask"] = on
        mask_lanes(self._buffers)

    @property
    def frontier_mask(self) -> bool:
        return bool(self._buffers.terms["frontier_mask"][0])

    @property
    def final_obs(self) -> NDArray[Any]:
        """[N, C, H, W]: the last observations of the episodes that ended in this step; other rows mean nothing.

        Computed on access: learning needs few of them.
        """
        buffers = self._buffers
        if self._final_obs is None:
            self._final_obs = np.zeros_like(self.obs)
        if not self._final_drawn:
            bits = self._final_obs.view(buffers.obs.dtype).reshape(buffers.obs.shape)
            show_final(buffers, bits)
            self._final_drawn = True
        return self._final_obs

    @property
    def mine_mask(self) -> NDArray[np.bool_]:
        """[N, H, W], a new array: where the mines are; nowhere before the first reveal places them."""
        return has_bit(self.cells, MINE)

    @property
    def flags(self) -> NDArray[np.bool_]:
        """[N, H, W], a new array."""
        return has_bit(self.cells, FLAG)

    @property
    def final_mines(self) -> NDArray[np.bool_]:
        """[N, H, W], a new array: where the mines were in each lane's last finished episode."""
        return has_bit(self.final_cells, MINE)


def _as_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """uint8[N, ...]: a view of an array's memory."""
    return array.view(np.uint8).reshape(len(array), -1)


class FinalObs(Mapping[str, NDArray[Any]]):
    """`info["final_obs"]`: the last observations under the name that observations have, drawn when they are read."""

    def __init__(self, lanes: Lanes, name: str) -> None:
        self._lanes = lanes
        self._name = name

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name != self._name:
            raise KeyError(name)
        return self._lanes.final_obs

    def __iter__(self) -> Iterator[str]:
        return iter((self._name,))

    def __len__(self) -> int:
        return 1


class MinesweeperBatch:
    """`num_lanes` boards of one game."""

    shaped = False

    def __init__(self, game: Minesweeper, num_lanes: int) -> None:
        cfg = EnvConfig.of_board(
            game.options, max_steps=game.info.max_plies, progress_reward=0.0, step_penalty=0.0, obs_dtype="uint8"
        )
        self.num_lanes = num_lanes
        self.num_actions = game.info.num_actions
        self._lanes = Lanes(cfg, num_lanes)
        self._obs: Observation = {"planes": self._lanes.obs}
        self._info: Info = {
            "mask": self._lanes.mask,
            "player": np.zeros(num_lanes, np.int8),
            "episode": self._lanes.episode,
            "final_obs": FinalObs(self._lanes, "planes"),
        }

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self._lanes.reset(seed)
        return self._obs, self._info

    def step(self, actions: NDArray[np.int64]) -> Step:
        lanes = self._lanes
        require_allowed(lanes.mask, actions)
        lanes.step(actions)
        return self._obs, lanes.reward, lanes.terminated, lanes.truncated, self._info
