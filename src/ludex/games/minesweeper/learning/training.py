"""`ludex train minesweeper`: imitation, then PPO; both, or either alone, PPO also from scratch."""

import runpy
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import nn

from ludex.games.minesweeper.agents.network import PlayStyle
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.imitation import Imitation
from ludex.games.minesweeper.learning.network import build, load_net, save_net, shape_of
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.learn.device import device_name, select_device
from ludex.learn.distributed import current
from ludex.learn.launch import read_launch
from ludex.learn.runs import Row, Run
from ludex.learn.stages import IMITATED
from ludex.learn.trainer import StagePlan, Trainer

NET = "net.pt"
SEEDS_CONFIG = "small_8x8_10"
"""The configuration that the seed trains first."""


def train(config: MinesweeperConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Run the stages; the run's folder then holds `net.pt` and, after stage A, `imitated.pt`.

    Of several processes only the first reads and writes files.
    """
    begin = time.perf_counter()
    group = current()
    device = select_device(config.device, read_launch().place)
    if device.type == "cuda":
        torch.cuda.set_device(device)
        torch.backends.cudnn.benchmark = True
        torch.set_float32_matmul_precision("high")
    torch.manual_seed(config.seed & (2**63 - 1))
    channels = config.env.shown
    started = None if config.start_from is None else Path(config.start_from)

    def load(path: Path) -> nn.Module:
        return group.broadcast_object(lambda: load_net(path, torch.device("cpu"), shape_of(config.model, channels)))

    net = build(config.model, channels) if started is None else load(started)
    net = net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    group.broadcast_weights(net)

    def finetuning() -> Finetuning:
        began = run.folder / IMITATED if config.stage == "all" else started
        return Finetuning(config, net, None if began is None else load(began).to(device), device, group)

    plans = [
        StagePlan("il", config.imitation.steps, lambda: Imitation(config, run.folder, net, device, group)),
        StagePlan("ppo", config.finetune.updates, finetuning),
    ]
    Trainer(run, advance, group).train([plan for plan in plans if config.stage in (plan.name, "all")])
    if group.is_main:
        save_net(run.folder / NET, net, config.model, channels, PlayStyle.of(config.env))
    return {
        "device": device_name(device),
        "processes": group.size,
        "parameters": sum(weights.numel() for weights in net.parameters()),
        "seconds": time.perf_counter() - begin,
        "win_rates": run.last_win_rates("board", "start") if group.is_main else {},
        "net": str(run.folder / NET),
    }


def run_command(stage: str, options: Sequence[str]) -> None:
    """Run `ludex train minesweeper` in this process, with a stage and the original configuration by default.

    The command line is above the games and is not imported here.
    """
    names = {option.partition("=")[0] for option in options}
    defaults = {"--stage": stage, "--config": SEEDS_CONFIG} if "--resume" not in names else {}
    arguments = [part for name, value in defaults.items() if name not in names for part in (name, value)]
    sys.argv = ["ludex", "train", "minesweeper", *arguments, *options]
    runpy.run_module("ludex", run_name="__main__")
