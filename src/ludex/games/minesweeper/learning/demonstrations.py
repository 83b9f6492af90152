"""Stage A's data: states of games that the solver plays to the end, labelled with its exact probabilities and moves.

Exact probabilities depend only on what is shown, so hidden mines cannot leak into the network, and they have no noise.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import generator
from ludex.games.minesweeper.agents.search.guessing import FAILED, GuessRecord, expert_cell
from ludex.games.minesweeper.agents.search.solutions import Solutions
from ludex.games.minesweeper.agents.search.tree import Tree
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.env.config import FLAGGED, EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.games.minesweeper.learning.config import Teacher
from ludex.games.minesweeper.rules.inference.forced_moves import MINE, SAFE, deduce
from ludex.games.minesweeper.rules.inference.probabilities import assess, safest, untouched
from ludex.games.minesweeper.rules.inference.workspace import Workspace, workspace
from ludex.games.minesweeper.rules.layout import FLAG, HIDDEN, Numbers, States, has_bit
from ludex.kernels.jit import draw_below, kernel, to_index
from ludex.kernels.records import new_record
from ludex.learn.shards import concatenate

EXAMPLE_STREAM: Final = 130
"""Stream from which the choices of the games of examples are drawn."""
LEAST_CHANCE: Final = 6.2e-5
"""The smallest probability of half precision that is not rounded to a certainty."""
CERTAIN: Final = -1
"""The `cell` of a state where certainly safe cells are what to play."""
MOST_SOLUTIONS, MOST_NODES = 1000, 4000
"""How far the expert searches the end of a game here; labels are many, so each is cheaper than a move in a match."""


class Examples(NamedTuple):
    """K states."""

    numbers: NDArray[np.int8]
    """[K, H, W], -1 where hidden, -2 where hidden with a flag."""
    mines: NDArray[np.int16]
    """[K]: how many the board has."""
    chance: NDArray[np.float16]
    """[K, H, W]: the probability that a hidden cell is a mine; 0 where it is revealed. Exact, or 0 and 1, the mines."""
    cell: NDArray[np.int16]
    """[K]: the expert's guess, or CERTAIN; of forced moves the action."""
    won: NDArray[np.bool_]
    """[K]: whether the game was won in the end."""

    def first(self, count: int) -> "Examples":
        """The first `count` states."""
        numbers, mines, chance, cell, won = self
        return Examples(numbers[:count], mines[:count], chance[:count], cell[:count], won[:count])


@dataclass(frozen=True, slots=True)
class ExampleTask:
    """Some games of one board, for one worker; the same task gives the same examples in any process."""

    cfg: EnvConfig
    seed: int
    games: int
    teacher: Teacher = "exact"


def make_examples(task: ExampleTask) -> Examples:
    """Play the games of a task side by side, and keep states with the labels of its teacher.

    `exact` plays certain cells at random and the expert's guesses. `forced_moves` and `forced_pairs` play one of the
    forced moves, which is a state's label with the mines, else the safest cell.
    """
    return play_examples(task)[0]


def play_examples(task: ExampleTask) -> tuple[Examples, NDArray[np.bool_]]:
    """The examples of `make_examples`, and where the mines of each state are, `bool[K, H, W]`, to judge by them."""
    cfg, count = task.cfg, task.games
    lanes = Lanes(cfg, count, auto_reset=False)
    lanes.reset(task.seed)
    work, memory = workspace(cfg.H, cfg.W), (new_record(Solutions), new_record(Tree), new_record(GuessRecord))
    states = np.array([generator(task.seed, 0, EXAMPLE_STREAM, lane=lane).state for lane in range(count)], np.uint64)
    rows = lanes.numbers.reshape(count, -1)
    probability = np.zeros(rows.shape)
    kept, actions, won = np.zeros(count, np.bool_), np.full(count, REST, np.int64), np.zeros(count, np.bool_)
    parts: list[Examples] = []
    owners: list[NDArray[np.int64]] = []
    mines: list[NDArray[np.bool_]] = []
    while not lanes.over.all():
        live, flags = ~lanes.over, has_bit(lanes.cells, FLAG)
        if task.teacher == "exact":
            label_lanes(rows, live, lanes.mines, work, states, probability, kept, actions)
            cells, chance = np.full(count, CERTAIN, np.int64), probability.reshape(flags.shape)
            for lane in np.flatnonzero(live & (actions == GUESS)).tolist():
                row, left = rows[lane].copy(), int(lanes.mines[lane])
                cell, how, _ = expert_cell(row, left, work, *memory, MOST_SOLUTIONS, MOST_NODES)
                cells[lane] = actions[lane] = cell if how != FAILED else safest(row, probability[lane])
        else:
            marked, pairs = flags.reshape(count, -1), task.teacher == "forced_pairs"
            force_lanes(rows, lanes.mask, live, marked, lanes.mines, pairs, work, states, probability, kept, actions)
            cells, chance = actions, (lanes.mine_mask & (lanes.numbers == HIDDEN)).astype(np.float64)
        owners.append(np.flatnonzero(kept & live))
        mines.append(lanes.mine_mask[owners[-1]])
        parts.append(_keep_states(lanes, flags, chance, cells, owners[-1]))
        start_cells = lanes.start_cells
        actions[start_cells >= 0] = start_cells[start_cells >= 0]
        actions[~live] = REST
        lanes.step(actions)
        won |= lanes.won
    return concatenate(parts)._replace(won=won[np.concatenate(owners)]), np.concatenate(mines)


