"""The metrics of runs as curves: the choice of the axis, the rows of each curve, and the band of several curves."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeGuard

import numpy as np

from ludex.core.options import StrictModel
from ludex.learn.runs import Row

AXES: Final = ("games", "step", "steps", "update", "iteration", "epoch")
"""Counts that training usually logs, the finest first."""


class Band(StrictModel):
    """A curve over the runs of a variant: its mean, and the lowest and highest of them."""

    variant: int
    """The index of the variant."""
    part: str
    """What distinguishes it from other curves of the variant, such as an opponent; empty if there is one only."""
    x: list[float]
    mean: list[float]
    low: list[float]
    high: list[float]
    runs: list[int]
    """How many runs reach each point."""


@dataclass(frozen=True)
class Curve:
    """The points of one run, or of one part of it."""

    run: str
    part: str
    points: dict[float, float] = field(default_factory=dict)
    """y by x; of rows with the same x the last counts."""


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value of a row can be drawn.

    >>> is_number(0.5), is_number(True), is_number("a"), is_number(float("nan"))
    (True, False, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def numbers(runs: Iterable[Sequence[Row]]) -> list[str]:
    """The names of everything that can be drawn, in the order in which it was first logged."""
    return [*dict.fromkeys(name for rows in runs for row in rows for name, value in row.items() if is_number(value))]


def default_axis(runs: Iterable[Sequence[Row]], metric: str) -> str:
    """The finest count that grows from row to row of a metric, else the coarsest that all rows have, else "", the row.

    >>> default_axis([[{"games": 1, "loss": 2.0}, {"games": 2, "loss": 1.0}]], "loss")
    'games'
    """
    logged = [numbers for rows in runs if (numbers := [row for row in rows if is_number(row.get(metric))])]
    counts = [
        axis
        for axis in AXES
        if axis != metric and logged and all(is_number(row.get(axis)) for rows in logged for row in rows)
    ]
    values = {axis: [[x for row in rows if is_number(x := row[axis])] for rows in logged] for axis in counts}
    growing = [axis for axis in counts if all(numbers == sorted(numbers) for numbers in values[axis])]
    finest = [axis for axis in growing if any(numbers[-1] > numbers[0] for numbers in values[axis])]
    return finest[0] if finest else growing[-1] if growing else ""


def curves(runs: Mapping[str, Sequence[Row]], metric: str, axis: str) -> dict[str, list[Curve]]:
    """The curves of each run: one per combination of the texts in which rows with the same x differ."""
    points = {name: [*_points(rows, metric, axis)] for name, rows in runs.items()}
    texts = [*dict.fromkeys(text for rows in points.values() for text in _distinguishing(rows))]
    curves_of: dict[str, list[Curve]] = {}
    for name, rows in points.items():
        parts: dict[str, Curve] = {}
        for x, y, row in rows:
            part = " · ".join(str(row[text]) for text in texts if row.get(text))
            parts.setdefault(part, Curve(name, part)).points[x] = y
        curves_of[name] = [*parts.values()]
    return curves_of


def band(variant: int, together: Sequence[Curve], points: int | None) -> Band:
    """The band of curves, at so many points at most.

    Between its own points a curve is interpolated; before its first and behind its last it does not count.
    """
    x = np.unique(np.concatenate([list(curve.points) for curve in together]))
    if points is not None and len(x) > points:
        x = x[np.unique(np.linspace(0, len(x) - 1, points).round().astype(int))]
    values = np.full((len(together), len(x)), np.nan)
    for row, curve in zip(values, together, strict=True):
        own = np.array(sorted(curve.points.items()))
        inside = (x >= own[0, 0]) & (x <= own[-1, 0])
        row[inside] = np.interp(x[inside], own[:, 0], own[:, 1])
    return Band(
        variant=variant,
        part=together[0].part,
        x=x.tolist(),
        mean=np.nanmean(values, axis=0).tolist(),
        low=np.nanmin(values, axis=0).tolist(),
        high=np.nanmax(values, axis=0).tolist(),
        runs=(~np.isnan(values)).sum(axis=0).tolist(),
    )


def _points(rows: Sequence[Row], metric: str, axis: str) -> Iterator[tuple[float, float, Row]]:
    for number, row in enumerate(rows):
        x = number if axis == "" else row.get(axis)
        y = row.get(metric)
        if is_number(x) and is_number(y):
            yield float(x), float(y), row


def _distinguishing(points: Sequence[tuple[float, float, Row]]) -> Iterator[str]:
    """The text fields in which rows with the same x differ."""
    ordered = sorted(points, key=lambda point: point[0])
    for (x, _, row), (before, _, other) in zip(ordered[1:], ordered, strict=False):
        if x == before:
            yield from (name for name, value in row.items() if isinstance(value, str) and value != other.get(name))
