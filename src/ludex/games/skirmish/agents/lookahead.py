"""Search with the network: its likeliest actions are played on with the same dice, and it judges where they lead."""

import math
from collections.abc import Generator
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


class Lookahead:
    """Compares actions by the reward that follows, see `engine.lanes.worth`, with common dice for all of them."""

    def __init__(self, game: Skirmish, seat: SeatAdapter) -> None:
        self._game, self._seat = game, seat

    def improve(
        self, position: Position, actions: list[Action], logits: Logits, simulations: int, rng: Rng, limit: Limit
    ) -> Generator[list[Position], Answers, Logits]:
        """The logits with what the playouts of the likeliest actions say; -inf for the other actions.

        Yields the positions that the network has to evaluate, so that the searches of many games may share a batch.
        All actions are played on with one number of dice before the next, so that a limit may stop in between.
        """
        ranked = np.argsort(-logits, kind="stable")[:CONSIDERED].tolist()
        places = [place for place in ranked if logits[place] >= logits[ranked[0]] + math.log(LEAST_SHARE)]
        if len(places) < 2:
            return logits
        key = rng.bits()
        totals, rounds = np.zeros(len(places)), 0
        known: dict[bytes, tuple[Action, float]] = {}
        for dice in range(max(1, simulations // len(places))):
            firsts = [actions[place] for place in places]
            worths = yield from self._play_on(position, firsts, state_of(key, dice, 0, 0), known, limit)
            if worths is None:
                break
            totals += worths
            rounds += 1
        if not rounds:
            return logits
        improved = np.full(len(actions), -np.inf)
        improved[places] = logits[places] + WEIGHT * totals / rounds
        return improved

    def _play_on(
        self, root: Position, firsts: list[Action], key: int, known: dict[bytes, tuple[Action, float]], limit: Limit
    ) -> Generator[list[Position], Answers, NDArray[np.float64] | None]:
        """What follows each of some actions with the dice of one key; None once the limit is stopped.

        `known` has the first choices and values of the positions that were met.
        """
        afters = [self._game.apply(root, action, Rng(state_of(key, 0, 0, 0))) for action in firsts]
        for plies in range(1, MOST_PLIES + 1):
            if limit.stopped:
                return None
            questions = {after.packed: after for after in afters if after.packed not in known and self._is_live(after)}
            if questions:
                answers = yield list(questions.values())
                known |= zip(questions, self._judge(list(questions.values()), answers), strict=True)
            ongoing = [plies < MOST_PLIES and self._is_own_turn(root, after) for after in afters]
            if not any(ongoing):
                break
            dice = state_of(key, plies, 0, 0)
            afters = [
                self._game.apply(after, known[after.packed][0], Rng(dice)) if goes_on else after
                for after, goes_on in zip(afters, ongoing, strict=True)
            ]
        return np.array([self._worth(after, root.to_move, known) for after in afters])

    def _judge(self, positions: list[Position], answers: Answers) -> list[tuple[Action, float]]:
        """The network's first choice in each position, and its value for the player to move."""
        logits, values = answers
        judged = []
        for row, position in enumerate(positions):
            actions = playable_actions(self._game, self._game.legal(position))
            turned = [self._seat.action(position.to_move, action) for action in actions]
            judged.append((actions[int(logits[row, turned].argmax())], float(values[row])))
        return judged

    def _is_own_turn(self, root: Position, position: Position) -> bool:
        """Whether it is still the turn of the player that decides."""
        same = position.to_move == root.to_move and position.words[layout.TURN] == root.words[layout.TURN]
        return bool(same) and self._is_live(position)

    def _is_live(self, position: Position) -> bool:
        return int(position.words[layout.RESULT]) == layout.LIVE

    def _worth(self, position: Position, player: int, known: dict[bytes, tuple[Action, float]]) -> float:
        """The reward of a player on the way to a position, and the value there unless the game is over."""
        reward = worth(self._game.constants, position.words.copy(), player)
        value = known[position.packed][1] if position.packed in known else 0.0
        return reward + (value if position.to_move == player else -value)


def playable_actions(game: Skirmish, legal: NDArray[np.bool_]) -> list[Action]:
    """The legal actions but those that take a unit back: there is always another."""
    begins = game.table.begins
    taking_back = range(begins[branches.UNDEPLOY], begins[branches.UNDEPLOY + 1])
    return [action for action in legal_actions(legal) if action not in taking_back]
