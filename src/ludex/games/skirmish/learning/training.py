"""`ludex train skirmish`: imitation, then PPO by either trainer; both stages, or only one."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from ludex.core.errors import RunPaused
from ludex.games.skirmish.env.opponents import OpponentWorkers
from ludex.games.skirmish.game import open_game
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.imitation import Imitation
from ludex.games.skirmish.learning.network import geometry_of
from ludex.games.skirmish.learning.network_files import build, load_net, save_net
from ludex.games.skirmish.learning.self_play import SelfPlay
from ludex.learn.device import device_name, select_device
from ludex.learn.runs import Row, Run
from ludex.learn.trainer import StagePlan, Trainer

if TYPE_CHECKING:
    from ludex.games.skirmish.learning.maskable import MaskableRun

NET = "net.pt"


def train(config: SkirmishConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Work through the stages; the run's folder then holds `net.pt` and, after imitation, `imitated.pt`."""
    begin = time.perf_counter()
    device = select_device(config.device)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    torch.manual_seed(config.seed & (2**63 - 1))
    games = {preset: open_game(preset) for preset in config.presets}
    geometry = geometry_of(games[config.presets[0]])
    if config.start_from is None:
        net = build(config.net, geometry).to(device)
    else:
        net = load_net(Path(config.start_from), geometry, device, config.net)
    with OpponentWorkers(config.opponents.workers) as workers:

        def imitation() -> Imitation:
            return Imitation(config, run.folder, net, games, device, workers)

        def ppo() -> "SelfPlay | MaskableRun":
            if config.forget_placing:
                net.forget_placing()
            return _ppo_stage(config)(config, net, games, device, workers)

        plans = [StagePlan("il", config.imitation.steps, imitation), StagePlan("ppo", config.updates, ppo)]
        try:
            Trainer(run, advance).train([plan for plan in plans if config.stage in (plan.name, "all")])
        except RunPaused:
            # So that a paused run's network can be measured.
            save_net(run.folder / NET, net, config.net)
            raise
    save_net(run.folder / NET, net, config.net)
    return {
        "trainer": config.trainer,
        "device": device_name(device),
        "parameters": sum(weights.numel() for weights in net.parameters()),
        "seconds": time.perf_counter() - begin,
        "win_rates": run.last_win_rates("preset", "opponent"),
        "net": str(run.folder / NET),
    }


def _ppo_stage(config: SkirmishConfig) -> "type[SelfPlay] | type[MaskableRun]":
    """sb3 is imported only where it trains."""
    if config.trainer == "ppo":
        return SelfPlay
    from ludex.games.skirmish.learning.maskable import MaskableRun

    return MaskableRun
