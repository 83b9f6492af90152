"""Search with the network: its likeliest actions are played on with the same dice, and it judges where they lead."""

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import Action, legal_actions
from ludex.core.limit import Limit
from ludex.core.seeding import Rng, state_of
from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine.lanes import worth
from ludex.games.skirmish.rules.position import Position

CONSIDERED: Final = 8
"""The most actions that are compared."""
LEAST_SHARE: Final = 0.01
"""An action that the policy prefers less than this part of its first choice is left out."""
WEIGHT: Final = 20.0
"""How much of a logit a difference of 1 in the expected reward is worth."""
MOST_PLIES: Final = 60
"""The most plies that are played on."""

Answers: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32]]
"""A network's logits `[N, actions]` and values `[N]`."""
Logits: TypeAlias = NDArray[np.float64]


@dataclass(slots=True)
class Playout:
    """An action of the root with the dice of one number, and where it has led so far."""

    place: int
    dice: int
    position: Position
    plies: int = 1


class Lookahead:
    """Compares actions by the reward that follows, see `engine.lanes.worth`, with common dice for all of them."""

    def __init__(self, game: Skirmish, seat: SeatAdapter) -> None:
        self._game, self._seat = game, seat

    def improve(
        self, position: Position, actions: list[Action], logits: Logits, simulations: int, rng: Rng, limit: Limit
    ) -> Generator[list[Position], Answers, Logits]:
        """The logits with what the playouts of the likeliest actions say; -inf for the other actions.

        Yields the positions that the network has to evaluate, so that the searches of many games may share a batch.
        Once the limit is stopped, the playouts that have ended count.
        """
        ranked = np.argsort(-logits, kind="stable")[:CONSIDERED].tolist()
        places = [place for place in ranked if logits[place] >= logits[ranked[0]] + math.log(LEAST_SHARE)]
        if len(places) < 2:
            return logits
        key, player = rng.bits(), position.to_move
        playouts = []
        for dice in range(max(1, simulations // len(places))):
            for place in places:
                after = self._game.apply(position, actions[place], Rng(state_of(key, dice, 0, 0)))
                playouts.append(Playout(place, dice, after))
        totals, counts = np.zeros(len(actions)), np.zeros(len(actions))
        known: dict[bytes, tuple[Action, float]] = {}
        while playouts and not limit.stopped:
            asked = {
                playout.position.packed: playout.position
                for playout in playouts
                if playout.position.packed not in known and self._is_live(playout.position)
            }
            if asked:
                answers = yield list(asked.values())
                known |= zip(asked, self._judge(list(asked.values()), answers), strict=True)
            rest = []
            for playout in playouts:
                after = playout.position
                if self._goes_on(position, playout):
                    generator = Rng(state_of(key, playout.dice, 0, playout.plies))
                    playout.position = self._game.apply(after, known[after.packed][0], generator)
                    playout.plies += 1
                    rest.append(playout)
                else:
                    totals[playout.place] += self._worth(after, player)
                    if after.packed in known:
                        value = known[after.packed][1]
                        totals[playout.place] += value if after.to_move == player else -value
                    counts[playout.place] += 1
            playouts = rest
        if not counts[places].all():
            return logits
        improved = np.full(len(actions), -np.inf)
        improved[places] = logits[places] + WEIGHT * totals[places] / counts[places]
        return improved

    def _judge(self, positions: list[Position], answers: Answers) -> list[tuple[Action, float]]:
        """The network's first choice in each position, and its value for the player to move."""
        logits, values = answers
        judged = []
        for row, position in enumerate(positions):
            actions = playable_actions(self._game, self._game.legal(position))
            turned = [self._seat.action(position.to_move, action) for action in actions]
            judged.append((actions[int(logits[row, turned].argmax())], float(values[row])))
        return judged

    def _goes_on(self, root: Position, playout: Playout) -> bool:
        """Whether it is still the turn of the player that decides."""
        position, turn = playout.position, layout.TURN
        same = position.to_move == root.to_move and position.words[turn] == root.words[turn]
        return bool(same) and playout.plies < MOST_PLIES and self._is_live(position)

    def _is_live(self, position: Position) -> bool:
        return int(position.words[layout.RESULT]) == layout.LIVE

    def _worth(self, position: Position, player: int) -> float:
        return worth(self._game.constants, position.words.copy(), player)


def playable_actions(game: Skirmish, legal: NDArray[np.bool_]) -> list[Action]:
    """The legal actions but those that take a unit back: there is always another."""
    begins = game.table.begins
    taking_back = range(begins[branches.UNDEPLOY], begins[branches.UNDEPLOY + 1])
    return [action for action in legal_actions(legal) if action not in taking_back]