def _keep_states(
    lanes: Lanes,
    flags: NDArray[np.bool_],
    chance: NDArray[np.float64],
    cells: NDArray[np.int64],
    owners: NDArray[np.int64],
) -> Examples:
    """The states of some lanes, of games that are not won yet."""
    likely = np.nan_to_num(chance[owners], nan=0.0)
    likely[(likely > 0.0) & (likely < LEAST_CHANCE)] = LEAST_CHANCE
    return Examples(
        numbers=np.where(flags[owners], np.int8(FLAGGED), lanes.numbers[owners]),
        mines=lanes.mines[owners].astype(np.int16),
        chance=likely.astype(np.float16),
        cell=cells[owners].astype(np.int16),
        won=np.zeros(len(owners), np.bool_),
    )


GUESS: Final = -2
"""Stands for the action of a lane where no cell is certainly safe."""
FEW: Final = 3
"""States with no more cells that rules prove safe are always kept."""


@kernel
def label_lanes(
    numbers: Numbers,
    live: NDArray[np.bool_],
    mines: NDArray[np.int32],
    work: Workspace,
    states: States,
    probability: NDArray[np.float64],
    kept: NDArray[np.bool_],
    actions: NDArray[np.int64],
) -> None:
    """For every live lane of `numbers: int8[N, HW]` write `probability: float64[N, HW]`, `kept` and `actions`.

    A state where rules prove n cells safe is kept with probability FEW/n, so that most of what is learned from is hard.
    An action is a certainly safe cell, each as likely, else GUESS.
    """
    for lane in range(len(numbers)):
        kept[lane] = False
        if not live[lane]:
            continue
        row = numbers[lane]
        if untouched(row):
            actions[lane] = draw_below(states, lane, len(row))
            continue
        deduce(row, work, True, False)
        safe = (row == HIDDEN) & (work.known[: len(row)] == SAFE)
        proven = safe.sum()
        if proven > FEW and draw_below(states, lane, proven) >= FEW:
            actions[lane] = _pick(safe, draw_below(states, lane, proven))
            continue
        chances = probability[lane]
        if assess(row, mines[lane], work, chances) < 0.0:
            # Too complex to count: nothing is learned from it, and rules or chance go on.
            actions[lane] = _pick(safe, 0) if proven > 0 else _pick_hidden(row, states, lane)
            continue
        kept[lane] = True
        safe = chances == 0.0
        certain = safe.sum()
        actions[lane] = _pick(safe, draw_below(states, lane, certain)) if certain > 0 else GUESS


@kernel
def force_lanes(
    numbers: Numbers,
    mask: NDArray[np.bool_],
    live: NDArray[np.bool_],
    flags: NDArray[np.bool_],
    mines: NDArray[np.int32],
    pairs: bool,
    work: Workspace,
    states: States,
    probability: NDArray[np.float64],
    kept: NDArray[np.bool_],
    actions: NDArray[np.int64],
) -> None:
    """For every live lane of `numbers: int8[N, HW]` write `kept`, whether it has a forced move, and `actions`.

    Forced are the reveals of cells that rules prove safe and, where the mask has them, flags on proven mines that have
    none; each is as likely. With `pairs` the rules compare numbers two by two as well. A lane without a forced move
    reveals the safest cell that its mask allows, and is not kept.
    """
    size = numbers.shape[1]
    has_flags = mask.shape[1] > size
    for lane in range(len(numbers)):
        kept[lane] = False
        if not live[lane]:
            continue
        row = numbers[lane]
        if untouched(row):
            actions[lane] = draw_below(states, lane, size)
            continue
        deduce(row, work, pairs, False)
        forced = 0
        for cell in range(size):
            forced += _forced(row, flags[lane], work, has_flags, cell)
        if forced > 0:
            kept[lane] = True
            place = draw_below(states, lane, forced)
            for cell in range(size):
                if _forced(row, flags[lane], work, has_flags, cell):
                    if place == 0:
                        actions[lane] = cell if work.known[cell] == SAFE else size + cell
                    place -= 1
            continue
        chances = probability[lane]
        if assess(row, mines[lane], work, chances) < 0.0:
            actions[lane] = _pick_hidden(row, states, lane)
            continue
        for cell in range(size):
            if not mask[lane, cell] and row[cell] == HIDDEN:
                # Behind every cell that may be revealed, even a certain mine.
                chances[cell] = 2.0
        actions[lane] = safest(row, chances)


@kernel
def _forced(row: Numbers, flags: NDArray[np.bool_], work: Workspace, has_flags: bool, cell: int) -> bool:
    """Whether rules prove what to do with a cell: reveal it, or set a flag."""
    if row[cell] != HIDDEN:
        return False
    return work.known[cell] == SAFE or (has_flags and work.known[cell] == MINE and not flags[cell])


@kernel
def _pick(good: NDArray[np.bool_], place: int) -> int:
    """The cell at index `place` of the good ones, GUESS if there are fewer."""
    for cell in range(len(good)):
        if good[cell]:
            if place == 0:
                return cell
            place -= 1
    return GUESS


@kernel
def _pick_hidden(row: Numbers, states: States, lane: int) -> int:
    """Any hidden cell."""
    hidden = row == HIDDEN
    return to_index(_pick(hidden, draw_below(states, lane, hidden.sum())))
