"""A convolution that looks at some of the cells around it."""

from torch import Tensor, nn
from torch.nn.functional import conv2d


class MaskedConv(nn.Conv2d):
    """A 3x3 convolution of padding 1 over those cells that `seen: float32[3, 3]` says 1 of."""

    seen: Tensor

    def __init__(self, inputs: int, outputs: int, seen: Tensor) -> None:
        super().__init__(inputs, outputs, 3, padding=1)
        self.register_buffer("seen", seen, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return conv2d(x, self.weight * self.seen, self.bias, padding=1)
