"""Whether the learner gains by foreseeing what becomes of each cell: networks with such a head and without it.

    python -m benchmarks.alphazero_ownership --runs RUNS --weights 0.15 0.5 --seeds 1 2 3

Per seed and weight a small network learns on one CPU thread, synchronously, and meets the one of the same seed that
learned without such a head: side-swapped pairs after random openings. Runs that the folder holds already go on.
"""

import argparse
from pathlib import Path
from typing import Any

import torch

from benchmarks.documents import measurement_parser, write_run
from ludex.arena.statistics import interval95
from ludex.core.bench import machine
from ludex.core.registry import make, spec
from ludex.learn.alphazero.config import AlphaZeroConfig, EvaluationConfig, complete
from ludex.learn.alphazero.evaluation import play_pairs
from ludex.learn.alphazero.export import load_net
from ludex.learn.alphazero.network import Evaluator
from ludex.learn.alphazero.train import NET, train
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run

NAME = "alphazero-ownership"
CPU = torch.device("cpu")
CHANGES: dict[str, Any] = {
    "minutes": None,
    "synchronous": True,
    "device": "cpu",
    "checkpoint_every": 4,
    "net.channels": 16,
    "net.blocks": 2,
    "search.simulations": 16,
    "search.considered": 8,
    "search.threads": 1,
    "self_play.games": 128,
    "self_play.plies": 12,
    "learning.batch": 128,
    "learning.passes": 2.0,
    "self_play.demonstrations": 0.0,
    "learning.window": 60_000,
    "learning.warmup_steps": 20,
    "learning.average": 0.97,
    "evaluation.every": 100_000,
    "evaluation.games": 16,
}


def trained(args: argparse.Namespace, seed: int, weight: float) -> Run:
    """A run whose network has learned."""
    changes = {"preset": args.preset, "iterations": args.iterations, "seed": seed, "learning.ownership_weight": weight}
    base = load_config(AlphaZeroConfig, "ludex.learn.alphazero.configs", "alphazero", {**CHANGES, **changes})
    config, folder = complete(spec(args.game), base), args.runs / f"{seed}-{weight:g}"
    configs = [*folder.glob("*/config.yaml")]
    run = Run(configs[0].parent) if configs else Run.create(folder, args.game, "alphazero", dump_config(config))
    if not (run.folder / NET).is_file():
        train(config, run, lambda amount: None)
    return run


def facts(run: Run) -> dict[str, float]:
    """What a run logged at its end: games, steps and the losses of its heads."""
    last = [row for row in run.metrics() if "loss" in row][-1]
    return {name: float(str(last[name])) for name in last if name in ("games", "steps") or name.endswith("_loss")}


def main() -> None:
    """Train, let the networks meet, and write the document."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--preset", default="7x6")
    parser.add_argument("--weights", type=float, nargs="+", default=[0.15, 0.5])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--iterations", type=int, default=12)
    parser.add_argument("--games", type=int, default=200, help="of each match")
    parser.add_argument("--simulations", type=int, default=32, help="per move of a match")
    parser.add_argument("--opening-plies", type=int, default=4, help="at random, of each pair of games")
    parser.add_argument("--runs", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--name", default=NAME, help="of the document")
    args = parser.parse_args()
    torch.set_num_threads(1)
    terms = EvaluationConfig(
        every=1, games=args.games, simulations=args.simulations, opening_plies=args.opening_plies, elo0=0.0, elo1=1.0
    )
    game, rows, pairs = make(args.game, args.preset), [], {weight: list[float]() for weight in args.weights}
    for seed in args.seeds:
        without = trained(args, seed, 0.0)
        for weight in args.weights:
            run = trained(args, seed, weight)
            with_head, alone = (
                Evaluator(load_net(side.folder / NET, CPU), CPU, "fp32", args.games) for side in (run, without)
            )
            scores = play_pairs(game, with_head, alone, terms, threads=1, seed=seed)
            pairs[weight] += scores
            row = {"seed": seed, "weight": weight, "score": sum(scores) / len(scores), "interval": interval95(scores)}
            rows.append({**row, "with": facts(run), "without": facts(without)})
            print(rows[-1], flush=True)
    summary = [
        {"weight": weight, "games": 2 * len(scores), "score": sum(scores) / len(scores), "interval": interval95(scores)}
        for weight, scores in pairs.items()
    ]
    where = machine(("ludex", "numpy", "numba", "torch"))
    write_run(args, "benchmarks.alphazero_ownership --runs RUNS", args.name, where, rows, summary=summary)


if __name__ == "__main__":
    main()
