"""Kernels that play expert boards guess by guess, and weigh guesses by a network over exact probabilities.

The network says for each uncertain cell what it will cost: the expected sum of -log(safety) of guesses there. A
position is won with the probability exp(-sum of the costs), times the safety of the guess that follows. After a
candidate has shown a number, only cells near a change are computed again.

A game counts as the product of its guesses' safeties times the share that the search of the end wins: where a guess
hits a mine, a layout is drawn from those that leave the cell safe. That has the win rate's mean and less variance.
"""

import math
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import mix
from ludex.games.minesweeper.agents.search.guessing import (
    BEST_SHARE,
    MOST_SHORTLISTED,
    PROGRESS_SHARE,
    SHORTLISTED,
    TRIED,
    UNTRIED,
    GuessRecord,
    _try,
    _two_safest,
    closed_guess,
    make_shortlist,
)
from ludex.games.minesweeper.agents.search.solutions import Solutions, list_solutions
from ludex.games.minesweeper.agents.search.tree import Tree, search_tree
from ludex.games.minesweeper.rules.inference.counting import CHOOSE
from ludex.games.minesweeper.rules.inference.forced_moves import MINE, SAFE, UNKNOWN, deduce
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.probabilities import assess, safest
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, Numbers
from ludex.kernels.jit import draw_below, kernel, to_index, to_word

ROWS: Final = 16
COLS: Final = 30
CELLS: Final = ROWS * COLS
MINES: Final = 99
WIDE: Final = COLS + 2
FRAMED: Final = (ROWS + 2) * WIDE
PLANES: Final = 12
CHANNELS: Final = 16
MOST_SAMPLES: Final = 64
MOST_EVENTS: Final = 256
SOLUTIONS: Final = 2000
NODES: Final = 20_000
CLOSE: Final = 0.015
"""A plane that changes by less does not change what the network says of a cell."""


class Play:
    """The record's fields: a game, what its guesses led to, and a network with its layers before and after a guess."""

    states: Annotated[NDArray[np.uint64], 2]
    """The generators of the board and of what is drawn in a game."""
    mined: Annotated[NDArray[np.uint8], CELLS]
    stack: Annotated[NDArray[np.int16], 9 * CELLS]
    numbers: Annotated[NDArray[np.int8], CELLS]
    hand: Annotated[NDArray[np.float64], MOST_SHORTLISTED]
    value: Annotated[NDArray[np.float64], MOST_SHORTLISTED]
    """The scores of candidates by the formula and by the network."""
    codes: Annotated[NDArray[np.uint8], MOST_SAMPLES, CELLS]
    """[samples]: positions after a guess has shown its number, see `encode`."""
    prefix: Annotated[NDArray[np.float64], MOST_SAMPLES]
    """[samples]: the product of the safeties until then."""
    following: Annotated[NDArray[np.float64], MOST_SAMPLES]
    """[samples]: see `following_safety`."""
    first_event: Annotated[NDArray[np.int32], MOST_SAMPLES]
    event_cell: Annotated[NDArray[np.int16], MOST_EVENTS]
    event_hazard: Annotated[NDArray[np.float32], MOST_EVENTS]
    """[events]: where a game paid -log(safety), and the end its share spread over the cells."""
    figures: Annotated[NDArray[np.int64], 6]
    """Samples, events, guesses, guesses with a choice, other choices than the formula's, the end's first event."""

    frame: Annotated[NDArray[np.int16], CELLS]
    base: Annotated[NDArray[np.float32], FRAMED, PLANES]
    leaf: Annotated[NDArray[np.float32], FRAMED, PLANES]
    base1: Annotated[NDArray[np.float32], FRAMED, CHANNELS]
    leaf1: Annotated[NDArray[np.float32], FRAMED, CHANNELS]
    base2: Annotated[NDArray[np.float32], FRAMED]
    """What each cell will cost."""
    mark: Annotated[NDArray[np.uint8], FRAMED]
    cells: Annotated[NDArray[np.int16], FRAMED]
    total: Annotated[NDArray[np.float64], 1]

    w1: Annotated[NDArray[np.float32], 9, PLANES, CHANNELS]
    b1: Annotated[NDArray[np.float32], CHANNELS]
    w2: Annotated[NDArray[np.float32], 9, CHANNELS, CHANNELS]
    b2: Annotated[NDArray[np.float32], CHANNELS]
    w4: Annotated[NDArray[np.float32], CHANNELS]
    b4: Annotated[NDArray[np.float32], 1]
    scale: Annotated[NDArray[np.float32], 4]
    """The rate of costs: constant, by the share of uncertain cells and its square; the power of the next safety."""


