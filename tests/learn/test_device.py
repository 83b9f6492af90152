"""The form in which a network is trained on a device."""

import torch
from torch import nn

from ludex.learn.device import optimized_for


def test_a_network_is_compiled_on_cuda_only_and_only_if_configured() -> None:
    net = nn.Linear(2, 3)
    assert optimized_for(torch.device("cpu"), net, compiled=True) is net
    assert optimized_for(torch.device("cuda"), net, compiled=False) is net
