"""`ludex train skirmish`: imitation, then PPO by either trainer; both stages, or only one."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from ludex.core.log import logger
from ludex.core.registry import make
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.evaluation import evaluate
from ludex.games.skirmish.learning.geometry import geometry_of
from ludex.games.skirmish.learning.imitation import Imitation
from ludex.games.skirmish.learning.network import SkirmishNet
from ludex.games.skirmish.learning.network_files import NetPolicy, build, load_net, save_net
from ludex.games.skirmish.learning.scripted_opponents import OpponentWorkers, ScriptedOpponent
from ludex.games.skirmish.learning.self_play import SelfPlay
from ludex.learn.checkpoints import load_checkpoint
from ludex.learn.device import chosen_device
from ludex.learn.runs import Row, Run

if TYPE_CHECKING:
    from ludex.games.skirmish.learning.maskable import MaskableRun

IMITATED = "imitated.pt"
NET = "net.pt"
_log = logger("train")


def train(config: SkirmishConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Work through the stages; the run's folder then holds `net.pt` and, if there were two, `imitated.pt`."""
    begin = time.perf_counter()
    device = chosen_device(config.device)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    torch.manual_seed(config.seed & (2**63 - 1))
    games = {preset: _game(preset) for preset in config.presets}
    geometry = geometry_of(games[config.presets[0]])
    if config.start_from is None:
        net = build(config.net, geometry).to(device)
    else:
        net = load_net(Path(config.start_from), geometry, device, config.net)
    with OpponentWorkers(config.opponents.workers) as workers:
        _work_through(config, run, net, games, device, workers, advance)
    save_net(run.folder / NET, net, config.net)
    return {
        "trainer": config.trainer,
        "device": str(device) if device.type == "cpu" else torch.cuda.get_device_name(device),
        "parameters": sum(one.numel() for one in net.parameters()),
        "seconds": time.perf_counter() - begin,
        "win_rates": _last_win_rates(run),
        "net": str(run.folder / NET),
    }


def _work_through(
    config: SkirmishConfig,
    run: Run,
    net: SkirmishNet,
    games: dict[str, Skirmish],
    device: torch.device,
    workers: OpponentWorkers,
    advance: Callable[[int], None],
) -> None:
    """The stages, from the last checkpoint on."""

    def measure(row: Row) -> None:
        _measure(config, run, net, games, device, workers, row)

    found = load_checkpoint(run, device)
    stage = None if found is None else found[0]["stage"]
    if config.stage in ("il", "all"):
        if stage == "ppo":
            advance(config.imitation.steps)
        else:
            imitation = Imitation(config, run, net, games, device)
            if found is not None:
                imitation.restore(*found)
            imitation.train(advance)
            save_net(run.folder / IMITATED, net, config.net)
            measure({"stage": "il", "update": 0})
    if config.stage in ("ppo", "all"):
        trainer = _trainer(config)(config, run, net, games, device, workers)
        if found is not None and stage == "ppo":
            trainer.restore(*found)
        elif config.forget_placing:
            net.forget_placing()
        trainer.train(advance, measure)


def _trainer(config: SkirmishConfig) -> "type[SelfPlay] | type[MaskableRun]":
    """sb3 is imported only where it trains."""
    if config.trainer == "ppo":
        return SelfPlay
    from ludex.games.skirmish.learning.maskable import MaskableRun

    return MaskableRun


def _game(preset: str) -> Skirmish:
    game = make("skirmish", preset)
    assert isinstance(game, Skirmish)
    return game


def _measure(
    config: SkirmishConfig,
    run: Run,
    net: SkirmishNet,
    games: dict[str, Skirmish],
    device: torch.device,
    workers: OpponentWorkers,
    row: Row,
) -> None:
    """Evaluate the network on every scenario, on the same dice each time, and log one row per opponent."""
    for preset, game in games.items():
        net.settle(geometry_of(game))
        policy = NetPolicy(net, device)
        for name in config.evaluation.opponents:
            opponent = ScriptedOpponent(workers, preset, name)
            found = evaluate(game, policy, opponent, name, config.evaluation.games, config.seed)
            metrics = {**row, "preset": preset, **found.row()}
            run.log(metrics)
            _log.info("evaluation", **{key: value for key, value in metrics.items() if not isinstance(value, list)})


def _last_win_rates(run: Run) -> Row:
    """The last measurement of each scenario and opponent."""
    return {f"{row['preset']} {row['opponent']}": row["win_rate"] for row in run.metrics() if "win_rate" in row}
