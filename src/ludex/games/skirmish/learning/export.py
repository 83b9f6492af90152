"""A trained network as ONNX, in the form that agents use: planes and vector in, logits and value out."""

from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor, nn

from ludex.games.skirmish.agents.network import INPUTS, OUTPUTS
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.geometry import geometry_of
from ludex.games.skirmish.learning.network import SkirmishNet
from ludex.games.skirmish.rules.engine.observation import PLANES, vector_length
from ludex.learn.export import playable, save_onnx


class PlayingNet(nn.Module):
    """A network that takes observations as the game makes them."""

    def __init__(self, net: SkirmishNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, planes: Tensor, vector: Tensor) -> tuple[Tensor, Tensor]:
        """Of `planes: float32[N, planes, cols, rows]` and `vector: float32[N, numbers]`."""
        logits, value = self.net(torch.cat((planes.flatten(1), vector), 1))
        return logits, value.clamp(-1.0, 1.0)


def agent_file(net: SkirmishNet, config: SkirmishConfig, games: dict[str, Skirmish]) -> bytes:
    """A run's network as the file that the network's agents play, for a checkpoint: for its first scenario."""
    copy = deepcopy(net).cpu()
    geometry = geometry_of(games[config.first_preset])
    copy.settle(geometry)
    planes = (torch.arange(2 * PLANES * geometry.cols * geometry.rows) % 5 == 0).float()
    batch = torch.export.Dim("batch", min=1)
    return playable(
        PlayingNet(copy),
        (planes.view(2, PLANES, geometry.cols, geometry.rows), torch.zeros(2, vector_length(geometry.unit_slots))),
        identity=f"skirmish {geometry.digest} {config.net.model_dump_json()}",
        inputs=INPUTS,
        outputs=OUTPUTS,
        shapes=({0: batch}, {0: batch}),
    )


def export_net(net: SkirmishNet, path: Path) -> None:
    """Write a network, for the scenario it is settled on and those with the same board and slots."""
    geometry = net.geometry
    batch = torch.export.Dim("batch", min=1)
    example = (
        torch.zeros(2, PLANES, geometry.cols, geometry.rows),
        torch.zeros(2, vector_length(geometry.unit_slots)),
    )
    save_onnx(PlayingNet(net), example, path, inputs=INPUTS, outputs=OUTPUTS, shapes=({0: batch}, {0: batch}))
