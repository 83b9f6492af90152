"""A comparison of runs as a picture, SVG or PNG, by Matplotlib."""

import io
from importlib.util import find_spec
from threading import Lock
from typing import Final, Literal

from ludex.core.errors import MissingDependency
from ludex.learn.comparison import Comparison

PictureFormat = Literal["svg", "png"]

COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b08900", "#3f8fc4", "#555555")
"""Those of the page's curves, `web/static/style/curves.css`."""
MARKED: Final = 12
"""Curves of up to so many points mark them: a single point would not be visible."""
_drawing = Lock()
"""Matplotlib's settings are global."""


def draw_picture(comparison: Comparison, file_format: PictureFormat) -> bytes:
    """The curves with their bands. Raises `MissingDependency` where Matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise MissingDependency("pictures need matplotlib: pip install 'ludex[train]'")
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
