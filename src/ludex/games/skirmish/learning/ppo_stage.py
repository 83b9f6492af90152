"""The part of stage two that both trainers share: curriculum, past networks, opponents and evaluations."""

import copy
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludex.core.log import logger
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.env.opponent_batch import deadlock_row
from ludex.games.skirmish.env.opponents import OpponentWorkers, PlannedTurns, Questions, ScriptedOpponent, questions
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import OpponentsConfig, SkirmishConfig
from ludex.games.skirmish.learning.evaluation import evaluate
from ludex.games.skirmish.learning.network import Geometry, SkirmishNet, geometry_of
from ludex.games.skirmish.learning.network_files import NetPolicy, playing_net
from ludex.learn.export import playable
from ludex.learn.runs import Row
from ludex.learn.stages import PpoStage

ITSELF: Final = -1
Weights: TypeAlias = dict[str, torch.Tensor]


class Part(NamedTuple):
    """Some lanes of one batch."""

    batch: SkirmishBatch
    inside: NDArray[np.int64]
    """Their numbers in the batch."""
    lanes: NDArray[np.int64]
    """Their numbers among all lanes."""


def extend_past(past: list[Weights], net: SkirmishNet, most: int) -> list[Weights]:
    """Past networks with the present one. Beyond `most`, the second oldest is dropped; the oldest always stays."""
    now = {name: weight.detach().clone() for name, weight in net.state_dict().items()}
    networks = [*past, now]
    if len(networks) <= most:
        return networks
    return [networks[0], *networks[len(networks) - most + 1 :]] if most > 1 else [now]


class OpponentPool:
    """The opponents of N lanes, by lane: first self-play, then past networks, then scripted players.

    Lanes of past networks cycle through those in the pool. Networks sample their actions, as the learner does.
    """

    def __init__(
        self,
        config: OpponentsConfig,
        preset: str,
        num_lanes: int,
        workers: OpponentWorkers,
        learner: SkirmishNet,
        device: torch.device,
        generator: torch.Generator,
    ) -> None:
        self._config = config
        self._workers = workers
        self._learner, self._device, self._generator = learner, device, generator
        self._preset = preset
        bots, past = round(config.bots * num_lanes), round(config.past * num_lanes)
        lane = np.arange(num_lanes)
        # A name given twice gets twice as many lanes; both have the number of the first.
        number = np.array([config.names.index(name) for name in config.names])
        self.bot = np.where(lane >= num_lanes - bots, number[lane % len(number)], ITSELF)
        """int64[N]: which of the named players, or ITSELF."""
        self._past_lane = (lane >= num_lanes - bots - past) & (self.bot == ITSELF)
        self._past: list[SkirmishNet] = []
        self._planned = PlannedTurns(workers)

    @property
    def scripted(self) -> NDArray[np.bool_]:
        """bool[N]: lanes in which the learner plays a scripted player."""
        lanes: NDArray[np.bool_] = self.bot != ITSELF
        return lanes

    @property
    def met(self) -> NDArray[np.bool_]:
        """bool[N]: lanes in which the learner has one seat only."""
        lanes: NDArray[np.bool_] = self.scripted | (self._past_lane & bool(self._past))
        return lanes

    def meet(self, past: list[Weights]) -> None:
        """Set the weights of the past networks."""
        while len(self._past) < len(past):
            self._past.append(copy.deepcopy(self._learner).eval().requires_grad_(False))
        for net, weights in zip(self._past, past, strict=True):
            net.load_state_dict(weights)

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[M]: the opponents' choices in some lanes `int64[M]` of the batch that holds them all."""
        bot = self.bot[lanes]
        actions = np.zeros(len(lanes), np.int64)
        for net, here in self._networks(lanes):
            if here.any():
                policy = NetPolicy(net, self._device, self._generator)
                seen = lanes[here]
                actions[here] = policy({name: array[seen] for name, array in batch.obs.items()}, batch.lanes.mask[seen])
        scripted = bot != ITSELF
        players = [(self._preset, self._config.names[number]) for number in bot[scripted].tolist()]
        actions[scripted] = self._planned.choose(batch, lanes[scripted], players)
        return actions

    def submit(self, parts: list[Part], observed: Tensor, mask: Tensor) -> Callable[[], NDArray[np.int64]]:
        """Start the opponents of these lanes, all at once; the returned function waits for their choices `int64[M]`.

        `observed` and `mask` are of the same M lanes in the same order, on the device.
        """
        lanes = np.concatenate([np.zeros(0, np.int64), *(part.lanes for part in parts)])
        bot = self.bot[lanes]
        pending: Questions = {}
        for number, name in enumerate(self._config.names):
            if (bot == number).any():
                pending[self._preset, name] = [
                    question
                    for part in parts
                    for question in questions(part.batch, part.inside[self.bot[part.lanes] == number])
                ]
        scripted = self._workers.submit(pending)
        sampled = torch.zeros(len(lanes), dtype=torch.int64, device=self._device)
        for net, here in self._networks(lanes):
            if here.any():
                index = torch.from_numpy(np.flatnonzero(here)).to(self._device)
                sampled[index] = NetPolicy(net, self._device, self._generator).actions(observed[index], mask[index])

        def wait() -> NDArray[np.int64]:
            actions: NDArray[np.int64] = sampled.cpu().numpy()
            for (_, name), choices in scripted().items():
                actions[bot == self._config.names.index(name)] = choices
            return actions

        return wait

    def _networks(self, lanes: NDArray[np.int64]) -> list[tuple[SkirmishNet, NDArray[np.bool_]]]:
        """The networks that play, each with a mask `bool[M]` of its lanes among `int64[M]`."""
        past = self._past_lane[lanes] & bool(self._past)
        turn = lanes % max(1, len(self._past))
        itself = (self.bot[lanes] == ITSELF) & ~past
        return [(self._learner, itself), *((net, past & (turn == number)) for number, net in enumerate(self._past))]


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


_log = logger("train")


def evaluate_scenarios(
    config: SkirmishConfig,
    net: SkirmishNet,
    games: dict[str, Skirmish],
    device: torch.device,
    workers: OpponentWorkers,
    where: Row,
) -> Iterator[Row]:
    """Evaluate a network while it is trained, on every scenario and on the same dice each time.

    Yields a row of metrics per opponent; `where`, the stage and step, is part of the logged event.
    """
    for preset, game in games.items():
        net.settle(geometry_of(game))
        policy = NetPolicy(net, device)
        for name in config.evaluation.opponents:
            opponent = ScriptedOpponent(workers, preset, name)
            evaluation = evaluate(game, policy, opponent, name, config.evaluation.games, config.seed)
            row = {"preset": preset, **evaluation.row()}
            yield row
            numbers = {key: value for key, value in row.items() if not isinstance(value, list)}
            _log.info("evaluation", **where, **numbers)