_AROUND = np.array([dr * WIDE + dc for dr in (-1, 0, 1) for dc in (-1, 0, 1)], np.int64)


@kernel
def fill_planes(
    numbers: Numbers, probability: NDArray[np.float64], work: Workspace, play: Play, planes: NDArray[np.float32]
) -> int:
    """Fill the planes of a position; returns how many cells are uncertain."""
    uncertain = 0
    for cell in range(CELLS):
        plane = planes[play.frame[cell]]
        for k in range(1, PLANES):
            plane[k] = 0.0
        plane[0] = 1.0
        if numbers[cell] != HIDDEN:
            _fill_number(numbers, probability, work, cell, plane)
        elif probability[cell] == 1.0:
            plane[9] = 1.0
        elif probability[cell] == 0.0:
            plane[10] = 1.0
        else:
            p = probability[cell]
            uncertain += 1
            plane[6] = 1.0
            plane[7] = p
            plane[8] = 4.0 * p * (1.0 - p)
            plane[11] = _is_alone(numbers, work, cell)
    return uncertain


@kernel
def _fill_number(
    numbers: Numbers, probability: NDArray[np.float64], work: Workspace, cell: int, plane: NDArray[np.float32]
) -> None:
    """The planes of a revealed cell: the mines it still needs, and how many cells they may be in."""
    plane[1] = 1.0
    need, unknown = to_index(numbers[cell]), 0
    for i in range(work.near[cell, DEGREE]):
        other = work.near[cell, i]
        if numbers[other] == HIDDEN:
            need -= probability[other] == 1.0
            unknown += 0.0 < probability[other] < 1.0
    if unknown > 0:
        plane[min(max(need, 1), 3) + 1] = 1.0
        plane[5] = unknown * 0.125


@kernel
def _is_alone(numbers: Numbers, work: Workspace, cell: int) -> bool:
    """Whether no number touches a cell."""
    touching = 0
    for i in range(work.near[cell, DEGREE]):
        touching += numbers[work.near[cell, i]] != HIDDEN
    return touching == 0


@kernel
def convolve(
    source: NDArray[np.float32],
    inputs: int,
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
    at: int,
    out: NDArray[np.float32],
) -> None:
    """One cell of a layer."""
    sums = out[at]
    for o in range(CHANNELS):
        sums[o] = bias[o]
    for k in range(9):
        other = at + _AROUND[k]
        for i in range(inputs):
            x = source[other, i]
            if x != 0.0:
                row = weights[k, i]
                for o in range(CHANNELS):
                    sums[o] += x * row[o]
    for o in range(CHANNELS):
        sums[o] = max(sums[o], np.float32(0.0))


@kernel
def cost_of(
    play: Play, source: NDArray[np.float32], planes: NDArray[np.float32], at: int, sums: NDArray[np.float32]
) -> float:
    """What a cell will cost: the last layers."""
    if planes[at, 6] == 0.0:
        return 0.0
    for o in range(CHANNELS):
        sums[o] = play.b2[o]
    for k in range(9):
        other = at + _AROUND[k]
        for i in range(CHANNELS):
            x = source[other, i]
            if x != 0.0:
                row = play.w2[k, i]
                for o in range(CHANNELS):
                    sums[o] += x * row[o]
    total = np.float64(play.b4[0])
    for o in range(CHANNELS):
        total += max(sums[o], np.float32(0.0)) * play.w4[o]
    return math.log1p(math.exp(-abs(total))) + max(total, 0.0)


@kernel
def weigh_base(
    numbers: Numbers, probability: NDArray[np.float64], work: Workspace, play: Play, sums: NDArray[np.float32]
) -> int:
    """All layers of a position before a guess; returns how many cells are uncertain."""
    uncertain = fill_planes(numbers, probability, work, play, play.base)
    for cell in range(CELLS):
        at = to_index(play.frame[cell])
        convolve(play.base, PLANES, play.w1, play.b1, at, play.base1)
    total = 0.0
    for cell in range(CELLS):
        at = to_index(play.frame[cell])
        play.base2[at] = cost_of(play, play.base1, play.base, at, sums)
        total += play.base2[at]
    for at in range(FRAMED):
        for i in range(PLANES):
            play.leaf[at, i] = play.base[at, i]
        for i in range(CHANNELS):
            play.leaf1[at, i] = play.base1[at, i]
    play.total[0] = total
    return uncertain


