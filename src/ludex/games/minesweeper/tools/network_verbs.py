"""`ludex minesweeper examples`, `export`, `measure` and `calibrate`: demonstrations, networks and their strength."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray
from rich.table import Table

from ludex.arena.statistics import gain95
from ludex.core.errors import BadOption
from ludex.core.packages import require_packages
from ludex.core.seeding import generator
from ludex.core.verb import Progress, VerbResult
from ludex.games.minesweeper.agents.network import BoardEvaluator, PlayStyle, beside
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig
from ludex.games.minesweeper.learning.demonstration_source import ExampleSource, recipe_of
from ludex.games.minesweeper.learning.demonstrations import Examples, ExampleTask, make_examples
from ludex.games.minesweeper.tools.board_verbs import Seed
from ludex.games.minesweeper.tools.evaluation import games_won
from ludex.learn.config import load_config, parse_changes
from ludex.learn.shards import Shards, concatenate, dump_arrays, load_arrays

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def examples(
    progress: Progress,
    executor: Any,
    output: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="where chunks are stored; an interrupted folder is resumed")
    ],
    *,
    chunks: Annotated[int, typer.Option(min=1, help="how many chunks the folder will have")],
    config: Annotated[
        str, typer.Option(help="a shipped training configuration, or a path to a .yaml file")
    ] = "shipped",
    set_: Annotated[list[str] | None, typer.Option("--set", help="change a key: a.b=value; may be repeated")] = None,
) -> VerbResult:
    """Let the solver play the games of a training configuration, and store their states as demonstrations.

    A chunk is `imitation.games_per_chunk` games of one board, and one task of the executor. Train from the folder with
    `--set imitation.dataset=FOLDER`.
    """
    training = load_config(MinesweeperConfig, CONFIGS, config, parse_changes(set_ or []))
    shards, source = Shards.begin(output, recipe_of(training)), ExampleSource(training)
    written = 0
    with progress("chunks", chunks) as advance:
        for _, new in shards.fill(chunks, source.task_of, make_examples, dump_arrays, executor):
            written += new
            advance(1)
    states = sum(len(load_arrays(Examples, shards.path(number)).won) for number in range(chunks))
    document: dict[str, Any] = {
        "folder": str(output),
        "config": config,
        "seed": training.seed,
        "chunks": chunks,
        "made": written,
        "games": chunks * training.imitation.games_per_chunk,
        "examples": states,
    }
    return VerbResult(
        document, lambda: f"{chunks:,} chunks with {states:,} examples in {output}, {written:,} of them made now"
    )


def export(board: Minesweeper, net: Path, output: Path) -> None:
    """Write a network of a training run as ONNX, for `--agent net:net=FILE`; it plays boards of every size."""
    import torch

    from ludex.games.minesweeper.learning.network import load_net, load_shape, playing_net
    from ludex.learn.export import save_onnx

    shape = load_shape(net)
    save_onnx(playing_net(load_net(net, torch.device("cpu")), shape.shown, shape.style), output)


def measure(
    board: Any,
    net: Annotated[Path, typer.Argument(help="net.pt or imitated.pt of a training run")],
    *,
    games: Annotated[int, typer.Option(min=1, help="fresh boards")] = 10_000,
    by: Annotated[Literal["policy", "safety"], typer.Option(help="play the policy, or the safest cell")] = "policy",
    flags: Annotated[
        bool | None, typer.Option(help="let the policy set flags too, or only reveal; else as it was trained")
    ] = None,
    symmetry: Annotated[bool, typer.Option(help="average over the symmetries of the board")] = False,
    before: Annotated[Path | None, typer.Option(help="another network, to show the gain over it")] = None,
    beside: Annotated[
        list[str] | None, typer.Option(help="an agent to play the same boards, to show the gain over it; repeatable")
    ] = None,
    lanes: Annotated[int, typer.Option(min=1, help="boards side by side")] = 2048,
    device: Annotated[Literal["auto", "cpu", "cuda"], typer.Option(help="where the network plays")] = "auto",
    seed: Seed = 977,
) -> VerbResult:
    """Let a network play fresh boards; --before, another one, and --beside, agents, play the same ones.

    It plays as it was judged in training, with flags or without, and from a first cell as there. A gain over either is
    measured board by board, with its interval. Where the first cell is the solvers', the boards are those of `eval` of
    the same seed; the network plays in bfloat16 on CUDA.
    """
    require_packages("torch")

    from ludex.games.minesweeper.learning.evaluation import Measured, as_judged
    from ludex.games.minesweeper.learning.evaluation import measure as measured
    from ludex.games.minesweeper.learning.network import SymmetricPolicy, load_net, load_shape
    from ludex.learn.device import select_device

    where, cfg = select_device(device), EnvConfig.of_board(board.options)

    def measure(path: Path) -> Measured:
        player = load_net(path, where).eval()
        policy = SymmetricPolicy(player) if symmetry else player
        judged = as_judged(cfg, load_shape(path), flags)
        return measured(lambda planes: policy(planes, return_mine=True), judged, games, seed, where, by=by, lanes=lanes)

    result = measure(net)
    style = PlayStyle.of(as_judged(cfg, load_shape(net), flags))
    document: dict[str, Any] = {
        "game": board.info.id,
        "preset": board.info.preset,
        "start": cfg.start,
        "net": str(net),
        "games": games,
        "seed": seed,
        "by": by,
        **style.model_dump(),
        "symmetry": symmetry,
        "device": str(where),
        **result.figures(),
    }
    if before is not None:
        document |= {"before": str(before), **_gain(result.wins, measure(before).wins)}
    if beside:
        won = {agent: games_won(board, agent, games, seed) for agent in beside}
        document["beside"] = [
            {"agent": agent, "win_rate": float(wins.mean()), **_gain(result.wins, wins)} for agent, wins in won.items()
        ]

    def render() -> str:
        low, high = result.ci95
        lines = [f"won {result.win_rate:.2%} ({low:.2%} - {high:.2%}) of {games:,} games"]
        over = [] if before is None else [(str(before), document)]
        for other, gain in over + [(row["agent"], row) for row in document.get("beside", [])]:
            low, high = gain["gain_ci95"]
            lines.append(f"{100 * gain['gain']:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f}) over {other}")
        return "\n".join(lines)

    return VerbResult(document, render)


def _gain(wins: NDArray[np.bool_], others: NDArray[np.bool_]) -> dict[str, Any]:
    """How much more often one player won than another, board by board, with its interval."""
    gain, low, high = gain95((wins.astype(float) - others).tolist())
    return {"gain": gain, "gain_ci95": [low, high]}


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

    >>> result = calibration(np.array([0.1, 0.1, 0.9]), np.array([0.0, 0.2, 0.9]))
    >>> round(result.ece, 6), result.cells, len(result.bins)
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
    require_packages("matplotlib")
    from matplotlib.figure import Figure

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
    if output is not None and output.suffix not in (".svg", ".png"):
        raise BadOption(f"--output: expected a name that ends in .svg or .png, found {output.name!r}")
    network = BoardEvaluator(net, symmetry, threads)
    options = board.options.model_copy(update={"random_first_click": not board.options.no_guess})
    cfg = EnvConfig.of_board(options, reveal_only=True)
    parts: list[Examples] = []
    with progress("playing", states) as advance:
        while sum(len(part.won) for part in parts) < states:
            parts.append(make_examples(ExampleTask(cfg, generator(seed, len(parts)).bits(), 8)))
            advance(len(parts[-1].won))
    examples = concatenate(parts).first(states)
    answer = network.evaluate(examples.numbers, board.mines)
    frontier = (examples.numbers < 0) & beside(examples.numbers >= 0)
    result = calibration(answer.mine[frontier].astype(np.float64), examples.chance[frontier].astype(np.float64))
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
