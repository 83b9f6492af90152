"""A trained network in files: weights to go on from, and ONNX with a card for the agent `zero`."""

import hashlib
import json
from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor, nn

from ludex.core.documents import write_text
from ludex.core.game import AnyGame
from ludex.learn.alphazero.network import AlphaZeroNet, NetSizes, expected_score, fuse
from ludex.learn.checkpoints import load_sized, save_sized
from ludex.learn.experiments import command_of
from ludex.learn.export import playable, save_onnx
from ludex.learn.runs import Row, Run

SIZES = "sizes"
INPUTS = ("observations",)
OUTPUTS = ("logits", "value")


class PlayingNet(nn.Module):
    """What a search needs of a network: logits of all actions and the expected score."""

    def __init__(self, net: AlphaZeroNet) -> None:
        super().__init__()
        self.net = AlphaZeroNet(net.sizes.playing(), fused=True).eval()
        fuse(net, self.net)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Of `observations: float32[N, C, H, W]` the logits `[N, A]` and, for the player to move, values `[N]`."""
        found = self.net(observations)
        return found.policy, expected_score(found.results)


def save_net(path: Path, net: AlphaZeroNet) -> None:
    """Write weights with the sizes of their network."""
    save_sized(path, net, SIZES, net.sizes)


def load_net(path: Path, device: torch.device, expected: NetSizes | None = None) -> AlphaZeroNet:
    """Read what `save_net` wrote. Raises `BadNet`, also if it is a network of other sizes than expected."""
    return load_sized(path, device, SIZES, NetSizes, AlphaZeroNet, expected)


def agent_file(net: AlphaZeroNet) -> bytes:
    """A network as the file that the agent `zero` plays, for a checkpoint."""
    sizes = net.sizes
    example = (torch.arange(2 * sizes.planes * sizes.rows * sizes.cols) % 3).float() / 2
    return playable(
        PlayingNet(deepcopy(net).cpu()),
        (example.view(2, sizes.planes, sizes.rows, sizes.cols),),
        identity=f"alphazero {sizes.playing().model_dump_json()}",
        inputs=INPUTS,
        outputs=OUTPUTS,
        shapes=({0: torch.export.Dim("batch", min=1)},),
    )


def export_net(net: AlphaZeroNet, path: Path, game: AnyGame, training: Row, run: Run) -> None:
    """Write a network as ONNX for any batch size, and its card beside it."""
    sizes = net.sizes
    playing = PlayingNet(net)
    example = torch.zeros(2, sizes.planes, sizes.rows, sizes.cols)
    batch = torch.export.Dim("batch", min=1)
    save_onnx(playing, (example,), path, inputs=INPUTS, outputs=OUTPUTS, shapes=({0: batch},))
    data, command = path.read_bytes(), command_of(run)
    kept = ("iterations", "steps", "games", "positions", "seconds", "device", "precision")
    card = {
        "name": path.stem,
        "game": game.info.id,
        "version": game.info.version,
        "presets": [game.info.preset],
        "plays_as": "zero",
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "architecture": describe(net),
        "trained_on": "games against itself by tree search, from the rules alone",
        "training": {key: training[key] for key in kept},
        "how": [] if command is None else [command],
    }
    write_text(path.with_suffix(".json"), json.dumps(card, indent=1) + "\n")


def describe(net: AlphaZeroNet) -> str:
    """The network in a sentence."""
    sizes = net.sizes
    pooled = f", means and maxima of the board in every {sizes.pooled_every}." if sizes.pooled_every else ""
    weights = sum(one.numel() for one in net.parameters())
    return (
        f"{sizes.planes} planes of {sizes.rows} x {sizes.cols}; {sizes.blocks} residual blocks of {sizes.channels} "
        f"channels{pooled}; heads for policy and result; {weights:,} weights, the large ones in half precision"
    )
