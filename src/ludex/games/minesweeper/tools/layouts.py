"""The chance of a mine in every hidden cell, as exact fractions: plain counting that shares nothing with the solver.

Hidden cells beside the same numbers form groups; groups that share a number depend on each other. Each such component
is counted by trying every number of mines in every group, and components are combined by the mines they take.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

Counts = dict[int, tuple[int, tuple[Fraction, ...]]]
"""By mines of a component: its layouts, and in how many of them one given cell of each group is a mine."""


def exact_risks(numbers: NDArray[np.int8], mines: int) -> dict[int, Fraction]:
    """By hidden cell of int8[H, W], the share of the layouts that fit in which it is a mine.

    >>> {cell: str(risk) for cell, risk in exact_risks(np.array([[1, -1, -1]], np.int8), 1).items()}
    {1: '1', 2: '0'}
    """
    clues = _clues(numbers)
    hidden = np.flatnonzero(numbers.reshape(-1) < 0).tolist()
    groups: dict[frozenset[int], list[int]] = {}
    for cell in hidden:
        beside = frozenset(number for number, (_, near) in clues.items() if cell in near)
        groups.setdefault(beside, []).append(cell)
    away = groups.pop(frozenset(), [])
    components = [*_components(groups)]
    counted = [_counted(component, groups, clues) for component in components]
    return _combined(components, groups, counted, away, mines)


def largest_component(numbers: NDArray[np.int8]) -> int:
    """How many groups of hidden cells depend on each other at most: what counting costs grows with it."""
    clues = _clues(numbers)
    beside = {
        frozenset(number for number, (_, near) in clues.items() if cell in near)
        for cell in np.flatnonzero(numbers.reshape(-1) < 0).tolist()
    }
    groups: dict[frozenset[int], list[int]] = {one: [] for one in beside if one}
    return max((len(component) for component in _components(groups)), default=0)


def _clues(numbers: NDArray[np.int8]) -> dict[int, tuple[int, frozenset[int]]]:
    """By revealed cell beside a hidden one: its number and its hidden neighbours."""
    rows, cols = numbers.shape
    found = {}
    for row in range(rows):
        for col in range(cols):
            if numbers[row, col] < 0:
                continue
            near = frozenset(
                r * cols + c
                for r in range(max(0, row - 1), min(rows, row + 2))
                for c in range(max(0, col - 1), min(cols, col + 2))
                if numbers[r, c] < 0
            )
            if near:
                found[row * cols + col] = int(numbers[row, col]), near
    return found


def _components(groups: dict[frozenset[int], list[int]]) -> Iterator[list[frozenset[int]]]:
    """Groups that share numbers, directly or through others; neighbours stand next to each other."""
    waiting = [*groups]
    while waiting:
        component, reached = [waiting.pop(0)], 0
        while reached < len(component):
            touching = [one for one in waiting if one & component[reached]]
            component += touching
            waiting = [one for one in waiting if one not in touching]
            reached += 1
        yield component


def _counted(
    component: list[frozenset[int]],
    groups: dict[frozenset[int], list[int]],
    clues: dict[int, tuple[int, frozenset[int]]],
) -> Counts:
    sizes = [len(groups[group]) for group in component]
    missing = {number: clues[number][0] for group in component for number in group}
    open_groups = {number: sum(number in group for group in component) for number in missing}
    totals: dict[int, int] = {}
    in_group: dict[int, list[Fraction]] = {}
    chosen: list[int] = []

    def place(index: int) -> None:
        if index == len(component):
            taken, ways = sum(chosen), prod(comb(size, mines) for size, mines in zip(sizes, chosen, strict=True))
            totals[taken] = totals.get(taken, 0) + ways
            held = in_group.setdefault(taken, [Fraction(0)] * len(component))
            for one, (size, mines) in enumerate(zip(sizes, chosen, strict=True)):
                held[one] += Fraction(ways * mines, size)
            return
        group = component[index]
        for number in group:
            open_groups[number] -= 1
        for mines in range(min(sizes[index], *(missing[number] for number in group)) + 1):
            for number in group:
                missing[number] -= mines
            # A number whose groups are all filled must have all its mines.
            if all(open_groups[number] > 0 or missing[number] == 0 for number in group):
                chosen.append(mines)
                place(index + 1)
                chosen.pop()
            for number in group:
                missing[number] += mines
        for number in group:
            open_groups[number] += 1

    place(0)
    return {taken: (ways, tuple(in_group[taken])) for taken, ways in totals.items()}


def _combined(
    components: list[list[frozenset[int]]],
    groups: dict[frozenset[int], list[int]],
    counted: list[Counts],
    away: list[int],
    mines: int,
) -> dict[int, Fraction]:
    def ways_of(parts: list[Counts]) -> dict[int, int]:
        ways = {0: 1}
        for part in parts:
            added: dict[int, int] = {}
            for before, first in ways.items():
                for taken, (second, _) in part.items():
                    added[before + taken] = added.get(before + taken, 0) + first * second
            ways = added
        return ways

    def rest(left: int) -> int:
        return comb(len(away), left) if 0 <= left <= len(away) else 0

    whole = ways_of(counted)
    total = sum(ways * rest(mines - taken) for taken, ways in whole.items())
    if total == 0:
        raise ValueError(f"no layout of {mines} mines fits")
    risks: dict[int, Fraction] = {}
    for index, component in enumerate(components):
        others = ways_of(counted[:index] + counted[index + 1 :])
        for place, group in enumerate(component):
            held = sum(
                (
                    share[place] * ways * rest(mines - taken - elsewhere)
                    for taken, (_, share) in counted[index].items()
                    for elsewhere, ways in others.items()
                ),
                Fraction(0),
            )
            risks |= dict.fromkeys(groups[group], held / total)
    if away:
        mean = sum(ways * rest(mines - taken) * (mines - taken) for taken, ways in whole.items())
        risks |= dict.fromkeys(away, Fraction(mean, total * len(away)))
    return risks
