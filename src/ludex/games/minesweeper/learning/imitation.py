"""Stage A: the network learns what the solver knows of states that the solver met."""

import time
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, max_pool2d, mse_loss, pad

from ludex.games.minesweeper.agents.network import PlayStyle
from ludex.games.minesweeper.env.config import EnvRules
from ludex.games.minesweeper.learning.config import BoardConfig, MinesweeperConfig, Teacher
from ludex.games.minesweeper.learning.demonstration_source import Chunk, ExampleSource, StoredSource, WorkingSource
from ludex.games.minesweeper.learning.demonstrations import CERTAIN, Examples
from ludex.games.minesweeper.learning.evaluation import measure_boards
from ludex.games.minesweeper.learning.network import OBS_DTYPES, Turn, encode, playing_net, save_net, turns
from ludex.learn.device import optimized_for
from ludex.learn.distributed import ALONE, Group
from ludex.learn.export import playable
from ludex.learn.ppo import FORBIDDEN, autocast
from ludex.learn.runs import Row, int_value
from ludex.learn.stages import ImitationStage
from ludex.learn.trainer import Log

INLAND = 0.1
"""The weight of a hidden cell that no number touches, of which there is little to know."""
PARTS = ("mine_loss", "policy_loss", "value_loss")


class StoredChunk(NamedTuple):
    """Where a chunk is in the buffer."""

    number: int
    begin: int
    length: int


class Demonstration(NamedTuple):
    """A batch of B states with their targets."""

    numbers: Tensor
    """int8[B, H, W]: -1 where hidden, `FLAGGED` where hidden with a flag."""
    mines: Tensor
    """int64[B]"""
    chance: Tensor
    """float32[B, H, W]"""
    good: Tensor
    """bool[B, A]: the actions that are right."""
    won: Tensor
    """float32[B]"""

    def observe(self, cfg: EnvRules) -> Tensor:
        """[B, C, H, W]: the observations of an environment, in its type."""
        return encode(self.numbers, self.mines, cfg, OBS_DTYPES[cfg.obs_dtype])

    def action_mask(self, cfg: EnvRules) -> Tensor:
        """bool[B, A]: the legal actions in an environment, see `EnvRules`."""
        hidden = self.numbers < 0
        reveals = hidden
        if cfg.frontier_mask:
            frontier = around(~hidden) & hidden
            reveals = torch.where(frontier.any((1, 2), keepdim=True), frontier, hidden)
        return torch.cat([reveals.flatten(1), *([] if cfg.reveal_only else [hidden.flatten(1)])], 1)


class ReplayBuffer:
    """Examples of one board, those of forced moves with or without flags among the actions."""

    def __init__(
        self,
        board: BoardConfig,
        capacity: int,
        device: torch.device,
        teacher: Teacher = "exact",
        *,
        reveal_only: bool = True,
    ) -> None:
        self.capacity = capacity
        self.device = device
        self._forced = teacher != "exact"
        self._kinds = 1 if reveal_only else 2
        """Of actions: reveals, and flags."""
        shape = (capacity, board.H, board.W)
        self._numbers = torch.zeros(shape, dtype=torch.int8, device=device)
        self._mines = torch.zeros(capacity, dtype=torch.int16, device=device)
        self._chance = torch.zeros(shape, dtype=torch.float16, device=device)
        self._cell = torch.zeros(capacity, dtype=torch.int16, device=device)
        self._won = torch.zeros(capacity, dtype=torch.bool, device=device)
        self._actions = torch.arange(self._kinds * board.H * board.W, device=device)
        self._turns: Sequence[tuple[Turn, Turn]] = turns(board.H == board.W)
        self.filled = 0
        self.at = 0
        self.chunks: deque[StoredChunk] = deque()

    def add(self, number: int, examples: Examples) -> None:
        """Add a chunk, by its number in the order of chunks."""
        count = min(len(examples.won), self.capacity)
        places = (torch.arange(count, device=self.device) + self.at) % self.capacity
        columns: tuple[tuple[Tensor, NDArray[Any]], ...] = (
            (self._numbers, examples.numbers),
            (self._mines, examples.mines),
            (self._chance, examples.chance),
            (self._cell, examples.cell),
            (self._won, examples.won),
        )
        for column, values in columns:
            column[places] = torch.from_numpy(values[:count]).to(self.device, non_blocking=True)
        self.chunks.append(StoredChunk(number, self.at, count))
        self.at = (self.at + count) % self.capacity
        self.filled = min(self.capacity, self.filled + count)
        while sum(chunk.length for chunk in self.chunks) - self.chunks[0].length >= self.capacity:
            self.chunks.popleft()

    def draw(self, count: int, generator: torch.Generator, group: Group = ALONE) -> Demonstration:
        """Random examples under one random symmetry of the board; in a group, this process's share of them."""
        rows = group.shard(torch.randint(0, self.filled, (count,), generator=generator, device=self.device))
        which = int(torch.randint(0, len(self._turns), (1,), generator=on_host(generator)))
        turn = self._turns[which][0]
        numbers, chance, cell = self._numbers[rows], self._chance[rows].float(), self._cell[rows].long()
        named = (self._actions == cell.view(-1, 1)).view(len(rows), self._kinds, *numbers.shape[1:])
        if self._forced:
            good = named
        else:
            certain = ((numbers < 0) & (chance == 0.0)).unsqueeze(1)
            good = torch.where((cell == CERTAIN).view(-1, 1, 1, 1), certain, named)
        return Demonstration(
            turn(numbers), self._mines[rows].long(), turn(chance), turn(good).flatten(1), self._won[rows].float()
        )


