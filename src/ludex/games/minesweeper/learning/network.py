"""The networks: the document's small one, and a residual one that plays well. Boards of any size, any batch."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn.functional import max_pool2d

from ludex.games.minesweeper.agents.network import INPUTS, PlayStyle, outputs_of, style_metadata
from ludex.games.minesweeper.env.config import FLAGGED, MINES_UNIT, Channels
from ludex.games.minesweeper.learning.config import ModelConfig
from ludex.learn.checkpoints import load_sized, save_sized, sizes_of
from ludex.learn.export import Input, PlayingNet

COUNTS: Final = Channels(mine_share_channel=True, mine_count_channel=True)
"""The channels of the network that ships."""
PLANES: Final = COUNTS.channels
PLAIN: Final = PlayStyle()
"""Without flags, from the solvers' opening: how the network that ships plays."""
OBS_DTYPES: Final = {"uint8": torch.uint8, "float16": torch.float16, "float32": torch.float32}
"""The types of observations by their name in a configuration."""

Outputs: TypeAlias = tuple[Tensor, Tensor, Tensor]
"""Policy logits, value and mine logits."""


class NetShape(ModelConfig):
    """What a file of weights says about its network. Files without channels are of networks that have `COUNTS`."""

    shown: Channels = COUNTS
    style: PlayStyle = PLAIN
    """No part of the network: how the agent that plays it was judged."""


def encode(numbers: Tensor, mines: Tensor, shown: Channels = COUNTS, dtype: torch.dtype = torch.float32) -> Tensor:
    """Planes `[N, C, H, W]`, the environment's observation, of `numbers: [N, H, W]` and of the boards' `mines: [N]`.

    A number is -1 where a cell is hidden and `FLAGGED` where it is hidden and has a flag.
    """
    at = numbers.unsqueeze(1)
    values = torch.arange(9, device=numbers.device, dtype=numbers.dtype).view(1, 9, 1, 1)
    revealed, flags = at >= 0, at == FLAGGED
    planes = [revealed.to(dtype), flags.to(dtype), (at == values).to(dtype)]
    if shown.frontier_channel:
        planes.append((max_pool2d(revealed.float(), 3, 1, 1) * ~revealed).to(dtype))
    opened, hidden = revealed.sum((1, 2, 3)), (~revealed).sum((1, 2, 3))
    levels: list[Tensor] = []
    if shown.remaining_mines_channel:
        levels.append((mines - flags.sum((1, 2, 3))).clamp(min=0) / mines)
    if shown.progress_channel:
        levels.append(opened / (opened + hidden - mines))
    if shown.mine_share_channel:
        levels.append(mines / hidden.clamp(min=1))
    if shown.mine_count_channel:
        levels.append(mines / MINES_UNIT)
    planes += [level.to(dtype).view(-1, 1, 1, 1).expand(-1, -1, *numbers.shape[1:]) for level in levels]
    return torch.cat(planes, 1)


class CNNPolicy(nn.Module):
    """The original document's network: three convolutions, 32, 64 and `hidden` channels wide."""

    def __init__(self, in_channels: int, hidden: int = 64) -> None:
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(in_channels, 32, 3, padding=1),
            nn.ReLU(),
            nn.GroupNorm(4, 32),
            nn.Conv2d(32, 64, 3, padding=1),
            nn.ReLU(),
            nn.GroupNorm(8, 64),
            nn.Conv2d(64, hidden, 3, padding=1),
            nn.ReLU(),
        )
        self.policy_head = nn.Conv2d(hidden, 2, 1)
        self.value_head = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(hidden, 64), nn.ReLU(), nn.Linear(64, 1)
        )
        self.mine_head = nn.Conv2d(hidden, 1, 1)

    def forward(self, x: Tensor, return_mine: bool = False) -> tuple[Tensor, ...]:
        features = self.backbone(x)
        # Row-major without a permute: 0..HW-1 reveal, HW..2HW-1 flag, as actions are numbered.
        policy_logits = self.policy_head(features).flatten(1)
        value = self.value_head(features).squeeze(-1)
        if return_mine:
            return policy_logits, value, self.mine_head(features)
        return policy_logits, value


class ResidualBlock(nn.Module):
    """Two convolutions whose sum with the input begins as the input: the gain is learned, from 0 on."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1)
        self.second = nn.Conv2d(width, width, 3, padding=1)
        self.gain = nn.Parameter(torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        added: Tensor = self.second(torch.relu(self.first(torch.relu(x))))
        return x + self.gain * added


class GlobalBias(nn.Module):
    """Adds a bias from sums over the whole board: the number of mines left links cells far apart."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.mixed = nn.Linear(width, width)
        self.gain = nn.Parameter(torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        total = torch.relu(x).sum((2, 3)) / MINES_UNIT
        added: Tensor = self.mixed(total)
        return x + (self.gain * added).unsqueeze(-1).unsqueeze(-1)


class ResidualPolicy(nn.Module):
    """Residual blocks without normalisation, every third followed by a `GlobalBias`.

    A reveal's logit is how surely the cell is safe plus what the policy head adds to that, so that an untrained head
    already plays the safest cell. The mine head is not moved by the policy's losses.
    """

    def __init__(self, in_channels: int, width: int = 64, depth: int = 12) -> None:
        super().__init__()
        self.stem = nn.Conv2d(in_channels, width, 3, padding=1)
        layers: list[nn.Module] = []
        for block in range(1, depth + 1):
            layers.append(ResidualBlock(width))
            if block % 3 == 0:
                layers.append(GlobalBias(width))
        self.backbone = nn.Sequential(*layers)
        self.policy_head = nn.Conv2d(width, 2, 1)
        self.mine_head = nn.Conv2d(width, 1, 1)
        self.value_head = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))
        nn.init.zeros_(self.policy_head.weight)
        assert self.policy_head.bias is not None
        nn.init.zeros_(self.policy_head.bias)

    def forward(self, x: Tensor, return_mine: bool = False) -> tuple[Tensor, ...]:
        features = torch.relu(self.backbone(self.stem(x)))
        mine_logits = self.mine_head(features)
        added = self.policy_head(features)
        policy_logits = torch.cat([added[:, :1] - mine_logits.detach(), added[:, 1:]], 1).flatten(1)
        value = self.value_head(features.mean((2, 3))).squeeze(-1)
        if return_mine:
            return policy_logits, value, mine_logits
        return policy_logits, value