@kernel
def widen(play: Play, count: int) -> int:
    """Add the neighbours of the marked cells; returns how many are marked."""
    for index in range(count):
        at = to_index(play.cells[index])
        for k in range(9):
            other = at + _AROUND[k]
            if play.mark[other] == 0 and play.base[other, 0] > 0.0:
                play.mark[other] = 1
                play.cells[count] = other
                count += 1
    return count


@kernel
def weigh_leaf(
    numbers: Numbers, probability: NDArray[np.float64], work: Workspace, play: Play, sums: NDArray[np.float32]
) -> float:
    """The probability to win a position that follows a guess, by what changes."""
    uncertain = fill_planes(numbers, probability, work, play, play.leaf)
    for at in range(FRAMED):
        play.mark[at] = 0
    count = 0
    for cell in range(CELLS):
        at = to_index(play.frame[cell])
        for i in range(1, PLANES):
            if abs(play.leaf[at, i] - play.base[at, i]) > CLOSE:
                play.mark[at] = 1
                play.cells[count] = at
                count += 1
                break
    count = widen(play, count)
    for index in range(count):
        convolve(play.leaf, PLANES, play.w1, play.b1, to_index(play.cells[index]), play.leaf1)
    count = widen(play, count)
    total = play.total[0]
    for index in range(count):
        at = to_index(play.cells[index])
        total += cost_of(play, play.leaf1, play.leaf, at, sums) - play.base2[at]
    for index in range(count):
        at = to_index(play.cells[index])
        for i in range(CHANNELS):
            play.leaf1[at, i] = play.base1[at, i]
    return win_chance(play, total, uncertain, following_safety(numbers, probability))


@kernel
def following_safety(numbers: Numbers, probability: NDArray[np.float64]) -> float:
    """The safety of what follows, as the formula blends it."""
    best, second = _two_safest(numbers, probability)
    return BEST_SHARE * best + (1.0 - BEST_SHARE) * second


@kernel
def win_chance(play: Play, total: float, uncertain: int, following: float) -> float:
    """The probability that a sum of costs stands for."""
    share = uncertain / CELLS
    rate = math.exp(play.scale[0] + play.scale[1] * share + play.scale[2] * share * share)
    return following ** play.scale[3] * math.exp(-max(total, 0.0) * rate)


@kernel
def uniform(states: NDArray[np.uint64], lane: int) -> float:
    """A float in [0, 1)."""
    return draw_below(states, lane, 1 << 30) / 1073741824.0


@kernel
def put_mines(play: Play, cells: NDArray[np.int16], size: int, count: int) -> None:
    """Choose so many of the first cells, in place."""
    for i in range(count):
        j = i + draw_below(play.states, 1, size - i)
        cells[i], cells[j] = cells[j], cells[i]
        play.mined[cells[i]] = 1


@kernel
def draw_layout(numbers: Numbers, work: Workspace, play: Play, box_cells: NDArray[np.int16]) -> None:
    """A layout of all that fit, after `assess`; the same distribution as `LayoutSampler`."""
    left, rest = MINES, 0
    for cell in range(CELLS):
        play.mined[cell] = 0
        if numbers[cell] == HIDDEN:
            if work.known[cell] == MINE:
                play.mined[cell] = 1
                left -= 1
            elif work.known[cell] == UNKNOWN and work.box_of[cell] == NONE:
                play.stack[rest] = cell
                rest += 1
    used, begin = 0, 0
    for component in range(work.figures[0]):
        at = _draw_whole(work, play, component, used, left)
        used += to_index(work.used[at])
        end = to_index(work.component_end[component])
        for back in range(end - begin):
            layer = to_index(work.component_layer[component]) + end - begin - 1 - back
            at = _draw_step(work, play, to_index(work.order[end - 1 - back]), layer, at, box_cells)
        begin = end
    put_mines(play, play.stack, rest, left - used)


