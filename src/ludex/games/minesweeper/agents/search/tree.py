"""The exact end of a game: of how many solutions the best play wins, when there are few.

What is known is the set of solutions that are still possible; everything else follows from it. A cell that shows the
same in all of them gives no information. A cell that is safe in all of them costs nothing, so it is revealed at once.
Otherwise the best guess is searched: revealing a cell splits the set by what it shows, and the mine's share is lost.

A cell that shows one number wherever it is safe is dead: a guess there gives no information, and whatever may follow
could be played without it. So dead cells are never guessed, and where all cells are dead one solution is won.

A node may be searched only for whether it is worth more than `need`; its value is then stored as an upper bound.
"""

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import mix
from ludex.games.minesweeper.agents.search.solutions import EXPLODES, MOST_SOLUTIONS, MOST_UNKNOWN, Solutions
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.kernels.jit import kernel, to_index, to_word

MOST_DEPTH: Final = MOST_UNKNOWN + 1
MOST_MEMBERS: Final = 1 << 18
"""Members of all sets of a line: a child is smaller than its parent, so that this holds thousands of solutions."""
PLACES: Final = 1 << 16
GAVE_UP: Final = -1
EXACT: Final = 1
BOUND: Final = 2
_PARTS: Final = EXPLODES + 1
_ENTER, _NEXT_OPTION, _NEXT_PART, _FINISH, _RETURN = 0, 1, 2, 3, 4
_WEIGHTS = np.array([mix(i + 1) for i in range(MOST_SOLUTIONS)], np.uint64)
"""[S]: a set's hash is the sum of its members'."""


class Tree:
    """The record's fields; D is the depth of a line."""

    members: Annotated[NDArray[np.int16], MOST_MEMBERS]
    """[members]: the sets of the line's nodes, each followed by its parts."""
    begin: Annotated[NDArray[np.int32], MOST_DEPTH]
    end: Annotated[NDArray[np.int32], MOST_DEPTH]
    """[D]: each node's set."""
    parts_begin: Annotated[NDArray[np.int32], MOST_DEPTH]
    """[D]: where each node may write the parts of its set."""
    live: Annotated[NDArray[np.int16], MOST_DEPTH, MOST_UNKNOWN]
    """[D, U]: columns that do not show the same in all members."""
    lives: Annotated[NDArray[np.int16], MOST_DEPTH]
    """[D]"""
    options: Annotated[NDArray[np.int16], MOST_DEPTH, MOST_UNKNOWN]
    """[D, U]: columns to guess, most promising first."""
    promise: Annotated[NDArray[np.int32], MOST_DEPTH, MOST_UNKNOWN]
    """[D, U]: in how many members each is safe, which bounds what it can win."""
    option_count: Annotated[NDArray[np.int16], MOST_DEPTH]
    option: Annotated[NDArray[np.int16], MOST_DEPTH]
    """[D]: how many options there are, and which is being tried."""
    free: Annotated[NDArray[np.uint8], MOST_DEPTH]
    """[D]: 1 if the option costs nothing, so that it is the only one."""
    part: Annotated[NDArray[np.int32], MOST_DEPTH, _PARTS]
    """[D, 10]: where the parts of the set begin, by what the option shows, and where those that are safe end."""
    value: Annotated[NDArray[np.int16], MOST_DEPTH]
    """[D]: which part is being searched."""
    won: Annotated[NDArray[np.int32], MOST_DEPTH]
    """[D]: solutions won in the parts done."""
    best: Annotated[NDArray[np.int32], MOST_DEPTH]
    best_option: Annotated[NDArray[np.int16], MOST_DEPTH]
    """[D]"""
    bound: Annotated[NDArray[np.int32], MOST_DEPTH]
    """[D]: no option that was left can win more."""
    need: Annotated[NDArray[np.int32], MOST_DEPTH]
    """[D]: a value that is not more is of no use above."""
    hash: Annotated[NDArray[np.uint64], MOST_DEPTH]
    """[D]"""
    counts: Annotated[NDArray[np.int32], MOST_UNKNOWN, _PARTS]
    """[U, 10]: in how many members a column shows what."""
    key: Annotated[NDArray[np.uint64], PLACES]
    kept: Annotated[NDArray[np.int32], PLACES]
    kind: Annotated[NDArray[np.uint8], PLACES]
    """[PLACES]: values of sets, exact or bounds from above."""
    nodes: Annotated[NDArray[np.int64], 1]
    """[1]"""


