"""Pictures of a run's metrics as data that the page of runs draws: maps, bars and tables, in English and French."""

from typing import Literal, TypeAlias

from ludex.core.messages import Texts
from ludex.core.options import StrictModel


class MapCell(StrictModel):
    """One cell of a map."""

    points: str
    """The corners, as SVG's `points`."""
    kind: Literal["cell", "wall"]
    value: float | None
    """From 0 to 1, how strongly it is coloured; None: not at all."""
    label: str


class MapFigure(StrictModel):
    """Cells, each coloured by its value."""

    kind: Literal["map"] = "map"
    title: Texts
    box: tuple[float, float, float, float]
    """As SVG's `viewBox`."""
    cells: list[MapCell]


class Bar(StrictModel):
    """One bar."""

    label: Texts
    value: float
    """At least 0."""
    text: str


class BarsFigure(StrictModel):
    """Bars, the longest of which fills the width."""

    kind: Literal["bars"] = "bars"
    title: Texts
    bars: list[Bar]


class TableRow(StrictModel):
    """One line of a table."""

    name: Texts
    values: list[float | None]


class TableFigure(StrictModel):
    """Numbers by name."""

    kind: Literal["table"] = "table"
    title: Texts
    columns: list[Texts]
    rows: list[TableRow]


Figure: TypeAlias = MapFigure | BarsFigure | TableFigure


class FigureRow(StrictModel):
    """A row of the metrics that has figures."""

    row: int
    label: Texts


class RunFigures(StrictModel):
    """The figures of one row, and the rows that have some."""

    rows: list[FigureRow]
    row: int | None
    """The row shown; None if no row has figures."""
    figures: list[Figure]


NO_FIGURES = RunFigures(rows=[], row=None, figures=[])
