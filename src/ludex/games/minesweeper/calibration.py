"""Whether a network's mine probabilities can be believed: beside the exact ones, cell by cell."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import MissingDependency

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BINS = 20


class Bin(NamedTuple):
    """Cells that the network gives about the same probability."""

    cells: int
    said: float
    """The mean of what the network says."""
    exact: float
    """The mean of what is true."""


class Calibration(NamedTuple):
    """K cells, all together."""

    cells: int
    ece: float
    """The expected calibration error: how far a bin's mean is from the truth, averaged over cells."""
    correlation: float
    """Pearson's, of the network's probabilities and the exact ones."""
    mean_error: float
    """The mean distance of a probability from the exact one."""
    bins: tuple[Bin, ...]


def calibration(said: NDArray[np.float64], exact: NDArray[np.float64]) -> Calibration:
    """Compare `said: float64[K]` with `exact: float64[K]`, in bins of equal width; empty bins are left out.

    >>> found = calibration(np.array([0.1, 0.1, 0.9]), np.array([0.0, 0.2, 0.9]))
    >>> round(found.ece, 6), found.cells, len(found.bins)
    (0.0, 3, 2)
    """
    if said.shape != exact.shape or said.ndim != 1 or len(said) == 0:
        raise ValueError(f"expected two arrays of one length, at least 1, found {said.shape} and {exact.shape}")
    place = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    bins = tuple(
        Bin(int(inside.sum()), float(said[inside].mean()), float(exact[inside].mean()))
        for inside in (place == one for one in range(BINS))
        if inside.any()
    )
    ece = sum(one.cells * abs(one.said - one.exact) for one in bins) / len(said)
    constant = said.std() == 0.0 or exact.std() == 0.0
    correlation = float("nan") if constant else float(np.corrcoef(said, exact)[0, 1])
    return Calibration(len(said), ece, correlation, float(np.abs(said - exact).mean()), bins)


def reliability_plot(found: Calibration, title: str) -> "Figure":
    """What the network says against what is true, with the diagonal of perfect belief, as a Matplotlib figure."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency("matplotlib is not installed: pip install 'ludex[train]'") from error
    figure = Figure(figsize=(5.0, 5.0), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    sizes = [12 + 60 * one.cells / found.cells for one in found.bins]
    axes.scatter([one.said for one in found.bins], [one.exact for one in found.bins], s=sizes)
    axes.set_xlabel("probability of a mine as the network says")
    axes.set_ylabel("exact probability")
    axes.set_title(f"{title}: ECE {found.ece:.4f}, correlation {found.correlation:.4f}")
    return figure