Turn: TypeAlias = Callable[[Tensor], Tensor]


def turns(square: bool) -> Sequence[tuple[Turn, Turn]]:
    """The symmetries of a board as maps of `[..., H, W]`, each with its inverse: 8 of a square, 4 of any other."""

    def turn(planes: Tensor, dims: tuple[int, ...], swap: bool) -> Tensor:
        return (planes.transpose(-1, -2) if swap else planes).flip(dims)

    def turn_back(planes: Tensor, dims: tuple[int, ...], swap: bool) -> Tensor:
        flipped = planes.flip(dims)
        return flipped.transpose(-1, -2) if swap else flipped

    swaps, flips = (False, True) if square else (False,), ((), (-1,), (-2,), (-2, -1))
    return [
        (partial(turn, dims=dims, swap=swap), partial(turn_back, dims=dims, swap=swap))
        for swap in swaps
        for dims in flips
    ]


class SymmetricPolicy(nn.Module):
    """A network evaluated on every symmetry of the board; its outputs are averaged."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor, return_mine: bool = False) -> tuple[Tensor, ...]:
        rows, cols = x.shape[-2:]
        outputs: list[Outputs] = []
        for turn, back in turns(rows == cols):
            turned = turn(x)
            logits, value, mine = self.net(turned, return_mine=True)
            planes = logits.unflatten(1, (2, *turned.shape[-2:]))
            outputs.append((back(planes).flatten(1), value, back(mine)))
        logits, value, mine = (torch.stack(parts).mean(0) for parts in zip(*outputs, strict=True))
        return (logits, value, mine) if return_mine else (logits, value)


def playing_net(net: nn.Module, shown: Channels = COUNTS, style: PlayStyle = PLAIN) -> PlayingNet:
    """What the agent `net` plays, of a network that observes these channels: boards of any size."""

    def play(net: nn.Module, numbers: Tensor, mines: Tensor) -> tuple[Tensor, ...]:
        """Of `numbers: float32[N, H, W]`, -1 where hidden, `FLAGGED` where a flag is, and `mines: float32[N]`.

        Logits of the reveals and, if it plays with flags, of the flags `[N, H, W]`, the win probability `[N]`, and that
        each cell is a mine `[N, H, W]`.
        """
        logits, value, mine = net(encode(numbers, mines, shown), return_mine=True)
        actions = logits.unflatten(1, (2, *numbers.shape[1:])).unbind(1)
        logits_of_moves = actions if style.flags else actions[:1]
        return *logits_of_moves, value.clamp(0.0, 1.0), torch.sigmoid(mine.squeeze(1))

    numbers, mines = INPUTS
    lowest = FLAGGED if style.flags else -1
    examples = (torch.arange(2 * 7 * 9) % (9 - lowest)).float().view(2, 7, 9) + lowest, torch.full((2,), 9.0)
    inputs = [Input(numbers, examples[0], ("batch", "rows", "cols")), Input(mines, examples[1])]
    identity = f"minesweeper {type(net).__name__} {shown.model_dump_json()}"
    metadata = style_metadata(style)
    return PlayingNet(net, play, inputs=inputs, outputs=outputs_of(style), identity=identity, metadata=metadata)


def build(model: ModelConfig, shown: Channels = COUNTS) -> nn.Module:
    """A network with random weights, for observations with these channels."""
    if model.kind == "cnn":
        return CNNPolicy(shown.channels, model.width)
    return ResidualPolicy(shown.channels, model.width, model.depth)


def shape_of(model: ModelConfig, shown: Channels = COUNTS, style: PlayStyle = PLAIN) -> NetShape:
    """What a file says about the network that `build` makes."""
    return NetShape(kind=model.kind, width=model.width, depth=model.depth, shown=shown, style=style)


def save_net(
    path: Path, net: nn.Module, model: ModelConfig, shown: Channels = COUNTS, style: PlayStyle = PLAIN
) -> None:
    """Write weights with the shape of the network they are of, and how it plays."""
    save_sized(path, net, "model", shape_of(model, shown, style))


def load_net(path: Path, device: torch.device, expected: NetShape | None = None) -> nn.Module:
    """Read what `save_net` wrote. Raises `BadNet` if it is another network than expected, however it plays."""
    if expected is not None:
        expected = expected.model_copy(update={"style": load_shape(path).style})
    return load_sized(path, device, "model", NetShape, lambda shape: build(shape, shape.shown), expected)


def load_shape(path: Path) -> NetShape:
    """Read which network a file holds. Raises `BadNet`."""
    return sizes_of(path, "model", NetShape)
