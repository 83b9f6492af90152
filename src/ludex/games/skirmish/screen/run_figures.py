"""Pictures of a training run: which hexes and units were chosen for placements, and how placements turned out."""

from typing import Final, cast

import numpy as np

from ludex.core.errors import BadOption
from ludex.core.messages import LANGUAGES, Message, Texts, catalogue
from ludex.games.skirmish.game import Skirmish, open_game
from ludex.games.skirmish.rules.hexes import corners
from ludex.games.skirmish.rules.scenario import Scenario, name_title
from ludex.learn.figures import (
    NO_FIGURES,
    Bar,
    BarsFigure,
    Figure,
    FigureRow,
    MapCell,
    MapFigure,
    RunFigures,
    TableFigure,
    TableRow,
)
from ludex.learn.runs import Row

SIZE: Final = 10.0
MARGIN: Final = 4.0
BESIDE: Final = 2
"""Columns that are shown beside the zone."""
PLACES: Final = ("front", "objective", "cover")
OUTCOMES: Final = ("survival", "damage_taken", "damage_dealt")


def figures(rows: list[Row], row: int | None) -> RunFigures:
    """The figures of an evaluation, the last one unless given. Raises `BadOption` for a row without figures."""
    numbers = [number for number, logged in enumerate(rows) if {"hex_slots", "unit_slots", "preset"} <= logged.keys()]
    if not numbers and row is None:
        return NO_FIGURES
    if row is not None and row not in numbers:
        raise BadOption(f"row: expected one of {', '.join(map(str, numbers)) or 'none'}, found {row}")
    selected = numbers[-1] if row is None else row
    metrics = rows[selected]
    return RunFigures(
        rows=[FigureRow(row=number, label=_label(rows[number])) for number in numbers],
        row=selected,
        figures=_of(open_game(str(metrics["preset"])), metrics),
    )


def _words(name: str) -> Texts:
    return Message(f"skirmish.run_{name}").texts()


def _label(row: Row) -> Texts:
    names = {"board": _title("board", row["preset"]), "opponent": _title("agent", row.get("opponent"))}
    key = "run_imitated" if row.get("stage") == "il" else "run_updated"
    return Message(f"skirmish.{key}", {**names, "number": str(row.get("update"))}).texts()


def _title(kind: str, name: object) -> Message | str:
    """What people call a board or an agent; its own name for one with options."""
    return Message(f"skirmish.{kind}_{name}") if f"{kind}_{name}" in catalogue("skirmish", "en") else str(name)


def _of(game: Skirmish, row: Row) -> list[Figure]:
    hex_slots, unit_slots = cast(list[int], row["hex_slots"]), cast(list[int], row["unit_slots"])
    return [_zone(game.scenario, hex_slots), _units(game.scenario, unit_slots), _correlations(row)]


def _zone(scenario: Scenario, counts: list[int]) -> MapFigure:
    """How often each hex of the zone was chosen, from player 1's end."""
    grid, pool = scenario.grid, scenario.pools[0]
    total, most = max(1, sum(counts)), max(1, *counts)
    times = dict(zip(pool, counts, strict=False))
    columns = [grid.col_row(where)[0] for where in pool]
    last = max(columns) + BESIDE
    cells, xs, ys = [], list[float](), list[float]()
    for where in np.flatnonzero(grid.exists).tolist():
        col, row = grid.col_row(where)
        if not min(columns) - BESIDE <= col <= last:
            continue
        points = corners(col, row, SIZE)
        xs += [x for x, _ in points]
        ys += [y for _, y in points]
        count = times.get(where)
        label = grid.name(where) if count is None else f"{grid.name(where)}: {count:,} ({count / total:.1%})"
        cells.append(
            MapCell(
                points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
                kind="wall" if scenario.walls[where] else "cell",
                value=None if count is None else count / most,
                label=label,
            )
        )
    return MapFigure(
        title=_words("hexes"),
        box=(min(xs) - MARGIN, min(ys) - MARGIN, max(xs) - min(xs) + 2 * MARGIN, max(ys) - min(ys) + 2 * MARGIN),
        cells=cells,
    )


def _units(scenario: Scenario, counts: list[int]) -> BarsFigure:
    """How often the unit of each slot was placed; a slot may hold another unit for either player."""
    bars = []
    for slot, count in enumerate(counts):
        names = dict.fromkeys(force[slot].name for force in scenario.forces if slot < len(force))
        if names:
            titles = [name_title(name).texts() for name in names]
            label = {language: " / ".join(title[language] for title in titles) for language in LANGUAGES}
            bars.append(Bar(label=label, value=float(count), text=f"{count:,}"))
    return BarsFigure(title=_words("units"), bars=bars)


def _correlations(row: Row) -> TableFigure:
    def value(where: str, what: str) -> float | None:
        correlation = row.get(f"placement_{where}_{what}")
        return None if correlation is None else float(cast(float, correlation))

    return TableFigure(
        title=_words("correlation"),
        columns=[_words(what) for what in OUTCOMES],
        rows=[TableRow(name=_words(where), values=[value(where, what) for what in OUTCOMES]) for where in PLACES],
    )
