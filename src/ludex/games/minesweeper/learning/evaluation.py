"""The win rate of a network on its own device: thousands of boards at once, the same as those of `ludex eval`."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ludex.arena.statistics import wilson95
from ludex.games.minesweeper.agents.search.start import opening
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes, game_seed
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.torch_env import TorchMinesweeper
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.learn.ppo import FORBIDDEN, autocast
from ludex.learn.runs import Row

By = Literal["policy", "safety"]
"""Play the policy's first choice of the legal actions, or reveal the cell that the mine head rates safest."""
CHECK_EVERY = 8
"""Steps between two checks of whether all games have ended, which synchronise with the device."""


class Measured(NamedTuple):
    """Games of one board."""

    games: int
    won: int
    progress: float
    """The mean share of safe cells revealed."""
    steps: float
    invalid_share: float
    """The share of steps whose action was illegal, of all lanes."""
    wins: Tensor
    """bool[games]: which were won; game g's board is that of the match of seed `game_seed(seed, g)`."""

    @property
    def win_rate(self) -> float:
        return self.won / self.games

    @property
    def ci95(self) -> tuple[float, float]:
        return wilson95(self.win_rate, self.games)

    def figures(self) -> Row:
        """The figures for metrics and documents."""
        return {
            "win_rate": self.win_rate,
            "ci95": list(self.ci95),
            "avg_progress": self.progress,
            "steps_to_outcome": self.steps,
            "invalid_share": self.invalid_share,
        }


@torch.no_grad()
def measure(
    evaluate: Callable[[Tensor], tuple[Tensor, ...]],
    cfg: EnvConfig,
    games: int,
    seed: int,
    device: torch.device,
    *,
    by: By = "policy",
    lanes: int = 2048,
    amp: bool = True,
) -> Measured:
    """Let a network, `planes -> (policy logits, value, mine logits)`, play fresh games to their end.

    The first cell is the solvers' opening, unless the board begins with a random cell revealed. An evaluation of the
    same seed, of any agent that opens there, has the same boards.
    """
    won = steps = played = 0
    invalid = torch.zeros((), device=device)
    progress = 0.0
    wins: list[Tensor] = []
    lanes = min(lanes, games)
    while played < games:
        env, victories = _opened(cfg, [game_seed(seed, played + lane) for lane in range(lanes)], device)
        turn = 0
        while True:
            with autocast(device, amp):
                logits, _, mine = evaluate(env.observe().float().contiguous(memory_format=torch.channels_last))
            score = logits[:, : cfg.num_actions] if by == "policy" else -mine.flatten(1)
            mask = env.mask()[:, : score.shape[1]]
            step = env.step(score.float().masked_fill(~mask, FORBIDDEN).argmax(1))
            victories |= step.won
            invalid = invalid + step.invalid.sum()
            turn += 1
            if turn % CHECK_EVERY == 0 and bool(env.over.all()):
                break
        # The last batch has as many lanes as the others, so that all have one shape; surplus lanes are not counted.
        counted = min(lanes, games - played)
        won += int(victories[:counted].sum())
        wins.append(victories[:counted])
        steps += int(env.steps[:counted].sum())
        opened = env.revealed.flatten(1).sum(1)[:counted] / (cfg.cells - env.mines[:counted])
        progress += float(opened.sum())
        played += counted
    return Measured(games, won, progress / games, steps / games, int(invalid) / max(1, steps), torch.cat(wins))


def measure_boards(
    config: MinesweeperConfig, net: nn.Module, games: int, seed: int, device: torch.device, *, amp: bool = True
) -> Iterator[Row]:
    """Measure a network while it is trained, on every board with each start rule; yields a row of figures for each."""
    net.eval()
    for board in config.all_boards:
        for start in config.all_starts:
            found = measure(
                lambda planes: net(planes, return_mine=True),
                config.environment(board, start),
                games,
                seed,
                device,
                amp=amp,
            )
            yield {"board": board.name, "start": start, **found.figures()}
    net.train()


def _opened(cfg: EnvConfig, seeds: list[int], device: torch.device) -> tuple[TorchMinesweeper, Tensor]:
    """The games of these seeds after their first reveal, on the device, and `bool[N]`, which are won by it."""
    lanes = Lanes(cfg, len(seeds), auto_reset=False)
    lanes.reset(seeds)
    untouched = (lanes.numbers == HIDDEN).all((1, 2))
    lanes.step(np.where(untouched, opening(cfg.H, cfg.W, cfg.mine_count, cfg.start), REST))
    env = TorchMinesweeper(cfg, len(seeds), device, seed=0, auto_reset=False)
    env.place_mines(torch.from_numpy(lanes.mine_mask).to(device))
    env.revealed = torch.from_numpy(lanes.numbers != HIDDEN).to(device)
    env.steps = torch.from_numpy(lanes.plies.astype(np.int64)).to(device)
    env.over = torch.from_numpy(lanes.over.copy()).to(device)
    return env, torch.from_numpy(lanes.won.copy()).to(device)