@kernel
def search_tree(tree: Tree, solutions: Solutions, count: int, columns: int, most_nodes: int) -> tuple[int, int]:
    """The column to reveal first, and of how many solutions the best play wins; GAVE_UP for both beyond the nodes."""
    tree.kind[:] = 0
    tree.nodes[0] = 0
    for i in range(count):
        tree.members[i] = i
    tree.begin[0], tree.end[0], tree.parts_begin[0] = 0, count, count
    for i in range(columns):
        tree.live[0, i] = i
    tree.lives[0] = columns
    tree.need[0] = 0
    depth, doing, value = 0, _ENTER, 0
    while True:
        if doing == _ENTER:
            tree.nodes[0] += 1
            if tree.nodes[0] > most_nodes:
                return GAVE_UP, GAVE_UP
            value = _enter(tree, solutions, depth)
            doing = _NEXT_OPTION if value == 0 else _RETURN
        elif doing == _NEXT_OPTION:
            doing = _next_option(tree, solutions, depth)
            if doing == GAVE_UP:
                return GAVE_UP, GAVE_UP
        elif doing == _NEXT_PART:
            doing = _next_part(tree, depth)
            if doing == _ENTER:
                depth += 1
        elif doing == _FINISH:
            value = _finish(tree, depth)
            doing = _RETURN
        else:
            if depth == 0:
                return _root_column(tree, count), value
            depth -= 1
            doing = _take_value(tree, depth, value)


@kernel
def _enter(tree: Tree, solutions: Solutions, depth: int) -> int:
    """A node's value if it is known at once, else 0 and the node's options."""
    begin, end = to_index(tree.begin[depth]), to_index(tree.end[depth])
    size = end - begin
    key = to_word(0)
    for i in range(begin, end):
        key += _WEIGHTS[tree.members[i]]
    tree.hash[depth] = key
    at = to_index(key & to_word(PLACES - 1))
    if tree.kind[at] != 0 and tree.key[at] == key:
        value = to_index(tree.kept[at])
        if depth > 0 and (tree.kind[at] == EXACT or value <= tree.need[depth]):
            return value
    if size == 1:
        tree.option_count[depth] = 0
        return 1
    _count(tree, solutions, depth)
    tree.option[depth] = NONE
    tree.option_count[depth] = 0
    tree.bound[depth] = 0
    tree.best_option[depth] = NONE
    free, free_parts, options = NONE, 0, 0
    for i in range(tree.lives[depth]):
        column = to_index(tree.live[depth, i])
        parts = _parts(tree, column)
        mines = to_index(tree.counts[column, EXPLODES])
        if mines == 0:
            if parts > free_parts:
                free, free_parts = column, parts
        elif parts > 1:
            # Safest first, and among equals the most informative.
            promise = size - mines
            place = options
            while place > 0 and (
                tree.promise[depth, place - 1] < promise
                or (tree.promise[depth, place - 1] == promise and _parts(tree, tree.options[depth, place - 1]) < parts)
            ):
                tree.options[depth, place] = tree.options[depth, place - 1]
                tree.promise[depth, place] = tree.promise[depth, place - 1]
                place -= 1
            tree.options[depth, place] = column
            tree.promise[depth, place] = promise
            options += 1
    if free != NONE:
        tree.free[depth] = 1
        tree.options[depth, 0] = free
        tree.promise[depth, 0] = size
        tree.option_count[depth] = 1
        tree.best[depth] = 0
        return 0
    tree.free[depth] = 0
    tree.option_count[depth] = options
    tree.best[depth] = 1
    return 1 if options == 0 else 0


@kernel
def _count(tree: Tree, solutions: Solutions, depth: int) -> None:
    """Count what each column shows, and keep those that do not always show the same."""
    lives = to_index(tree.lives[depth])
    begin, end = to_index(tree.begin[depth]), to_index(tree.end[depth])
    for i in range(lives):
        for value in range(_PARTS):
            tree.counts[tree.live[depth, i], value] = 0
    for m in range(begin, end):
        member = to_index(tree.members[m])
        for i in range(lives):
            column = to_index(tree.live[depth, i])
            tree.counts[column, solutions.shown[member, column]] += 1
    first = to_index(tree.members[begin])
    lives_left = 0
    for i in range(lives):
        column = tree.live[depth, i]
        if tree.counts[column, solutions.shown[first, column]] < end - begin:
            tree.live[depth, lives_left] = column
            lives_left += 1
    tree.lives[depth] = lives_left


@kernel
def _parts(tree: Tree, column: int) -> int:
    parts = 0
    for value in range(EXPLODES):
        if tree.counts[column, value] > 0:
            parts += 1
    return parts


