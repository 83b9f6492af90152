"""Generalised advantage estimation over a rollout of many lanes."""

import torch
from torch import Tensor


def gae(rewards: Tensor, dones: Tensor, values: Tensor, last_values: Tensor, gamma: float, lam: float) -> Tensor:
    """Advantages `float32[T, N]` of T steps in N lanes.

    `rewards`, `dones` and `values` have the shape [T, N]; `last_values: float32[N]` are those of the states after the
    last step. A step with `dones` ends its episode, so that nothing after it counts.
    """
    advantages = torch.empty_like(values)
    ahead = torch.zeros_like(last_values)
    after = last_values
    for at in reversed(range(len(rewards))):
        goes_on = (~dones[at]).float()
        error = rewards[at] + gamma * after * goes_on - values[at]
        ahead = error + gamma * lam * goes_on * ahead
        advantages[at] = ahead
        after = values[at]
    return advantages
