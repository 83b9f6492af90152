"""`ludex train minesweeper`: imitation, then PPO; both, or either alone."""

import time
from collections.abc import Callable
from pathlib import Path

import torch

from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.imitation import Imitation
from ludex.games.minesweeper.learning.network import build, load_net, save_net
from ludex.games.minesweeper.learning.ppo import Finetuning
from ludex.learn.checkpoints import load_checkpoint
from ludex.learn.device import chosen_device
from ludex.learn.distributed import current
from ludex.learn.launch import launched
from ludex.learn.runs import Row, Run

CPU = torch.device("cpu")
IMITATED = "imitated.pt"
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
    net = (
        build(config.model) if started is None else group.broadcast_object(lambda: load_net(started, CPU, config.model))
    )
    net = net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    group.broadcast_weights(net)
    found = group.broadcast_object(lambda: load_checkpoint(run, CPU))
    stage = None if found is None else found[0]["stage"]
    if config.stage in ("il", "all"):
        if stage == "ppo":
            advance(config.imitation.steps)
        else:
            imitation = Imitation(config, run, net, device)
            if found is not None:
                imitation.restore(*found)
            imitation.train(advance)
            if group.is_main:
                save_net(run.folder / IMITATED, net, config.model)
    if config.stage in ("ppo", "all"):
        imitated = run.folder / IMITATED if started is None or config.stage == "all" else started
        reference = group.broadcast_object(lambda: load_net(imitated, CPU, config.model)).to(device)
        finetuning = Finetuning(config, run, net, reference, device)
        if found is not None and stage == "ppo":
            finetuning.restore(*found)
        finetuning.train(advance)
    if group.is_main:
        save_net(run.folder / NET, net, config.model)
    return {
        "device": str(device) if device.type == "cpu" else torch.cuda.get_device_name(device),
        "processes": group.size,
        "parameters": sum(one.numel() for one in net.parameters()),
        "seconds": time.perf_counter() - begin,
        "win_rates": _last_win_rates(run) if group.is_main else {},
        "net": str(run.folder / NET),
    }


def _last_win_rates(run: Run) -> Row:
    """The last measurement of each board and start rule."""
    return {f"{row['board']} {row['start']}": row["win_rate"] for row in run.metrics() if "win_rate" in row}
