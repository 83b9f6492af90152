"""Stage two, by sb3-contrib's MaskablePPO: the learner has one seat of every lane, the environment answers."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from torch import Tensor

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.gym import SkirmishVectorGym
from ludex.games.skirmish.learning.bots import BotRoom
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.geometry import Geometry, geometry_of
from ludex.games.skirmish.learning.model import SkirmishNet
from ludex.games.skirmish.learning.rivals import Rivals, Weights, kept_among
from ludex.learn.checkpoints import keep
from ludex.learn.maskable import LanesVecEnv, UpdateCallback, maskable_ppo
from ludex.learn.ppo import cosine_factor
from ludex.learn.runs import Row, Run


@dataclass(frozen=True)
class Seated:
    """MaskablePPO at the lanes of one scenario."""

    geometry: Geometry
    rivals: Rivals
    gym: SkirmishVectorGym
    env: LanesVecEnv
    model: MaskablePPO


class MaskableRun:
    """A run's stage two, from a network or from a checkpoint."""

    def __init__(
        self,
        config: SkirmishConfig,
        run: Run,
        net: SkirmishNet,
        games: dict[str, Skirmish],
        device: torch.device,
        room: BotRoom,
    ) -> None:
        self._config, self._run, self._net, self._device = config, run, net, device
        self._games, self._room = games, room
        self._generator = torch.Generator(device).manual_seed((config.seed + 1) & (2**63 - 1))
        self._update = 0
        self._transitions = 0
        self._past: list[Weights] = []
        """Past networks, oldest first."""
        self._optimizer = torch.optim.AdamW(net.parameters(), lr=config.ppo.lr)

    def restore(self, state: Row, held: dict[str, Any]) -> None:
        """Go on from a checkpoint; games in progress begin anew."""
        self._net.load_state_dict(held["net"])
        self._generator.set_state(held["generator"].cpu())
        self._update, self._transitions = (int(str(state[name])) for name in ("update", "transitions"))
        self._optimizer.load_state_dict(held["optimizer"])
        self._past = held["past"]

    def train(self, advance: Callable[[int], None], evaluate: Callable[[Row], None]) -> None:
        """Work through the curriculum; `evaluate(row)` measures the network and logs with the row's keys."""
        config = self._config
        advance(self._update)
        if self._update == 0:
            evaluate({"stage": "ppo", "update": 0})
        seats: dict[str, Seated] = {}
        while self._update < config.updates:
            preset = config.preset_at(self._update)
            if preset not in seats:
                seats[preset] = self.seated(preset)
            if self._update % config.opponents.keep_every == 0:
                self._past = kept_among(self._past, self._net, config.opponents.kept)
            self.work(preset, seats[preset])
            advance(1)
            done = self._update == config.updates
            if self._update % config.evaluation.every == 0 or done:
                evaluate({"stage": "ppo", "update": self._update})
            if self._update % config.checkpoint_every == 0 or done:
                self._checkpoint()

    def seated(self, preset: str) -> "Seated":
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
            rate=lambda: ppo.lr * cosine_factor(self._update, config.updates),
            seed=config.seed + 1000 * self._update,
            device=self._device,
        )
        model.policy.optimizer = self._optimizer
        return Seated(geometry, rivals, gym, env, model)

    def work(self, preset: str, seated: "Seated") -> None:
        """One update."""
        ppo = self._config.ppo
        self._net.settle(seated.geometry)
        seated.rivals.meet(self._past)
        each = ppo.num_envs * ppo.steps_per_env
        told: Row = {}
        begin = time.perf_counter()
        seated.model.learn(each, callback=UpdateCallback(told.update), reset_num_timesteps=False)
        spent = time.perf_counter() - begin
        self._update += 1
        self._transitions += each
        self._run.log(
            {
                "stage": "ppo",
                "update": self._update,
                "preset": preset,
                **told,
                **seated.gym.metrics.named(),
                "invalid_actions": seated.env.invalid_actions,
                "seconds": spent,
                "transitions": self._transitions,
                "transitions_per_second": each / spent,
            }
        )

    def _checkpoint(self) -> None:
        keep(
            self._run,
            {
                "at": f"ppo-{self._update:06d}",
                "stage": "ppo",
                "update": self._update,
                "transitions": self._transitions,
            },
            {
                "net": self._net.state_dict(),
                "optimizer": self._optimizer.state_dict(),
                "generator": self._generator.get_state(),
                "past": self._past,
            },
        )


def prepared(obs: dict[str, Tensor]) -> Tensor:
    """A batch of observations side by side, as the network takes them."""
    return torch.cat((obs["planes"].flatten(1), obs["vector"]), 1)
