"""The actions of a grid game as one table: an action's index, its text, and the sites that it is about, in order.

    Notation(placing(grid) + words("pass"))            a1, b1, ..., pass
    Notation(moving(grid, grid_pairs))                 a2a3, a2b3, ...

Tables are added, so that one game may place, move and pass. From the sites follow how a move is played on a scene and
which action is its image under a symmetry.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from ludex.core.compiled import Vector
from ludex.core.errors import MalformedAction
from ludex.core.game import Action
from ludex.kit.geometry import Grid


class Choice(NamedTuple):
    """One action."""

    text: str
    sites: tuple[int, ...] = ()
    """The sites that a person chooses for it, in order; none for a word such as "pass"."""
    kind: str = ""
    """What tells it from another action on the same sites."""


Choices = tuple[Choice, ...]
DROP: Final = "drop"
"""The kind of actions that any free site of theirs plays, and that change the first of them."""


def placing(grid: Grid, prefix: str = "") -> Choices:
    """One action per cell, named as the cell is, behind a prefix where there are other actions on single cells."""
    return tuple(Choice(prefix + grid.names[cell], (cell,), prefix) for cell in range(len(grid.places)))


def placing_edges(grid: Grid) -> Choices:
    """One action per edge."""
    return tuple(Choice(grid.names[site], (site,)) for site in range(len(grid.places), grid.sites))


def dropping(grid: Grid) -> Choices:
    """One action per column, named by its letter; its sites are its cells from row 0 upwards."""
    columns = ([grid.cell((row, col)) for row in range(grid.rows)] for col in range(grid.cols))
    return tuple(Choice(grid.names[cells[0]][0], tuple(cells), DROP) for cells in columns)


def moving(grid: Grid, pairs: Iterable[tuple[int, int]], between: str = "") -> Choices:
    """One action per pair of cells, from and to, in the order of `pairs`.

    In `placing(grid) + moving(grid, pairs)` the action of `pairs[i]` is the number of the actions before it, plus i.
    """
    return tuple(Choice(f"{grid.names[start]}{between}{grid.names[end]}", (start, end)) for start, end in pairs)


def words(*texts: str) -> Choices:
    """Actions without sites, such as "pass" and "swap"."""
    return tuple(Choice(text) for text in texts)


class Notation:
    """The table of a game's actions."""

    choices: tuple[Choice, ...]
    """By action."""
    actions: dict[str, Action]
    """By text."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.choices = tuple(choices)
        self.actions = {choice.text: action for action, choice in enumerate(self.choices)}
        if len(self.actions) < len(self.choices):
            raise ValueError("two actions of a notation have the same text")
        self._by_sites = {choice[1:]: action for action, choice in enumerate(self.choices) if choice.sites}

    def __len__(self) -> int:
        return len(self.choices)

    def parse(self, text: str) -> Action:
        """The action of a text. Raises `MalformedAction` if it names none."""
        if text not in self.actions:
            raise MalformedAction(f"{text!r} names no move: expected one such as {self.choices[0].text}")
        return self.actions[text]

    def sites(self, length: int) -> Vector:
        """int64[actions, length]: the first sites of every action, for kernels; -1 where it has fewer."""
        rows = [(*choice.sites, *[-1] * length)[:length] for choice in self.choices]
        return np.array(rows, np.int64)

    def image(self, sites: Sequence[int]) -> Vector | None:
        """Where a symmetry, which puts site s on `sites[s]`, puts each action; None where one has no image."""
        images = []
        for action, choice in enumerate(self.choices):
            turned = tuple(sites[site] for site in choice.sites), choice.kind
            image = self._by_sites.get(turned) if choice.sites else action
            if image is None:
                return None
            images.append(image)
        return np.array(images, np.int64)