@kernel
def _draw_whole(work: Workspace, play: Play, component: int, used: int, left: int) -> int:
    """A whole solution's entry of a component, weighed by what the others and the rest can then be."""
    last = to_index(work.component_layer[component + 1]) - 1
    there = (component + 1) * (left + 1) + used
    total = 0.0
    for entry in range(work.layer[last], work.layer[last + 1]):
        if used + work.used[entry] <= left and work.after_can[there + work.used[entry]]:
            total += work.forward[entry] * work.after[there + work.used[entry]]
    u, at = uniform(play.states, 1) * total, NONE
    for entry in range(work.layer[last], work.layer[last + 1]):
        if u >= 0.0 and used + work.used[entry] <= left and work.after_can[there + work.used[entry]]:
            at = entry
            u -= work.forward[entry] * work.after[there + work.used[entry]]
    return at


@kernel
def _draw_step(work: Workspace, play: Play, box: int, layer: int, at: int, box_cells: NDArray[np.int16]) -> int:
    """Draw the entry of a layer before one of the next, and put the mines of that step into the box."""
    size, total = to_index(work.box_size[box]), 0.0
    for entry in range(work.layer[layer], work.layer[layer + 1]):
        for step in range(work.first_step[entry], work.first_step[entry + 1]):
            if work.step_to[step] == at:
                placed = to_index(work.least[entry]) + step - to_index(work.first_step[entry])
                total += work.forward[entry] * CHOOSE[size, placed]
    u, source, mines = uniform(play.states, 1) * total, NONE, 0
    for entry in range(work.layer[layer], work.layer[layer + 1]):
        for step in range(work.first_step[entry], work.first_step[entry + 1]):
            if work.step_to[step] == at and u >= 0.0:
                placed = to_index(work.least[entry]) + step - to_index(work.first_step[entry])
                source, mines = entry, placed
                u -= work.forward[entry] * CHOOSE[size, placed]
    for i in range(size):
        box_cells[i] = work.box_cells[box, i]
    put_mines(play, box_cells, size, mines)
    return source


@kernel
def flood(numbers: Numbers, work: Workspace, play: Play, cell: int) -> None:
    """Open a cell that is no mine."""
    top = 0
    play.stack[0] = cell
    while top >= 0:
        at = to_index(play.stack[top])
        top -= 1
        count = 0
        degree = to_index(work.near[at, DEGREE])
        for i in range(degree):
            count += play.mined[work.near[at, i]]
        numbers[at] = count
        if count == 0:
            for i in range(degree):
                other = work.near[at, i]
                if numbers[other] == HIDDEN:
                    # A mark that it is on the stack already.
                    numbers[other] = 0
                    top += 1
                    play.stack[top] = other


@kernel
def expected_value(
    numbers: Numbers,
    work: Workspace,
    record: GuessRecord,
    play: Play,
    log_solutions: float,
    place: int,
    sums: NDArray[np.float32],
) -> float:
    """The probability to win by a candidate, as the network sees what may follow."""
    cell = to_index(record.cell[place])
    hidden = 0
    for i in range(work.near[cell, DEGREE]):
        hidden += numbers[work.near[cell, i]] == HIDDEN
    total, covered = 0.0, 0.0
    for number in range(hidden + 1):
        numbers[cell] = number
        log_count = assess(numbers, MINES, work, record.after)
        if log_count < 0.0:
            continue
        share = math.exp(log_count - log_solutions)
        total += share * weigh_leaf(numbers, record.after, work, play, sums)
        covered += share
        if covered > record.safety[place] - 1e-12:
            break
    numbers[cell] = HIDDEN
    return total


@kernel
def try_shortlist(
    numbers: Numbers, work: Workspace, record: GuessRecord, play: Play, log_solutions: float, slack: float
) -> int:
    """The best place of the shortlist by the formula, as `best_guess`; scores from `slack` times the best are exact."""
    make_shortlist(numbers, work, record)
    best, best_score = NONE, -1.0
    for place in range(record.figures[SHORTLISTED]):
        if record.safety[place] + PROGRESS_SHARE <= best_score * slack:
            break
        if record.fate[place] == UNTRIED:
            play.hand[place] = _try(numbers, MINES, work, record, log_solutions, place, best_score * slack)
            if record.fate[place] == TRIED and play.hand[place] > best_score:
                best, best_score = place, play.hand[place]
    return best


