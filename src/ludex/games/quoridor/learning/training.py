"""Training of the learned evaluation: the engine plays itself, and a net learns how those games ended.

A run keeps its games beside its checkpoints, so that a killed run plays none of them twice and a later run may learn
from an earlier one's as well.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as log_loss

from ludex.core.documents import write_bytes
from ludex.core.errors import BadRun
from ludex.core.executor import executor_for
from ludex.core.safetensors import write_tensors
from ludex.core.seeding import generator
from ludex.games.quoridor.agents.master.network import save_weights, whole_numbers
from ludex.games.quoridor.agents.master.transposition_table import CERTAIN
from ludex.games.quoridor.learning.config import EvaluationConfig
from ludex.games.quoridor.learning.dataset import Positions, positions_of
from ludex.games.quoridor.learning.model import EvaluationNet
from ludex.games.quoridor.learning.selfplay import Games, joined, load_games, play_into
from ludex.learn.checkpoints import give_weights, load_tensors, save_tensors
from ludex.learn.device import chosen_device
from ludex.learn.run_agents import is_due, keep_agent
from ludex.learn.runs import Row, Run

HELD_OUT = 32
"""One game in this many is held back for validation."""
SCALES = (100, 140, 180, 220, 260, 300, 340, 400, 480, 560, 680)
"""Candidates for the points of search score per unit of log-odds; the one that predicts results best is used."""
NET = "net.npz"
ORDER_STREAM = 8
"""Stream from which the order of positions is drawn."""


class Examples:
    """Positions on a device: features, and the mover's win probability as the net should see it."""

    def __init__(self, positions: Positions, scale: float, search_share: float, device: torch.device) -> None:
        decided = positions.results != 0
        self.features = torch.from_numpy(positions.features[decided]).to(device)
        self.results = torch.from_numpy((positions.results[decided] > 0).astype(np.float32)).to(device)
        scores = torch.from_numpy(positions.scores[decided].astype(np.float32)).to(device)
        self.targets = search_share * torch.sigmoid(scores / scale) + (1 - search_share) * self.results

    def __len__(self) -> int:
        return len(self.features)

    def batches(self, size: int, order: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
        for begin in range(0, len(order), size):
            chosen = order[begin : begin + size]
            yield self.features[chosen].int(), self.targets[chosen]


def train(config: EvaluationConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Play, learn and write `net.npz` into the run's folder."""
    begin = time.perf_counter()
    device = chosen_device(config.device)
    own = _play(config, run, advance)
    held = max(1, len(own.lengths) // HELD_OUT)
    learned = [*map(_games_of, config.earlier), own.part(held, len(own.lengths))]
    tests = own.part(0, held)
    scale = _scale(positions_of(own, mirrored=False))
    sides = [positions_of(games, mirrored) for games in learned for mirrored in (False, True)]
    examples = Examples(Positions(*map(np.concatenate, zip(*sides, strict=True))), scale, config.search_share, device)
    judged = Examples(positions_of(tests, mirrored=False), scale, config.search_share, device)
    if not examples or not judged:
        raise BadRun(f"{len(own.lengths)} games leave nothing to learn from or to be judged by: play more games")
    net = _learn(config, run, examples, judged, device)
    write_bytes(run.folder / NET, save_weights(net.arrays()))
    return {
        "games": len(own.lengths),
        "positions": len(examples),
        "held_out": len(judged),
        "scale": scale,
        "loss": _loss(net, judged, judged.targets),
        "result_loss": _loss(net, judged, judged.results),
        "seconds": time.perf_counter() - begin,
        "device": str(device),
        "net": str(run.folder / NET),
    }


def _play(config: EvaluationConfig, run: Run, advance: Callable[[int], None]) -> Games:
    """Play the games that the run's folder does not hold yet; returns all of them in order."""
    return play_into(run.folder / "games", config, executor_for(config.workers), advance)


def _games_of(folder: str) -> Games:
    paths = sorted(Path(folder, "games").glob("*.npz"))
    if not paths:
        raise BadRun(f"{folder}: no games there")
    return joined([load_games(path) for path in paths])


def _scale(positions: Positions) -> int:
    """The points of search score per unit of log-odds in these games."""
    live = (np.abs(positions.scores) < CERTAIN) & (positions.results != 0)
    scores = torch.from_numpy(positions.scores[live].astype(np.float32))
    results = torch.from_numpy((positions.results[live] > 0).astype(np.float32))
    return min(SCALES, key=lambda scale: log_loss(scores / scale, results).item())


def _learn(
    config: EvaluationConfig, run: Run, examples: Examples, judged: Examples, device: torch.device
) -> EvaluationNet:
    """Train epoch by epoch; a killed run resumes with the epoch it was in."""
    torch.manual_seed(config.seed & (2**63 - 1))
    net = EvaluationNet().to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=config.learning_rate)
    steps = -(-len(examples) // config.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=config.learning_rate, total_steps=config.epochs * steps, pct_start=0.1
    )
    done = _resumed(run, net, optimizer, schedule, device)
    if done == 0:
        _keep(config, run, net, 0)
    for epoch in range(done, config.epochs):
        # Seeded by the epoch as well, so that a resumed run sees the same order as one that was never stopped.
        shuffled = torch.Generator().manual_seed(generator(config.seed, epoch, ORDER_STREAM).bits() >> 1)
        order = torch.randperm(len(examples), generator=shuffled).to(device)
        total = 0.0
        for features, targets in examples.batches(config.batch, order):
            loss = log_loss(net(features), targets)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            total += loss.item() * len(targets)
        held = _loss(net, judged, judged.targets)
        run.log({"epoch": epoch + 1, "loss": total / len(examples), "held_out_loss": held})
        # One file per epoch: the checkpoint names the one that belongs to its rows, whenever the run is killed.
        save_tensors(
            _weights_of(run, epoch + 1),
            {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict()},
        )
        _keep(config, run, net, epoch + 1)
        run.checkpoint({"epochs": epoch + 1})
        _weights_of(run, epoch).unlink(missing_ok=True)
        run.pause_if_requested()
    return net


def _keep(config: EvaluationConfig, run: Run, net: EvaluationNet, epochs: int) -> None:
    """Keep the net as it is now as an opponent, where the spread of epochs or the end calls for it."""
    if is_due(epochs) or epochs == config.epochs or run.pause_requested:
        keep_agent(run, epochs, epochs, write_tensors(whole_numbers(net.arrays())))


def _weights_of(run: Run, epochs: int) -> Path:
    return run.folder / "checkpoints" / f"net-{epochs:04d}.pt"


def _resumed(
    run: Run,
    net: EvaluationNet,
    optimizer: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    device: torch.device,
) -> int:
    """Restore the last checkpoint; returns how many epochs it has seen."""
    state = run.resume()
    if state is None:
        return 0
    epochs = state.get("epochs")
    if not isinstance(epochs, int):
        raise BadRun(f"{run.name}: expected a number of epochs in the checkpoint, found {epochs!r}")
    saved = load_tensors(_weights_of(run, epochs), device)
    give_weights(net, saved["net"], f"run {run.name!r}", BadRun)
    optimizer.load_state_dict(saved["optimizer"])
    schedule.load_state_dict(saved["schedule"])
    return epochs


@torch.no_grad()
def _loss(net: EvaluationNet, judged: Examples, targets: Tensor) -> float:
    parts = [net(part.int()) for part in torch.split(judged.features, 65_536)]
    return log_loss(torch.cat(parts), targets).item()
