"""A trained network in files: weights to go on from, and ONNX with a card for the agent `zero`."""

import hashlib
import json
from pathlib import Path

import torch
from torch import Tensor, nn

from ludex.core.documents import write_bytes, write_text
from ludex.core.game import AnyGame
from ludex.learn.alphazero.network import AlphaZeroNet, NetSizes, expected_score, fuse
from ludex.learn.alphazero.selfplay import SCORES, Scale
from ludex.learn.checkpoints import load_sized, save_sized
from ludex.learn.experiments import command_of
from ludex.learn.export import Input, PlayingNet, playable
from ludex.learn.runs import Row, Run

SIZES = "sizes"
"""The key of a network's sizes in its file."""


def playing_net(net: AlphaZeroNet, scale: Scale = SCORES) -> PlayingNet:
    """What the agent `zero` plays: logits of all actions and the value for the player to move.

    The scale of the values is in the file's metadata, where they are not scores.
    """
    sizes = net.sizes.playing()
    fused = AlphaZeroNet(sizes, fused=True)
    fuse(net, fused)
    numbers = (torch.arange(2 * sizes.planes * sizes.rows * sizes.cols) % 3).float() / 2
    example = numbers.view(2, sizes.planes, sizes.rows, sizes.cols)
    inputs, outputs = [Input("observations", example)], ("logits", "value")
    metadata = {} if scale == SCORES else {name: repr(value) for name, value in scale._asdict().items()}
    identity = f"alphazero {sizes.model_dump_json()}"
    return PlayingNet(fused, _play, inputs=inputs, outputs=outputs, identity=identity, metadata=metadata)


def _play(net: nn.Module, observations: Tensor) -> tuple[Tensor, Tensor]:
    """Of `observations: float32[N, C, H, W]` the logits `[N, A]` and, for the player to move, values `[N]`."""
    prediction = net(observations)
    return prediction.policy, expected_score(prediction.results)


def save_net(path: Path, net: AlphaZeroNet) -> None:
    """Write weights with the sizes of their network."""
    save_sized(path, net, SIZES, net.sizes)


def load_net(path: Path, device: torch.device, expected: NetSizes | None = None) -> AlphaZeroNet:
    """Read what `save_net` wrote. Raises `BadNet`, also if it is a network of other sizes than expected."""
    return load_sized(path, device, SIZES, NetSizes, AlphaZeroNet, expected)


def export_net(net: AlphaZeroNet, path: Path, game: AnyGame, training: Row, run: Run, scale: Scale = SCORES) -> None:
    """Write a network as ONNX for any batch size, and its card beside it, which says what it learned from."""
    data, command = playable(playing_net(net, scale)), command_of(run)
    write_bytes(path, data)
    first = "games of mcts, then " if training.get("demonstrations") else ""
    facts = ("iterations", "steps", "games", "positions", "seconds", "device", "precision")
    card = {
        "name": path.stem,
        "game": game.info.id,
        "version": game.info.version,
        "presets": [game.info.preset],
        "plays_as": "zero",
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "architecture": describe(net),
        "trained_on": f"{first}games against itself by tree search",
        "training": {key: training[key] for key in facts},
        "how": [] if command is None else [command],
    }
    write_text(path.with_suffix(".json"), json.dumps(card, indent=1) + "\n")


def describe(net: AlphaZeroNet) -> str:
    """The network in a sentence."""
    sizes = net.sizes
    pooled = f", means and maxima of the board in every {sizes.pooled_every}." if sizes.pooled_every else ""
    count = sum(weights.numel() for weights in net.parameters())
    return (
        f"{sizes.planes} planes of {sizes.rows} x {sizes.cols}; {sizes.blocks} residual blocks of {sizes.channels} "
        f"channels{pooled}; heads for policy and result; {count:,} weights, the large ones in half precision"
    )
