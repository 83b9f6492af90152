"""`ludex minesweeper calibrate`: a network's mine probabilities beside the exact ones, cell by cell."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray

from ludex.core.errors import MissingDependency
from ludex.core.verb import Progress, VerbResult
from ludex.games.minesweeper.tools.verb_output import Seed

if TYPE_CHECKING:
    from matplotlib.figure import Figure


BINS = 20


class Bin(NamedTuple):
    """Cells that the network gives about the same probability."""

    cells: int
    predicted: float
    """The network's mean probability."""
    exact: float
    """The mean exact probability."""


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


def calibration(predicted: NDArray[np.float64], exact: NDArray[np.float64]) -> Calibration:
    """Compare `predicted: float64[K]` with `exact: float64[K]`, in bins of equal width; empty bins are left out.

    >>> found = calibration(np.array([0.1, 0.1, 0.9]), np.array([0.0, 0.2, 0.9]))
    >>> round(found.ece, 6), found.cells, len(found.bins)
    (0.0, 3, 2)
    """
    if predicted.shape != exact.shape or predicted.ndim != 1 or len(predicted) == 0:
        raise ValueError(f"expected two arrays of one length, at least 1, found {predicted.shape} and {exact.shape}")
    place = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
    bins = tuple(
        Bin(int(inside.sum()), float(predicted[inside].mean()), float(exact[inside].mean()))
        for inside in (place == part for part in range(BINS))
        if inside.any()
    )
    ece = sum(part.cells * abs(part.predicted - part.exact) for part in bins) / len(predicted)
    constant = predicted.std() == 0.0 or exact.std() == 0.0
    correlation = float("nan") if constant else float(np.corrcoef(predicted, exact)[0, 1])
    return Calibration(len(predicted), ece, correlation, float(np.abs(predicted - exact).mean()), bins)


def reliability_plot(result: Calibration, title: str) -> "Figure":
    """The network's probabilities against the exact ones, with the diagonal, as a Matplotlib figure."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency("matplotlib is not installed: pip install 'ludex[train]'") from error
    figure = Figure(figsize=(5.0, 5.0), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    sizes = [12 + 60 * part.cells / result.cells for part in result.bins]
    axes.scatter([part.predicted for part in result.bins], [part.exact for part in result.bins], s=sizes)
    axes.set_xlabel("probability of a mine as the network says")
    axes.set_ylabel("exact probability")
    axes.set_title(f"{title}: ECE {result.ece:.4f}, correlation {result.correlation:.4f}")
    return figure


def calibrate(
    board: Any,
    progress: Progress,
    *,
    net: Annotated[str, typer.Option(help="path of an .onnx file; the network that ships if empty")] = "",
    symmetry: Annotated[bool, typer.Option(help="average over the symmetries of the board")] = False,
    states: Annotated[int, typer.Option(min=1, help="states at least")] = 1000,
    threads: Annotated[int, typer.Option(min=1, help="threads of the network")] = 1,
    output: Annotated[Path | None, typer.Option(help="a reliability plot to write, .svg or .png")] = None,
    seed: Seed = 0,
) -> VerbResult:
    """Compare a network's mine probabilities with the exact ones, over hidden cells beside a number.

    States are those that imitation learns from, of games with this seed: most of them hard.
    """
    import numpy as np
    from rich.table import Table

    from ludex.core.errors import BadOption
    from ludex.core.seeding import generator
    from ludex.games.minesweeper.agents.network import BoardEvaluator, beside
    from ludex.games.minesweeper.env.config import EnvConfig
    from ludex.games.minesweeper.learning.demonstrations import Examples, ExampleTask, make_examples

    if output is not None and output.suffix not in (".svg", ".png"):
        raise BadOption(f"--output: expected a name that ends in .svg or .png, found {output.name!r}")
    network = BoardEvaluator(net, symmetry, threads)
    options = board.options.model_copy(update={"random_first_click": True})
    cfg = EnvConfig.of_board(options, reveal_only=True)
    parts: list[Examples] = []
    with progress("playing", states) as advance:
        while sum(len(part.won) for part in parts) < states:
            parts.append(make_examples(ExampleTask(cfg, generator(seed, len(parts)).bits(), 8)))
            advance(len(parts[-1].won))
    examples = Examples.concatenate(parts).first(states)
    answer = network.evaluate(examples.numbers, board.mines)
    chosen = (examples.numbers < 0) & beside(examples.numbers >= 0)
    result = calibration(answer.mine[chosen].astype(np.float64), examples.chance[chosen].astype(np.float64))
    if output is not None:
        reliability_plot(result, board.info.preset).savefig(output)

    def render() -> Table:
        table = Table("says", "exact", "cells", box=None, header_style="bold")
        for part in result.bins:
            table.add_row(f"{part.predicted:.3f}", f"{part.exact:.3f}", f"{part.cells:,}")
        table.caption = (
            f"{result.cells:,} cells of {len(examples.won):,} states: ECE {result.ece:.4f}, "
            f"correlation {result.correlation:.4f}, mean error {result.mean_error:.4f}"
        )
        return table

    return VerbResult(
        {
            "game": board.info.id,
            "preset": board.info.preset,
            "seed": seed,
            "states": len(examples.won),
            **result._asdict(),
            "bins": [list(part) for part in result.bins],
        },
        render,
    )
