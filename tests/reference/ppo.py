"""Advantages and masked probabilities, written out as sums over single numbers."""

import math
from collections.abc import Sequence


def advantage(
    at: int,
    rewards: Sequence[float],
    values: Sequence[float],
    dones: Sequence[bool],
    last_value: float,
    gamma: float,
    lam: float,
) -> float:
    """One lane's advantage at a step: the discounted sum of all later errors of the value, up to the episode's end."""
    total, weight = 0.0, 1.0
    for step in range(at, len(rewards)):
        after = last_value if step + 1 == len(rewards) else values[step + 1]
        expected = rewards[step] if dones[step] else rewards[step] + gamma * after
        total += weight * (expected - values[step])
        if dones[step]:
            break
        weight *= gamma * lam
    return total


def masked_probabilities(logits: Sequence[float], mask: Sequence[bool]) -> list[float]:
    """Shares of the allowed actions, 0 for the others."""
    most = max(logit for logit, allowed in zip(logits, mask, strict=True) if allowed)
    weights = [math.exp(logit - most) if allowed else 0.0 for logit, allowed in zip(logits, mask, strict=True)]
    return [weight / sum(weights) for weight in weights]


def turn_advantages(
    players: Sequence[int],
    earned: Sequence[tuple[float, float]],
    values: Sequence[float],
    dones: Sequence[bool],
    last_player: int,
    last_value: float,
    gamma: float,
    lam: float,
) -> list[float]:
    """One lane's advantages where two players take turns: each player's own steps are cut out, and judged alone."""
    advantages = [0.0] * len(players)
    for player in (0, 1):
        own = [at for at, mover in enumerate(players) if mover == player]
        expects = last_value if last_player == player else -last_value
        steps: list[tuple[float, bool]] = []
        for at, then in zip(own, [*own[1:], len(players)], strict=True):
            reward, over = 0.0, False
            for ply in range(at, then):
                if not over:
                    reward += earned[ply][player]
                over = over or dones[ply]
            steps.append((reward, over))
        rewards, overs = [step[0] for step in steps], [step[1] for step in steps]
        expected = [values[at] for at in own]
        for place, at in enumerate(own):
            advantages[at] = advantage(place, rewards, expected, overs, expects, gamma, lam)
    return advantages
