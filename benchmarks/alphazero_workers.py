"""How self-play of a whole run scales with `--workers`: moves that reach the learner per second.

    python -m benchmarks.alphazero_workers --runs RUNS --workers 1 2 4 8 15

Each row is a run of its own: processes with one thread and their own games play, the learner takes what arrives and
learns from it. What is counted lies between the first result and the last one, so that starting processes is not.
"""

from pathlib import Path
from typing import Any

from benchmarks.documents import measurement_parser, write_run
from ludex.core.bench import machine
from ludex.core.game import Json
from ludex.core.registry import spec
from ludex.learn.alphazero.config import AlphaZeroConfig, complete, require_value
from ludex.learn.alphazero.train import train
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run

NAME = "alphazero-workers"
CHANGES: dict[str, Any] = {
    "checkpoint_every": 100_000,
    "evaluation.every": 100_000,
    "evaluation.games": 2,
    "evaluation.simulations": 2,
    "search.simulations": 32,
    "self_play.games": 64,
    "self_play.plies": 8,
}
"""Small results that arrive often, and next to no evaluation."""


def measured(run: Run, config: AlphaZeroConfig) -> dict[str, Json]:
    """The workers, seconds and moves of a run from its first result on."""
    rows = [row for row in run.metrics() if "results" in row]
    first, last = (60 * float(str(rows[at]["minutes"])) for at in (0, -1))
    results = sum(int(str(row["results"])) for row in rows[1:])
    moves = results * require_value(config.self_play.games) * require_value(config.self_play.plies)
    learning = sum(float(str(row["learning_seconds"])) for row in rows[1:])
    seconds = last - first
    row: dict[str, Json] = {"workers": config.workers, "seconds": seconds, "results": results, "moves": moves}
    return {**row, "moves_per_second": moves / seconds, "learning_share": learning / seconds}


def main() -> None:
    """Run once per number of workers, and write the document."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--game", default="quoridor")
    parser.add_argument("--preset", default="5x5")
    parser.add_argument("--device", default="auto", help="where the network learns; workers play on the CPU")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8, 15])
    parser.add_argument("--minutes", type=float, default=0.45, help="of each run")
    parser.add_argument("--runs", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--name", default=NAME, help="of the document")
    args = parser.parse_args()
    rows: list[Any] = []
    for workers in args.workers:
        changes = {"preset": args.preset, "device": args.device, "minutes": args.minutes, "workers": workers}
        base = load_config(AlphaZeroConfig, "ludex.learn.alphazero.configs", "alphazero", {**CHANGES, **changes})
        config = complete(spec(args.game), base)
        run = Run.create(args.runs, args.game, "alphazero", dump_config(config))
        train(config, run, lambda amount: None)
        rows.append(measured(run, config))
        print(rows[-1], flush=True)
    where = machine(("ludex", "numpy", "numba", "torch"))
    write_run(args, "benchmarks.alphazero_workers --runs RUNS", args.name, where, rows)


if __name__ == "__main__":
    main()
