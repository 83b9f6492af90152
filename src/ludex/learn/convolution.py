"""Convolutions for training on a CPU: what torch's own compute, sooner."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn.functional import linear

from ludex.learn.convolving import convolve, convolve_back
from ludex.learn.masked_conv import MaskedConv
from ludex.learn.winograd import KERNEL_FORM, POINTS, Array

BOTH_WAYS: Final = torch.kron(torch.tensor(KERNEL_FORM), torch.tensor(KERNEL_FORM))
"""[36, 9]: what makes the form of a flat kernel."""


class _Convolved(torch.autograd.Function):
    """A 3x3 convolution of `float32[B, H, W, C]`, rectified if asked for, and its gradients."""

    @staticmethod
    def forward(ctx: Any, boards: Tensor, weight: Tensor, bias: Tensor, rectified: bool) -> Tensor:
        out = boards.new_empty(*boards.shape[:3], len(weight))
        given, form, added, made = _arrays(boards, _kernel_form(weight.permute(2, 3, 1, 0)), bias, out)

        def work(_: int, part: slice) -> None:
            convolve(given[part], form, added, rectified, made[part])

        _share_out(len(boards), work)
        ctx.save_for_backward(boards, weight, out)
        ctx.rectified = rectified
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor, Tensor, None]:
        boards, weight, out = ctx.saved_tensors
        outputs, inputs = weight.shape[:2]
        wanted = ctx.needs_input_grad[0]
        boards_gradient = torch.empty_like(boards if wanted else boards[:0])
        form_gradients = weight.new_zeros(torch.get_num_threads(), POINTS**2, inputs, outputs)
        bias_gradients = weight.new_zeros(torch.get_num_threads(), outputs)
        given, made, told = _arrays(boards, out, gradient.contiguous())
        form, *sought = _arrays(
            _kernel_form(weight.permute(2, 3, 0, 1)), boards_gradient, form_gradients, bias_gradients
        )

        def work(share: int, part: slice) -> None:
            to_boards, to_form, to_bias = sought[0][part], sought[1][share], sought[2][share]
            convolve_back(given[part], made[part], told[part], form, to_boards, to_form, to_bias, ctx.rectified)

        _share_out(len(boards), work)
        kernel = (BOTH_WAYS.T @ form_gradients.sum(0).flatten(1)).view(3, 3, inputs, outputs)
        return boards_gradient if wanted else None, kernel.permute(3, 2, 0, 1), bias_gradients.sum(0), None


def _arrays(*tensors: Tensor) -> list[Array]:
    return [tensor.detach().numpy() for tensor in tensors]


def _share_out(count: int, work: Callable[[int, slice], None]) -> None:
    """Do `work(share, part)` of so many boards, on as many threads as torch may use."""
    threads = torch.get_num_threads()
    parts = [slice(count * share // threads, count * (share + 1) // threads) for share in range(threads)]
    if threads == 1:
        work(0, parts[0])
    else:
        list(_pool(threads).map(work, range(threads), parts))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "convolution")


def _kernel_form(kernel: Tensor) -> Tensor:
    """[36, A, B] of a kernel [3, 3, A, B]."""
    return (BOTH_WAYS @ kernel.reshape(9, -1)).view(-1, *kernel.shape[2:])


class Convolution(nn.Module):
    """A 3x3 `Conv2d` of padding 1, all of it or masked, and the `ReLU` after it if `rectified`.

    Its parameters are that one's own.
    """

    def __init__(self, conv: nn.Conv2d, rectified: bool = False) -> None:
        super().__init__()
        self.weight, self.bias = conv.weight, conv.bias
        self.seen = conv.seen if isinstance(conv, MaskedConv) else None
        self.rectified = rectified

    def forward(self, x: Tensor) -> Tensor:
        """[B, D, H, W] of [B, C, H, W], channels last."""
        boards = x.permute(0, 2, 3, 1).contiguous()
        kernel = self.weight if self.seen is None else self.weight * self.seen
        made: Tensor = _Convolved.apply(boards, kernel, self.bias, self.rectified)  # type: ignore[no-untyped-call]
        return made.permute(0, 3, 1, 2)


class Pointwise(nn.Module):
    """A 1x1 `Conv2d` as a product of matrices; its parameters are that one's own."""

    def __init__(self, conv: nn.Conv2d) -> None:
        super().__init__()
        self.weight, self.bias = conv.weight, conv.bias

    def forward(self, x: Tensor) -> Tensor:
        """[B, D, H, W] of [B, C, H, W], channels last."""
        return linear(x.permute(0, 2, 3, 1), self.weight.flatten(1), self.bias).permute(0, 3, 1, 2)
