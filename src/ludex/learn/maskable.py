"""sb3-contrib's MaskablePPO over any Gymnasium vector environment with `action_masks()`, with a network of our own.

It masks by a large negative number and samples uniformly from an empty mask, so both are checked here: a mask is never
empty, and an action that the mask forbids is counted and raises.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.buffers import DictRolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor, nn

from ludex.core.errors import IllegalAction, Unsupported
from ludex.learn.ppo import autocast
from ludex.learn.ppo_config import PpoConfig

Prepare = Callable[[dict[str, Tensor]], Tensor]
"""A batch of observations as the network takes them."""


class LanesVecEnv(VecEnv):
    """Adapts a Gymnasium vector environment with same-step autoreset to sb3's `VecEnv`."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        if env.metadata.get("autoreset_mode") != AutoresetMode.SAME_STEP:
            raise Unsupported(f"expected an environment with same-step autoreset, found {env.metadata}")
        self.env: Any = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self.invalid_actions = 0
        """Actions that the mask forbids and a policy chose all the same; each of them raised."""
        self._actions: NDArray[np.int64] = np.zeros(env.num_envs, np.int64)
        self._masks: NDArray[np.bool_] = np.zeros((env.num_envs, 0), np.bool_)

    def reset(self) -> Any:
        seed = self._seeds[0]
        obs, info = self.env.reset(seed=seed)
        self._reset_seeds()
        self._see(info)
        return obs

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = actions.astype(np.int64)

    def step_wait(self) -> tuple[Any, NDArray[Any], NDArray[Any], list[dict[str, Any]]]:
        allowed = self._masks[np.arange(self.num_envs), self._actions]
        if not allowed.all():
            self.invalid_actions += int((~allowed).sum())
            lane = int(allowed.argmin())
            raise IllegalAction(
                f"lane {lane}: the policy chose action {self._actions[lane]}, which the mask forbids; no lane has moved"
            )
        obs, rewards, terminated, truncated, info = self.env.step(self._actions)
        self._see(info)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(dones).tolist():
            infos[lane] = {
                "terminal_observation": {name: array[lane] for name, array in info["final_obs"].items()},
                "TimeLimit.truncated": bool(truncated[lane] and not terminated[lane]),
            }
        return obs, rewards, dones, infos

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        if method_name != "action_masks":
            raise Unsupported(f"lanes support only 'action_masks', found {method_name!r}")
        return list(self._masks[self._selected_lanes(indices)])

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks" or hasattr(self.env, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.env, attr_name)] * len(self._selected_lanes(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise Unsupported(f"lanes share one environment: {attr_name!r} cannot be set for some of them")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False] * len(self._selected_lanes(indices))

    def close(self) -> None:
        self.env.close()

    def _selected_lanes(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))

    def _see(self, info: dict[str, Any]) -> None:
        """Store the masks of this step: sb3-contrib reads them more than once."""
        self._masks = info["action_mask"]
        empty = ~self._masks.any(axis=1)
        assert not empty.any(), f"the mask of lane {int(empty.argmax())} is empty"


class BoolMaskBuffer(MaskableDictRolloutBuffer):
    """Stores masks as booleans, a quarter of the size of sb3-contrib's floats."""

    def reset(self) -> None:
        self.mask_dims = int(self.action_space.n)  # type: ignore[attr-defined]
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), np.bool_)
        DictRolloutBuffer.reset(self)


class NetworkPolicy(MaskableActorCriticPolicy):
    """A policy that is one network, which returns logits `[B, actions]` and values `[B]`; `amp` as in `PpoConfig`."""

    def __init__(self, *args: Any, network: nn.Module, prepare: Prepare, amp: bool, **kwargs: Any) -> None:
        # In a list: a module cannot register a submodule before its own __init__ has run.
        self._networks, self._prepare, self._amp = [network], prepare, amp
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        (self.network,) = self._networks
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=lr_schedule(1))

    def forward(self, obs: Any, deterministic: bool = False, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        distribution, values = self._evaluate(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values.unsqueeze(1), distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Any, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        distribution, values = self._evaluate(obs, action_masks)
        return values.unsqueeze(1), distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        return self._evaluate(obs, action_masks)[0]

    def predict_values(self, obs: Any) -> Tensor:
        return self._forward(obs)[1].unsqueeze(1)

    def _evaluate(self, obs: Any, action_masks: Any) -> tuple[MaskableDistribution, Tensor]:
        logits, values = self._forward(obs)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution, values

    def _forward(self, obs: Any) -> tuple[Tensor, Tensor]:
        with autocast(self.device, self._amp):
            logits, values = self.network(self._prepare(obs))
        return logits.float(), values.float()


class UpdateCallback(BaseCallback):
    """Calls back after every update with the metrics that sb3 logged; sb3's own callbacks see rollouts only."""

    def __init__(self, updated: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self._updated = updated
        self._collected = False

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        self._finish()

    def _on_rollout_end(self) -> None:
        self._collected = True

    def _on_training_end(self) -> None:
        self._finish()

    def _finish(self) -> None:
        if self._collected:
            self._collected = False
            metrics = self.logger.name_to_value
            self._updated({name.removeprefix("train/"): _plain(value) for name, value in metrics.items()})


def maskable_ppo(
    env: LanesVecEnv,
    network: nn.Module,
    prepare: Prepare,
    config: PpoConfig,
    *,
    target_kl: float,
    rate: Callable[[], float],
    seed: int,
    device: torch.device,
) -> MaskablePPO:
    """MaskablePPO with the same numbers as our own PPO; `rate` gives the learning rate before every update."""
    model = MaskablePPO(
        NetworkPolicy,
        env,
        learning_rate=lambda _: rate(),
        n_steps=config.steps_per_env,
        batch_size=max(1, config.num_envs * config.steps_per_env // config.mini_batches),
        n_epochs=config.ppo_epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip_eps,
        clip_range_vf=config.clip_eps_v,
        ent_coef=config.ent_coef,
        vf_coef=config.vf_coef,
        max_grad_norm=config.max_grad_norm,
        target_kl=target_kl,
        rollout_buffer_class=BoolMaskBuffer,
        policy_kwargs={"network": network, "prepare": prepare, "amp": config.amp},
        seed=seed,
        device=device,
    )
    model.set_logger(Logger(folder=None, output_formats=[]))
    return model


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
