"""A ring buffer of demonstrations on the device; new ones replace the earliest."""

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from numpy.typing import NDArray
from torch import Tensor

from ludex.games.minesweeper.env.config import EnvRules
from ludex.games.minesweeper.learning.config import BoardConfig, Teacher
from ludex.games.minesweeper.learning.demonstrations import CERTAIN, Examples
from ludex.games.minesweeper.learning.masking import action_mask
from ludex.games.minesweeper.learning.network import OBS_DTYPES, Turn, encode, turns
from ludex.learn.distributed import ALONE, Group


class Held(NamedTuple):
    """Where a chunk is in the ring."""

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
        """bool[B, A]: the legal actions in an environment."""
        return action_mask(self.numbers >= 0, frontier=cfg.frontier_mask, reveal_only=cfg.reveal_only)


class Ring:
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
        self._forced = teacher == "forced_moves"
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
        self.held: deque[Held] = deque()

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
        for held, given in columns:
            held[places] = torch.from_numpy(given[:count]).to(self.device, non_blocking=True)
        self.held.append(Held(number, self.at, count))
        self.at = (self.at + count) % self.capacity
        self.filled = min(self.capacity, self.filled + count)
        while sum(one.length for one in self.held) - self.held[0].length >= self.capacity:
            self.held.popleft()

    def draw(self, count: int, generator: torch.Generator, group: Group = ALONE) -> Demonstration:
        """Random examples under one random symmetry of the board; in a group, this process's share of them."""
        rows = group.shard(torch.randint(0, self.filled, (count,), generator=generator, device=self.device))
        which = int(torch.randint(0, len(self._turns), (1,), generator=self._host(generator)))
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

    def _host(self, generator: torch.Generator) -> torch.Generator | None:
        """A symmetry is drawn on the host: drawing it on the device would synchronise."""
        return generator if generator.device.type == "cpu" else None
