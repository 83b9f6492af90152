"""Where networks are trained."""

import torch

from ludex.core.errors import BadConfig


def chosen_device(name: str, place: int = 0) -> torch.device:
    """`auto`, `cpu` or `cuda` as a device, of several GPUs the one at `place`.

    Raises `BadConfig` for one that is not there.
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
