"""Grids of squares and hexagons: where cells lie, their names, neighbours, lines and symmetries.

    square_grid(3, 4)                hex_grid(3, 4)

    3  8  9 10 11                    1  0  1  2  3
    2  4  5  6  7                    2   4  5  6  7
    1  0  1  2  3                    3    8  9 10 11
       a  b  c  d                       a  b  c  d

Sites are the cells and, behind them, the edges of a grid that has some. Everything is a tuple or an array of numbers of
sites; -1 means that there is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from ludex.core.compiled import Vector

if TYPE_CHECKING:
    from ludex.core.scene import Side

Place = tuple[int, int]
"""(row, col)"""
STEPS: Final[dict[str, tuple[Place, ...]]] = {
    "square": ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)),
    "hex": ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)),
}
"""The directions of each shape as steps of (row, col): lines run along the first half, the others are their opposites.

Of squares, where row 0 is the lowest: east, north, north-east, north-west, then west, south, south-west, south-east.
"""
TURNS: Final[dict[str, dict[str, tuple[Place, Place]]]] = {
    "square": {
        "Identity": ((1, 0), (0, 1)),
        "Rot90": ((0, 1), (-1, 0)),
        "Rot180": ((-1, 0), (0, -1)),
        "Rot270": ((0, -1), (1, 0)),
        "ReflectVertical": ((1, 0), (0, -1)),
        "ReflectHorizontal": ((-1, 0), (0, 1)),
        "ReflectMainDiagonal": ((0, 1), (1, 0)),
        "ReflectAntiDiagonal": ((0, -1), (-1, 0)),
    },
    "hex": {
        "Identity": ((1, 0), (0, 1)),
        "Rot60": ((1, 1), (-1, 0)),
        "Rot120": ((0, 1), (-1, -1)),
        "Rot180": ((-1, 0), (0, -1)),
        "Rot240": ((-1, -1), (1, 0)),
        "Rot300": ((0, -1), (1, 1)),
        "ReflectMainDiagonal": ((0, 1), (1, 0)),
        "ReflectAntiDiagonal": ((0, -1), (-1, 0)),
        "ReflectRows": ((-1, 0), (1, 1)),
        "ReflectColumns": ((1, 1), (0, -1)),
        "ReflectRowsTurned": ((1, 0), (-1, -1)),
        "ReflectColumnsTurned": ((-1, -1), (0, 1)),
    },
}
"""By name, the new row and column of a place, each as its shares of the old row and column."""


SIDES: Final[tuple[tuple["Side", "Side"], ...]] = (("s", "n"), ("n", "s"))
"""The sides towards row 0 and away from it, where row 0 is the lowest and where it is at the top."""


class Transform(NamedTuple):
    """A symmetry of a grid by name: where each site goes."""

    name: str
    image: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A board of cells that lie on planes of rows and columns."""

    places: tuple[Place, ...]
    """Row and column of each cell; of a hexagon, its column is counted along the slanted axis."""
    shape: Literal["square", "hex"] = "square"
    top: bool = False
    """Whether row 0 is drawn at the top; else it is the lowest."""
    edges: tuple[tuple[int, "Side"], ...] = ()
    """The edges that are sites: a cell and its side."""
    letters: str = ascii_lowercase
    """Of the columns."""

    @property
    def sites(self) -> int:
        return len(self.places) + len(self.edges)

    @cached_property
    def index(self) -> dict[Place, int]:
        """The cells by their places."""
        return {place: cell for cell, place in enumerate(self.places)}

    @cached_property
    def rows(self) -> int:
        return 1 + max(row for row, _ in self.places)

    @cached_property
    def cols(self) -> int:
        return 1 + max(col for _, col in self.places)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each site's name: a cell's column as a letter and its row from 1; an edge is its cell's name and a side."""
        cells = tuple(f"{self.letters[col]}{row + 1}" for row, col in self.places)
        return (*cells, *(f"{cells[cell]}{side}" for cell, side in self.edges))

    @cached_property
    def neighbours(self) -> Vector:
        """int64[cells, directions]: the next cell in each direction of `STEPS`."""
        return np.array([[self.cell(place, step) for step in STEPS[self.shape]] for place in self.places], np.int64)

    def cell(self, place: Place, step: Place = (0, 0), times: int = 1) -> int:
        """The cell that is so many steps from a place."""
        return self.index.get((place[0] + step[0] * times, place[1] + step[1] * times), -1)

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """Every straight row of so many cells, by its first cell and then by direction."""
        steps = STEPS[self.shape][: len(STEPS[self.shape]) // 2]
        rows = (tuple(self.cell(place, step, n) for n in range(length)) for place in self.places for step in steps)
        return tuple(row for row in rows if -1 not in row)

    @cached_property
    def shifts(self) -> Vector:
        """The steps of bit boards of as few words as the cells need, see `shifts_of`."""
        return self.shifts_of(-(-len(self.places) // 64))

    def shifts_of(self, words: int) -> Vector:
        """int64[directions, 1 + words]: what a step adds to a cell's number, and the cells that can step, as words.

        For boards without holes, whose cells are numbered row by row.
        """
        table = []
        for number, (down, right) in enumerate(STEPS[self.shape]):
            movable = sum(1 << int(cell) for cell in np.flatnonzero(self.neighbours[:, number] >= 0))
            table.append([down * self.cols + right, *(signed(movable >> 64 * word) for word in range(words))])
        return np.array(table, np.int64)

    @property
    def planes(self) -> tuple[int, int]:
        """The rows and columns of an observation; with edges between them, cells lie on every second one."""
        return (2 * self.rows + 1, 2 * self.cols + 1) if self.edges else (self.rows, self.cols)

    @cached_property
    def plane_places(self) -> tuple[Place, ...]:
        """Row and column of each site on the planes of an observation."""
        if not self.edges:
            return self.places
        low, high = SIDES[self.top]
        beside = {low: (-1, 0), high: (1, 0), "e": (0, 1), "w": (0, -1)}
        cells = tuple((2 * row + 1, 2 * col + 1) for row, col in self.places)
        offsets = ((cells[cell], beside[side]) for cell, side in self.edges)
        return (*cells, *((row + down, col + right) for (row, col), (down, right) in offsets))

    @cached_property
    def borders(self) -> Vector:
        """int64[cells, 4]: the edges around each cell of a grid of squares with edges."""
        sites = {place: site for site, place in enumerate(self.plane_places)}
        cells = self.plane_places[: len(self.places)]
        around = ((-1, 0), (1, 0), (0, 1), (0, -1))
        return np.array([[sites[row + down, col + right] for down, right in around] for row, col in cells], np.int64)

    @cached_property
    def symmetries(self) -> tuple[Transform, ...]:
        """Every rotation and reflection that maps the grid onto itself, the identity first.

        Of squares Identity, Rot90, Rot180, Rot270, ReflectVertical, ReflectHorizontal, ReflectMainDiagonal and
        ReflectAntiDiagonal.
        """
        sites = {place: site for site, place in enumerate(self.plane_places)}
        transforms = []
        for name, ((rr, rc), (cr, cc)) in TURNS[self.shape].items():
            turned = [(rr * row + rc * col, cr * row + cc * col) for row, col in self.plane_places]
            row, col = (min(place[axis] for place in turned) - self._least[axis] for axis in (0, 1))
            image = tuple(sites.get((place[0] - row, place[1] - col), -1) for place in turned)
            if -1 not in image:
                transforms.append(Transform(name, image))
        return tuple(transforms)

    @cached_property
    def _least(self) -> Place:
        return min(row for row, _ in self.plane_places), min(col for _, col in self.plane_places)

    def drawn(self, cell: int) -> Place:
        """Row from the top and column from the left, as a scene has them."""
        row, col = self.places[cell]
        if self.shape == "hex":
            return row, col + row // 2
        return (row if self.top else self.rows - 1 - row), col


def square_grid(
    rows: int, cols: int, *, top: bool = False, edges: bool = False, letters: str = ascii_lowercase
) -> Grid:
    """A full board of squares, row by row from a1; `top` draws a1 in the upper left corner, else in the lower left.

    With `edges`, the sides of all cells are sites: those in the south and west, then what is left along the border.
    """
    places = tuple((row, col) for row in range(rows) for col in range(cols))
    low, high = SIDES[top]
    sides: list[tuple[int, Side]] = [(cell, side) for side in (low, "w") for cell in range(rows * cols)]
    sides += [((rows - 1) * cols + col, high) for col in range(cols)]
    sides += [(row * cols + cols - 1, "e") for row in range(rows)]
    return Grid(places=places, top=top, edges=tuple(sides) if edges else (), letters=letters)


def hex_grid(rows: int, cols: int) -> Grid:
    """A rhombus of hexagons, row by row from a1 in the upper left corner; each row lies half a cell further right."""
    return Grid(places=tuple((row, col) for row in range(rows) for col in range(cols)), shape="hex", top=True)


def points_grid(names: Sequence[str], *, top: bool = False) -> Grid:
    """A board of which only some squares are cells, by their names, such as the points of Nine Men's Morris."""
    return Grid(places=tuple((int(name[1:]) - 1, ascii_lowercase.index(name[0])) for name in names), top=top)


def signed(word: int) -> int:
    """The lowest 64 bits as a signed number, as positions hold it."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


def reach(neighbours: Vector, start: set[int], through: set[int]) -> set[int]:
    """A set of cells with all that it reaches through cells of another one, by rows of `Grid.neighbours`."""
    reached, edge = {*start}, [*start]
    while edge:
        joined = through.intersection(neighbours[edge.pop()].tolist()) - reached
        reached |= joined
        edge += joined
    return reached


def groups(neighbours: Vector, cells: set[int]) -> list[set[int]]:
    """The connected parts of a set of cells."""
    rest, parts = {*cells}, []
    while rest:
        parts.append(reach(neighbours, {min(rest)}, rest))
        rest -= parts[-1]
    return parts
