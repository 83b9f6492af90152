"""A trained network as ONNX, in the form that agents use: numbers in, probabilities out."""

from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor, nn

from ludex.games.minesweeper.agents.network import INPUTS, OUTPUTS
from ludex.games.minesweeper.env.config import Channels
from ludex.games.minesweeper.learning.config import MinesweeperConfig
from ludex.games.minesweeper.learning.network import COUNTS, encode, shape_of
from ludex.learn.export import playable, save_onnx


class PlayingNet(nn.Module):
    """A network with encoding before and probabilities after it."""

    def __init__(self, net: nn.Module, shown: Channels = COUNTS) -> None:
        super().__init__()
        self.net = net
        self.shown = shown

    def forward(self, numbers: Tensor, mines: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of `numbers: float32[N, H, W]`, -1 where hidden, and `mines: float32[N]`.

        Logits of the reveals `[N, H, W]`, the win probability `[N]`, and that each cell is a mine `[N, H, W]`.
        """
        logits, value, mine = self.net(encode(numbers, mines, self.shown), return_mine=True)
        reveals = logits.unflatten(1, (2, *numbers.shape[1:]))[:, 0]
        return reveals, value.clamp(0.0, 1.0), torch.sigmoid(mine.squeeze(1))


def agent_file(net: nn.Module, config: MinesweeperConfig) -> bytes:
    """A run's network as the file that the agent `net` plays, for a checkpoint."""
    shown = config.env.shown
    numbers = (torch.arange(2 * 7 * 9) % 10).float().view(2, 7, 9) - 1
    batch, rows, cols = (torch.export.Dim(name, min=1) for name in ("batch", "rows", "cols"))
    return playable(
        PlayingNet(deepcopy(net).cpu(), shown),
        (numbers, torch.full((2,), 9.0)),
        identity=f"minesweeper {shape_of(config.model, shown).model_dump_json()}",
        inputs=INPUTS,
        outputs=OUTPUTS,
        shapes=({0: batch, 1: rows, 2: cols}, {0: batch}),
    )


def export_net(net: nn.Module, path: Path, shown: Channels = COUNTS) -> None:
    """Write a network that observes these channels to a file, for any batch and board size. It plays without flags."""
    batch, rows, cols = (torch.export.Dim(name, min=1) for name in ("batch", "rows", "cols"))
    save_onnx(
        PlayingNet(net, shown),
        (torch.full((2, 7, 9), -1.0), torch.full((2,), 9.0)),
        path,
        inputs=INPUTS,
        outputs=OUTPUTS,
        shapes=({0: batch, 1: rows, 2: cols}, {0: batch}),
    )
