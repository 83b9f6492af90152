"""Stage two, by sb3-contrib's MaskablePPO: the learner has one seat of every lane, the environment answers."""

from dataclasses import dataclass

import torch
from sb3_contrib import MaskablePPO
from torch import Tensor

from ludex.games.skirmish.learning.geometry import Geometry, geometry_of
from ludex.games.skirmish.learning.gym import SkirmishVectorGym
from ludex.games.skirmish.learning.opponent_pool import Rivals
from ludex.games.skirmish.learning.ppo_stage import PpoStage
from ludex.learn.maskable import LanesVecEnv, UpdateCallback, maskable_ppo
from ludex.learn.runs import Row


@dataclass(frozen=True)
class Seated:
    """MaskablePPO at the lanes of one scenario."""

    geometry: Geometry
    rivals: Rivals
    gym: SkirmishVectorGym
    env: LanesVecEnv
    model: MaskablePPO


class MaskableRun(PpoStage[Seated]):
    """Stage two by MaskablePPO."""

    def place(self, preset: str) -> Seated:
        """MaskablePPO at the lanes of a scenario; all of them share one network and one optimiser."""
        config, ppo, net = self._config, self._config.ppo, self._net
        geometry = geometry_of(self._games[preset])
        net.settle(geometry)
        rivals = Rivals(config.opponents, preset, ppo.num_envs, self._room, net, self._device, self._generator)
        gym = SkirmishVectorGym(ppo.num_envs, preset, seat="alternating", opponent=rivals)
        env = LanesVecEnv(gym)
        model = maskable_ppo(
            env,
            net,
            prepared,
            ppo,
            target_kl=config.target_kl,
            rate=self._rate,
            seed=config.seed + 1000 * self._update,
            device=self._device,
        )
        model.policy.optimizer = self._optimizer
        return Seated(geometry, rivals, gym, env, model)

    def leave(self, place: Seated) -> None:
        place.env.close()

    def learn(self, place: Seated) -> Row:
        self._net.settle(place.geometry)
        place.rivals.meet(self._past)
        told: Row = {}
        each = self._config.ppo.num_envs * self._config.ppo.steps_per_env
        place.model.learn(each, callback=UpdateCallback(told.update), reset_num_timesteps=False)
        return {**told, **place.gym.metrics.named(), "invalid_actions": place.env.invalid_actions}


def prepared(obs: dict[str, Tensor]) -> Tensor:
    """A batch of observations side by side, as the network takes them."""
    return torch.cat((obs["planes"].flatten(1), obs["vector"]), 1)
