"""`ludex minesweeper examples`, `export` and `measure`: demonstrations, network files and their strength."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ludex.core.verb import Progress, VerbResult
from ludex.games.minesweeper.tools.verb_output import Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludex.games.minesweeper.game import Minesweeper


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
    from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig
    from ludex.games.minesweeper.learning.demonstration_source import ExampleSource, recipe_of
    from ludex.games.minesweeper.learning.demonstrations import load_examples, make_examples, save_examples
    from ludex.learn.config import load_config, parse_changes
    from ludex.learn.shards import Shards

    chosen = load_config(MinesweeperConfig, CONFIGS, config, parse_changes(set_ or []))
    shards, source = Shards.begin(output, recipe_of(chosen)), ExampleSource(chosen)
    made = 0
    with progress("chunks", chunks) as advance:
        for _, new in shards.fill(chunks, source.task_of, make_examples, save_examples, executor):
            made += new
            advance(1)
    states = sum(len(load_examples(shards.path(number)).won) for number in range(chunks))
    document: dict[str, Any] = {
        "folder": str(output),
        "config": config,
        "seed": chosen.seed,
        "chunks": chunks,
        "made": made,
        "games": chunks * chosen.imitation.games_per_chunk,
        "examples": states,
    }
    return VerbResult(
        document, lambda: f"{chunks:,} chunks with {states:,} examples in {output}, {made:,} of them made now"
    )


def export(board: "Minesweeper", net: Path, output: Path) -> None:
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
    from importlib.util import find_spec

    from ludex.core.errors import MissingDependency

    if find_spec("torch") is None:
        raise MissingDependency("torch is not installed: pip install 'ludex[train]'")

    from ludex.games.minesweeper.agents.network import PlayStyle
    from ludex.games.minesweeper.env.config import EnvConfig
    from ludex.games.minesweeper.learning.evaluation import Measured, as_judged
    from ludex.games.minesweeper.learning.evaluation import measure as measured
    from ludex.games.minesweeper.learning.network import SymmetricPolicy, load_net, load_shape
    from ludex.games.minesweeper.tools.evaluation import games_won
    from ludex.learn.device import select_device

    where, cfg = select_device(device), EnvConfig.of_board(board.options)

    def played(path: Path) -> Measured:
        player = load_net(path, where).eval()
        policy = SymmetricPolicy(player) if symmetry else player
        judged = as_judged(cfg, load_shape(path), flags)
        return measured(lambda planes: policy(planes, return_mine=True), judged, games, seed, where, by=by, lanes=lanes)

    result = played(net)
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
        document |= {"before": str(before), **_gain(result.wins, played(before).wins)}
    if beside:
        won = {agent: games_won(board, agent, games, seed) for agent in beside}
        document["beside"] = [
            {"agent": agent, "win_rate": float(wins.mean()), **_gain(result.wins, wins)} for agent, wins in won.items()
        ]

    def render() -> str:
        low, high = result.ci95
        lines = [f"won {result.win_rate:.2%} ({low:.2%} - {high:.2%}) of {games:,} games"]
        over = [] if before is None else [(str(before), document)]
        for other, gain in over + [(one["agent"], one) for one in document.get("beside", [])]:
            low, high = gain["gain_ci95"]
            lines.append(f"{100 * gain['gain']:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f}) over {other}")
        return "\n".join(lines)

    return VerbResult(document, render)


def _gain(wins: "NDArray[np.bool_]", others: "NDArray[np.bool_]") -> dict[str, Any]:
    """How much more often one player won than another, board by board, with its interval."""
    from ludex.arena.statistics import gain95

    gain, low, high = gain95((wins.astype(float) - others).tolist())
    return {"gain": gain, "gain_ci95": [low, high]}
