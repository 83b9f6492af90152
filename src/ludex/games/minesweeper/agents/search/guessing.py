"""The expert's choice where rules prove nothing: unavoidable guesses, then a shortlist of cells one guess ahead."""

import math
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.search.solutions import ANY, Solutions, list_solutions
from ludex.games.minesweeper.agents.search.tree import Tree, search_tree
from ludex.games.minesweeper.rules.inference.forced_moves import MINE, UNKNOWN
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.probabilities import assess, safest
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, MOST_CELLS, Numbers
from ludex.kernels.jit import kernel, to_index

MOST_SHORTLISTED: Final = 64
NODES: Final = 0
SOLUTIONS: Final = 1
WON: Final = 2
SHORTLISTED: Final = 3
FIGURES: Final = 4
"""Indices of `figures`: nodes of the tree, solutions listed, solutions won, and the length of the shortlist."""
UNTRIED: Final = 0
TRIED: Final = 1
DEAD: Final = 2
DOMINATED: Final = 3
"""The fate of a candidate."""


class GuessRecord:
    """The record's fields; K counts the candidates of the shortlist."""

    probability: Annotated[NDArray[np.float64], MOST_CELLS]
    """[cells]: how probably each is a mine."""
    after: Annotated[NDArray[np.float64], MOST_CELLS]
    """[cells]: the same after a guess that has shown a number."""
    cell: Annotated[NDArray[np.int16], MOST_SHORTLISTED]
    safety: Annotated[NDArray[np.float64], MOST_SHORTLISTED]
    """[K]: safest first."""
    score: Annotated[NDArray[np.float64], MOST_SHORTLISTED]
    """[K]: the probability to live through this guess and the next."""
    secondary: Annotated[NDArray[np.float64], MOST_SHORTLISTED]
    """[K]: the expected safety of what follows, if it is safe: four parts the best move, one part the next best."""
    progress: Annotated[NDArray[np.float64], MOST_SHORTLISTED]
    """[K]: the probability that a certain move follows, if it is safe."""
    fate: Annotated[NDArray[np.int8], MOST_SHORTLISTED]
    """[K]"""
    implied: Annotated[NDArray[np.uint8], MOST_SHORTLISTED]
    """[K]: 1 if the candidate is safe whatever the one being tried shows."""
    figures: Annotated[NDArray[np.int64], FIGURES]
    """[FIGURES]"""


NEARLY_SAFEST: Final = 0.9
"""A cell that is less safe than this share of the safest is not considered."""
_CORNER: Final = 3
"""Neighbours of a corner, the cell most likely to be a zero."""


@kernel
def make_shortlist(numbers: Numbers, work: Workspace, record: GuessRecord) -> None:
    """List the safest cells, safest first. Of those that no number touches only corners and the next ones count."""
    first = safest(numbers, record.probability)
    most = 1.0 - record.probability[first]
    count = 0
    for cell in range(len(numbers)):
        if numbers[cell] != HIDDEN:
            continue
        safety = 1.0 - record.probability[cell]
        if safety < NEARLY_SAFEST * most or not _is_near(cell, work):
            continue
        place = min(count, MOST_SHORTLISTED - 1)
        if count >= MOST_SHORTLISTED and record.safety[place] >= safety:
            continue
        while place > 0 and record.safety[place - 1] < safety:
            record.cell[place] = record.cell[place - 1]
            record.safety[place] = record.safety[place - 1]
            place -= 1
        record.cell[place] = cell
        record.safety[place] = safety
        count = min(count + 1, MOST_SHORTLISTED)
    if count == 0:
        record.cell[0] = first
        record.safety[0] = most
        count = 1
    for i in range(count):
        record.fate[i] = UNTRIED
    record.figures[SHORTLISTED] = count


@kernel
def _is_near(cell: int, work: Workspace) -> bool:
    """Whether a cell is at the edge, next to it, or in a corner."""
    if work.box_of[cell] != NONE or work.near[cell, DEGREE] <= _CORNER:
        return True
    for i in range(work.near[cell, DEGREE]):
        if work.box_of[work.near[cell, i]] != NONE:
            return True
    return False


BEST_SHARE: Final = 0.8
"""The best move that follows counts four times as much as the second best: one safe cell may lead nowhere."""
PROGRESS_SHARE: Final = 0.001
"""Among equals, the guess that a certain move follows more often."""
_CERTAIN: Final = 1e-12
"""Rounding in a sum of probabilities."""


