"""`ludex train minesweeper`: imitation, then PPO; both, or either alone."""

import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.imitation import IMITATED, Imitation
from ludex.games.minesweeper.learning.network import build, load_net, save_net
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.learn.device import chosen_device, device_name
from ludex.learn.distributed import current
from ludex.learn.launch import launched
from ludex.learn.runs import Row, Run
from ludex.learn.trainer import CPU, StagePlan, Trainer

NET = "net.pt"


def train(config: MinesweeperConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Run the stages; the run's folder then holds `net.pt` and, after stage A, `imitated.pt`.

    Of several processes only the first reads and writes files.
    """
    begin = time.perf_counter()
    group = current()
    device = chosen_device(config.device, launched().place)
    if device.type == "cuda":
        torch.cuda.set_device(device)
        torch.backends.cudnn.benchmark = True
        torch.set_float32_matmul_precision("high")
    torch.manual_seed(config.seed & (2**63 - 1))
    started = None if config.start_from is None else Path(config.start_from)

    def loaded(path: Path) -> nn.Module:
        return group.broadcast_object(lambda: load_net(path, CPU, config.model))

    net = build(config.model) if started is None else loaded(started)
    net = net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    group.broadcast_weights(net)

    def finetuning() -> Finetuning:
        imitated = run.folder / IMITATED if started is None or config.stage == "all" else started
        return Finetuning(config, net, loaded(imitated).to(device), device, group)

    plans = [
        StagePlan("il", config.imitation.steps, lambda: Imitation(config, run.folder, net, device, group)),
        StagePlan("ppo", config.finetune.updates, finetuning),
    ]
    Trainer(run, advance, group).train([plan for plan in plans if config.stage in (plan.name, "all")])
    if group.is_main:
        save_net(run.folder / NET, net, config.model)
    return {
        "device": device_name(device),
        "processes": group.size,
        "parameters": sum(one.numel() for one in net.parameters()),
        "seconds": time.perf_counter() - begin,
        "win_rates": _last_win_rates(run) if group.is_main else {},
        "net": str(run.folder / NET),
    }


def _last_win_rates(run: Run) -> Row:
    """The last measurement of each board and start rule."""
    return {f"{row['board']} {row['start']}": row["win_rate"] for row in run.metrics() if "win_rate" in row}
