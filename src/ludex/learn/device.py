"""Where networks are trained."""

import torch

from ludex.core.errors import BadConfig


def chosen_device(name: str) -> torch.device:
    """`auto`, `cpu` or `cuda` as a device. Raises `BadConfig` for one that is not there."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name == "cuda" and not torch.cuda.is_available():
        raise BadConfig("device: there is no CUDA device here; expected auto or cpu")
    return torch.device(name)
