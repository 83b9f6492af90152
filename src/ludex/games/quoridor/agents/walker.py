"""A player that only walks: the zero of the strength scale."""

import numpy as np

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.board import action_name
from ludex.games.quoridor.rules.movegen import play
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import STATE_WORDS, Position, words


class WalkerAgent:
    """Takes the step that leaves the shortest way to the goal, and never puts a wall."""

    def __init__(self, game: Quoridor, options: NoOptions, services: Services, name: str) -> None:
        self.name = name
        self._game = game

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        steps = {action: self._distance(view, action) for action in legal_actions(legal) if action < self._game.squares}
        nearest = min(steps.values())
        step = rng.choice([action for action, away in steps.items() if away == nearest])
        order = sorted(steps, key=lambda action: (steps[action], action != step))
        return Decision(
            action=step,
            candidates=tuple(Candidate(action, score=-float(steps[action]), line=(action,)) for action in order),
            explanation=(Message("quoridor.leaves", {"move": action_name(step, self._game.size), "count": nearest}),),
        )

    def _distance(self, view: Position, action: int) -> int:
        """Steps left after a step."""
        game, after = self._game, np.empty(STATE_WORDS, np.uint64)
        play(words(view, game.size), action, game.size, after)
        return int(distance(after, view.turn, game.size, game.geometry))
