"""Whom the learner meets in each lane: itself, what it was before, or a scripted player."""

import copy
from typing import Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from ludex.games.skirmish.batch import SkirmishBatch
from ludex.games.skirmish.learning.bots import BotRoom
from ludex.games.skirmish.learning.config import OpponentsConfig
from ludex.games.skirmish.learning.model import SkirmishNet
from ludex.games.skirmish.learning.nets import NetPolicy
from ludex.games.skirmish.opponents import PolicyOpponent, Question, questions

ITSELF: Final = -1
Weights: TypeAlias = dict[str, torch.Tensor]


def kept_among(past: list[Weights], net: SkirmishNet, most: int) -> list[Weights]:
    """Past networks with the present one; of too many, the second oldest goes: the first is the longest way back."""
    now = {name: weight.detach().clone() for name, weight in net.state_dict().items()}
    kept = [*past, now]
    if len(kept) <= most:
        return kept
    return [kept[0], *kept[len(kept) - most + 1 :]] if most > 1 else [now]


class Rivals:
    """The opponents of N lanes, by lane: first those that it plays itself, then past networks, then scripted players.

    Lanes of past networks take turns among those kept. Networks draw their actions by probability, as the learner does.
    """

    def __init__(
        self,
        config: OpponentsConfig,
        preset: str,
        num_lanes: int,
        room: BotRoom,
        learner: SkirmishNet,
        device: torch.device,
        generator: torch.Generator,
    ) -> None:
        self._config = config
        self._room = room
        self._learner, self._device, self._generator = learner, device, generator
        self._preset = preset
        bots, past = round(config.bots * num_lanes), round(config.past * num_lanes)
        lane = np.arange(num_lanes)
        self.bot = np.where(lane >= num_lanes - bots, lane % len(config.names), ITSELF)
        """int64[N]: which of the named players, or ITSELF."""
        self._past_lane = (lane >= num_lanes - bots - past) & (self.bot == ITSELF)
        self._past: list[SkirmishNet] = []

    @property
    def met(self) -> NDArray[np.bool_]:
        """bool[N]: lanes in which the learner has one seat only."""
        lanes: NDArray[np.bool_] = (self.bot != ITSELF) | (self._past_lane & bool(self._past))
        return lanes

    def meet(self, past: list[Weights]) -> None:
        """Play past networks of these weights from now on."""
        while len(self._past) < len(past):
            self._past.append(copy.deepcopy(self._learner).eval().requires_grad_(False))
        for net, weights in zip(self._past, past, strict=True):
            net.load_state_dict(weights)

    def choose(self, batch: SkirmishBatch, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64[M]: the choices of the rivals of some lanes `int64[M]` of the batch that holds them all."""
        return self.choose_in(batch, lanes, lanes)

    def choose_in(self, batch: SkirmishBatch, inside: NDArray[np.int64], lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same for lanes whose numbers in a batch that holds a part of them are `inside: int64[M]`."""
        actions = np.zeros(len(lanes), np.int64)
        asked: dict[tuple[str, str], list[Question]] = {}
        for number, name in enumerate(self._config.names):
            here = self.bot[lanes] == number
            if here.any():
                asked[self._preset, name] = questions(batch, inside[here])
        for (_, name), found in self._room.ask(asked).items():
            actions[self.bot[lanes] == self._config.names.index(name)] = found
        past = self._past_lane[lanes] & bool(self._past)
        turn = lanes % max(1, len(self._past))
        players = [(self._learner, (self.bot[lanes] == ITSELF) & ~past)]
        players += [(net, past & (turn == number)) for number, net in enumerate(self._past)]
        for net, here in players:
            if here.any():
                policy = PolicyOpponent(NetPolicy(net, self._device, self._generator))
                actions[here] = policy.choose(batch, inside[here])
        return actions
