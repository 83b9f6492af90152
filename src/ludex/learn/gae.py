"""Generalised advantage estimation over a rollout of many lanes."""

import torch
from torch import Tensor


def gae(rewards: Tensor, dones: Tensor, values: Tensor, last_values: Tensor, gamma: float, lam: float) -> Tensor:
    """Advantages `float32[T, N]` of T steps in N lanes.

    `rewards`, `dones` and `values` have the shape [T, N]; `last_values: float32[N]` are those of the states after the
    last step. A step with `dones` ends its episode, so that nothing after it counts.
    """
    advantages = torch.empty_like(values)
    advantage = torch.zeros_like(last_values)
    next_values = last_values
    for t in reversed(range(len(rewards))):
        not_done = (~dones[t]).float()
        delta = rewards[t] + gamma * next_values * not_done - values[t]
        advantage = delta + gamma * lam * not_done * advantage
        advantages[t] = advantage
        next_values = values[t]
    return advantages