@kernel
def best_guess(numbers: Numbers, mines: int, work: Workspace, record: GuessRecord, log_solutions: float) -> int:
    """The place in the shortlist of the cell that makes it most probable to live through this guess and the next."""
    count = to_index(record.figures[SHORTLISTED])
    best, best_score = NONE, -1.0
    for place in range(count):
        # Surviving two guesses is never more probable than surviving the first.
        if record.safety[place] + PROGRESS_SHARE <= best_score:
            break
        if record.fate[place] != UNTRIED:
            continue
        score = _try(numbers, mines, work, record, log_solutions, place, best_score)
        if record.fate[place] == TRIED and score > best_score:
            best, best_score = place, score
    # Where every cell is dead, the safest is as good as any.
    return 0 if best == NONE else best


@kernel
def _try(
    numbers: Numbers, mines: int, work: Workspace, record: GuessRecord, log_solutions: float, place: int, enough: float
) -> float:
    """Reveal a candidate for every number it may show; leaves it UNTRIED once it cannot reach `enough` any more."""
    cell, safety = to_index(record.cell[place]), record.safety[place]
    count = to_index(record.figures[SHORTLISTED])
    hidden = 0
    for i in range(work.near[cell, DEGREE]):
        hidden += numbers[work.near[cell, i]] == HIDDEN
    for other in range(count):
        record.implied[other] = 1
    expected, progress, covered, kinds = 0.0, 0.0, 0.0, 0
    for number in range(hidden + 1):
        numbers[cell] = number
        log_count = assess(numbers, mines, work, record.after)
        if log_count < 0.0:
            continue
        share = math.exp(log_count - log_solutions)
        best, second = _two_safest(numbers, record.after)
        expected += share * (BEST_SHARE * best + (1.0 - BEST_SHARE) * second)
        if best == 1.0:
            progress += share
        covered += share
        kinds += 1
        for other in range(count):
            if record.after[record.cell[other]] != 0.0:
                record.implied[other] = 0
        if covered > safety - _CERTAIN:
            break
        if expected + safety - covered + PROGRESS_SHARE <= enough:
            numbers[cell] = HIDDEN
            return 0.0
    numbers[cell] = HIDDEN
    record.fate[place] = TRIED if kinds > 1 else DEAD
    record.score[place] = expected
    record.secondary[place] = expected / safety
    record.progress[place] = progress / safety
    for other in range(count):
        # No safer than this one and certainly safe after it: revealing this one first gains its number as well.
        if record.implied[other] and other != place and record.safety[other] <= safety and kinds > 1:
            record.fate[other] = DOMINATED
    return expected + PROGRESS_SHARE * progress


@kernel
def _two_safest(numbers: Numbers, probability: NDArray[np.float64]) -> tuple[float, float]:
    """How safe the safest hidden cell is, and the next one; certainly safe where only mines are hidden: that wins."""
    best, second = 0.0, 0.0
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN:
            safety = 1.0 - probability[cell]
            if safety > best:
                best, second = safety, best
            elif safety > second:
                second = safety
    return (best, second) if best > 0.0 else (1.0, 1.0)


FAILED: Final = 0
COUNT: Final = 1
ENDGAME: Final = 2
UNAVOIDABLE: Final = 3
FORESIGHT: Final = 4
"""How a cell was found: counting proves it safe, every solution was searched, or it is a guess."""


