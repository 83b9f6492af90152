"""The win rate of a network on its own device: thousands of boards at once, the same as those of `ludex eval`."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ludex.arena.statistics import wilson95
from ludex.games.minesweeper.agents.network import PlayStyle
from ludex.games.minesweeper.agents.search.start import opening
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import Lanes, game_seed
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.network import NetShape
from ludex.games.minesweeper.learning.tensor_lanes import PinnedCopy, threads_for
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.learn.ppo import FORBIDDEN, autocast
from ludex.learn.runs import Row

By = Literal["policy", "safety"]
"""Play the policy's first choice of the legal actions, or reveal the cell that the mine head rates safest."""


class Measured(NamedTuple):
    """Games of one board."""

    games: int
    won: int
    progress: float
    """The mean share of safe cells revealed."""
    steps: float
    invalid_share: float
    """The share of steps whose action was illegal, of all lanes."""
    wins: NDArray[np.bool_]
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
    won: list[NDArray[np.bool_]] = []
    steps = played = invalid = 0
    progress = 0.0
    num_lanes = min(lanes, games)
    while played < games:
        boards = _open_games(cfg, [game_seed(seed, played + lane) for lane in range(num_lanes)])
        wins, obs, masks = boards.won.copy(), PinnedCopy(boards.obs, device), PinnedCopy(boards.mask, device)
        while not boards.over.all():
            with autocast(device, amp):
                logits, _, mine = evaluate(obs.read().float().contiguous(memory_format=torch.channels_last))
            score = logits[:, : cfg.num_actions] if by == "policy" else -mine.flatten(1)
            legal = masks.read()[:, : score.shape[1]]
            boards.step(score.float().masked_fill(~legal, FORBIDDEN).argmax(1).cpu().numpy())
            wins |= boards.won
            invalid += int(boards.invalid.sum())
        # The last batch has as many lanes as the others, so that all have one shape; surplus lanes are not counted.
        counted = min(num_lanes, games - played)
        won.append(wins[:counted])
        steps += int(boards.plies[:counted].sum())
        progress += float((boards.opened[:counted] / (cfg.cells - boards.mines[:counted])).sum())
        played += counted
    wins = np.concatenate(won)
    return Measured(games, int(wins.sum()), progress / games, steps / games, invalid / max(1, steps), wins)


def as_judged(cfg: EnvConfig, net: NetShape, flags: bool | None = None) -> EnvConfig:
    """An environment that shows what a network observes, played as it was judged unless `flags` says otherwise."""
    style = net.style if flags is None else PlayStyle(**{**net.style.model_dump(), "flags": flags})
    update = {**net.shown.model_dump(), **style.model_dump(exclude={"flags"}), "reveal_only": not style.flags}
    update["keep_flags"] = style.keep_flags and style.flags
    return cfg.model_copy(update=update)


def measure_boards(
    config: MinesweeperConfig, net: nn.Module, games: int, seed: int, device: torch.device, *, amp: bool = True
) -> Iterator[Row]:
    """Measure a network while it is trained, on every board with each start rule; yields a row of figures for each."""
    net.eval()
    for board in config.all_boards:
        for start in config.all_starts:
            measured = measure(
                lambda planes: net(planes, return_mine=True),
                config.environment(board, start),
                games,
                seed,
                device,
                amp=amp,
            )
            yield {"board": board.name, "start": start, **measured.figures()}
    net.train()


def _open_games(cfg: EnvConfig, seeds: list[int]) -> Lanes:
    """The games of these seeds after their first reveal."""
    lanes = Lanes(cfg, len(seeds), threads=threads_for(len(seeds)), auto_reset=False)
    lanes.reset(seeds)
    untouched = (lanes.numbers == HIDDEN).all((1, 2))
    start_cells = lanes.start_cells
    first = np.where(start_cells >= 0, start_cells, opening(cfg.H, cfg.W, cfg.mine_count, cfg.start))
    lanes.step(np.where(untouched, first, REST))
    return lanes
