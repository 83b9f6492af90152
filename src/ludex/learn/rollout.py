"""Rollouts of many lanes: collected step by step, advantages by GAE, learned from in mini-batches."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field

import torch
from torch import Tensor

from ludex.learn.distributed import ALONE, Group


@dataclass(frozen=True, slots=True)
class Batch:
    """B transitions to learn from."""

    obs: Tensor
    """[B, *obs_shape]"""
    actions: Tensor
    """int64[B]"""
    old_logp: Tensor
    """float32[B]: the action's log-probability when it was taken."""
    advantages: Tensor
    """float32[B]"""
    returns: Tensor
    """float32[B]"""
    values: Tensor
    """float32[B]: the value estimate when the action was taken."""
    action_mask: Tensor
    """bool[B, A]"""
    extras: dict[str, Tensor] = field(default_factory=dict)
    """[B, ...] by name: what a slice's auxiliary loss needs besides."""


class RolloutBuffer:
    """`steps` steps of `num_envs` lanes on a device; the next rollout overwrites them."""

    def __init__(
        self,
        num_envs: int,
        steps: int,
        obs_shape: Sequence[int],
        action_dim: int,
        device: torch.device,
        *,
        obs_dtype: torch.dtype = torch.float32,
        extras: dict[str, tuple[Sequence[int], torch.dtype]] | None = None,
    ) -> None:
        """`extras` names further tensors a transition has, with their shape and type."""

        def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros(steps, num_envs, *shape, dtype=dtype, device=device)

        self.num_envs = num_envs
        self.steps = steps
        self.device = device
        self.obs = zeros(*obs_shape, dtype=obs_dtype)
        self.actions = zeros(dtype=torch.int64)
        self.logp = zeros()
        self.rewards = zeros()
        self.dones = zeros(dtype=torch.bool)
        self.values = zeros()
        self.masks = zeros(action_dim, dtype=torch.bool)
        self.extras = {name: zeros(*shape, dtype=dtype) for name, (shape, dtype) in (extras or {}).items()}
        self.advantages = zeros()
        self.returns = zeros()
        self._at = 0

    @property
    def full(self) -> bool:
        return self._at == self.steps

    def clear(self) -> None:
        """Begin the next rollout."""
        self._at = 0

    def add(
        self,
        obs: Tensor,
        actions: Tensor,
        logp: Tensor,
        rewards: Tensor,
        dones: Tensor,
        values: Tensor,
        masks: Tensor,
        extras: dict[str, Tensor] | None = None,
    ) -> None:
        """Add one step of every lane. `dones` marks the episodes that it ended."""
        if self.full:
            raise ValueError(f"the buffer is full: it holds {self.steps} steps; call clear() first")
        extras = extras or {}
        if extras.keys() != self.extras.keys():
            raise ValueError(f"expected the extras {sorted(self.extras)}, found {sorted(extras)}")
        at = self._at
        self.obs[at] = obs
        self.actions[at] = actions
        self.logp[at] = logp
        self.rewards[at] = rewards
        self.dones[at] = dones
        self.values[at] = values
        self.masks[at] = masks
        for name, column in self.extras.items():
            column[at] = extras[name]
        self._at += 1

    def compute_gae(self, last_values: Tensor, gamma: float = 0.995, lam: float = 0.95) -> None:
        """Write advantages and returns; `last_values: float32[N]` are those of the states after the last step."""
        if not self.full:
            raise ValueError(f"the rollout has {self._at} of {self.steps} steps: advantages need all of them")
        self.advantages = gae(self.rewards, self.dones, self.values, last_values, gamma, lam)
        self.returns = self.advantages + self.values

    def normalise(self, selected: Tensor | None = None) -> None:
        """Give the advantages, or those of `selected: int64[K]`, mean 0 and deviation 1; the others stay."""
        flat = self.advantages.flatten()
        advantages = flat if selected is None else flat[selected]
        if len(advantages) > 1:
            flat[... if selected is None else selected] = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            self.advantages = flat.view_as(self.advantages)

    def all_gather(self, group: Group) -> "RolloutBuffer":
        """The lanes of all processes of a group side by side, after GAE; with one process, the buffer itself."""
        if group.size == 1:
            return self
        whole = copy(self)
        whole.num_envs = self.num_envs * group.size
        for name in ("obs", "actions", "logp", "rewards", "dones", "values", "masks", "advantages", "returns"):
            setattr(whole, name, group.all_gather(getattr(self, name)))
        whole.extras = {name: group.all_gather(column) for name, column in self.extras.items()}
        return whole

    def get_minibatches(
        self,
        batch_size: int,
        *,
        generator: torch.Generator | None = None,
        selected: Tensor | None = None,
        group: Group = ALONE,
    ) -> Iterator[Batch]:
        """Every transition once, in random order, `batch_size` at a time; the last batch may be smaller.

        With `selected: int64[K]`, indices into the flat (step, lane) order, only those are yielded, and only whole
        batches: K changes from rollout to rollout, and a compiled network needs one shape. In a `group` whose processes
        hold the same buffer, each gets its share of every batch.
        """
        if not 1 <= batch_size <= self.steps * self.num_envs:
            raise ValueError(f"batch_size must be in 1..{self.steps * self.num_envs}, found {batch_size}")
        count = self.steps * self.num_envs if selected is None else len(selected)
        order = torch.randperm(count, generator=generator, device=self.device)
        if selected is not None:
            order = selected[order[: count - count % batch_size]]
        for first in range(0, len(order), batch_size):
            part = group.shard(order[first : first + batch_size])
            yield Batch(
                obs=self.obs.flatten(0, 1)[part],
                actions=self.actions.flatten()[part],
                old_logp=self.logp.flatten()[part],
                advantages=self.advantages.flatten()[part],
                returns=self.returns.flatten()[part],
                values=self.values.flatten()[part],
                action_mask=self.masks.flatten(0, 1)[part],
                extras={name: column.flatten(0, 1)[part] for name, column in self.extras.items()},
            )


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
