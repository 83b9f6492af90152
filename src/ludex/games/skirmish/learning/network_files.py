"""Networks from configurations and files, as players of many lanes, and measured against others."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor, nn

from ludex.core.game import Mask, Observation
from ludex.core.options import Options, parse_options, split_reference
from ludex.games.skirmish.agents.network import INPUTS, OUTPUTS
from ludex.games.skirmish.env.opponents import Opponent, OpponentWorkers, PolicyOpponent, ScriptedOpponent
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.config import NetConfig
from ludex.games.skirmish.learning.evaluation import ComposedPlayer, Evaluation, PlacementRule, evaluate
from ludex.games.skirmish.learning.network import Geometry, SkirmishNet, geometry_of
from ludex.games.skirmish.options import Deployment
from ludex.games.skirmish.rules.engine.observation import PLANES, vector_length
from ludex.learn.checkpoints import load_sized, save_sized
from ludex.learn.export import Input, PlayingNet
from ludex.learn.ppo import autocast, sample_actions


def build(config: NetConfig, geometry: Geometry) -> SkirmishNet:
    """A network with random weights."""
    return SkirmishNet(config.width, config.depth, config.attention_layers, config.placing_gain, geometry)


def save_net(path: Path, net: SkirmishNet, config: NetConfig) -> None:
    """Write weights with the sizes of their network."""
    save_sized(path, net, "config", config)


def load_net(path: Path, geometry: Geometry, device: torch.device, expected: NetConfig | None = None) -> SkirmishNet:
    """Read what `save_net` wrote. Raises `BadNet` if it is another network than expected."""
    return load_sized(path, device, "config", NetConfig, lambda config: build(config, geometry), expected)


def playing_net(net: SkirmishNet, geometry: Geometry) -> PlayingNet:
    """What the network's agents play, for one scenario and those with the same board and slots."""
    planes, vector = INPUTS
    cells = (torch.arange(2 * PLANES * geometry.cols * geometry.rows) % 5 == 0).float()
    inputs = [
        Input(planes, cells.view(2, PLANES, geometry.cols, geometry.rows)),
        Input(vector, torch.zeros(2, vector_length(geometry.unit_slots))),
    ]
    identity = f"skirmish compact {geometry.digest} {net.placing_gain}"
    playing = PlayingNet(net, _play, inputs=inputs, outputs=OUTPUTS, identity=identity)
    assert isinstance(playing.net, SkirmishNet)
    playing.net.settle(geometry, compact=True)
    return playing


def _play(net: nn.Module, planes: Tensor, vector: Tensor) -> tuple[Tensor, Tensor]:
    """Of `planes: float32[N, planes, cols, rows]` and `vector: float32[N, numbers]`, as the game makes them."""
    logits, value = net(torch.cat((planes.flatten(1), vector), 1))
    return logits, value.clamp(-1.0, 1.0)


def flat(obs: Observation) -> NDArray[np.float32]:
    """float32[N, observed]: planes and vector side by side, as the network takes them."""
    planes = obs["planes"]
    return np.concatenate((planes.reshape(len(planes), -1), obs["vector"]), axis=1)


class NetPolicy:
    """A network as the player of many lanes: its first choice, or sampled if given a generator.

    Logits are divided by the temperature before an action is sampled.
    """

    def __init__(
        self, net: nn.Module, device: torch.device, generator: torch.Generator | None = None, temperature: float = 1.0
    ) -> None:
        self._net = net
        self._device = device
        self._generator = generator
        self._temperature = temperature

    def __call__(self, obs: Observation, masks: Mask) -> NDArray[np.int64]:
        mask = torch.from_numpy(masks).to(self._device)
        return self.actions(torch.from_numpy(flat(obs)).to(self._device), mask).cpu().numpy()

    @torch.no_grad()
    def actions(self, observed: Tensor, mask: Tensor) -> Tensor:
        """int64[N] for `observed: [N, numbers]` and `mask: bool[N, actions]`."""
        with autocast(self._device, True):
            logits, _ = self._net(observed.float())
        if self._generator is not None:
            return sample_actions(logits.float() / self._temperature, mask, self._generator)[0]
        best: Tensor = logits.float().masked_fill(~mask, -torch.inf).argmax(1)
        return best


ITSELF: Final = "itself"
"""An opponent's name: the same network."""
LEARNED: Final = "learned"
"""Who places or fights: the network that is measured."""


class ItselfOptions(Options):
    """How the network plays as its own opponent."""

    temperature: float = Field(0.0, ge=0.0, le=20.0, description="0 plays the first choice")


@dataclass
class Measuring:
    """Evaluates a network on its device, with the same number of games on the same dice for each opponent."""

    game: Skirmish
    file: Path
    device: torch.device
    workers: OpponentWorkers
    games: int
    lanes: int
    seed: int
    advance: Callable[[int], None]

    def __post_init__(self) -> None:
        self._net = load_net(self.file, geometry_of(self.game), self.device)

    def against(self, opponent: str, temperature: float, deployment: str, battle: str = LEARNED) -> Evaluation:
        """Play an agent, or `itself:temperature=T`; see `player` for who places and who fights."""
        return evaluate(
            self.game,
            self.player(temperature, deployment, battle, self.seed),
            self._opponent(opponent),
            opponent,
            self.games,
            self.seed,
            most_lanes=self.lanes,
            advance=self.advance,
        )

    def player(self, temperature: float, deployment: str, battle: str, seed: int) -> ComposedPlayer:
        """Units placed in one of the ways of `Deployment` or by an agent; the battle by the network or an agent."""
        fighter = PolicyOpponent(self.policy(temperature, seed)) if battle == LEARNED else self._scripted_player(battle)
        if deployment not in get_args(Deployment):
            return ComposedPlayer(self._scripted_player(deployment), fighter)
        networks = {"learned": 0.0, "sampled": temperature}
        rule = self.policy(networks[deployment], seed) if deployment in networks else deployment
        return ComposedPlayer(PolicyOpponent(PlacementRule(self.game, rule, self.seed)), fighter)

    def policy(self, temperature: float, seed: int) -> NetPolicy:
        """The network as a player; it samples unless the temperature is 0."""
        if temperature == 0.0:
            return NetPolicy(self._net, self.device)
        generator = torch.Generator(self.device).manual_seed(seed)
        return NetPolicy(self._net, self.device, generator, temperature)

    def _opponent(self, text: str) -> Opponent:
        name, values = split_reference(text)
        if name != ITSELF:
            return self._scripted_player(text)
        temperature = parse_options(ItselfOptions, values, text).temperature
        return self.player(temperature, LEARNED, LEARNED, self.seed + 1)

    def _scripted_player(self, agent: str) -> ScriptedOpponent:
        return ScriptedOpponent(self.workers, self.game.info.preset, agent)
