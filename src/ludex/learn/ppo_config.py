"""The numbers of masked PPO; a slice adds what only its game has."""

from typing import Final, Self

from pydantic import Field, model_validator

from ludex.learn.config import Config

PPO_METRICS: Final = (
    *("loss", "policy_loss", "value_loss", "entropy", "auxiliary_loss"),
    *("approx_kl", "clip_fraction", "grad_norm"),
)
"""What an update of `ludex.learn.ppo` logs."""
MASKABLE_METRICS: Final = (
    *("loss", "policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction"),
    *("explained_variance", "learning_rate", "n_updates", "clip_range", "clip_range_vf"),
)
"""What an update of sb3-contrib's MaskablePPO logs."""


MOST_LANES: Final = 1 << 16
"""Of one update, and steps of each: sixteen times what ships, and a number that no memory holds is refused at once."""


class PpoConfig(Config):
    """How one update is collected and learned from."""

    num_envs: int = Field(default=256, ge=1, le=MOST_LANES)
    """Lanes of the environment."""
    steps_per_env: int = Field(default=128, ge=1, le=MOST_LANES)
    """Steps of every lane before an update."""
    mini_batches: int = Field(default=8, ge=1)
    """How many parts an update's transitions are learned in."""
    ppo_epochs: int = Field(default=3, ge=1)
    """How often an update goes over its transitions."""
    gamma: float = Field(default=0.995, ge=0.0, le=1.0)
    """What a reward is worth a step earlier."""
    gae_lambda: float = Field(default=0.95, ge=0.0, le=1.0)
    """How far advantages look ahead, from one step (0) to the episode's end (1)."""
    clip_eps: float = Field(default=0.2, gt=0.0)
    """How far the policy's ratio may move."""
    clip_eps_v: float = Field(default=0.2, gt=0.0)
    """How far the value may move."""
    vf_coef: float = Field(default=0.5, ge=0.0)
    """The weight of the value loss."""
    ent_coef: float = Field(default=0.003, ge=0.0)
    """The weight of the entropy bonus."""
    lr: float = Field(default=3e-4, gt=0.0)
    """AdamW's first learning rate, before its cosine decay."""
    max_grad_norm: float = Field(default=0.5, gt=0.0)
    """Longer gradients are cut to this."""
    amp: bool = True
    """Mixed precision where the device is CUDA."""
    compile: bool = True
    """`torch.compile` where it is supported."""

    @model_validator(mode="after")
    def _divides(self) -> Self:
        if self.mini_batches > self.num_envs * self.steps_per_env:
            raise ValueError(
                f"mini_batches must be at most num_envs * steps_per_env = {self.num_envs * self.steps_per_env}, "
                f"found {self.mini_batches}"
            )
        return self
