"""Stage two, by `ludex.learn`'s PPO: games against itself, past networks and scripted players; a transition per ply.

In self-play lanes the learner decides for both sides, and learns from both. In the others its seat changes from game to
game, and it learns from its own plies.
"""

import time

import numpy as np
import torch
from numpy.typing import NDArray

from ludex.games.skirmish.env.lanes import TrainingLanes, to_device
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.geometry import geometry_of
from ludex.games.skirmish.learning.network import SkirmishNet
from ludex.games.skirmish.learning.opponent_pool import OpponentPool
from ludex.games.skirmish.learning.ppo_stage import CurriculumStage
from ludex.games.skirmish.learning.scripted_opponents import OpponentWorkers
from ludex.games.skirmish.rules.engine.layout import DRAWN, WON_BY_SECOND
from ludex.learn.ppo import autocast, ppo_step, sample_actions
from ludex.learn.rollout import RolloutBuffer, turn_gae
from ludex.learn.runs import Row
from ludex.learn.stages import mean_metrics


class SelfPlay(CurriculumStage["Rollout"]):
    """Stage two by our own PPO."""

    def make_rollout(self, preset: str) -> "Rollout":
        game = self._games[preset]
        self._net.settle(geometry_of(game))
        rollout = Rollout(self._config, preset, game, self._net, self._workers, self.device, self.draws)
        rollout.lanes.reset(self._config.seed + 1000 * self.step)
        return rollout

    def collect(self) -> "Rollout":
        """Play a rollout by the network as it is."""
        rollout = super().collect()
        begin = time.perf_counter()
        played = rollout.play()
        rollout.metrics = {**played, "collecting_seconds": time.perf_counter() - begin}
        return rollout

    def learn_rollout(self, rollout: "Rollout") -> Row:
        """Some epochs over the learner's own plies; stops once the policy has moved far enough."""
        config, buffer = self._config, rollout.buffer
        own, placing = rollout.own.flatten(), rollout.placing.flatten()
        drawn = torch.rand(len(own), generator=self.draws, device=self.device) < config.battle_share
        kinds = [kind.nonzero().squeeze(1) for kind in (own & placing, own & ~placing & drawn)]
        for kind in kinds:
            # A placement changes a game less than a shot: normalised together, its advantages would vanish.
            buffer.normalise(kind)
        selected = torch.cat(kinds)
        if len(selected) == 0:
            return {**rollout.metrics, "learned_from": 0, "batches": 0}
        rows = self.learn_batches(
            buffer,
            max(1, len(selected) // self.ppo.mini_batches),
            lambda batch: ppo_step(self._net, self.optimizer, batch, self.ppo, forward=rollout.answer),
            selected=selected,
            target_kl=config.target_kl,
            whole_epochs=True,
        )
        return {**rollout.metrics, **mean_metrics(rows), "learned_from": len(selected), "batches": len(rows)}


class Rollout:
    """The lanes of one scenario, their opponents, and the learner's transitions there."""

    def __init__(
        self,
        config: SkirmishConfig,
        preset: str,
        game: Skirmish,
        net: SkirmishNet,
        workers: OpponentWorkers,
        device: torch.device,
        generator: torch.Generator,
    ) -> None:
        ppo = config.ppo
        self._ppo, self._device, self._generator = ppo, device, generator
        self._net = net
        self.preset = preset
        self.metrics: Row = {}
        """Of the last time it was played."""
        dtype = torch.float16 if device.type == "cuda" else torch.float32
        self.geometry = net.geometry
        self.lanes = TrainingLanes(game, ppo.num_envs, config.threads, dtype)
        self.opponents = OpponentPool(config.opponents, preset, ppo.num_envs, workers, net, device, generator)
        self.buffer = RolloutBuffer(
            ppo.num_envs,
            ppo.steps_per_env,
            (net.geometry.observed,),
            game.info.num_actions,
            device,
            obs_dtype=dtype,
        )
        shape = (ppo.steps_per_env, ppo.num_envs)
        self._players = torch.zeros(shape, dtype=torch.int64, device=device)
        self._rewards = torch.zeros((*shape, 2), device=device)
        self.own = torch.zeros(shape, dtype=torch.bool, device=device)
        """bool[T, N]: which plies were the learner's."""
        self.placing = torch.zeros(shape, dtype=torch.bool, device=device)
        """bool[T, N]: which plies were of a deployment."""
        self._opening = np.random.default_rng(config.seed).random(ppo.num_envs) < config.openings

    @property
    def seats(self) -> NDArray[np.int64]:
        """int64[N]: the learner's player where it has one seat only."""
        return (np.arange(self.lanes.num_lanes) + self.lanes.episode) % 2

    def learner_to_move(self) -> NDArray[np.bool_]:
        """bool[N]: all lanes except those where the player to move is an opponent's."""
        moves: NDArray[np.bool_] = ~self.opponents.met | (self.seats == self.lanes.player)
        return moves

    def answer(self, observed: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The learner's logits and values for this scenario."""
        logits, value = self._net(observed.float())
        return logits, value

    def close(self) -> None:
        self.lanes.close()

    @torch.no_grad()
    def play(self) -> Row:
        """Play one rollout; returns its metrics."""
        buffer, lanes, device, ppo = self.buffer, self.lanes, self._device, self._ppo
        buffer.clear()
        lanes.restart(self._opening)
        games, stepping, scores = 0, 0.0, list[float]()
        for at in range(ppo.steps_per_env):
            observed, mask = to_device(lanes.observed, device), to_device(lanes.mask, device)
            player, ours = lanes.player.copy(), self.learner_to_move()
            self.placing[at] = torch.from_numpy(lanes.deploying).to(device)
            theirs = np.flatnonzero(~ours)
            index = torch.from_numpy(theirs).to(device)
            opponents = self.opponents.submit(lanes.where(~ours), observed[index], mask[index])
            with autocast(device, ppo.amp):
                logits, value = self.answer(observed)
            sampled, logp = sample_actions(logits.float(), mask, self._generator)
            actions = sampled.cpu().numpy()
            actions[theirs] = opponents()
            seats = self.seats
            begin = time.perf_counter()
            lanes.step(actions)
            stepping += time.perf_counter() - begin
            ended = torch.from_numpy(lanes.ended.copy()).to(device)
            self._players[at] = torch.from_numpy(player).to(device)
            self._rewards[at] = torch.from_numpy(lanes.rewards).to(device)
            self.own[at] = torch.from_numpy(ours).to(device)
            buffer.add(observed, sampled, logp, torch.zeros_like(logp), ended, value.float(), mask)
            games += int(lanes.ended.sum())
            met = lanes.ended & self.opponents.scripted
            scores += scores_of(lanes.result[met], seats[met]).tolist()
        observed = to_device(lanes.observed, device)
        with autocast(device, ppo.amp):
            last = self.answer(observed)[1].float()
        movers = torch.from_numpy(lanes.player.copy()).to(device)
        turn_gae(buffer, self._players, self._rewards, movers, last, ppo.gamma, ppo.gae_lambda)
        placed = buffer.logp[self.own & self.placing]
        return {
            "games": games,
            "games_with_bots": len(scores),
            "score_with_bots": float(np.mean(scores)) if scores else None,
            "placements": len(placed),
            "placement_entropy": -float(placed.mean()) if len(placed) else None,
            "stepping_seconds": stepping,
        }


def scores_of(results: NDArray[np.int64], players: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[M]: 1, 0 or a half for each player `int64[M]` of games that ended with these results `int64[M]`."""
    won = ((results & WON_BY_SECOND) != 0) == (players == 1)
    return np.where(results == DRAWN, 0.5, won.astype(float))
