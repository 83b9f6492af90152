"""Other ways to place units than by the network, to see what its placing is worth."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import Mask, Observation
from ludex.games.skirmish.engine import branches
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.opponents import Policy


class PlacedOtherwise:
    """A policy in the battle after units that were placed by another rule, through `deploy_unit` as by anybody."""

    def __init__(self, game: Skirmish, policy: Policy, deployment: str, seed: int) -> None:
        self._policy = policy
        self._deployment = deployment
        self._placements = game.table.sizes[branches.DEPLOY]
        self._random = np.random.default_rng(seed)

    def __call__(self, obs: Observation, masks: Mask) -> NDArray[np.int64]:
        actions = self._policy(obs, masks).copy()
        if self._deployment == "learned":
            return actions
        allowed = masks[:, : self._placements]
        placing = np.flatnonzero(allowed.any(axis=1))
        weights = self._random.random((len(placing), self._placements)) if self._deployment == "uniform" else 1.0
        actions[placing] = np.where(allowed[placing], weights, -1.0).argmax(axis=1)
        return actions
