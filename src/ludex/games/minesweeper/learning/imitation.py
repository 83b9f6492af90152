"""Stage A: the network learns what the solver knows of states that the solver met."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, max_pool2d, mse_loss

from ludex.core.errors import BadRun
from ludex.games.minesweeper.learning.config import MinesweeperConfig, env_of
from ludex.games.minesweeper.learning.demonstration_buffer import Demonstration, Ring
from ludex.games.minesweeper.learning.demonstration_source import Chunk, ExampleSource, StoredSource, WorkingSource
from ludex.games.minesweeper.learning.evaluation import measure
from ludex.games.minesweeper.learning.network import encode
from ludex.learn.checkpoints import save_checkpoint
from ludex.learn.device import optimized_for
from ludex.learn.distributed import ALONE, Group, current
from ludex.learn.netfiles import give_weights
from ludex.learn.ppo import FORBIDDEN, autocast, cosine
from ludex.learn.runs import Row, Run

INLAND = 0.1
"""The weight of a hidden cell that no number touches, of which there is little to know."""
PARTS = ("mine_loss", "policy_loss", "value_loss")


def demonstration_losses(answer: tuple[Tensor, ...], demonstration: Demonstration, group: Group = ALONE) -> Tensor:
    """float32[3]: the losses of mine probabilities, of moves and of the value.

    In a group, the means over its processes are the losses of all their demonstrations together.
    """
    logits, value, mine_logits = answer[0].float(), answer[1].float(), answer[2].float().squeeze(1)
    hidden = demonstration.numbers < 0
    touched = max_pool2d((~hidden).float().unsqueeze(1), 3, 1, 1).squeeze(1) > 0
    weight = torch.where(touched, 1.0, INLAND) * hidden
    missed = binary_cross_entropy_with_logits(mine_logits, demonstration.chance, reduction="none")
    mine = (missed * weight).sum() / group.mean(weight.sum())
    reveals = logits[:, : hidden[0].numel()].masked_fill(~hidden.flatten(1), FORBIDDEN)
    # Any good cell is as good as another: what counts is the probability of all of them together.
    good = reveals.masked_fill(~demonstration.good.flatten(1), FORBIDDEN)
    move = (reveals.logsumexp(1) - good.logsumexp(1)).mean()
    return torch.stack([mine, move, mse_loss(value, demonstration.won)])


class Imitation:
    """A run's stage A, from the beginning or from a checkpoint."""

    def __init__(self, config: MinesweeperConfig, run: Run, net: nn.Module, device: torch.device) -> None:
        self._config, self._run, self._net, self._device = config, run, net, device
        self._group = current()
        cfg = config.imitation
        self._optimizer = torch.optim.AdamW(
            net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay, fused=device.type == "cuda"
        )
        self._schedule = cosine(self._optimizer, cfg.steps, cfg.warmup_steps)
        self._generator = torch.Generator(device).manual_seed(config.seed & (2**63 - 1))
        self._source = ExampleSource(config) if cfg.dataset is None else StoredSource(config, Path(cfg.dataset))
        self._in_order = cfg.workers == 1 or cfg.dataset is not None
        """Whether chunks come in the order of their numbers, and so can be reproduced."""
        self._rings = [Ring(board, cfg.ring, device) for board in config.boards]
        self._weights = torch.tensor([board.weight for board in config.boards])
        self._shares = torch.tensor([cfg.mine_weight, cfg.policy_weight, cfg.value_weight], device=device)
        self._optimized_net = optimized_for(device, net, compiled=config.ppo.compile)
        self._losses = torch.zeros(len(PARTS), device=device)
        """Summed since the last row of metrics."""
        self._step = 0
        self._chunks = 0
        self._seen = 0

    def restore(self, state: Row, held: dict[str, Any]) -> None:
        """Resume from a checkpoint. The contents of the rings are made or read again, if chunks came in order."""
        give_weights(self._net, held["net"], f"run {self._run.name!r}", BadRun)
        self._optimizer.load_state_dict(held["optimizer"])
        self._schedule.load_state_dict(held["schedule"])
        self._generator.set_state(held["generator"].cpu())
        self._losses = held["losses"].to(self._device)
        self._step, self._chunks, self._seen = (int(str(state[name])) for name in ("step", "chunks", "seen"))
        if self._in_order:
            for ring, (begin, numbers) in zip(self._rings, held["rings"], strict=True):
                ring.at = begin
                for number in numbers:
                    ring.add(number, self._source.make(number).examples)

    def train(self, advance: Callable[[int], None]) -> None:
        """Learn to the end, with logs, measurements and checkpoints on the way."""
        cfg = self._config.imitation
        advance(self._step)
        with self._chunks_at_hand() as refill:
            begin, first = time.perf_counter(), self._step
            while self._step < cfg.steps:
                refill()
                self._losses += self._update()
                self._step += 1
                advance(1)
                if self._step % cfg.log_every == 0:
                    speed = (self._step - first) / (time.perf_counter() - begin)
                    self._log(self._losses / cfg.log_every, speed)
                    self._losses = torch.zeros_like(self._losses)
                if self._step % cfg.eval_every == 0 or self._step == cfg.steps:
                    self.evaluate()
                if self._step % cfg.checkpoint_every == 0 or self._step == cfg.steps:
                    self._checkpoint()

    def evaluate(self) -> None:
        """Measure the network on every board with each start rule."""
        if not self._group.is_main:
            return
        config, cfg = self._config, self._config.imitation
        self._net.eval()
        for board in config.boards:
            for start in config.starts:
                env = env_of(config.env, board, start, 0.0)
                found = measure(
                    lambda planes: self._net(planes, return_mine=True), env, cfg.eval_games, self._step, self._device
                )
                place: Row = {"stage": "il", "step": self._step, "board": board.name, "start": start}
                self._run.log({**place, **found.figures()})
        self._net.train()

    def _update(self) -> Tensor:
        config, cfg = self._config, self._config.imitation
        which = int(torch.multinomial(self._weights, 1, generator=self._host()))
        board, ring = config.boards[which], self._rings[which]
        count = max(1, cfg.batch_cells // (board.H * board.W))
        count += -count % self._group.size
        demonstration = ring.draw(count, self._generator, self._group)
        planes = encode(demonstration.numbers, demonstration.mines).contiguous(memory_format=torch.channels_last)
        with autocast(self._device, config.ppo.amp):
            answer = self._optimized_net(planes, return_mine=True)
        losses = demonstration_losses(answer, demonstration, self._group)
        self._optimizer.zero_grad(set_to_none=True)
        (losses * self._shares).sum().backward()  # type: ignore[no-untyped-call]
        self._group.average_gradients(self._net)
        nn.utils.clip_grad_norm_(self._net.parameters(), cfg.max_grad_norm)
        self._optimizer.step()
        self._schedule.step()
        self._seen += count
        return self._group.mean(losses.detach())

    def _host(self) -> torch.Generator | None:
        return self._generator if self._device.type == "cpu" else None

    @contextmanager
    def _chunks_at_hand(self) -> Iterator[Callable[[], None]]:
        """Fill the rings for the first update, and yield the function that refills them before each update."""
        cfg = self._config.imitation
        needed = cfg.chunks_ahead * len(self._rings)
        if self._in_order:

            def refill() -> None:
                # Every board has its chunks first, whatever its weight.
                while any(len(ring.held) == 0 for ring in self._rings) or self._chunks < needed + (
                    self._step // cfg.steps_per_chunk
                ):
                    self._take(self._source.make(self._chunks))

            yield refill
            return
        # The processes of a group share the chunks out, and each keeps its own.
        group = self._group
        workers = WorkingSource(self._source, self._chunks + group.rank, cfg.workers, every=group.size)
        try:
            while any(len(ring.held) < cfg.chunks_ahead for ring in self._rings):
                self._take(workers.take(wait=True))

            def refill() -> None:
                self._take(workers.take(wait=False))

            yield refill
        finally:
            workers.close()

    def _take(self, chunk: Chunk | None) -> None:
        if chunk is not None:
            self._rings[chunk.board].add(chunk.number, chunk.examples)
            self._chunks = max(self._chunks, chunk.number + 1)

    def _log(self, losses: Tensor, speed: float) -> None:
        if not self._group.is_main:
            return
        cfg = self._config.imitation
        values = losses.tolist()
        self._run.log(
            {
                "stage": "il",
                "step": self._step,
                **dict(zip(PARTS, values, strict=True)),
                "lr": float(self._schedule.get_last_lr()[0]),
                "updates_per_second": speed,
                "examples_seen": self._seen,
                "examples_made": sum(ring.filled for ring in self._rings),
                "chunks": self._chunks,
                "eta_seconds": (cfg.steps - self._step) / speed,
            }
        )

    def _checkpoint(self) -> None:
        self._group.check_alike(self._net)
        chunks = self._group.largest(self._chunks)
        if not self._group.is_main:
            return
        rings = [(ring.held[0].begin if ring.held else 0, [one.number for one in ring.held]) for ring in self._rings]
        save_checkpoint(
            self._run,
            {
                "at": f"il-{self._step:07d}",
                "stage": "il",
                "step": self._step,
                "chunks": chunks,
                "seen": self._seen,
            },
            {
                "net": self._net.state_dict(),
                "optimizer": self._optimizer.state_dict(),
                "schedule": self._schedule.state_dict(),
                "generator": self._generator.get_state(),
                "rings": rings,
                "losses": self._losses,
            },
        )
