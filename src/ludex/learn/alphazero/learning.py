"""The losses of the network, one step of learning, and the average of weights that plays."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from ludex.core.compiled import Symmetries, Vector
from ludex.learn.alphazero.config import LearningConfig
from ludex.learn.alphazero.network import AlphaZeroNet, result_shares, value_shares
from ludex.learn.alphazero.replay import Batch
from ludex.learn.alphazero.selfplay import UNKNOWN
from ludex.learn.distributed import ALONE, Group
from ludex.learn.runs import Row

LOWEST_RATE = 0.02
"""The last learning rate, as a share of the highest."""


class Augmentation:
    """Positions under the symmetries of their game, each position under one that is drawn for it."""

    def __init__(self, symmetries: Symmetries, device: torch.device, owned_cells: Vector | None = None) -> None:
        """`owned_cells` are the images of the cells of ownership, if it is learned."""
        # As gathers: entry i of an image is entry `source[i]` of the original.
        self._actions = torch.from_numpy(symmetries.actions).long().argsort(1).to(device)
        self._cells = torch.from_numpy(symmetries.cells).long().argsort(1).to(device)
        self._owned = None if owned_cells is None else torch.from_numpy(owned_cells).long().argsort(1).to(device)

    def __call__(self, batch: Batch, generator: torch.Generator) -> Batch:
        indices = torch.randint(len(self._actions), (len(batch.scores),), generator=generator).to(self._actions.device)
        cells = batch.observations.flatten(1).gather(1, self._cells[indices])
        policies = batch.policies.gather(1, self._actions[indices])
        images = batch._replace(observations=cells.view_as(batch.observations), policies=policies)
        if self._owned is None:
            return images
        owned = batch.ownership.flatten(1).gather(1, self._owned[indices])
        return images._replace(ownership=owned.view_as(batch.ownership))


def losses(net: nn.Module, batch: Batch, config: LearningConfig) -> dict[str, Tensor]:
    """The loss of each head, and their weighted sum under `loss`."""
    prediction = net(batch.observations)
    log_policy = functional.log_softmax(prediction.policy.float(), 1)
    total = batch.policies.sum(1, keepdim=True).clamp(min=1e-6)
    policy = -(batch.policies / total * log_policy).sum(1).mean()
    share, log_results = config.search_share, functional.log_softmax(prediction.results.float(), 1)
    # A search says what score it expects, not how often it is drawn: a value near 0 need not be a draw.
    searched = value_shares(batch.searched.clamp(-1, 1), log_results.detach()[:, 1].exp())
    target = (1 - share) * result_shares(batch.scores) + share * searched
    value = -(target * log_results).sum(1).mean()
    parts = {"policy_loss": policy, "value_loss": value}
    loss = policy + config.value_weight * value
    if prediction.moves_left is not None:
        left = functional.smooth_l1_loss(prediction.moves_left.float(), torch.log1p(batch.moves_left))
        parts["moves_left_loss"] = left
        loss = loss + config.moves_left_weight * left
    if prediction.ownership is not None:
        parts["ownership_loss"] = owned = ownership_loss(prediction.ownership.float(), batch.ownership)
        loss = loss + config.ownership_weight * owned
    return {"loss": loss, **parts}


PHASES = ("opening", "middle", "end")
"""Thirds of a game of mean length, by the plies that are left."""


@torch.no_grad()
def brier_scores(net: nn.Module, observations: Tensor, scores: Tensor, moves_left: Tensor, length: float) -> Row:
    """How far a network's shares of won, drawn and lost are from results that it has not learned from, by phase.

    The mean squared distance: 0 is exact, 0.67 says a third of each, and 2 is certain and wrong. A phase without
    positions is missing.
    """
    net.eval()
    shares = net(observations).results.float().softmax(1)
    distances = (shares - result_shares(scores)).square().sum(1)
    thirds = (3 * moves_left / max(1.0, length)).long().clamp(max=len(PHASES) - 1)
    phases = {name: distances[thirds == len(PHASES) - 1 - place] for place, name in enumerate(PHASES)}
    return {f"brier_{name}": float(part.mean()) for name, part in phases.items() if len(part)}


def ownership_loss(prediction: Tensor, target: Tensor) -> Tensor:
    """The mean squared error over the cells `[B, K, H, W]` of games that were played to their end; 0 without any."""
    known = target != UNKNOWN
    return torch.where(known, prediction - target, 0.0).square().sum() / known.sum().clamp(min=1)


def learn(
    net: AlphaZeroNet,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    config: LearningConfig,
    *,
    half: bool = False,
    group: Group = ALONE,
) -> dict[str, Tensor]:
    """One step; returns the losses."""
    net.train()
    if batch.observations.is_cuda:
        # As the weights are: tensor cores want the channels last.
        batch = batch._replace(observations=batch.observations.contiguous(memory_format=torch.channels_last))
    with torch.autocast("cuda", torch.bfloat16, enabled=half):
        parts = losses(net, batch, config)
    optimizer.zero_grad(set_to_none=True)
    parts["loss"].backward()  # type: ignore[no-untyped-call]
    group.average_gradients(net)
    nn.utils.clip_grad_norm_(net.parameters(), config.max_grad_norm)
    optimizer.step()
    return {name: value.detach() for name, value in parts.items()}


def learning_rate(config: LearningConfig, step: int, done: float) -> float:
    """The rate of a step when this share of the run is over: a warm-up, then half a cosine."""
    warm = 1.0 if config.warmup_steps == 0 else min(1.0, (step + 1) / config.warmup_steps)
    falling = LOWEST_RATE + (1 - LOWEST_RATE) * (1 + math.cos(math.pi * done)) / 2
    return config.learning_rate * warm * falling


@torch.no_grad()
def move_average(average: AlphaZeroNet, net: AlphaZeroNet, decay: float, step: int) -> None:
    """Move averaged weights towards a network's, faster in the first steps."""
    share = min(decay, (1 + step) / (10 + step)) if decay else 0.0
    pairs = [*zip(average.state_dict().values(), net.state_dict().values(), strict=True)]
    counts = [(old, new) for old, new in pairs if not old.is_floating_point()]
    for old, new in counts:
        old.copy_(new)
    weights = [(old, new) for old, new in pairs if old.is_floating_point()]
    torch._foreach_lerp_([old for old, _ in weights], [new for _, new in weights], 1 - share)
