"""Masked PPO: one update from one mini-batch, and its learning rate schedule. It knows no game.

A model takes observations and returns action logits `[B, A]`, values `[B]` and any further outputs; a slice's
auxiliary loss reads those.
"""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, TypeAlias

import torch
from torch import Tensor, nn

from ludex.learn.distributed import ALONE, Group
from ludex.learn.ppo_config import PpoConfig
from ludex.learn.rollout import Batch

FORBIDDEN: Final = -1e9
"""The logit of an action that the mask forbids."""

Forward: TypeAlias = Callable[[Tensor], tuple[Tensor, ...]]
Auxiliary: TypeAlias = Callable[[tuple[Tensor, ...], Batch], Tensor]
"""A weighted loss of all outputs of the model."""


def masked_log_probs(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities `[B, A]` over what the mask allows."""
    return torch.log_softmax(logits.float().masked_fill(~mask, FORBIDDEN), dim=-1)


def sample_actions(
    logits: Tensor, mask: Tensor, generator: torch.Generator | None = None, *, group: Group = ALONE
) -> tuple[Tensor, Tensor]:
    """An action for each row by its probability, `int64[B]`, and the log-probability of it."""
    logp = masked_log_probs(logits, mask)
    noise = group.rand(*logp.shape, generator=generator, device=logp.device).clamp_(min=1e-20)
    # The argmax of (log-probability + Gumbel noise) is a sample, without a copy to the host.
    actions = (logp - (-noise.log()).log()).masked_fill(~mask, -math.inf).argmax(-1)
    return actions, logp.gather(1, actions.unsqueeze(1)).squeeze(1)


def ppo_step(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    cfg: PpoConfig,
    *,
    forward: Forward | None = None,
    auxiliary: Auxiliary | None = None,
    group: Group = ALONE,
) -> dict[str, Tensor]:
    """Learn from one mini-batch; returns the losses and how far the policy has moved, as scalars on the device.

    `forward` replaces the call of the model, for example by its compiled form. In a `group` each process passes its
    equal share of the mini-batch, and all learn from the whole of it.
    """
    with autocast(batch.obs.device, cfg.amp):
        answer = (forward or model)(batch.obs)
    logits, value = answer[0], answer[1].float()
    logp = masked_log_probs(logits, batch.action_mask)
    logp_act = logp.gather(1, batch.actions.unsqueeze(1)).squeeze(1)

    log_ratio = logp_act - batch.old_logp
    ratio = log_ratio.exp()
    surr1 = ratio * batch.advantages
    surr2 = torch.clamp(ratio, 1 - cfg.clip_eps, 1 + cfg.clip_eps) * batch.advantages
    policy_loss = -torch.min(surr1, surr2).mean()

    value_clipped = batch.values + (value - batch.values).clamp(-cfg.clip_eps_v, cfg.clip_eps_v)
    v_loss1 = (value - batch.returns).pow(2)
    v_loss2 = (value_clipped - batch.returns).pow(2)
    value_loss = 0.5 * torch.max(v_loss1, v_loss2).mean()

    entropy = -(logp.exp() * logp).sum(-1).mean()

    loss = policy_loss + cfg.vf_coef * value_loss - cfg.ent_coef * entropy
    extra = torch.zeros_like(loss)
    if auxiliary is not None:
        extra = auxiliary(answer, batch)
        loss = loss + extra

    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    group.average_gradients(model)
    grad_norm = nn.utils.clip_grad_norm_(model.parameters(), cfg.max_grad_norm)
    optimizer.step()

    with torch.no_grad():
        approx_kl = ((ratio - 1) - log_ratio).mean()
        clip_fraction = ((ratio - 1).abs() > cfg.clip_eps).float().mean()
    metrics = {
        "loss": loss,
        "policy_loss": policy_loss,
        "value_loss": value_loss,
        "entropy": entropy,
        "auxiliary_loss": extra,
        "approx_kl": approx_kl,
        "clip_fraction": clip_fraction,
        "grad_norm": grad_norm,
    }
    means = group.mean(torch.stack([metric.detach().float() for metric in metrics.values()]))
    return dict(zip(metrics, means.unbind(), strict=True))


def autocast(device: torch.device, on: bool) -> AbstractContextManager[object]:
    """Mixed precision where the device is CUDA; bfloat16, which needs no scaling of losses."""
    return torch.autocast("cuda", torch.bfloat16) if on and device.type == "cuda" else nullcontext()


def cosine_factor(step: int, total: int, warmup: int = 0) -> float:
    """What a learning rate is multiplied by: it rises over `warmup` steps and falls as a cosine to a hundredth.

    >>> cosine_factor(0, 100), cosine_factor(50, 100), cosine_factor(100, 100)
    (1.0, 0.505, 0.01)
    """
    if step < warmup:
        return (step + 1) / warmup
    done = min(1.0, (step - warmup) / max(1, total - warmup))
    return 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done))


def cosine(optimizer: torch.optim.Optimizer, total: int, warmup: int = 0) -> torch.optim.lr_scheduler.LambdaLR:
    """The learning rate by `cosine_factor`, step by step."""
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: cosine_factor(step, total, warmup))
