"""The network of every game: a residual tower with heads for the policy, the result, the plies left and ownership."""

from typing import NamedTuple

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from ludex.learn.config import Config

POLICY_CHANNELS = 16
VALUE_CHANNELS = 4
VALUE_WIDTH = 64
RESULTS = 3
"""Won, drawn, lost, for the player to move."""


class NetSizes(Config):
    """What determines the shapes of all weights."""

    planes: int = Field(ge=1)
    rows: int = Field(ge=1)
    cols: int = Field(ge=1)
    actions: int = Field(ge=1)
    channels: int = Field(ge=1)
    blocks: int = Field(ge=0)
    pooled_every: int = Field(ge=0)
    moves_left: bool
    ownership: int = Field(default=0, ge=0, description="planes of what becomes of each cell; 0: no such head")

    def playing(self) -> "NetSizes":
        """Without the heads that only learning needs."""
        return self.model_copy(update={"moves_left": False, "ownership": 0})


class Prediction(NamedTuple):
    """The network's outputs for B positions."""

    policy: Tensor
    """[B, A]: logits of all actions, illegal ones included."""
    results: Tensor
    """[B, 3]: logits of won, drawn and lost for the player to move."""
    moves_left: Tensor | None
    """[B]: the logarithm of 1 + the plies left, if there is such a head."""
    ownership: Tensor | None
    """[B, K, rows, cols]: what becomes of each cell for the player to move, in -1..1, if there is such a head."""


class NormalisedConvolution(nn.Module):
    """A convolution and batch normalisation; once `fused`, the normalisation is part of the weights."""

    def __init__(self, inputs: int, outputs: int, size: int, *, fused: bool) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=fused)
        self.norm = nn.Identity() if fused else nn.BatchNorm2d(outputs)

    def forward(self, planes: Tensor) -> Tensor:
        output: Tensor = self.norm(self.conv(planes))
        return output

    def activated(self, planes: Tensor, beside: Tensor | None = None) -> Tensor:
        """The rectified result, to which other planes may be added first."""
        conv = self.conv
        if planes.is_cuda and conv.bias is not None:
            # One kernel of cuDNN in place of three.
            weights, around = conv.weight, conv.kernel_size[0] // 2
            if beside is None:
                return torch.cudnn_convolution_relu(planes, weights, conv.bias, (1, 1), (around, around), (1, 1), 1)
            return torch.cudnn_convolution_add_relu(
                planes, weights, beside, 1.0, conv.bias, (1, 1), (around, around), (1, 1), 1
            )
        output = self(planes)
        return functional.relu(output if beside is None else beside + output)

    def fused_weights(self) -> dict[str, Tensor]:
        """The weights of a fused one that computes the same as this one does in evaluation."""
        norm = self.norm
        assert isinstance(norm, nn.BatchNorm2d)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        return {
            "conv.weight": self.conv.weight * scale[:, None, None, None],
            "conv.bias": norm.bias - norm.running_mean * scale,
        }


class Block(nn.Module):
    """Two convolutions beside the identity; if `pooled`, every cell learns the means and maxima of the board."""

    def __init__(self, channels: int, size: int, *, pooled: bool, fused: bool) -> None:
        super().__init__()
        self.first = NormalisedConvolution(channels, channels, size, fused=fused)
        self.second = NormalisedConvolution(channels, channels, size, fused=fused)
        self.pooling = nn.Linear(2 * channels, channels) if pooled else None

    def forward(self, planes: Tensor) -> Tensor:
        inner = self.first.activated(planes)
        if self.pooling is not None:
            pooled = torch.cat((inner.mean((2, 3)), inner.amax((2, 3))), 1)
            inner = inner + self.pooling(pooled)[:, :, None, None]
        return self.second.activated(inner, planes)


class AlphaZeroNet(nn.Module):
    """Predicts moves, results, plies left and what becomes of cells from observations of the player to move."""

    def __init__(self, sizes: NetSizes, *, fused: bool = False) -> None:
        super().__init__()
        self.sizes = sizes
        cells, size = sizes.rows * sizes.cols, 3 if sizes.rows * sizes.cols > 1 else 1
        every = sizes.pooled_every
        self.stem = NormalisedConvolution(sizes.planes, sizes.channels, size, fused=fused)
        self.blocks = nn.ModuleList(
            Block(sizes.channels, size, pooled=every > 0 and number % every == every - 1, fused=fused)
            for number in range(sizes.blocks)
        )
        self.policy_planes = NormalisedConvolution(sizes.channels, POLICY_CHANNELS, 1, fused=fused)
        self.policy = nn.Linear(POLICY_CHANNELS * cells, sizes.actions)
        self.value_planes = NormalisedConvolution(sizes.channels, VALUE_CHANNELS, 1, fused=fused)
        self.value_hidden = nn.Linear(VALUE_CHANNELS * cells, VALUE_WIDTH)
        self.results = nn.Linear(VALUE_WIDTH, RESULTS)
        self.moves_left = nn.Linear(VALUE_WIDTH, 1) if sizes.moves_left else None
        self.ownership = nn.Conv2d(sizes.channels, sizes.ownership, 1) if sizes.ownership else None
        for head in (self.policy, self.results):
            # The first network then prefers nothing, and its search looks at everything.
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, observations: Tensor) -> Prediction:
        """Predict for `observations: float[B, planes, rows, cols]`."""
        planes = self.stem.activated(observations)
        for block in self.blocks:
            planes = block(planes)
        policy = self.policy(self.policy_planes.activated(planes).flatten(1))
        hidden = functional.relu(self.value_hidden(self.value_planes.activated(planes).flatten(1)))
        left = None if self.moves_left is None else self.moves_left(hidden).squeeze(1)
        owned = None if self.ownership is None else torch.tanh(self.ownership(planes))
        return Prediction(policy, self.results(hidden), left, owned)


def expected_score(results: Tensor) -> Tensor:
    """`[B]`: the score in -1..1 that logits `[B, 3]` of won, drawn and lost expect."""
    shares = results.float().softmax(1)
    return shares[:, 0] - shares[:, 2]


def result_shares(scores: Tensor) -> Tensor:
    """`[B, 3]`: scores `[B]` in -1..1 as shares of won, drawn and lost.

    >>> result_shares(torch.tensor([1.0, 0.0, -0.25])).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.75, 0.25]]
    """
    won, decided = scores.clamp(min=0), scores.abs()
    return torch.stack((won, 1 - decided, decided - won), 1)


@torch.no_grad()
def fuse(net: AlphaZeroNet, into: AlphaZeroNet) -> None:
    """Give a fused network what another one computes in evaluation."""
    weights = dict(net.state_dict())
    for name, module in net.named_modules():
        if isinstance(module, NormalisedConvolution):
            weights |= {f"{name}.{key}": value for key, value in module.fused_weights().items()}
    own = into.state_dict()
    for name, target in own.items():
        target.copy_(weights[name])
