"""`ludex minesweeper calibrate`: how well a network knows where mines are."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.core.verb import Progress, Telling
from ludex.games.minesweeper.verbs.parameters import Seed


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
) -> Telling:
    """Compare a network's mine probabilities with the exact ones, over hidden cells beside a number.

    States are those that imitation learns from, of games with this seed: most of them hard.
    """
    import numpy as np
    from rich.table import Table

    from ludex.core.errors import BadOption
    from ludex.core.seeding import generator
    from ludex.games.minesweeper.calibration import calibration, reliability_plot
    from ludex.games.minesweeper.eval import config_of
    from ludex.games.minesweeper.learning.examples import Examples, ExampleTask, make_examples
    from ludex.games.minesweeper.playing_net import PlayingNet

    if output is not None and output.suffix not in (".svg", ".png"):
        raise BadOption(f"--output: expected a name that ends in .svg or .png, found {output.name!r}")
    asked = PlayingNet(net, symmetry, threads)
    cfg = config_of(board).model_copy(update={"random_first_click": True, "reveal_only": True})
    parts: list[Examples] = []
    with progress("playing", states) as advance:
        while sum(len(part.won) for part in parts) < states:
            parts.append(make_examples(ExampleTask(cfg, generator(seed, len(parts)).bits(), 8)))
            advance(len(parts[-1].won))
    examples = Examples.joined(parts).first(states)
    answer = asked.ask(examples.numbers, board.mines)
    shown = np.pad(examples.numbers >= 0, ((0, 0), (1, 1), (1, 1)))
    rows, cols = examples.numbers.shape[1:]
    beside = np.any([shown[:, row : row + rows, col : col + cols] for row in range(3) for col in range(3)], axis=0)
    chosen = (examples.numbers < 0) & beside
    found = calibration(answer.mine[chosen].astype(np.float64), examples.chance[chosen].astype(np.float64))
    if output is not None:
        reliability_plot(found, board.info.preset).savefig(output)

    def told() -> Table:
        table = Table("says", "exact", "cells", box=None, header_style="bold")
        for one in found.bins:
            table.add_row(f"{one.said:.3f}", f"{one.exact:.3f}", f"{one.cells:,}")
        table.caption = (
            f"{found.cells:,} cells of {len(examples.won):,} states: ECE {found.ece:.4f}, "
            f"correlation {found.correlation:.4f}, mean error {found.mean_error:.4f}"
        )
        return table

    return Telling(
        {
            "game": board.info.id,
            "preset": board.info.preset,
            "seed": seed,
            "states": len(examples.won),
            "cells": found.cells,
            "ece": found.ece,
            "correlation": found.correlation,
            "mean_error": found.mean_error,
            "bins": [list(one) for one in found.bins],
        },
        told,
    )
