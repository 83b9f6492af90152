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
    expected = torch.stack((last_values, last_values), 1)
    expected[lanes, 1 - last_players] *= -1
    ahead = torch.zeros_like(expected)
    accumulated = torch.zeros_like(expected)
    for at in reversed(range(buffer.steps)):
        over = buffer.dones[at].unsqueeze(1)
        expected, ahead = expected.masked_fill(over, 0.0), ahead.masked_fill(over, 0.0)
        accumulated = accumulated.masked_fill(over, 0.0) + rewards[at]
        mover = players[at]
        error = accumulated[lanes, mover] + gamma * expected[lanes, mover] - buffer.values[at]
        found = error + gamma * lam * ahead[lanes, mover]
        buffer.advantages[at] = found
        ahead[lanes, mover] = found
        expected[lanes, mover] = buffer.values[at]
        accumulated[lanes, mover] = 0.0
    buffer.returns = buffer.advantages + buffer.values
