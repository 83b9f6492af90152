"""sb3-contrib's MaskablePPO as it is used here: strict masks, truth values in the buffer, a network of our own."""

from contextlib import AbstractContextManager
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from torch import Tensor, nn

from ludex.core.errors import IllegalAction, Unsupported
from ludex.learn import maskable
from ludex.learn.maskable import LanesVecEnv, UpdateCallback, maskable_ppo
from ludex.learn.ppo_config import PpoConfig

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")
LANES, ACTIONS, BEST = 8, 5, 3


class Bandit(VectorEnv[Any, Any, Any]):
    """One step per episode: action BEST is worth 1, the others 0; one other action is forbidden at a time."""

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self) -> None:
        self.num_envs = LANES
        self.single_observation_space = gymnasium.spaces.Dict(
            {"seen": gymnasium.spaces.Box(0.0, 1.0, (1,), np.float32)}
        )
        self.single_action_space = gymnasium.spaces.Discrete(ACTIONS)
        self.render_mode = None
        self.forbidden = 0
        self.empty = False

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return self._seen(), self._info()

    def step(self, actions: NDArray[np.int64]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        self.forbidden = (self.forbidden + 1) % (ACTIONS - 2)
        over = np.ones(LANES, np.bool_)
        info = {**self._info(), "final_obs": self._seen()}
        return self._seen(), (actions == BEST).astype(np.float32), over, ~over, info

    def _seen(self) -> dict[str, NDArray[np.float32]]:
        return {"seen": np.ones((LANES, 1), np.float32)}

    def _info(self) -> dict[str, Any]:
        mask = np.ones((LANES, ACTIONS), np.bool_)
        mask[:, self.forbidden] = False
        mask[0] &= not self.empty
        return {"action_mask": mask}


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.logits = nn.Linear(1, ACTIONS)
        self.value = nn.Linear(1, 1)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        return self.logits(seen), self.value(seen).squeeze(1)


def model(env: LanesVecEnv, net: nn.Module, *, amp: bool = True) -> Any:
    config = PpoConfig(num_envs=LANES, steps_per_env=16, mini_batches=4, ppo_epochs=4, ent_coef=0.0, amp=amp)
    return maskable_ppo(env, net, lambda obs: obs["seen"], config, target_kl=1.0, rate=lambda: 0.02, seed=1, device=CPU)


def test_it_learns_which_arm_pays() -> None:
    torch.manual_seed(0)
    net = Net()
    metrics: list[dict[str, Any]] = []
    learner = model(LanesVecEnv(Bandit()), net)
    learner.learn(LANES * 16 * 12, callback=UpdateCallback(metrics.append))
    assert len(metrics) == 12
    assert {"policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl"} <= metrics[0].keys()
    with torch.no_grad():
        logits, value = net(torch.ones(1, 1))
    assert float(logits.softmax(1)[0, BEST]) > 0.9
    assert float(value) > 0.7


@pytest.mark.parametrize("amp", [False, True])
def test_mixed_precision_is_used_as_the_configuration_says(amp: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[tuple[torch.device, bool]] = set()

    def autocast(device: torch.device, on: bool) -> AbstractContextManager[object]:
        asked.add((device, on))
        return torch.autocast("cpu", torch.bfloat16, enabled=on)

    monkeypatch.setattr(maskable, "autocast", autocast)
    learner = model(LanesVecEnv(Bandit()), Net(), amp=amp)
    learner.learn(LANES * 16)
    assert asked == {(CPU, amp)}
    with torch.no_grad():
        values = learner.policy.predict_values({"seen": torch.ones(2, 1)})
    assert values.dtype == torch.float32


def test_masks_are_kept_as_truth_values_and_are_those_of_each_step() -> None:
    env = LanesVecEnv(Bandit())
    learner = model(env, Net())
    assert is_masking_supported(env)
    env.reset()
    masks = get_action_masks(env)
    assert masks.shape == (LANES, ACTIONS)
    assert not masks[:, 0].any()
    learner.learn(LANES * 16)
    held = learner.rollout_buffer.action_masks
    assert held.dtype == np.bool_
    # One action in five is forbidden in every transition, a later one in every step.
    assert (held.reshape(-1, ACTIONS).sum(axis=1) == ACTIONS - 1).all()
    assert len({tuple(row) for row in held.reshape(-1, ACTIONS).tolist()}) == ACTIONS - 2


def test_an_action_that_the_mask_forbids_is_counted_and_refused() -> None:
    env = LanesVecEnv(Bandit())
    env.reset()
    actions = np.full(LANES, BEST)
    actions[2] = 0
    with pytest.raises(IllegalAction, match=r"lane 2: the policy chose action 0, which the mask forbids"):
        env.step(actions)
    assert env.invalid_actions == 1
    assert env.env.forbidden == 0, "the environment was stepped all the same"


def test_a_logit_beyond_the_masking_is_refused_too() -> None:
    """Masking writes -1e8 over forbidden logits; a network with lower logits for all allowed actions slips through."""
    net = Net()
    nn.init.zeros_(net.logits.weight)
    net.logits.bias.data = torch.tensor([0.0] + [-1e9] * (ACTIONS - 1))
    learner = model(LanesVecEnv(Bandit()), net)
    with pytest.raises(IllegalAction, match="which the mask forbids"):
        learner.learn(LANES * 16)


def test_an_empty_mask_is_an_error() -> None:
    bandit = Bandit()
    bandit.empty = True
    with pytest.raises(AssertionError, match="the mask of lane 0 is empty"):
        LanesVecEnv(bandit).reset()


def test_lanes_must_begin_anew_in_the_step_that_ended_them() -> None:
    bandit = Bandit()
    bandit.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
    with pytest.raises(Unsupported, match="same-step autoreset"):
        LanesVecEnv(bandit)


@pytest.mark.parametrize("call", [lambda env: env.env_method("render"), lambda env: env.set_attr("speed", 1)])
def test_what_lanes_cannot_do_is_named(call: Any) -> None:
    with pytest.raises(Unsupported):
        call(LanesVecEnv(Bandit()))
