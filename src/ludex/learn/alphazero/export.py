"""A trained network in files: weights to go on from, and ONNX with a card for the agent `zero`."""

import hashlib
import json
import shlex
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from ludex.core.documents import write_text
from ludex.core.game import AnyGame
from ludex.core.registry import spec
from ludex.learn.alphazero.config import AlphaZeroConfig
from ludex.learn.alphazero.network import AlphaZeroNet, NetSizes, expected_score, fuse
from ludex.learn.config import load_config, parse_config
from ludex.learn.export import save_onnx
from ludex.learn.netfiles import load_sized, save_sized
from ludex.learn.playable import playable
from ludex.learn.runs import Row, Run

SIZES = "sizes"
INPUTS = ("observations",)
OUTPUTS = ("logits", "value")
CONFIGS = "ludex.learn.alphazero.configs"


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
    data = path.read_bytes()
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
        "how": [command(run)],
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


def command(run: Run) -> str:
    """The command that makes a run like this one: every value that its file does not give by itself."""
    from ludex.learn.alphazero.defaults import complete

    config = parse_config(AlphaZeroConfig, run.config_text, f"{run.name}/config.yaml")
    name = run.config_name
    file = load_config(AlphaZeroConfig, CONFIGS, name, {})
    board = {"preset": config.preset, "device": config.device, "precision": config.precision}
    sized = complete(spec(run.game), file.model_copy(update=board))
    changed = _differences(sized.model_dump(), config.model_dump())
    shown = {"preset": config.preset, "device": config.device, "minutes": config.minutes, **changed}
    flags = [text for key, value in shown.items() for text in _flag(key, value)]
    return shlex.join(["ludex", "train", run.game, "--config", name, *flags])


def _flag(key: str, value: Any) -> list[str]:
    text = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    if key == "minutes" and value is not None:
        return ["--minutes", text]
    return [f"--{key}", text] if key in ("preset", "device") else ["--set", f"{key}={text}"]


def _differences(base: dict[str, Any], other: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in other.items():
        if isinstance(value, dict):
            found |= _differences(base[key], value, f"{prefix}{key}.")
        elif value != base[key]:
            found[f"{prefix}{key}"] = value
    return found
