"""The rows of `ludex bench skirmish`, and both trainers at work: `python -m benchmarks.skirmish_speed`.

The trainers learn with the same network and hyperparameters; the environment's share of the time is a row of its own.
Writes benchmarks/results/skirmish.json.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import torch

from benchmarks.documents import measurement_parser, write
from benchmarks.peers.skirmish import PACKAGES, bench
from ludex.core.bench import BenchRow, machine, rates
from ludex.core.registry import make
from ludex.games.skirmish.env.opponents import OpponentWorkers
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import CONFIGS, SkirmishConfig
from ludex.games.skirmish.learning.maskable import MaskableRun
from ludex.games.skirmish.learning.network import geometry_of
from ludex.games.skirmish.learning.network_files import build
from ludex.games.skirmish.learning.self_play import SelfPlay
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run, float_value
from ludex.learn.trainer import Trainer

NAME: Final = "skirmish"
UNIT: Final = "transitions learned per CPU-second, playing included"
PEER: Final = "sb3-contrib MaskablePPO, same network, numbers and environment"
ON_A_GPU: Final = {"ppo.num_envs": 1024, "ppo.steps_per_env": 32, "ppo.mini_batches": 8, "threads": 8}


def learning_rows(game: Skirmish, seconds: float) -> list[BenchRow]:
    """Both trainers against themselves on one thread; ours on a GPU too, by the clock on the wall, if there is one."""
    torch.set_num_threads(1)
    cpu = torch.device("cpu")
    with OpponentWorkers(0) as workers, tempfile.TemporaryDirectory() as folder:
        own, share = _own(game, Path(folder), workers, cpu, {})
        speeds = rates({"ours": own, "theirs": _theirs(game, Path(folder), workers, cpu)}, seconds)
        rows = [
            BenchRow("PPO end to end, one thread", UNIT, speeds["ours"], speeds["theirs"], PEER),
            BenchRow("PPO end to end, the environment's share of the time", "%", 100.0 * share()),
        ]
        if torch.cuda.is_available():
            work, share = _own(game, Path(folder), workers, torch.device("cuda"), ON_A_GPU)
            work()
            begin, done = time.perf_counter(), 0
            while time.perf_counter() - begin < seconds:
                done += work()
            speed = done / (time.perf_counter() - begin)
            rows.append(BenchRow("PPO end to end, one GPU", "transitions learned per second", speed))
            rows.append(BenchRow("PPO end to end, one GPU, the environment's share of the time", "%", 100.0 * share()))
    return rows


def _config(preset: str, changes: dict[str, Any]) -> SkirmishConfig:
    """Rollouts of 256 transitions, all in self-play."""
    alone = {"opponents.bots": 0.0, "opponents.past": 0.0, "opponents.keep_every": 1_000_000, "stage": "ppo"}
    small = {"ppo.num_envs": 16, "ppo.steps_per_env": 16, "ppo.mini_batches": 4, "ppo.ppo_epochs": 2}
    curriculum = {"curriculum": [{"presets": [preset], "updates": 1_000_000}]}
    return load_config(SkirmishConfig, CONFIGS, "miniature", {**alone, **small, **curriculum, **changes})


def _own(
    game: Skirmish, folder: Path, workers: OpponentWorkers, device: torch.device, changes: dict[str, Any]
) -> tuple[Callable[[], int], Callable[[], float]]:
    """One update of our own PPO, and what share of the time of all but the first the environment took."""
    run, work = _trainer(SelfPlay, game, folder, workers, device, changes)

    def share() -> float:
        # In the first one kernels are compiled.
        _, *timed = run.metrics()
        stepped = sum(float_value(row, "stepping_seconds", run.name) for row in timed)
        return stepped / sum(float_value(row, "seconds", run.name) for row in timed)

    return work, share


def _theirs(game: Skirmish, folder: Path, workers: OpponentWorkers, device: torch.device) -> Callable[[], int]:
    """One update of MaskablePPO."""
    return _trainer(MaskableRun, game, folder, workers, device, {"trainer": "maskable_ppo"})[1]


def _trainer(
    kind: type[SelfPlay] | type[MaskableRun],
    game: Skirmish,
    folder: Path,
    workers: OpponentWorkers,
    device: torch.device,
    changes: dict[str, Any],
) -> tuple[Run, Callable[[], int]]:
    """The run of a trainer, and its updates."""
    preset = game.info.preset
    config = _config(preset, changes)
    net = build(config.net, geometry_of(game)).to(device)
    run = Run.create(folder, "skirmish", "bench", dump_config(config))
    trainer, stage = Trainer(run, lambda steps: None), kind(config, net, {preset: game}, device, workers)

    def work() -> int:
        trainer.step(stage)
        return config.ppo.num_envs * config.ppo.steps_per_env

    return run, work


def main() -> None:
    """Measure environment and trainers, and write the report."""
    parser = measurement_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    arguments = parser.parse_args()
    where = machine(("ludex", "numpy", "numba", *PACKAGES))
    game = make("skirmish")
    assert isinstance(game, Skirmish)
    rows = [row.to_json() for row in (*bench(arguments.seconds), *learning_rows(game, arguments.seconds))]
    write(arguments.into, NAME, {"game": "skirmish", "machine": where, "seconds": arguments.seconds, "rows": rows})


if __name__ == "__main__":
    main()
