"""Networks from configurations and files."""

from pathlib import Path

import torch
from torch import nn

from ludex.games.minesweeper.learning.config import ModelConfig
from ludex.games.minesweeper.models import PLANES, CNNPolicy, ResidualPolicy
from ludex.learn.netfiles import load_sized, save_sized


def build(model: ModelConfig) -> nn.Module:
    """A network with random weights."""
    if model.kind == "cnn":
        return CNNPolicy(PLANES, model.width)
    return ResidualPolicy(PLANES, model.width, model.depth)


def save_net(path: Path, net: nn.Module, model: ModelConfig) -> None:
    """Write weights with the shape of the network they are of."""
    save_sized(path, net, "model", model)


def load_net(path: Path, device: torch.device, expected: ModelConfig | None = None) -> nn.Module:
    """Read what `save_net` wrote. Raises `BadNet` if it is another network than expected."""
    return load_sized(path, device, "model", ModelConfig, build, expected)
