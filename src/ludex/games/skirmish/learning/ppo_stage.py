"""The part of stage two that both trainers share: curriculum, past networks, opponents and evaluations."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

import torch

from ludex.games.skirmish.env.deployment_metrics import deadlock_row
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import SkirmishConfig
from ludex.games.skirmish.learning.evaluation import evaluate_scenarios
from ludex.games.skirmish.learning.network import Geometry, SkirmishNet, geometry_of
from ludex.games.skirmish.learning.network_files import playing_net
from ludex.games.skirmish.learning.opponent_pool import OpponentPool, Weights, extend_past
from ludex.games.skirmish.learning.scripted_opponents import OpponentWorkers
from ludex.learn.export import playable
from ludex.learn.runs import Row
from ludex.learn.stages import PpoStage


class ScenarioRollout(Protocol):
    """A trainer's lanes of one scenario."""

    preset: str
    geometry: Geometry
    opponents: OpponentPool

    def close(self) -> None: ...


P = TypeVar("P", bound=ScenarioRollout)


class CurriculumStage(PpoStage[P]):
    """A run's stage two, from a network on."""

    def __init__(
        self,
        config: SkirmishConfig,
        net: SkirmishNet,
        games: dict[str, Skirmish],
        device: torch.device,
        workers: OpponentWorkers,
    ) -> None:
        self._config, self._net, self._games, self._workers = config, net, games, workers
        super().__init__(
            net,
            config.ppo,
            device,
            seed=config.seed,
            steps=config.updates,
            checkpoint_every=config.checkpoint_every,
            eval_every=config.evaluation.every,
            # After imitation in the same run the network has been evaluated already, before `forget_placing`.
            evaluate_first=config.stage == "ppo" or config.forget_placing,
        )
        self._rollouts: dict[str, P] = {}
        self._past: list[Weights] = []
        """Past networks, oldest first."""

    @abstractmethod
    def make_rollout(self, preset: str) -> P:
        """The rollout of a scenario, all games at their beginning."""

    @abstractmethod
    def learn_rollout(self, rollout: P) -> Row:
        """Learn from a rollout; returns the metrics."""

    def collect(self) -> P:
        """The rollout of the curriculum's next scenario, with its opponents at hand."""
        config = self._config
        preset = config.preset_at(self.step)
        if preset not in self._rollouts:
            self._rollouts[preset] = self.make_rollout(preset)
        if self.step % config.opponents.keep_every == 0:
            self._past = extend_past(self._past, self._net, config.opponents.kept)
        rollout = self._rollouts[preset]
        self._net.settle(rollout.geometry)
        rollout.opponents.meet(self._past)
        return rollout

    def learn(self, batch: P) -> Row:
        return {"preset": batch.preset, **self.learn_rollout(batch), "lr": self.rate(self.step)}

    def row(self, metrics: Row, seconds: float) -> Row:
        return super().row({**metrics, "seconds": seconds}, seconds)

    def evaluate(self) -> Iterable[Row]:
        where: Row = {"stage": self.name, self.counter: self.step}
        return evaluate_scenarios(self._config, self._net, self._games, self.device, self._workers, where)

    def agent(self) -> bytes:
        return playable(playing_net(self._net, geometry_of(self._games[self._config.first_preset])))

    def failure(self, error: Exception) -> Row | None:
        return deadlock_row(error)

    def close(self) -> None:
        while self._rollouts:
            self._rollouts.popitem()[1].close()

    def tensors(self) -> dict[str, Any]:
        return {**super().tensors(), "past": self._past}

    def restore(self, state: Row, tensors: dict[str, Any], source: str) -> None:
        """Resume from a checkpoint; games in progress start over."""
        super().restore(state, tensors, source)
        self._past = tensors["past"]
