"""Layouts of the mines drawn from all that fit the numbers, each equally likely.

After `assess` the workspace holds every component's layers of partial solutions. A component's last entry is drawn with
the weight of its solutions and of what the rest of the board can then be; from there the layers are walked back, each
step with the weight of the ways that lead to it. Cells that no number touches take the mines that are left.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import Rng
from ludex.games.minesweeper.rules.inference.counting import CHOOSE
from ludex.games.minesweeper.rules.inference.forced_moves import MINE, UNKNOWN
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.probabilities import assess, refuse
from ludex.games.minesweeper.rules.inference.workspace import Workspace, borrowed_workspace, field, flat_numbers
from ludex.games.minesweeper.rules.layout import HIDDEN, Numbers


class Layer(NamedTuple):
    """One box of a component: its cells, and the steps by which mines are placed there."""

    cells: list[int]
    begin: int
    """The first entry before the step."""
    source: NDArray[np.int64]
    """The entry of each step, from `begin` on."""
    placed: NDArray[np.int64]
    """The mines each step places in the box."""
    target: NDArray[np.int64]
    """The entry that each step leads to."""
    ways: NDArray[np.float64]
    """The weight of each step."""


class Component(NamedTuple):
    """The boxes that depend on each other, in the order of their layers."""

    layers: list[Layer]
    last: int
    """The first entry of its whole solutions."""
    used: NDArray[np.int64]
    """The mines of each."""
    forward: NDArray[np.float64]
    """The number of ways to each, up to a common factor."""
    after: NDArray[np.float64]
    """The weight of everything behind it, by the mines used until then."""


class LayoutSampler:
    """Draws layouts that fit the numbers of one position."""

    def __init__(self, numbers: Numbers, mines: int) -> None:
        """`numbers` is int8[H, W]; raises what the solver does where nothing fits, or too much depends on it."""
        flat = flat_numbers(numbers, mines)
        with borrowed_workspace(*numbers.shape) as work:
            refuse(assess(flat, mines, work, np.empty(numbers.size)), numbers, mines)
            known = field(work, "known")[: numbers.size]
            hidden = flat == HIDDEN
            self._certain: list[int] = np.flatnonzero(hidden & (known == MINE)).tolist()
            loose = hidden & (known == UNKNOWN) & (field(work, "box_of")[: numbers.size] == NONE)
            self._elsewhere: list[int] = np.flatnonzero(loose).tolist()
            self._left = mines - len(self._certain)
            components = range(int(field(work, "figures")[0]))
            self._components = [_component(work, number, self._left) for number in components]

    def draw(self, rng: Rng) -> list[int]:
        """The cells of the mines, in no order."""
        mines, used = [*self._certain], 0
        for component in self._components:
            total = used + component.used
            # More mines than there are leave nothing for the rest.
            rest = np.where(total <= self._left, component.after[np.minimum(total, self._left)], 0.0)
            weights = component.forward * rest
            at = component.last + _draw_index(weights, rng)
            used += int(component.used[at - component.last])
            for layer in reversed(component.layers):
                here = np.flatnonzero(layer.target == at)
                step = int(here[_draw_index(layer.ways[here], rng)])
                mines += _draw_cells(layer.cells, int(layer.placed[step]), rng)
                at = layer.begin + int(layer.source[step])
        return mines + _draw_cells(self._elsewhere, self._left - used, rng)


@lru_cache(maxsize=8)
def layout_sampler(shown: bytes, rows: int, cols: int, mines: int) -> LayoutSampler:
    """The sampler of a view's numbers, kept because a search draws many layouts for one view."""
    return LayoutSampler(np.frombuffer(shown, np.int8).reshape(rows, cols), mines)


def _component(work: Workspace, number: int, mines: int) -> Component:
    """A copy of what the workspace holds of a component."""
    end, layers = field(work, "component_end"), field(work, "layer")
    begin = int(end[number - 1]) if number else 0
    first = int(field(work, "component_layer")[number])
    boxes = [int(box) for box in field(work, "order")[begin : int(end[number])]]
    drawn_layers = [_layer(work, box, first + place) for place, box in enumerate(boxes)]
    last = first + len(boxes)
    ends = slice(int(layers[last]), int(layers[last + 1]))
    there = (number + 1) * (mines + 1)
    used = field(work, "used")[ends].astype(np.int64)
    after = field(work, "after")[there : there + mines + 1].copy()
    # What no solution uses is not written there.
    after[field(work, "after_can")[there : there + mines + 1] == 0] = 0.0
    return Component(drawn_layers, ends.start, used, field(work, "forward")[ends].copy(), after)


def _layer(work: Workspace, box: int, layer: int) -> Layer:
    begin, end = (int(entry) for entry in field(work, "layer")[layer : layer + 2])
    size = int(field(work, "box_size")[box])
    first_step = field(work, "first_step")[begin : end + 1].astype(np.int64)
    counts = np.diff(first_step)
    source = np.repeat(np.arange(end - begin), counts)
    within = np.arange(len(source)) - np.repeat(first_step[:-1] - first_step[0], counts)
    placed = field(work, "least")[begin:end].astype(np.int64)[source] + within
    steps: NDArray[Any] = field(work, "step_to")[first_step[0] : first_step[-1]]
    return Layer(
        cells=field(work, "box_cells")[box, :size].tolist(),
        begin=begin,
        source=source,
        placed=placed,
        target=steps.astype(np.int64),
        ways=field(work, "forward")[begin:end][source] * CHOOSE[size, placed],
    )


def _draw_index(weights: NDArray[np.float64], rng: Rng) -> int:
    """An index, with the probability of its weight."""
    sums = np.cumsum(weights)
    # The product may round up to the whole sum.
    return min(int(np.searchsorted(sums, rng.uniform() * sums[-1], side="right")), len(sums) - 1)


def _draw_cells(cells: list[int], count: int, rng: Rng) -> list[int]:
    """So many of the cells, every set equally likely."""
    if not count:
        return []
    shuffled = [*cells]
    rng.shuffle(shuffled)
    return shuffled[:count]
