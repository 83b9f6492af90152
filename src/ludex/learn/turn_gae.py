"""Advantages where two players take turns in the same lanes, and each learns from its own decisions."""

import torch
from torch import Tensor

from ludex.learn.rollout import RolloutBuffer


def turn_gae(
    buffer: RolloutBuffer,
    players: Tensor,
    rewards: Tensor,
    last_players: Tensor,
    last_values: Tensor,
    gamma: float,
    lam: float,
) -> None:
    """Write a full buffer's advantages and returns.

    `players: int64[T, N]` is the player that decided, `rewards: float32[T, N, 2]` the reward of a ply for each player,
    `last_players` and `last_values`, of N lanes, the player to move after the last ply and its value. A step of a
    player is everything from its decision to its next one, including the other player's moves. The other player's
    value at the cut is taken as the negative: the games are zero-sum.
    """
    lanes = torch.arange(buffer.num_envs, device=buffer.device)
    next_values = torch.stack((last_values, last_values), 1)
    next_values[lanes, 1 - last_players] *= -1
    advantages = torch.zeros_like(next_values)
    accumulated = torch.zeros_like(next_values)
    for t in reversed(range(buffer.steps)):
        done = buffer.dones[t].unsqueeze(1)
        next_values, advantages = next_values.masked_fill(done, 0.0), advantages.masked_fill(done, 0.0)
        accumulated = accumulated.masked_fill(done, 0.0) + rewards[t]
        mover = players[t]
        delta = accumulated[lanes, mover] + gamma * next_values[lanes, mover] - buffer.values[t]
        advantage = delta + gamma * lam * advantages[lanes, mover]
        buffer.advantages[t] = advantage
        advantages[lanes, mover] = advantage
        next_values[lanes, mover] = buffer.values[t]
        accumulated[lanes, mover] = 0.0
    buffer.returns = buffer.advantages + buffer.values
