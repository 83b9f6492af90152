"""Networks as they are asked soonest on a device."""

from copy import deepcopy
from itertools import pairwise
from typing import TypeGuard

import torch
from torch import nn

from ludex.learn.convolution import Convolution, Pointwise
from ludex.learn.masked_conv import MaskedConv


def quickest(net: nn.Module, device: torch.device, compiled: bool) -> nn.Module:
    """What answers as the network does: on CUDA it compiled, if that is wanted, on a CPU its `quick` twin."""
    if device.type == "cpu":
        return quick(net)
    return torch.compile(net, dynamic=False) if compiled else net  # type: ignore[return-value]


def quick(net: nn.Module) -> nn.Module:
    """A network's twin for float32 on a CPU, with our convolutions for torch's.

    The parameters are the same objects; the mode, training or not, is that of now.
    """
    twin = deepcopy(net, {id(held): held for held in (*net.parameters(), *net.buffers())})
    for module in list(twin.modules()):
        for (name, child), (after, following) in pairwise([*module.named_children(), ("", module)]):
            if not _plain(child):
                continue
            if child.kernel_size == (1, 1) and child.padding == (0, 0):
                setattr(module, name, Pointwise(child))
            elif child.kernel_size == (3, 3) and child.padding == (1, 1):
                rectified = isinstance(module, nn.Sequential) and isinstance(following, nn.ReLU)
                setattr(module, name, Convolution(child, rectified))
                if rectified:
                    setattr(module, after, nn.Identity())
    return twin


def _plain(module: nn.Module) -> TypeGuard[nn.Conv2d]:
    """Whether a module is a convolution that looks at all channels together; of subclasses, only the masked one."""
    return (
        (type(module) is nn.Conv2d or isinstance(module, MaskedConv))
        and module.stride == module.dilation == (1, 1)
        and module.groups == 1
        and module.padding_mode == "zeros"
        and module.bias is not None
    )