@kernel
def choose_place(
    numbers: Numbers,
    work: Workspace,
    record: GuessRecord,
    play: Play,
    log_solutions: float,
    band: float,
    weight: float,
    most: int,
    gate: float,
    explore: float,
    sums: NDArray[np.float32],
) -> int:
    """The candidate to guess: by the formula without a weight, else by the network too among those near its best."""
    exploring = explore > 0.0 and uniform(play.states, 1) < explore
    slack = 1.0 - band if weight > 0.0 or exploring else 1.0
    best = try_shortlist(numbers, work, record, play, log_solutions, slack)
    if best == NONE:
        return 0
    play.figures[2] += 1
    if not exploring and weight <= 0.0:
        return best
    close = 0
    for place in range(record.figures[SHORTLISTED]):
        play.value[place] = NONE
        close += record.fate[place] == TRIED and play.hand[place] >= play.hand[best] * slack
    if close < 2:
        return best
    play.figures[3] += 1
    if exploring:
        pick = draw_below(play.states, 1, close)
        for place in range(record.figures[SHORTLISTED]):
            if record.fate[place] == TRIED and play.hand[place] >= play.hand[best] * slack:
                if pick == 0:
                    return place
                pick -= 1
    assess(numbers, MINES, work, record.probability)
    if weigh_base(numbers, record.probability, work, play, sums) > gate * CELLS:
        return best
    choice = _weigh(numbers, work, record, play, log_solutions, weight, min(most, close), sums)
    play.figures[4] += choice != best
    return choice


@kernel
def _weigh(
    numbers: Numbers,
    work: Workspace,
    record: GuessRecord,
    play: Play,
    log_solutions: float,
    weight: float,
    most: int,
    sums: NDArray[np.float32],
) -> int:
    """The best of the first candidates by the formula, by the network and the formula."""
    choice, highest = NONE, -1.0
    for _ in range(most):
        place = NONE
        for other in range(record.figures[SHORTLISTED]):
            left = record.fate[other] == TRIED and play.value[other] == NONE
            if left and (place == NONE or play.hand[other] > play.hand[place]):
                place = other
        play.value[place] = expected_value(numbers, work, record, play, log_solutions, place, sums)
        mixed = play.value[place] ** weight * play.hand[place] ** (1.0 - weight)
        if mixed > highest:
            choice, highest = place, mixed
    return choice


@kernel
def encode(numbers: Numbers, probability: NDArray[np.float64], out: NDArray[np.uint8]) -> None:
    """A position as bytes: its numbers, or 16 to 240 for a hidden cell's probability."""
    for cell in range(CELLS):
        if numbers[cell] != HIDDEN:
            out[cell] = numbers[cell]
        elif probability[cell] == 0.0:
            out[cell] = 16
        elif probability[cell] == 1.0:
            out[cell] = 240
        else:
            out[cell] = min(239, max(17, 16 + int(probability[cell] * 224.0 + 0.5)))


@kernel
def begin_game(seed: int, game: int, zero: bool, opening: int, work: Workspace, play: Play) -> None:
    """Place the mines of a board, and open its first cell."""
    play.states[0] = to_word(mix(mix(to_word(seed)) ^ to_word(game)))
    play.figures[:] = 0
    play.figures[5] = MOST_EVENTS
    for cell in range(CELLS):
        play.numbers[cell] = HIDDEN
        play.mined[cell] = cell == opening
    if zero:
        for i in range(work.near[opening, DEGREE]):
            play.mined[work.near[opening, i]] = 1
    allowed = 0
    for cell in range(CELLS):
        if play.mined[cell] == 0:
            play.stack[allowed] = cell
            allowed += 1
        play.mined[cell] = 0
    for i in range(MINES):
        j = i + draw_below(play.states, 0, allowed - i)
        play.stack[i], play.stack[j] = play.stack[j], play.stack[i]
        play.mined[play.stack[i]] = 1
    flood(play.numbers, work, play, opening)


@kernel
def settle(work: Workspace, record: GuessRecord, play: Play) -> float:
    """Open all that is certain; the logarithm of the solutions left, -1.0 at the end or where it fails."""
    numbers = play.numbers
    while True:
        deduce(numbers, work, True, False)
        opened, hidden = False, 0
        for cell in range(CELLS):
            hidden += numbers[cell] == HIDDEN
        if hidden == MINES:
            return -1.0
        for cell in range(CELLS):
            if numbers[cell] == HIDDEN and work.known[cell] == SAFE:
                flood(numbers, work, play, cell)
                opened = True
        if not opened:
            log_count = assess(numbers, MINES, work, record.probability)
            if log_count < 0.0 or record.probability[safest(numbers, record.probability)] > 0.0:
                return log_count
            for cell in range(CELLS):
                if numbers[cell] == HIDDEN and record.probability[cell] == 0.0:
                    flood(numbers, work, play, cell)


