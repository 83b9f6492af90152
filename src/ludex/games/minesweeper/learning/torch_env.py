"""The game on a device: all lanes at once in tensors; the only host synchronisation is whether a flood has ended.

Tests hold it equal to `Lanes`, given the same mines.
"""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d

from ludex.games.minesweeper.env.config import FLAGGED, EnvConfig
from ludex.games.minesweeper.learning.masking import action_mask, around
from ludex.games.minesweeper.learning.network import OBS_DTYPES, encode
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.learn.distributed import ALONE, Group

LANES: Final = {
    "mine": "mine",
    "counts": "counts",
    "revealed": "revealed",
    "flags": "flags",
    "mines": "mines",
    "steps": "steps",
    "over": "over",
    "laid": "mines_placed",
}
"""The attributes that hold the lanes, by their key in a checkpoint."""
FLOOD_STEPS: Final = 8
"""Steps of a flood between two checks of whether it has ended, which synchronise with the device; on a CPU, one."""


@dataclass(frozen=True, slots=True)
class Stepped:
    """The results of one step of N lanes."""

    reward: Tensor
    """float32[N]"""
    done: Tensor
    """bool[N]: the game has ended, by this step, as a win, a loss or out of steps."""
    won: Tensor
    """bool[N]"""
    truncated: Tensor
    """bool[N]: out of steps."""
    progress: Tensor
    """float32[N]: what of the reward is for cells revealed."""
    flagging: Tensor
    """float32[N]: what of the reward is for flags set and removed."""
    invalid: Tensor
    """bool[N]: the mask forbade the action."""


