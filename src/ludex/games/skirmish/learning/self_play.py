"""Stage two, by `ludex.learn`'s PPO: games against itself, past networks and scripted players; a transition per ply.

In self-play lanes the learner decides for both sides, and learns from both. In the others its seat changes from game to
game, and it learns from its own plies.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludex.core.seeding import CHANCE
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponents import OpponentWorkers
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.network import SkirmishNet, geometry_of
from ludex.games.skirmish.learning.ppo_stage import CurriculumStage, OpponentPool, Part
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.observation import PLANES, vector_length
from ludex.kernels.sampling import RandomActions
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
            ppo.num_envs, ppo.steps_per_env, (net.geometry.observed,), game.info.num_actions, device, obs_dtype=dtype
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

    def answer(self, observed: Tensor) -> tuple[Tensor, ...]:
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


APART: Final = 400
"""Plies between the first lane's game and the last one's: about a long game."""


class TrainingLanes:
    """`num_lanes` games in which the caller plays both sides, each seen from the mover's end of the board."""

    def __init__(self, game: Skirmish, num_lanes: int, threads: int, dtype: torch.dtype) -> None:
        self.game = game
        self.num_lanes = num_lanes
        parts = min(threads, num_lanes)
        bounds = np.linspace(0, num_lanes, parts + 1).astype(int).tolist()
        self._slices = [slice(first, end) for first, end in pairwise(bounds)]
        self.batches = [SkirmishBatch(game, part.stop - part.start, turned=True) for part in self._slices]
        self._pool = ThreadPoolExecutor(parts)
        observed = PLANES * game.scenario.grid.size + vector_length(game.table.unit_slots)
        pinned = torch.cuda.is_available()
        self.observed = torch.zeros(num_lanes, observed, dtype=dtype, pin_memory=pinned)
        self.mask = torch.zeros(num_lanes, game.info.num_actions, dtype=torch.bool, pin_memory=pinned)
        self.player = np.zeros(num_lanes, np.int64)
        self.deploying = np.zeros(num_lanes, np.bool_)
        self.rewards = np.zeros((num_lanes, 2), np.float32)
        self.ended = np.zeros(num_lanes, np.bool_)
        self.result = np.zeros(num_lanes, np.int64)
        """How the last episode ended, see `engine.layout`."""
        self.episode = np.zeros(num_lanes, np.int64)

    def reset(self, seed: int) -> None:
        """Restart all games, with one seed per batch, and play random plies so that the lanes are spread out.

        Games that begin together stay in step for long: a rollout would then hold deployments only, or none.
        """
        ahead = np.linspace(0, APART, self.num_lanes, endpoint=False).astype(np.int64)
        jobs = zip(self.batches, self._slices, range(len(self.batches)), strict=True)
        list(self._pool.map(lambda job: _spread(job[0], seed + job[2], ahead[job[1]]), jobs))
        self._read_all()

    def restart(self, lanes: NDArray[np.bool_]) -> None:
        """Begin the next game in the lanes of `bool[N]`; the present one is abandoned."""
        for batch, part in zip(self.batches, self._slices, strict=True):
            batch.give_up(lanes[part])
        self._read_all()

    def step(self, actions: NDArray[np.int64]) -> None:
        """One ply in every lane."""
        jobs = zip(self.batches, self._slices, strict=True)
        list(self._pool.map(lambda job: self._step(job[0], job[1], actions[job[1]]), jobs))

    def where(self, lanes: NDArray[np.bool_]) -> list[Part]:
        """The lanes of `bool[N]` by the batches that hold them, in their order."""
        parts = []
        for batch, part in zip(self.batches, self._slices, strict=True):
            inside = np.flatnonzero(lanes[part])
            if len(inside):
                parts.append(Part(batch, inside, inside + part.start))
        return parts

    def close(self) -> None:
        self._pool.shutdown()

    def _read_all(self) -> None:
        list(self._pool.map(lambda job: self._read(*job), zip(self.batches, self._slices, strict=True)))

    def _step(self, batch: SkirmishBatch, part: slice, actions: NDArray[np.int64]) -> None:
        batch.step(actions)
        lanes = batch.lanes
        self.rewards[part] = lanes.rewards
        self.ended[part] = lanes.terminated
        self.result[part] = lanes.final_states[:, layout.RESULT]
        self._read(batch, part)

    def _read(self, batch: SkirmishBatch, part: slice) -> None:
        lanes = batch.lanes
        planes = PLANES * self.game.scenario.grid.size
        self.observed[part, :planes] = torch.from_numpy(lanes.planes).flatten(1)
        self.observed[part, planes:] = torch.from_numpy(lanes.vector)
        self.mask[part] = torch.from_numpy(lanes.mask)
        self.player[part] = lanes.player
        self.deploying[part] = lanes.states[:, layout.PHASE] == layout.DEPLOYMENT
        self.episode[part] = lanes.episode


def _spread(batch: SkirmishBatch, seed: int, ahead: NDArray[np.int64]) -> None:
    """Begin a batch's games, and play `ahead: int64[N]` random plies of each."""
    batch.reset(seed)
    chance = RandomActions(batch.num_lanes, seed, CHANCE)
    for ply in range(int(ahead.max())):
        batch.step(chance.draw(batch.lanes.mask), ahead > ply)


def to_device(tensor: Tensor, device: torch.device) -> Tensor:
    """A copy on a device, or the same tensor's copy here."""
    return tensor.to(device, non_blocking=True) if device.type == "cuda" else tensor.clone()


def scores_of(results: NDArray[np.int64], players: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64[M]: 1, 0 or a half for each player `int64[M]` of games that ended with these results `int64[M]`."""
    won = ((results & layout.WON_BY_SECOND) != 0) == (players == 1)
    return np.where(results == layout.DRAWN, 0.5, won.astype(float))
