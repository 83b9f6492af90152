"""PPO's transitions per second by where the boards live: `python -m benchmarks.minesweeper_lanes_gpu --device cuda`.

The same board, `CNNPolicy`, lanes, steps, mini-batches and epochs three times, one after the other in this process:
with the boards as tensors on the device; with the boards as compiled lanes on the host, copied through page-locked
memory; and sb3-contrib's MaskablePPO. Each is measured for about `--seconds` after two updates of warm-up. Prints one
JSON document.
"""

import argparse
import json
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch

from ludex.games.minesweeper.env.config import BASE_CHANNELS
from ludex.games.minesweeper.learning import ppo
from ludex.games.minesweeper.learning.config import CONFIGS, MinesweeperConfig
from ludex.games.minesweeper.learning.network import CNNPolicy, build
from ludex.games.minesweeper.learning.tensor_lanes import TensorLanes
from ludex.games.minesweeper.learning.torch_env import TorchMinesweeper
from ludex.learn.config import dump_config, load_config
from ludex.learn.runs import Run
from ludex.learn.trainer import Trainer

WARM_UP = 2
"""Updates before the clock is read."""
KINDS = {"torch_env": TorchMinesweeper, "lanes": TensorLanes}


def updates_per_second(update: Callable[[], object], seconds: float, device: torch.device) -> float:
    """How often an update runs in a second of the clock."""
    for _ in range(WARM_UP):
        update()
    _synchronise(device)
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        update()
        _synchronise(device)
        count += 1
    return count / (time.perf_counter() - begin)


def ours(config: MinesweeperConfig, seconds: float, device: torch.device) -> float:
    """Transitions per second of our trainer, with whatever environment `ppo` names."""
    with TemporaryDirectory() as folder:
        run = Run.create(Path(folder), "minesweeper", "bench", dump_config(config))
        torch.manual_seed(0)
        stage = ppo.Finetuning(config, build(config.model, config.env.shown).to(device), None, device)
        trainer = Trainer(run, lambda steps: None)
        rate = updates_per_second(lambda: trainer.step(stage), seconds, device)
    return rate * config.ppo.num_envs * config.ppo.steps_per_env


def peer(config: MinesweeperConfig, seconds: float, device: torch.device) -> float:
    """Transitions per second of sb3-contrib with the same network on the same device."""
    from benchmarks.minesweeper_ppo import maskable_ppo

    model, transitions = maskable_ppo(config, device.type, CNNPolicy(BASE_CHANNELS))
    rate = updates_per_second(lambda: model.learn(transitions, reset_num_timesteps=False), seconds, device)
    return rate * transitions


def _synchronise(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


def main() -> None:
    """Measure what is asked for, and print the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--lanes", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--obs", choices=["uint8", "float16", "float32"], default="float32")
    parser.add_argument("--only", nargs="+", choices=[*KINDS, "sb3-contrib"], default=[*KINDS, "sb3-contrib"])
    parser.add_argument("--no-amp", action="store_true")
    settings = parser.parse_args()
    device = torch.device(settings.device)
    changes: dict[str, Any] = {
        "ppo.num_envs": settings.lanes,
        "ppo.steps_per_env": settings.steps,
        "ppo.mini_batches": 4,
        "ppo.compile": False,
        "ppo.amp": not settings.no_amp,
        "ppo.aux_mine_weight": 0.0,
        "env.reveal_only": True,
        "env.obs_dtype": settings.obs,
        "finetune.updates": 1_000_000,
    }
    config = load_config(MinesweeperConfig, CONFIGS, "small_8x8_10", changes)
    rates: dict[str, float] = {}
    for kind in settings.only:
        if kind == "sb3-contrib":
            rates[kind] = peer(config, settings.seconds, device)
        else:
            setattr(ppo, "TorchMinesweeper", KINDS[kind])  # noqa: B010 - the stage takes its environment by this name
            rates[kind] = ours(config, settings.seconds, device)
        print(f"{kind}: {rates[kind]:,.0f} transitions per second", flush=True)
    name = torch.cuda.get_device_name() if device.type == "cuda" else platform.processor()
    print(
        json.dumps(
            {
                "device": name,
                "cores": os.cpu_count(),
                "torch": torch.__version__,
                "lanes": settings.lanes,
                "steps": settings.steps,
                "obs_dtype": settings.obs,
                "transitions_per_second": rates,
                "ratio_to_sb3": {kind: rate / rates["sb3-contrib"] for kind, rate in rates.items()}
                if "sb3-contrib" in rates
                else None,
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
