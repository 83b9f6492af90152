"""Stage two, by sb3-contrib's MaskablePPO: the learner has one seat of every lane, the environment plays the other."""

from dataclasses import dataclass

import torch
from sb3_contrib import MaskablePPO
from torch import Tensor

from ludex.games.skirmish.env.gym import SkirmishVectorGym
from ludex.games.skirmish.learning.network import Geometry, geometry_of
from ludex.games.skirmish.learning.ppo_stage import CurriculumStage, OpponentPool
from ludex.learn.maskable import LanesVecEnv, UpdateCallback, maskable_ppo
from ludex.learn.runs import Row


@dataclass
class MaskableRollout:
    """MaskablePPO and the lanes of one scenario."""

    preset: str
    geometry: Geometry
    opponents: OpponentPool
    gym: SkirmishVectorGym
    env: LanesVecEnv
    model: MaskablePPO

    def close(self) -> None:
        self.env.close()


class MaskableRun(CurriculumStage[MaskableRollout]):
    """Stage two by MaskablePPO."""

    def make_rollout(self, preset: str) -> MaskableRollout:
        """MaskablePPO and the lanes of a scenario; all scenarios share one network and one optimiser."""
        config, ppo, net = self._config, self._config.ppo, self._net
        geometry = geometry_of(self._games[preset])
        net.settle(geometry)
        opponents = OpponentPool(config.opponents, preset, ppo.num_envs, self._workers, net, self.device, self.draws)
        gym = SkirmishVectorGym(ppo.num_envs, preset, seat="alternating", opponent=opponents)
        env = LanesVecEnv(gym)
        model = maskable_ppo(
            env,
            net,
            join_observation,
            ppo,
            target_kl=config.target_kl,
            rate=lambda: self.rate(self.step),
            seed=config.seed + 1000 * self.step,
            device=self.device,
        )
        model.policy.optimizer = self.optimizer
        return MaskableRollout(preset, geometry, opponents, gym, env, model)

    def learn_rollout(self, rollout: MaskableRollout) -> Row:
        """Play and learn once: sb3 does both in one call."""
        metrics: Row = {}
        rollout.model.learn(self.transitions, callback=UpdateCallback(metrics.update), reset_num_timesteps=False)
        counted = rollout.gym.metrics
        counts: Row = {"games": counted.games, "wins": counted.wins, "invalid_actions": rollout.env.invalid_actions}
        return {**metrics, **counted.named(), **counts}

    def failure(self, error: Exception) -> Row | None:
        row = super().failure(error)
        counted = [rollout.gym.metrics.named() for rollout in self._rollouts.values()]
        return row if row is None or not counted else {**counted[-1], **row}


def join_observation(obs: dict[str, Tensor]) -> Tensor:
    """A batch of observations with planes and vector side by side, as the network takes them."""
    return torch.cat((obs["planes"].flatten(1), obs["vector"]), 1)