class TorchMinesweeper:
    """N boards of one configuration. With `auto_reset` a lane that ends begins a new game in the same step.

    Of a `group` each process has N lanes, and together they are the lanes that one process would have.
    """

    def __init__(
        self,
        cfg: EnvConfig,
        num_envs: int,
        device: torch.device,
        seed: int,
        *,
        auto_reset: bool = True,
        group: Group = ALONE,
    ) -> None:
        self.cfg = cfg
        self.num_envs = num_envs
        self.device = device
        self.generator = torch.Generator(device).manual_seed(seed & (2**63 - 1))
        self.auto_reset = auto_reset
        self._group = group
        self.frontier_mask = cfg.frontier_mask
        shape = (num_envs, cfg.H, cfg.W)
        self.mine = torch.zeros(shape, dtype=torch.bool, device=device)
        """[N, H, W]: nowhere before the first reveal."""
        self.counts = torch.zeros(shape, dtype=torch.int8, device=device)
        """[N, H, W]: how many neighbours are mines."""
        self.revealed = torch.zeros(shape, dtype=torch.bool, device=device)
        self.flags = torch.zeros(shape, dtype=torch.bool, device=device)
        self.mines = torch.zeros(num_envs, dtype=torch.int64, device=device)
        """[N]: how many the board has."""
        self.steps = torch.zeros(num_envs, dtype=torch.int64, device=device)
        self.over = torch.zeros(num_envs, dtype=torch.bool, device=device)
        self.mines_placed = torch.zeros(num_envs, dtype=torch.bool, device=device)
        """[N]: whether the mines are placed."""
        self._cells = torch.arange(cfg.cells, device=device)
        self.reset()

    def reset(self) -> None:
        """Begin a new game in every lane."""
        self._begin(torch.ones(self.num_envs, dtype=torch.bool, device=self.device))

    @property
    def numbers(self) -> Tensor:
        """int8[N, H, W], a new tensor: -1 where hidden, `FLAGGED` where there is a flag."""
        return torch.where(self.revealed, self.counts, torch.where(self.flags, FLAGGED, HIDDEN).to(torch.int8))

    def observe(self) -> Tensor:
        """[N, C, H, W] in the configured type and channels, see `encode`."""
        return encode(self.numbers, self.mines, self.cfg, OBS_DTYPES[self.cfg.obs_dtype])

    def mask(self) -> Tensor:
        """bool[N, A]: hidden cells may be revealed, with the frontier mask only those beside a number, and flagged."""
        return action_mask(self.revealed, frontier=self.frontier_mask, reveal_only=self.cfg.reveal_only)

    def step(self, actions: Tensor, also: Tensor | None = None) -> Stepped:
        """One action, `int64[N]`, in every lane; those that are over rest.

        `also: bool[N, H, W]` are more cells to reveal in the same step, on boards that are not untouched.
        """
        cfg, live = self.cfg, ~self.over
        inside = (actions >= 0) & (actions < cfg.num_actions)
        legal = inside & self.mask().gather(1, actions.clamp(0, cfg.num_actions - 1).unsqueeze(1)).squeeze(1)
        invalid, moved = live & ~legal, live & legal
        # Row 0 is what the action reveals, row 1 the flag that it toggles.
        one_hot = (torch.stack([self._cells, self._cells + cfg.cells]) == actions.view(-1, 1, 1)) & moved.view(-1, 1, 1)
        chosen, toggled = one_hot.view(-1, 2, cfg.H, cfg.W).unbind(1)
        untouched = ~self.revealed.flatten(1).any(1)
        worth_before = self._flags_worth(~untouched)
        if also is not None:
            chosen = chosen | (also & ~self.revealed & (moved & ~untouched).view(-1, 1, 1))
        self._draw_mines(chosen.flatten(1).any(1) & untouched, chosen)
        before = self.revealed.flatten(1).sum(1)
        lost = (chosen & self.mine).flatten(1).any(1)
        self.flags = (self.flags ^ toggled) & ~chosen
        self.revealed |= self._flood(chosen & ~self.mine)
        opened = self.revealed.flatten(1).sum(1)
        won = live & ~lost & (opened == cfg.cells - self.mines)
        self.steps += live
        ended = lost | won
        truncated = live & ~ended & (self.steps >= cfg.max_steps)
        progress = cfg.progress_reward * (opened - before).float()
        flagging = self._flags_worth((opened > 0) | lost) - worth_before
        reward = progress + flagging + cfg.win_reward * won + cfg.loss_reward * lost
        reward = reward - cfg.step_penalty * (moved & ~ended) - cfg.invalid_penalty * invalid
        done = ended | truncated
        if self.auto_reset:
            self._begin(done)
        else:
            self.over = self.over | done
        return Stepped(reward.float(), done, won, truncated, progress, flagging, invalid)

    def place_mines(self, mine: Tensor) -> None:
        """Place given mines `bool[N, H, W]` on untouched boards, instead of drawing them at the first reveal."""
        self.mine = mine.clone()
        self.counts = self._count(mine)
        self.mines = mine.flatten(1).sum(1)
        self.mines_placed = torch.ones_like(self.over)

    def state(self) -> dict[str, Tensor]:
        """What `restore` resumes from: the lanes of all processes, and the generator."""
        lanes = {
            key: self._group.all_gather(getattr(self, name).unsqueeze(0)).squeeze(0) for key, name in LANES.items()
        }
        return {**lanes, "generator": self.generator.get_state()}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Resume from `state`, with the same total number of lanes; each process takes its own share."""
        first = self._group.rank * self.num_envs
        for key, name in LANES.items():
            setattr(self, name, state[key][first : first + self.num_envs].to(self.device))
        self.generator.set_state(state["generator"].cpu())

    def _begin(self, which: Tensor) -> None:
        cfg, wide = self.cfg, which.view(-1, 1, 1)
        least, most = cfg.mine_bounds
        drawn = self._group.randint(least, most + 1, self.num_envs, generator=self.generator, device=self.device)
        self.mines = torch.where(which, drawn, self.mines)
        self.mine = self.mine & ~wide
        self.revealed = self.revealed & ~wide
        self.flags = self.flags & ~wide
        self.steps = self.steps.masked_fill(which, 0)
        self.over = self.over & ~which
        self.mines_placed = self.mines_placed & ~which
        if cfg.random_first_click:
            self._open_random(which)

    def _open_random(self, which: Tensor) -> None:
        """Reveal a random cell of the boards that begin, unless that would end the game."""
        cells = self._group.randint(0, self.cfg.cells, self.num_envs, generator=self.generator, device=self.device)
        chosen = (self._cells == cells.view(-1, 1)).view_as(self.revealed) & which.view(-1, 1, 1)
        self._draw_mines(which, chosen)
        flooded = self._flood(chosen & ~self.mine)
        count = flooded.flatten(1).sum(1)
        ends = which & ((count == 0) | (count == self.cfg.cells - self.mines))
        self.revealed = self.revealed | (flooded & ~ends.view(-1, 1, 1))
        self.mine = self.mine & ~ends.view(-1, 1, 1)
        self.mines_placed = self.mines_placed & ~ends

    def _draw_mines(self, which: Tensor, first: Tensor) -> None:
        """Place the mines of some lanes for their first reveal: the cells with the largest random keys."""
        which = which & ~self.mines_placed
        keys = self._group.rand(self.num_envs, self.cfg.cells, generator=self.generator, device=self.device)
        start = self.cfg.start
        if start != "none":
            kept = around(first) if start == "zero" else first
            keys = keys.masked_fill(kept.flatten(1), -1.0)
        drawn = torch.zeros_like(self.mine).flatten(1)
        drawn.scatter_(1, keys.argsort(dim=1, descending=True), self._cells < self.mines.view(-1, 1))
        wide = which.view(-1, 1, 1)
        self.mine = torch.where(wide, drawn.view_as(self.mine), self.mine)
        self.counts = torch.where(wide, self._count(self.mine), self.counts)
        self.mines_placed = self.mines_placed | which

    def _flags_worth(self, placed: Tensor) -> Tensor:
        """float32[N]: the worth of the flags on boards whose mines are placed; steps pay the difference."""
        cfg = self.cfg
        if cfg.reveal_only or not cfg.use_flag_shaping:
            return torch.zeros(self.num_envs, device=self.device)
        flags = self.flags & placed.view(-1, 1, 1)
        right = (flags & self.mine).flatten(1).sum(1)
        wrong = flags.flatten(1).sum(1) - right
        return cfg.flag_correct_reward * right + cfg.flag_incorrect_reward * wrong

    def _flood(self, opened: Tensor) -> Tensor:
        """The cells that open from some cells: a zero opens its neighbours, but none with a flag."""
        zero, shut = (self.counts == 0) & ~self.mine & ~self.revealed, ~self.revealed & ~self.flags
        while True:
            begun = opened
            for _ in range(1 if self.device.type == "cpu" else FLOOD_STEPS):
                opened = opened | (around(opened & zero) & shut)
            if bool((opened == begun).all()):
                return opened

    def _count(self, mine: Tensor) -> Tensor:
        counted = avg_pool2d(mine.unsqueeze(1).float(), 3, 1, 1, divisor_override=1).squeeze(1)
        return counted.to(torch.int8) - mine.to(torch.int8)
