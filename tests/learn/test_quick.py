"""A network's quick twin answers alike, learns the network's own parameters, and replaces only what it may."""

import pytest
import torch
from torch import Tensor, nn

from ludex.learn.convolution import Convolution, Pointwise
from ludex.learn.masked_conv import MaskedConv
from ludex.learn.quick import quick, quickest


class Scaled(nn.Conv2d):
    """Not what its weights say."""

    def forward(self, x: Tensor) -> Tensor:
        return 2 * super().forward(x)


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1),
        nn.ReLU(),
        nn.GroupNorm(4, 16),
        nn.Sequential(nn.Conv2d(16, 16, 3, padding=1)),
        nn.ReLU(),
        nn.Conv2d(16, 8, 1),
        nn.BatchNorm2d(8),
    ).eval()


def test_a_twin_answers_alike_and_teaches_the_network() -> None:
    net = network()
    twin = quick(net)
    x, weights = torch.randn(6, 3, 8, 8), torch.randn(6, 8, 8, 8)
    torch.testing.assert_close(twin(x), net(x), rtol=1e-4, atol=1e-4)
    (net(x) * weights).sum().backward()
    expected = [parameter.grad for parameter in net.parameters()]
    net.zero_grad()
    (twin(x) * weights).sum().backward()
    for parameter, gradient in zip(net.parameters(), expected, strict=True):
        assert gradient is not None
        torch.testing.assert_close(parameter.grad, gradient, rtol=1e-3, atol=1e-4 * float(gradient.abs().max()))
    torch.optim.SGD(net.parameters(), lr=0.1).step()
    torch.testing.assert_close(twin(x), net(x), rtol=1e-4, atol=1e-4)


def test_a_masked_convolution_has_a_twin_that_sees_no_more() -> None:
    torch.manual_seed(1)
    seen = torch.ones(3, 3)
    seen[0, 0] = seen[2, 2] = 0.0
    net = nn.Sequential(MaskedConv(3, 16, seen))
    twin = quick(net)
    assert isinstance(twin[0], Convolution)
    x, weights = torch.randn(4, 3, 7, 9), torch.randn(4, 16, 7, 9)
    torch.testing.assert_close(twin(x), net(x), rtol=1e-4, atol=1e-4)
    (twin(x) * weights).sum().backward()
    gradient = net[0].weight.grad
    assert (gradient[:, :, seen == 0] == 0).all()
    assert (gradient[:, :, seen == 1] != 0).all()


def test_the_network_itself_stays_as_it_is() -> None:
    net = network()
    names, kinds = list(net.state_dict()), [type(module) for module in net.modules()]
    twin = quick(net)
    assert list(net.state_dict()) == names
    assert [type(module) for module in net.modules()] == kinds
    assert {id(one) for one in twin.parameters()} == {id(one) for one in net.parameters()}
    assert twin[6].running_mean is net[6].running_mean


def test_every_plain_convolution_is_replaced_with_the_relu_right_after_it() -> None:
    kinds = [type(module).__name__ for module in quick(network()).modules()]
    assert kinds[1:4] == ["Convolution", "Identity", "GroupNorm"]
    assert kinds[4:] == ["Sequential", "Convolution", "ReLU", "Pointwise", "BatchNorm2d"]


@pytest.mark.parametrize(
    "conv",
    [
        Scaled(4, 4, 3, padding=1),
        nn.Conv2d(4, 4, 3),
        nn.Conv2d(4, 4, 5, padding=2),
        nn.Conv2d(4, 4, 3, padding=1, stride=2),
        nn.Conv2d(4, 4, 3, padding=1, groups=2),
        nn.Conv2d(4, 4, 3, padding=1, padding_mode="circular"),
        nn.Conv2d(4, 4, 3, padding=1, bias=False),
        nn.Conv2d(4, 4, 1, padding=1),
    ],
)
def test_other_convolutions_stay_torchs(conv: nn.Conv2d) -> None:
    twin = quick(nn.Sequential(conv, nn.ReLU()))
    assert not any(isinstance(module, Convolution | Pointwise) for module in twin.modules())
    x = torch.randn(2, 4, 8, 8)
    assert torch.equal(twin(x), conv(x).relu())


def test_on_a_cpu_the_quickest_is_the_twin() -> None:
    assert isinstance(quickest(network(), torch.device("cpu"), compiled=True)[0], Convolution)  # type: ignore[index]
