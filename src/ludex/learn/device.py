"""Where networks are trained."""

import torch
from torch import nn

from ludex.core.errors import BadConfig


def select_device(name: str, place: int = 0) -> torch.device:
    """`auto`, `cpu` or `cuda` as a device; of several GPUs the one at index `place`.

    Raises `BadConfig` if there is no such device.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cpu":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise BadConfig("device: there is no CUDA device here; expected auto or cpu")
    if place >= torch.cuda.device_count():
        raise BadConfig(f"device: process {place} of this machine needs a GPU, found {torch.cuda.device_count()}")
    return torch.device("cuda", place)


def device_name(device: torch.device) -> str:
    """`cpu`, or the name of the GPU."""
    return str(device) if device.type == "cpu" else torch.cuda.get_device_name(device)


def optimized_for(device: torch.device, net: nn.Module, *, compiled: bool) -> nn.Module:
    """The network itself, or on CUDA its compiled form if `compiled`; both have the same parameters."""
    return torch.compile(net, dynamic=False) if compiled and device.type == "cuda" else net  # type: ignore[return-value]
