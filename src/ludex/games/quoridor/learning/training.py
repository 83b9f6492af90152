"""Training of the learned evaluation: the engine plays itself, and a net learns how those games ended.

A run keeps its games beside its checkpoints, so that a killed run plays none of them twice and a later run may learn
from an earlier one's as well.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits as log_loss

from ludex.core.documents import write_bytes, write_tensors
from ludex.core.errors import BadRun
from ludex.core.executor import executor_for
from ludex.core.seeding import generator
from ludex.games.quoridor.agents.master.network import (
    BUCKET_WALLS,
    BUCKETS,
    FEATURES,
    HIDDEN,
    MY_WALLS,
    THEIR_WALLS,
    WIDTH,
    save_weights,
    whole_numbers,
)
from ludex.games.quoridor.agents.master.transposition_table import CERTAIN
from ludex.games.quoridor.learning.config import EvaluationConfig
from ludex.games.quoridor.learning.selfplay import Games, Positions, play_into, positions_of
from ludex.learn.device import select_device
from ludex.learn.runs import Row, Run
from ludex.learn.shards import concatenate, load_arrays
from ludex.learn.stages import NetworkStage
from ludex.learn.trainer import StagePlan, Trainer


class EvaluationNet(nn.Module):
    """Features int[B, MOST_FEATURES], filled up with FEATURES, to the mover's log-odds float[B].

    The layers above the sum have one set of weights per stage of the game, which depends on the walls in stock.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows = nn.EmbeddingBag(FEATURES + 1, WIDTH, mode="sum", padding_idx=FEATURES)
        self.bias = nn.Parameter(torch.full((WIDTH,), 0.1))
        self.middle = nn.Linear(WIDTH, HIDDEN * BUCKETS)
        self.out = nn.Parameter(torch.randn(BUCKETS, HIDDEN) / HIDDEN**0.5)
        self.out_bias = nn.Parameter(torch.zeros(BUCKETS))
        nn.init.normal_(self.rows.weight, std=0.08)
        with torch.no_grad():
            self.rows.weight[FEATURES] = 0

    def forward(self, features: Tensor) -> Tensor:
        stock = features[:, 2] - MY_WALLS + features[:, 3] - THEIR_WALLS
        bucket = torch.clamp(stock // BUCKET_WALLS, max=BUCKETS - 1).long()
        summed = torch.relu(self.rows(features) + self.bias)
        mixed = torch.relu(self.middle(summed)).view(-1, BUCKETS, HIDDEN)
        hidden = mixed[torch.arange(len(bucket), device=bucket.device), bucket]
        return (hidden * self.out[bucket]).sum(1) + self.out_bias[bucket]

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights as the kernel reads them."""
        middle = self.middle.weight.T.reshape(-1, BUCKETS, HIDDEN).transpose(0, 1)
        weights = {
            "rows": self.rows.weight[:FEATURES],
            "bias": self.bias,
            "middle": middle,
            "middle_bias": self.middle.bias.view(BUCKETS, HIDDEN),
            "out": self.out,
            "out_bias": self.out_bias,
        }
        return {name: np.ascontiguousarray(value.detach().cpu().numpy(), np.float32) for name, value in weights.items()}


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
            rows = order[begin : begin + size]
            yield self.features[rows].int(), self.targets[rows]


class EvaluationStage(NetworkStage[Tensor]):
    """Epochs over the positions of all games; a step is an epoch."""

    name = "evaluation"
    counter = "epoch"
    digits = 4

    def __init__(self, config: EvaluationConfig, examples: Examples, held_out: Examples, device: torch.device) -> None:
        self._config, self._examples, self._held_out, self._device = config, examples, held_out, device
        torch.manual_seed(config.seed & (2**63 - 1))
        self.evaluation = EvaluationNet().to(device)
        optimizer = torch.optim.Adam(self.evaluation.parameters(), lr=config.learning_rate)
        batches = -(-len(examples) // config.batch)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, max_lr=config.learning_rate, total_steps=config.epochs * batches, pct_start=0.1
        )
        super().__init__(self.evaluation, optimizer, steps=config.epochs, checkpoint_every=1, schedule=schedule)

    @property
    def labels(self) -> Row:
        return {self.counter: self.step}

    def collect(self) -> Tensor:
        """The order of positions, by the epoch's own seed: a resumed run sees the same as an uninterrupted one."""
        shuffled = torch.Generator().manual_seed(generator(self._config.seed, self.step, ORDER_STREAM).bits() >> 1)
        return torch.randperm(len(self._examples), generator=shuffled).to(self._device)

    def update(self, batch: Tensor) -> Row:
        total = 0.0
        for features, targets in self._examples.batches(self._config.batch, batch):
            loss = log_loss(self.evaluation(features), targets)
            self.minimise(loss)
            total += loss.item() * len(targets)
        return {"loss": total / len(self._examples), "held_out_loss": self.held_out_loss(self._held_out.targets)}

    @torch.no_grad()
    def held_out_loss(self, targets: Tensor) -> float:
        """The loss on the positions that are not learned from, by these targets of theirs."""
        parts = [self.evaluation(part.int()) for part in torch.split(self._held_out.features, 65_536)]
        return log_loss(torch.cat(parts), targets).item()

    def agent(self) -> bytes:
        return write_tensors(whole_numbers(self.evaluation.arrays()))


def train(config: EvaluationConfig, run: Run, advance: Callable[[int], None]) -> Row:
    """Play, learn and write `net.npz` into the run's folder."""
    begin = time.perf_counter()
    device = select_device(config.device)
    own = play_into(run.folder / "games", config, executor_for(config.workers), advance)
    count = max(1, len(own.lengths) // HELD_OUT)
    learned = [*map(_games_of, config.earlier), own.part(count, len(own.lengths))]
    scale = _scale(positions_of(own, mirrored=False))
    sides = [positions_of(games, mirrored) for games in learned for mirrored in (False, True)]
    examples = Examples(concatenate(sides), scale, config.search_share, device)
    held_out = Examples(positions_of(own.part(0, count), mirrored=False), scale, config.search_share, device)
    if not examples or not held_out:
        raise BadRun(f"{len(own.lengths)} games leave nothing to learn from or to be judged by: play more games")
    stage = EvaluationStage(config, examples, held_out, device)
    # Games are what `advance` counts; epochs take seconds.
    Trainer(run, lambda epochs: None).train([StagePlan(stage.name, stage.steps, lambda: stage)])
    write_bytes(run.folder / NET, save_weights(stage.evaluation.arrays()))
    return {
        "games": len(own.lengths),
        "positions": len(examples),
        "held_out": len(held_out),
        "scale": scale,
        "loss": stage.held_out_loss(held_out.targets),
        "result_loss": stage.held_out_loss(held_out.results),
        "seconds": time.perf_counter() - begin,
        "device": str(device),
        "net": str(run.folder / NET),
    }


def _games_of(folder: str) -> Games:
    paths = sorted(Path(folder, "games").glob("*.npz"))
    if not paths:
        raise BadRun(f"{folder}: no games there")
    return concatenate([load_arrays(Games, path) for path in paths])


def _scale(positions: Positions) -> int:
    """The points of search score per unit of log-odds in these games."""
    live = (np.abs(positions.scores) < CERTAIN) & (positions.results != 0)
    scores = torch.from_numpy(positions.scores[live].astype(np.float32))
    results = torch.from_numpy((positions.results[live] > 0).astype(np.float32))
    return min(SCALES, key=lambda scale: log_loss(scores / scale, results).item())