@kernel
def search_end(work: Workspace, solutions: Solutions, tree: Tree, play: Play, log_count: float) -> tuple[int, float]:
    """The first cell of the best play to the end and its share of wins; NONE where the end is too large."""
    if log_count > math.log(SOLUTIONS + 0.5):
        return NONE, 0.0
    left = MINES
    for cell in range(CELLS):
        left -= play.numbers[cell] == HIDDEN and work.known[cell] == MINE
    components = to_index(work.figures[0])
    count, columns = list_solutions(play.numbers, work, 0, components, left, True, solutions)
    if count > 0:
        column, won = search_tree(tree, solutions, count, columns, NODES)
        if column >= 0:
            return to_index(solutions.cell[column]), won / count
    return NONE, 0.0


@kernel
def keep_end(record: GuessRecord, play: Play, share: float) -> None:
    """Spread what the end of a game costs over its cells, by how uncertain they are."""
    play.figures[5] = play.figures[1]
    spread = 0.0
    for cell in range(CELLS):
        if play.numbers[cell] == HIDDEN:
            spread += record.probability[cell] * (1.0 - record.probability[cell])
    for cell in range(CELLS):
        if play.numbers[cell] == HIDDEN and 0.0 < record.probability[cell] < 1.0:
            p = record.probability[cell]
            keep_event(play, cell, -math.log(share) * p * (1.0 - p) / spread)


@kernel
def keep_event(play: Play, cell: int, hazard: float) -> None:
    """Note what a game paid at a cell; a game with too many is left out later."""
    event = play.figures[1]
    if event < MOST_EVENTS:
        play.event_cell[event] = cell
        play.event_hazard[event] = hazard
        play.figures[1] += 1


@kernel
def keep_sample(work: Workspace, record: GuessRecord, play: Play, cell: int, prefix: float) -> None:
    """Keep the position after a guess has shown its number."""
    sample = play.figures[0]
    if sample == MOST_SAMPLES:
        return
    count = 0
    for i in range(work.near[cell, DEGREE]):
        count += play.mined[work.near[cell, i]]
    play.numbers[cell] = count
    assess(play.numbers, MINES, work, record.after)
    encode(play.numbers, record.after, play.codes[sample])
    play.prefix[sample] = prefix
    play.following[sample] = following_safety(play.numbers, record.after)
    play.first_event[sample] = play.figures[1]
    play.figures[0] += 1
    play.numbers[cell] = HIDDEN


@kernel
def play_game(
    seed: int,
    game: int,
    zero: bool,
    opening: int,
    work: Workspace,
    solutions: Solutions,
    tree: Tree,
    record: GuessRecord,
    play: Play,
    box_cells: NDArray[np.int16],
    sums: NDArray[np.float32],
    band: float,
    weight: float,
    most: int,
    gate: float,
    explore: float,
    plain: bool,
    keep: bool,
) -> float:
    """Play a board; returns its chance to be won, or with `plain` 1.0 if it is. -1.0 if it is too complex."""
    numbers, prefix = play.numbers, 1.0
    begin_game(seed, game, zero, opening, work, play)
    while True:
        log_count = settle(work, record, play)
        hidden = 0
        for other in range(CELLS):
            hidden += numbers[other] == HIDDEN
        if hidden == MINES or log_count < 0.0:
            return prefix if hidden == MINES else -1.0
        cell, share = search_end(work, solutions, tree, play, log_count)
        if cell != NONE and not plain:
            if keep:
                keep_end(record, play, share)
            return prefix * share
        play.states[1] = to_word(mix(play.states[0] + to_word(hidden) * to_word(0x9E37_79B9_7F4A_7C15)))
        if cell == NONE:
            cell, _, _ = closed_guess(numbers, work, to_index(work.figures[0]), solutions, tree, NODES)
        if cell == NONE:
            place = choose_place(numbers, work, record, play, log_count, band, weight, most, gate, explore, sums)
            cell = to_index(record.cell[place])
        assess(numbers, MINES, work, record.probability)
        if plain and play.mined[cell]:
            return 0.0
        while play.mined[cell]:
            draw_layout(numbers, work, play, box_cells)
        if not plain:
            prefix *= 1.0 - record.probability[cell]
        if keep:
            keep_event(play, cell, -math.log(1.0 - record.probability[cell]))
            keep_sample(work, record, play, cell, prefix)
        flood(numbers, work, play, cell)
