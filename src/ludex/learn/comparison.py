"""Runs side by side: what their configurations differ in, and their curves with bands over seeds, also as a picture.

Runs whose configurations differ in the seed only are one variant, and the same seed again is another. A variant's curve
is the mean of those of its runs, its band reaches from the lowest to the highest of them.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, Self

from ludex.core.errors import BadConfig, BadOption, BadRun
from ludex.core.game import Json
from ludex.core.options import StrictModel
from ludex.core.packages import require_packages
from ludex.learn.config import parse_keys
from ludex.learn.curves import AXES, Band, Curve, band, curves, default_axis, numbers
from ludex.learn.experiments import MOST_RUNS, SEED, command_of, runs_of
from ludex.learn.runs import Row, Run, RunState, find_run
from ludex.learn.trainings import headline_of

DRAWN_POINTS: Final = 400
"""As many of a curve are drawn; a longer one is thinned."""


class ComparedRun(StrictModel):
    """One run of a variant."""

    name: str
    group: str | None
    seed: int | None
    state: RunState
    reason: str | None
    rows: int
    command: str | None
    """What trains it alone; None if the run did not record it."""


class Variant(StrictModel):
    """The runs of one configuration."""

    label: str
    values: dict[str, Any]
    """By dotted key, of those in which variants differ; a key that a configuration does not have is missing."""
    runs: list[ComparedRun]


class Comparison(StrictModel):
    """Runs of one game side by side."""

    game: str
    metric: str
    """The metric of the curves; empty if no run has logged any."""
    axis: str
    """What it is drawn against; empty: the number of the row."""
    metrics: list[str]
    """Every number that the runs log."""
    keys: list[str]
    """The keys in which the configurations differ, the seed aside."""
    variants: list[Variant]
    bands: list[Band]


def open_runs(base: Path, names: Sequence[str]) -> list[Run]:
    """The runs of these names, each a run's or an experiment's, without repetition. Raises `BadRun` and `BadOption`."""
    runs: dict[str, Run] = {}
    for name in names:
        for run in runs_of(base, name) or [find_run(base, name)]:
            runs[run.name] = run
    if not runs:
        raise BadOption("expected the names of runs or experiments to compare, found none")
    if len(runs) > MOST_RUNS:
        raise BadOption(f"expected at most {MOST_RUNS} runs to compare, found {len(runs)}")
    games = sorted({run.game for run in runs.values()})
    if len(games) > 1:
        raise BadOption(f"runs of one game can be compared, found {', '.join(games)}")
    return [*runs.values()]


def compare(
    runs: Sequence[Run], metric: str | None = None, axis: str | None = None, points: int | None = DRAWN_POINTS
) -> Comparison:
    """The runs' variants and the curves of a metric, by default the one that matters for the game.

    Raises `BadOption` for a metric or axis that no run logs.
    """
    read = _Read.of(runs, metric, axis)
    return Comparison(
        game=runs[0].game,
        metric=read.metric,
        axis=read.axis,
        metrics=read.metrics,
        keys=read.keys,
        variants=[_variant(configuration, read) for configuration in read.configurations],
        bands=[
            band(variant, together, points)
            for variant, configuration in enumerate(read.configurations)
            for together in _by_part([curve for run in configuration.runs for curve in read.curves[run.name]])
        ],
    )


def export_csv(runs: Sequence[Run], metric: str | None = None, axis: str | None = None) -> str:
    """Every point of the curves as CSV: one line per point with its run, seed and the values that differ."""
    read = _Read.of(runs, metric, axis)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["run", "seed", *read.keys, "part", read.axis or "row", read.metric])
    for configuration in read.configurations:
        values = [_text(configuration.values[key]) if key in configuration.values else "" for key in read.keys]
        for run in configuration.runs:
            for curve in read.curves[run.name]:
                for x, y in sorted(curve.points.items()):
                    writer.writerow([run.name, _seed(run), *values, curve.part, _plain(x), _plain(y)])
    return text.getvalue()


@dataclass(frozen=True)
class _Configuration:
    """Values by dotted key without the seed, and the runs that have them."""

    values: dict[str, Json]
    runs: list[Run]


@dataclass(frozen=True)
class _Read:
    """What the files of some runs say about one metric."""

    configurations: list[_Configuration]
    keys: list[str]
    rows: dict[str, list[Row]]
    metrics: list[str]
    metric: str
    axis: str
    curves: dict[str, list[Curve]]

    @classmethod
    def of(cls, runs: Sequence[Run], metric: str | None, axis: str | None) -> Self:
        configurations = _configurations(runs)
        rows = {run.name: run.metrics() for run in runs}
        metrics = numbers(rows.values())
        metric = _headline(runs[0], metrics) if metric is None else _require_known(metric, metrics)
        axis = default_axis(rows.values(), metric) if axis is None else _require_known(axis, ["", *metrics])
        keys = _differing([configuration.values for configuration in configurations])
        return cls(configurations, keys, rows, metrics, metric, axis, curves(rows, metric, axis))


def _configurations(runs: Sequence[Run]) -> list[_Configuration]:
    configurations: dict[tuple[str, int], _Configuration] = {}
    counts: Counter[str] = Counter()
    for run in runs:
        values = _flat(_config(run))
        seeded = json.dumps(values, sort_keys=True)
        values.pop(SEED, None)
        # A band is over seeds: one that is trained again has a curve of its own.
        key = (json.dumps(values, sort_keys=True), counts[seeded])
        counts[seeded] += 1
        configurations.setdefault(key, _Configuration(values, [])).runs.append(run)
    return [*configurations.values()]


def _config(run: Run) -> dict[str, Any]:
    try:
        return parse_keys(run.config_text or "{}", str(run.folder / "config.yaml"))
    except BadConfig as error:
        raise BadRun(error.message) from error


def _flat(config: dict[str, Any], prefix: str = "") -> dict[str, Json]:
    """Values by dotted key; a list is one value.

    >>> _flat({"ppo": {"lr": 0.1}, "boards": [1, 2]})
    {'ppo.lr': 0.1, 'boards': [1, 2]}
    """
    values: dict[str, Json] = {}
    for key, value in config.items():
        if isinstance(value, dict):
            values |= _flat(value, f"{prefix}{key}.")
        else:
            values[f"{prefix}{key}"] = value
    return values


def _differing(variants: Sequence[dict[str, Json]]) -> list[str]:
    keys = dict.fromkeys(key for values in variants for key in values)
    return [key for key in keys if len({json.dumps(values.get(key)) for values in variants}) > 1]


def _variant(configuration: _Configuration, read: _Read) -> Variant:
    values = {key: configuration.values[key] for key in read.keys if key in configuration.values}
    label = ", ".join(f"{key}={_text(value)}" for key, value in values.items())
    return Variant(
        label=label or configuration.runs[0].config_name,
        values=values,
        runs=[_run(run, len(read.rows[run.name])) for run in configuration.runs],
    )


def _run(run: Run, rows: int) -> ComparedRun:
    status = run.status
    return ComparedRun(
        name=run.name,
        group=run.group,
        seed=_seed(run),
        state=status.state,
        reason=None if status.reason is None else status.reason.replace(f"{run.folder.parent}/", ""),
        rows=rows,
        command=command_of(run),
    )


def _seed(run: Run) -> int | None:
    seed = _config(run).get(SEED)
    return seed if isinstance(seed, int) else None


def _headline(run: Run, metrics: Sequence[str]) -> str:
    """The metric that a run's training declares, else the first that is no count."""
    declared = headline_of(run)
    if declared is not None and declared in metrics:
        return declared
    return next((name for name in metrics if name not in AXES), metrics[0] if metrics else "")