@kernel
def expert_cell(
    numbers: Numbers,
    mines: int,
    work: Workspace,
    solutions: Solutions,
    tree: Tree,
    record: GuessRecord,
    most_solutions: int,
    most_nodes: int,
) -> tuple[int, int, float]:
    """The cell to reveal, how it was found, and the logarithm of the number of solutions.

    If `assess` fails, its error code takes the place of the logarithm. `numbers` is written to and restored.
    """
    log_count = assess(numbers, mines, work, record.probability)
    record.figures[:] = 0
    if log_count < 0.0:
        return NONE, FAILED, log_count
    cell = safest(numbers, record.probability)
    if record.probability[cell] == 0.0:
        return cell, COUNT, log_count
    left, components = mines, to_index(work.figures[0])
    for other in range(len(numbers)):
        left -= numbers[other] == HIDDEN and work.known[other] == MINE
    if log_count <= math.log(most_solutions + 0.5):
        count, columns = list_solutions(numbers, work, 0, components, left, True, solutions)
        if count > 0:
            column, won = search_tree(tree, solutions, count, columns, most_nodes)
            record.figures[NODES] = tree.nodes[0]
            if column >= 0:
                record.figures[SOLUTIONS] = count
                record.figures[WON] = won
                return to_index(solutions.cell[column]), ENDGAME, log_count
    cell, won, count = closed_guess(numbers, work, components, solutions, tree, most_nodes)
    if cell != NONE:
        record.figures[NODES] += tree.nodes[0]
        record.figures[SOLUTIONS] = count
        record.figures[WON] = won
        return cell, UNAVOIDABLE, log_count
    make_shortlist(numbers, work, record)
    place = best_guess(numbers, mines, work, record, log_count)
    return to_index(record.cell[place]), FORESIGHT, log_count


MOST_CLOSED: Final = 24
"""The most cells of a component that is searched."""


@kernel
def closed_guess(
    numbers: Numbers, work: Workspace, components: int, solutions: Solutions, tree: Tree, most_nodes: int
) -> tuple[int, int, int]:
    """The best first cell of a closed component, with its solutions won and all; NONE and zeros if there is none.

    A component is closed that touches no other unknown cell: play elsewhere can reveal only how many mines it has. Let
    V(m) be the most solutions with m mines that any play wins which knows m from the start. Given m, the component and
    the rest of the board are independent, so no play wins more than V(m) times what the rest is worth then. A plan that
    wins V(m) of the solutions for every m at once, without knowing m, reaches that bound and leaves the rest with m
    known: waiting gains nothing. There is such a plan exactly where best play over all solutions wins the sum of the
    V(m), and a 50/50 is the smallest case. Guessing there at once saves time.
    """
    begin = 0
    for component in range(components):
        end = to_index(work.component_end[component])
        if _is_closed(numbers, work, begin, end):
            count, columns = list_solutions(numbers, work, component, component + 1, ANY, False, solutions)
            if count > 1:
                column, won = search_tree(tree, solutions, count, columns, most_nodes)
                if column >= 0:
                    cell = to_index(solutions.cell[column])
                    if won == _won_by_count(numbers, work, component, won, solutions, tree, most_nodes):
                        return cell, won, count
        begin = end
    return NONE, 0, 0


@kernel
def _won_by_count(
    numbers: Numbers, work: Workspace, component: int, won: int, solutions: Solutions, tree: Tree, most_nodes: int
) -> int:
    """The sum of the V(m), where `won` is what best play wins without knowing m; NONE if a search is too long."""
    last = work.component_layer[component + 1] - 1
    begin, end = to_index(work.layer[last]), to_index(work.layer[last + 1])
    possible = 0
    for entry in range(begin, end):
        possible += work.alive[entry]
    if possible == 1:
        return won
    total = 0
    for entry in range(begin, end):
        if work.alive[entry]:
            mines = to_index(work.used[entry])
            count, columns = list_solutions(numbers, work, component, component + 1, mines, False, solutions)
            most = count
            if count > 1:
                column, most = search_tree(tree, solutions, count, columns, most_nodes)
                if column < 0:
                    return NONE
            total += most
    return total


@kernel
def _is_closed(numbers: Numbers, work: Workspace, begin: int, end: int) -> bool:
    """Whether the unknown neighbours of a component's cells are all its own."""
    cells = 0
    for place in range(begin, end):
        cells += work.box_size[work.order[place]]
    if cells > MOST_CLOSED:
        return False
    for place in range(begin, end):
        box = work.order[place]
        for i in range(work.box_size[box]):
            cell = work.box_cells[box, i]
            for j in range(work.near[cell, DEGREE]):
                other = work.near[cell, j]
                unknown = numbers[other] == HIDDEN and work.known[other] == UNKNOWN
                if unknown and not _among(work, begin, end, to_index(work.box_of[other])):
                    return False
    return True


@kernel
def _among(work: Workspace, begin: int, end: int, box: int) -> bool:
    """Whether a box, or NONE, is one of these places'."""
    for place in range(begin, end):
        if work.order[place] == box:
            return True
    return False
