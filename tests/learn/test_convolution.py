"""Convolutions on a CPU: their numbers and gradients are those of torch's own, in double precision."""

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn

from ludex.learn.convolution import Convolution, Pointwise

SHAPES = [(3, 11, 32, 8, 8), (40, 16, 16, 4, 4), (2, 5, 7, 9, 6), (1, 3, 20, 16, 30), (3, 8, 16, 1, 1), (5, 1, 1, 3, 2)]
"""Boards, channels in and out, rows, columns: whole tiles and parts of them, several portions and parts of one."""


@pytest.fixture(params=[1, 3])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


def answers(net: nn.Module, x: Tensor, weights: Tensor) -> list[Tensor]:
    """What a network makes of x, and the gradients of x and of every parameter by a weighted sum of that."""
    x = x.detach().requires_grad_()
    made = net(x)
    return [made.detach(), *torch.autograd.grad((made * weights).sum(), [x, *net.parameters()])]


def check_alike(found: list[Tensor], expected: list[Tensor]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        torch.testing.assert_close(one.double(), other, rtol=0.0, atol=3e-5 * float(other.abs().max()))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("rectified", [False, True])
@pytest.mark.usefixtures("threads")
def test_numbers_and_gradients_are_torchs(shape: tuple[int, int, int, int, int], rectified: bool) -> None:
    boards, inputs, outputs, rows, cols = shape
    torch.manual_seed(0)
    conv = nn.Conv2d(inputs, outputs, 3, padding=1)
    x, weights = torch.randn(boards, inputs, rows, cols), torch.randn(boards, outputs, rows, cols)
    found = answers(Convolution(conv, rectified), x, weights)
    true = nn.Sequential(conv, nn.ReLU()) if rectified else conv
    check_alike(found, answers(true.double(), x.double(), weights.double()))


def test_a_product_of_matrices_is_a_convolution_of_single_cells() -> None:
    torch.manual_seed(0)
    conv = nn.Conv2d(12, 5, 1)
    x, weights = torch.randn(3, 12, 6, 7), torch.randn(3, 5, 6, 7)
    found = answers(Pointwise(conv), x, weights)
    check_alike(found, answers(conv.double(), x.double(), weights.double()))


def test_inputs_that_need_no_gradient_get_none() -> None:
    convolution = Convolution(nn.Conv2d(4, 16, 3, padding=1))
    x = torch.randn(2, 4, 8, 8)
    convolution(x).sum().backward()
    assert x.grad is None
    assert convolution.weight.grad is not None


def test_no_boards_make_no_outputs() -> None:
    conv = nn.Conv2d(4, 16, 3, padding=1)
    made = Convolution(conv)(torch.zeros(0, 4, 8, 8))
    made.sum().backward()
    assert made.shape == (0, 16, 8, 8)
    assert conv.weight.grad is not None
    assert not conv.weight.grad.any()