def _require_known(name: str, known: Sequence[str]) -> str:
    if name not in known:
        raise BadOption(f"no run logs {name!r}; known: {', '.join(filter(None, known)) or 'none'}")
    return name


def _by_part(curves: Sequence[Curve]) -> list[list[Curve]]:
    parts: dict[str, list[Curve]] = {}
    for curve in curves:
        parts.setdefault(curve.part, []).append(curve)
    return [*parts.values()]


def _plain(value: float) -> int | float:
    """A count without a decimal point."""
    return int(value) if value.is_integer() else value


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


PictureFormat = Literal["svg", "png"]

COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b08900", "#3f8fc4", "#555555")
"""Those of the page's curves, `web/static/style/curves.css`."""
MARKED: Final = 12
"""Curves of up to so many points mark them: a single point would not be visible."""
_drawing = Lock()
"""Matplotlib's settings are global."""


def draw_picture(comparison: Comparison, file_format: PictureFormat) -> bytes:
    """The curves with their bands. Raises `MissingDependency` where Matplotlib is not installed."""
    require_packages("matplotlib")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # Text stays text, a dollar begins no formula, and the same curves are the same file.
    with _drawing, rc_context({"svg.fonttype": "none", "text.parse_math": False, "svg.hashsalt": "ludex"}):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.subplots()
        for index, band in enumerate(comparison.bands):
            colour = COLOURS[index % len(COLOURS)]
            label = " · ".join(filter(None, (comparison.variants[band.variant].label, band.part)))
            axes.plot(band.x, band.mean, color=colour, label=label, marker="o" if len(band.x) <= MARKED else None)
            if max(band.runs) > 1:
                axes.fill_between(band.x, band.low, band.high, color=colour, alpha=0.2, linewidth=0)
        axes.set_xlabel(comparison.axis or "row")
        axes.set_ylabel(comparison.metric)
        axes.grid(alpha=0.3)
        if comparison.bands:
            axes.legend(fontsize="small")
        file = io.BytesIO()
        figure.savefig(file, format=file_format, dpi=150, metadata={"Date": None} if file_format == "svg" else None)
        return file.getvalue()