def demonstration_losses(
    answer: tuple[Tensor, ...], demonstration: Demonstration, mask: Tensor, group: Group = ALONE
) -> Tensor:
    """float32[3]: the losses of mine probabilities, of moves among those that the mask `[B, A]` allows, of the value.

    In a group, the means over its processes are the losses of all their demonstrations together.
    """
    value, mine_logits = answer[1].float(), answer[2].float().squeeze(1)
    hidden = demonstration.numbers < 0
    touched = max_pool2d((~hidden).float().unsqueeze(1), 3, 1, 1).squeeze(1) > 0
    weight = torch.where(touched, 1.0, INLAND) * hidden
    missed = binary_cross_entropy_with_logits(mine_logits, demonstration.chance, reduction="none")
    mine = (missed * weight).sum() / group.mean(weight.sum())
    logits = answer[0].float()[:, : mask.shape[1]].masked_fill(~mask, FORBIDDEN)
    # Any good action is as good as another: what counts is the probability of all of them together.
    good = logits.masked_fill(~demonstration.good, FORBIDDEN)
    move = (logits.logsumexp(1) - good.logsumexp(1)).mean()
    return torch.stack([mine, move, mse_loss(value, demonstration.won)])


class Imitation(ImitationStage[Demonstration]):
    """A run's stage A."""

    digits = 7

    def __init__(
        self, config: MinesweeperConfig, folder: Path, net: nn.Module, device: torch.device, group: Group = ALONE
    ) -> None:
        """`folder` is the run's, into which the imitated network is written."""
        self._config = config
        cfg = config.imitation
        self._draws = torch.Generator(device).manual_seed(config.seed & (2**63 - 1))
        super().__init__(
            net,
            folder,
            device,
            steps=cfg.steps,
            lr=cfg.lr,
            weight_decay=cfg.weight_decay,
            warmup=cfg.warmup_steps,
            max_grad_norm=cfg.max_grad_norm,
            checkpoint_every=cfg.checkpoint_every,
            eval_every=cfg.eval_every,
            generator=self._draws,
            group=group,
        )
        self._source = ExampleSource(config) if cfg.dataset is None else StoredSource(config, Path(cfg.dataset))
        self._in_order = cfg.workers == 1 or cfg.dataset is not None
        """Whether chunks come in the order of their numbers, and so can be reproduced."""
        self._workers: WorkingSource | None = None
        """Makes chunks while the network learns, if they come in any order."""
        self._boards = config.all_boards
        self._buffers = [
            ReplayBuffer(board, cfg.ring, device, cfg.teacher, reveal_only=config.env.reveal_only)
            for board in self._boards
        ]
        self._weights = torch.tensor([board.weight for board in self._boards])
        self._shares = torch.tensor([cfg.mine_weight, cfg.policy_weight, cfg.value_weight], device=device)
        self._optimized_net = optimized_for(device, net, compiled=config.ppo.compile)
        self._losses = torch.zeros(len(PARTS), device=device)
        """Summed since the last row of metrics."""
        self._chunks = 0
        self._seen = 0
        self._opened = 0.0, 0
        """When the first step of this process began, and its number."""

    def open(self, log: Log) -> None:
        """Have workers fill the buffers for the first update, unless chunks come in order."""
        cfg, group = self._config.imitation, self.group
        if not self._in_order:
            # The processes of a group share the chunks out, and each keeps its own.
            self._workers = WorkingSource(self._source, self._chunks + group.rank, cfg.workers, every=group.size)
            while any(len(buffer.chunks) < cfg.chunks_ahead for buffer in self._buffers):
                self._take(self._workers.take(wait=True))
        self._opened = time.perf_counter(), self.step

    def close(self) -> None:
        if self._workers is not None:
            self._workers.close()

    def collect(self) -> Demonstration:
        """Draw a batch of one board, by the boards' weights, from buffers that chunks refill."""
        self._refill()
        cfg = self._config.imitation
        which = int(torch.multinomial(self._weights, 1, generator=on_host(self._draws)))
        board, buffer = self._boards[which], self._buffers[which]
        count = max(1, cfg.batch_cells // (board.H * board.W))
        count += -count % self.group.size
        self._seen += count
        return buffer.draw(count, self._draws, self.group)

    def loss(self, batch: Demonstration) -> tuple[Tensor, Row]:
        env = self._config.env
        planes = batch.observe(env).float().contiguous(memory_format=torch.channels_last)
        with autocast(self.device, self._config.ppo.amp):
            answer = self._optimized_net(planes, return_mine=True)
        losses = demonstration_losses(answer, batch, batch.action_mask(env), self.group)
        # Fetched from the device only when they are logged.
        self._losses += self.group.mean(losses.detach())
        return (losses * self._shares).sum(), {}

    def row(self, metrics: Row, seconds: float) -> Row | None:
        """The mean losses since the last row."""
        every = self._config.imitation.log_every
        if self.step % every != 0:
            return None
        begin, first = self._opened
        speed = (self.step - first) / (time.perf_counter() - begin)
        values = (self._losses / every).tolist()
        self._losses = torch.zeros_like(self._losses)
        return {
            **dict(zip(PARTS, values, strict=True)),
            "lr": self.optimizer.param_groups[0]["lr"],
            "updates_per_second": speed,
            "examples_seen": self._seen,
            "examples_made": sum(buffer.filled for buffer in self._buffers),
            "chunks": self._chunks,
            "eta_seconds": (self.steps - self.step) / speed,
        }

    def evaluate(self) -> Iterable[Row]:
        config = self._config
        return measure_boards(config, self.net, config.imitation.eval_games, self.step, self.device, amp=config.ppo.amp)

    def save(self, path: Path) -> None:
        env = self._config.env
        save_net(path, self.net, self._config.model, env.shown, PlayStyle.of(env))

    def agent(self) -> bytes:
        env = self._config.env
        return playable(playing_net(self.net, env.shown, PlayStyle.of(env)))

    def state(self) -> Row:
        return {"chunks": self.group.largest(self._chunks), "seen": self._seen}

    def tensors(self) -> dict[str, Any]:
        rings = [
            (buffer.chunks[0].begin if buffer.chunks else 0, [chunk.number for chunk in buffer.chunks])
            for buffer in self._buffers
        ]
        return {**super().tensors(), "rings": rings, "losses": self._losses}

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        """Resume from a checkpoint. The contents of the buffers are made or read again, if chunks came in order."""
        super().restore(state, tensors, source)
        self._losses = tensors["losses"].to(self.device)
        self._chunks, self._seen = (int_value(state, name, source) for name in ("chunks", "seen"))
        if self._in_order:
            for buffer, (begin, numbers) in zip(self._buffers, tensors["rings"], strict=True):
                buffer.at = begin
                for number in numbers:
                    buffer.add(number, self._source.make(number).examples)

    def _refill(self) -> None:
        """Add the chunks that are due before the next update."""
        if self._workers is not None:
            self._take(self._workers.take(wait=False))
            return
        cfg = self._config.imitation
        needed = cfg.chunks_ahead * len(self._buffers) + self.step // cfg.steps_per_chunk
        # Every board has its chunks first, whatever its weight.
        while any(len(buffer.chunks) == 0 for buffer in self._buffers) or self._chunks < needed:
            self._take(self._source.make(self._chunks))

    def _take(self, chunk: Chunk | None) -> None:
        if chunk is not None:
            self._buffers[chunk.board].add(chunk.number, chunk.examples)
            self._chunks = max(self._chunks, chunk.number + 1)


def on_host(generator: torch.Generator) -> torch.Generator | None:
    """The generator of a single draw on the host: drawing it on the device would synchronise."""
    return generator if generator.device.type == "cpu" else None


def around(marked: Tensor) -> Tensor:
    """The marked cells of `bool[N, H, W]` and all around them."""
    if marked.device.type == "cuda":
        spread: Tensor = max_pool2d(marked.unsqueeze(1).half(), 3, 1, 1)
        return spread.squeeze(1) > 0
    # A CPU pools floats alone, and slowly.
    edged = pad(marked, (1, 1, 1, 1))
    tall = edged[:, :-2] | edged[:, 1:-1] | edged[:, 2:]
    return tall[:, :, :-2] | tall[:, :, 1:-1] | tall[:, :, 2:]
