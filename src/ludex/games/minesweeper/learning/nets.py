"""Networks from configurations and files."""

from pathlib import Path
from typing import Any

import torch
from torch import nn

from ludex.core.errors import BadNet
from ludex.games.minesweeper.learning.config import ModelConfig
from ludex.games.minesweeper.models import PLANES, CNNPolicy, ResidualPolicy
from ludex.learn.checkpoints import load_tensors, save_tensors


def build(model: ModelConfig) -> nn.Module:
    """A network with random weights."""
    if model.kind == "cnn":
        return CNNPolicy(PLANES, model.width)
    return ResidualPolicy(PLANES, model.width, model.depth)


def save_net(path: Path, net: nn.Module, model: ModelConfig) -> None:
    """Write weights with the shape of the network they are of."""
    save_tensors(path, {"model": model.model_dump(), "net": net.state_dict()})


def load_net(path: Path, device: torch.device, expected: ModelConfig | None = None) -> nn.Module:
    """Read what `save_net` wrote. Raises `BadNet` if it is another network than expected."""
    held: dict[str, Any] = load_tensors(path, device)
    if set(held) != {"model", "net"}:
        raise BadNet(f"{path}: expected 'model' and 'net', found {', '.join(sorted(held)) or 'nothing'}")
    found = ModelConfig.model_validate(held["model"])
    if expected is not None and found != expected:
        raise BadNet(f"{path}: a network of {found!r}, expected {expected!r}")
    net = build(found).to(device)
    net.load_state_dict(held["net"])
    return net