@kernel
def _split(tree: Tree, solutions: Solutions, depth: int, column: int) -> bool:
    """Sort the set's safe members by what a column shows; False if they do not fit."""
    begin, end, at = to_index(tree.begin[depth]), to_index(tree.end[depth]), to_index(tree.parts_begin[depth])
    if at + end - begin > MOST_MEMBERS:
        return False
    for value in range(EXPLODES):
        tree.part[depth, value] = 0
    for m in range(begin, end):
        number = solutions.shown[tree.members[m], column]
        if number != EXPLODES:
            tree.part[depth, number] += 1
    for value in range(EXPLODES):
        size = tree.part[depth, value]
        tree.part[depth, value] = at
        at += size
    tree.part[depth, EXPLODES] = at
    for m in range(begin, end):
        number = solutions.shown[tree.members[m], column]
        if number != EXPLODES:
            tree.members[tree.part[depth, number]] = tree.members[m]
            tree.part[depth, number] += 1
    # Each begin has moved to its part's end, which is the next part's begin.
    for value in range(EXPLODES - 1, 0, -1):
        tree.part[depth, value] = tree.part[depth, value - 1]
    tree.part[depth, 0] = tree.parts_begin[depth]
    tree.value[depth] = NONE
    tree.won[depth] = 0
    return True


@kernel
def _next_option(tree: Tree, solutions: Solutions, depth: int) -> int:
    """Advance to the next option that can improve the value, or finish the node."""
    tree.option[depth] += 1
    option = to_index(tree.option[depth])
    if option == tree.option_count[depth]:
        return _FINISH
    if tree.promise[depth, option] <= max(tree.best[depth], tree.need[depth]):
        tree.bound[depth] = max(tree.bound[depth], tree.promise[depth, option])
        return _FINISH
    return _NEXT_PART if _split(tree, solutions, depth, to_index(tree.options[depth, option])) else GAVE_UP


@kernel
def _finish(tree: Tree, depth: int) -> int:
    """A node's value, kept for the next time: exact, unless an option that was left may win up to `bound`."""
    value = max(to_index(tree.best[depth]), to_index(tree.bound[depth]))
    at = to_index(tree.hash[depth] & to_word(PLACES - 1))
    tree.key[at] = tree.hash[depth]
    tree.kept[at] = value
    tree.kind[at] = EXACT if tree.bound[depth] <= tree.best[depth] else BOUND
    return value


@kernel
def _next_part(tree: Tree, depth: int) -> int:
    """Advance to the next part that must be searched, or to what follows the last one."""
    enough = max(to_index(tree.best[depth]), to_index(tree.need[depth]))
    while True:
        tree.value[depth] += 1
        value = to_index(tree.value[depth])
        if value == EXPLODES:
            if tree.won[depth] > tree.best[depth]:
                tree.best[depth] = tree.won[depth]
                tree.best_option[depth] = tree.options[depth, tree.option[depth]]
            return _FINISH if tree.free[depth] else _NEXT_OPTION
        begin, end = to_index(tree.part[depth, value]), to_index(tree.part[depth, value + 1])
        if begin == end:
            continue
        rest = to_index(tree.part[depth, EXPLODES]) - end
        if tree.won[depth] + end - begin + rest <= enough:
            tree.bound[depth] = max(to_index(tree.bound[depth]), to_index(tree.won[depth]) + end - begin + rest)
            return _FINISH if tree.free[depth] else _NEXT_OPTION
        if end - begin == 1:
            tree.won[depth] += 1
            continue
        child = depth + 1
        tree.begin[child], tree.end[child] = begin, end
        tree.parts_begin[child] = tree.part[depth, EXPLODES]
        tree.lives[child] = tree.lives[depth]
        for i in range(tree.lives[depth]):
            tree.live[child, i] = tree.live[depth, i]
        tree.need[child] = max(0, enough - to_index(tree.won[depth]) - rest)
        return _ENTER


@kernel
def _take_value(tree: Tree, depth: int, value: int) -> int:
    """Take a child's value."""
    if value <= tree.need[depth + 1]:
        rest = tree.part[depth, EXPLODES] - tree.end[depth + 1]
        tree.bound[depth] = max(to_index(tree.bound[depth]), to_index(tree.won[depth]) + value + rest)
        return _FINISH if tree.free[depth] else _NEXT_OPTION
    tree.won[depth] += value
    return _NEXT_PART


@kernel
def _root_column(tree: Tree, count: int) -> int:
    """The best first guess; where all are dead, the column that is safe most often."""
    if tree.best_option[0] != NONE:
        return to_index(tree.best_option[0])
    best, safest = to_index(tree.live[0, 0]) if tree.lives[0] > 0 else 0, -1
    for i in range(tree.lives[0]):
        column = to_index(tree.live[0, i])
        safe = count - to_index(tree.counts[column, EXPLODES])
        if safe > safest:
            best, safest = column, safe
    return best
