"""How strong a network is: against scripted players and itself, hot or cold, however its units were placed."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import torch
from pydantic import Field

from ludex.core.options import Options, parse_options, split_reference
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.learning.bots import BotRoom, RoomOpponent
from ludex.games.skirmish.learning.evaluation import Evaluation, evaluate
from ludex.games.skirmish.learning.geometry import geometry_of
from ludex.games.skirmish.learning.nets import NetPolicy, load_net
from ludex.games.skirmish.learning.placing import PlacedOtherwise
from ludex.games.skirmish.opponents import Given

ITSELF: Final = "itself"
"""An opponent's name: the same network."""


class ItselfOptions(Options):
    """How the network plays as its own opponent."""

    temperature: float = Field(0.0, ge=0.0, le=20.0, description="0 plays the first choice")


class Measuring:
    """A network on its device, and as many games on the same dice each time it is asked to play."""

    def __init__(
        self,
        game: Skirmish,
        net: Path,
        device: torch.device,
        room: BotRoom,
        *,
        games: int,
        lanes: int,
        seed: int,
        advance: Callable[[int], None],
    ) -> None:
        self._game, self._device, self._room = game, device, room
        self._games, self._lanes, self._seed, self._advance = games, lanes, seed, advance
        self._net = load_net(net, geometry_of(game), device)

    def against(self, opponent: str, temperature: float, deployment: str) -> Evaluation:
        """Play an agent, or `itself:temperature=T`."""
        policy = PlacedOtherwise(self._game, self.policy(temperature, self._seed), deployment, self._seed)
        return evaluate(
            self._game,
            policy,
            self._rival(opponent),
            opponent,
            self._games,
            self._seed,
            most_lanes=self._lanes,
            advance=self._advance,
        )

    def policy(self, temperature: float, seed: int) -> NetPolicy:
        """The network as a player, drawing by chance unless it is cold."""
        if temperature == 0.0:
            return NetPolicy(self._net, self._device)
        generator = torch.Generator(self._device).manual_seed(seed)
        return NetPolicy(self._net, self._device, generator, temperature)

    def _rival(self, text: str) -> Given:
        name, values = split_reference(text)
        if name != ITSELF:
            return RoomOpponent(self._room, self._game.info.preset, text)
        return self.policy(parse_options(ItselfOptions, values, text).temperature, self._seed + 1)
