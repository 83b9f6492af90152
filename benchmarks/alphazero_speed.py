"""How fast networks play themselves: moves and leaves per second, and where the time goes.

    python -m benchmarks.alphazero_speed --device cuda --games 1024 --simulations 32 --precision fp32,tf32,bf16
    python -m benchmarks.alphazero_speed --device cpu --games 64 --threads 2
    python -m benchmarks.alphazero_speed --network constant

The network is the learner's residual tower, 64 channels and 6 blocks. `constant` answers zeros at once: what is left is
the search, whose CPU time per leaf the row gives. Rows are one per precision and number of halves; nothing is learned.
"""

import argparse
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import ludex
from benchmarks.documents import measurement_parser, write_run
from ludex.core.bench import machine
from ludex.core.system import usable_cores
from ludex.learn.alphazero.config import SelfPlayConfig
from ludex.learn.alphazero.selfplay import SelfPlay
from ludex.search.batched import (
    BatchedSearch,
    NetAnswer,
    Positions,
    SearchOptions,
    check_batched,
    positions_of,
)

if TYPE_CHECKING:
    from ludex.learn.alphazero.network import AlphaZeroNet, Evaluator

NAME = "alphazero-speed"
WARMUP_PLIES = 3
TEMPERATURE_PLIES = 8


class MeteredSearch(BatchedSearch):
    """Measures its parts: the trees with the rules, and calls of the network with the waiting for it."""

    batches = 0
    rows = 0
    tree_seconds = 0.0
    network_seconds = 0.0

    def _step(self, begin: int, end: int, phase: int) -> None:
        start = time.perf_counter()
        super()._step(begin, end, phase)
        self.tree_seconds += time.perf_counter() - start

    def _ask(self, submit: Any, begin: int, end: int) -> Any:
        start = time.perf_counter()
        pending = super()._ask(submit, begin, end)
        self.network_seconds += time.perf_counter() - start
        if pending is not None:
            self.batches += 1
            self.rows += pending.size
        return pending

    def _take(self, pending: Any) -> None:
        start = time.perf_counter()
        super()._take(pending)
        self.network_seconds += time.perf_counter() - start


class Constant:
    """A network that prefers nothing, at no cost."""

    def __init__(self, games: int, actions: int) -> None:
        self._logits = np.zeros((games, actions), np.float32)
        self._values = np.zeros(games, np.float32)

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        return self._logits[: len(masks)], self._values[: len(masks)]


def network(shape: tuple[int, ...], actions: int, args: argparse.Namespace) -> "AlphaZeroNet":
    """The learner's network with random weights."""
    import torch

    from ludex.learn.alphazero.network import AlphaZeroNet, NetSizes

    torch.manual_seed(args.seed)
    planes, rows, cols = shape
    sizes = {"channels": args.channels, "blocks": args.blocks, "pooled_every": 0, "moves_left": False}
    return AlphaZeroNet(NetSizes(planes=planes, rows=rows, cols=cols, actions=actions, **sizes))


def residual(positions: Positions, args: argparse.Namespace, precision: str) -> "Evaluator":
    """That network as the learner's self-play runs it."""
    import torch

    from ludex.learn.alphazero.network import Evaluator

    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
    net = network(positions.observation_shape, positions.action_size, args)
    return Evaluator(net, torch.device(args.device), precision, args.games)


def ply_by_ply(games: int, drawn_plies: int) -> SelfPlayConfig:
    """Self-play of so many games, a ply per call; moves of the first plies are drawn by their visits."""
    return SelfPlayConfig(
        games=games,
        plies=1,
        opening_plies=0,
        temperature=1.0,
        temperature_plies=drawn_plies,
        resign_below=-1.0,
        resign_turns=1,
        resign_exempt=0.0,
        demonstrations=0.0,
        demonstration_simulations=2,
    )


def measure(args: argparse.Namespace, precision: str, halves: int) -> dict[str, Any]:
    """One row: self-play for some seconds."""
    game = ludex.make(args.game, args.preset)
    check_batched(game)
    options = SearchOptions(
        simulations=args.simulations,
        rule=args.rule,
        threads=args.threads,
        double_buffer=halves == 2,
        fixed_batches=args.network == "residual" and args.device == "cuda",
    )
    positions = positions_of(game, args.games)
    constant = args.network == "constant"
    evaluate: Any = Constant(args.games, positions.action_size) if constant else residual(positions, args, precision)
    empty = np.empty if constant else evaluate.empty
    search = MeteredSearch(positions, args.games, options, args.seed, empty=empty)
    self_play = SelfPlay(search, ply_by_ply(args.games, TEMPERATURE_PLIES), args.seed)
    self_play.play(evaluate, WARMUP_PLIES)
    search.leaves = search.batches = search.rows = 0
    search.tree_seconds = search.network_seconds = 0.0
    samples = plies = 0
    begin, begin_cpu = time.perf_counter(), time.process_time()
    while (seconds := time.perf_counter() - begin) < args.seconds:
        samples += len(self_play.play(evaluate, 1).results)
        plies += 1
    cpu = time.process_time() - begin_cpu
    return {
        "network": args.network if constant else f"residual {args.channels}x{args.blocks}",
        "precision": None if constant else precision,
        "halves": halves,
        "threads": args.threads,
        "moves_per_second": plies * args.games / seconds,
        "leaves_per_second": search.leaves / seconds,
        "mean_batch": search.rows / max(1, search.batches),
        "games_per_second": samples / seconds,
        "cpu_us_per_leaf": 1e6 * cpu / search.leaves,
        "share_tree": search.tree_seconds / seconds,
        "share_network": search.network_seconds / seconds,
    }


def main() -> None:
    """Print a row per combination, and write the document."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--preset")
    parser.add_argument("--games", type=int, default=1024, help="games at once")
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--rule", choices=("gumbel", "puct"), default="gumbel")
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cpu")
    parser.add_argument("--precision", default="fp32", help="fp32, tf32, bf16, several with commas")
    parser.add_argument("--halves", default="1,2", help="2: trees and network overlap")
    parser.add_argument("--network", choices=("residual", "constant"), default="residual")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default=NAME, help="of the document")
    args = parser.parse_args()
    rows = []
    for precision in args.precision.split(","):
        for halves in args.halves.split(","):
            rows.append(measure(args, precision, int(halves)))
            print(rows[-1], flush=True)
    write_run(args, "benchmarks.alphazero_speed", args.name, machine(("ludex", "numpy", "numba", "torch")), rows)


if __name__ == "__main__":
    main()
