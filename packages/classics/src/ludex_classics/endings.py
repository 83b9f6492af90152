"""Puzzles of endings: of the few moves that are left few win, as the kernels find and the contract proves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ludex.core.compiled import RUNNING, Vector
from ludex.core.game import Action, legal_actions
from ludex.core.messages import Message
from ludex.core.puzzle import Candidate, Proof, reasons_of
from ludex.core.seeding import Rng
from ludex.kit.game import GridGame, Position
from ludex.kit.rules import TURN

MOST_RIGHT = 2
"""Moves that may solve a puzzle."""
SEED: Final = 0


@dataclass(frozen=True, slots=True)
class Endings:
    """The endings of a game that are puzzles: how much is left in them, and how many moves there are to choose from."""

    left: Callable[[GridGame, Position], int]
    """How many moves a game can still last."""
    least: int
    most: int
    choices: int
    """Legal moves, at least."""
    step: int
    """How much harder a puzzle is for each move that is left."""

    def make(self, game: GridGame, rng: Rng) -> Candidate | None:
        """A position after random moves in which few moves win, and none of them at once."""
        state, plies = game.initial(rng), self.least + rng.below(self.most - self.least + 1)
        while self.left(game, state) > plies and game.outcome(state) is None:
            state = game.apply(state, rng.choice(legal_actions(game.legal(state))), rng)
        legal = legal_actions(game.legal(state))
        if len(legal) < self.choices:
            return None
        sign = 1 - 2 * game.to_move(state)
        right = frozenset(action for action in legal if sign * _value(game, _after(game, state.vector(), action)) > 0)
        return Candidate(state, right) if _suits(game, state, right) else None

    def prove(self, game: GridGame, state: Position) -> Proof | None:
        """Try every move and every answer to the end of the game."""
        legal, left = legal_actions(game.legal(state)), self.left(game, state)
        if len(legal) < self.choices or not self.least <= left <= self.most:
            return None
        search = _Search(game)
        sign = search.sign(state)
        after = {action: game.apply(state, action, Rng(SEED)) for action in legal}
        right = frozenset(action for action in legal if sign * search.value(after[action]) > 0)
        if not _suits(game, state, right):
            return None
        names = {action: game.action_text(state, action) for action in legal}
        line = search.line(state, min(right))
        replies = {action: search.best(after[action]) for action in legal if action not in right}
        wrong = [
            (Message(f"{game.id}.puzzle_win_reply", {"reply": game.action_text(after[action], reply)}), names[action])
            for action, reply in replies.items()
            if reply is not None and game.to_move(after[action]) != game.to_move(state)
        ]
        return Proof(
            accept=tuple(names[action] for action in sorted(right)),
            difficulty=600 + self.step * (left - self.least) + 40 * len(line) - 100 * (len(right) - 1),
            explanation=(Message(f"{game.id}.puzzle_win_line", {"line": " ".join(line)}),),
            reasons=reasons_of(wrong),
            line=line,
            parameters={"player": Message(f"{game.id}.player_{game.to_move(state) + 1}")},
        )


def _suits(game: GridGame, state: Position, right: frozenset[Action]) -> bool:
    """Whether few moves win, and none at once."""
    if not 1 <= len(right) <= MOST_RIGHT:
        return False
    return all(game.outcome(game.apply(state, action, Rng(SEED))) is None for action in right)


def _moves_left(game: GridGame, state: Position) -> int:
    """The legal moves, where each move is one less for both players."""
    return len(legal_actions(game.legal(state)))


MOVES: Final = Endings(_moves_left, least=5, most=9, choices=5, step=150)
make, prove = MOVES.make, MOVES.prove


def _after(game: GridGame, numbers: Vector, action: Action) -> Vector:
    following = numbers.copy()
    game.kernels.apply(game.board, following, action)
    return following


def _value(game: GridGame, numbers: Vector) -> float:
    """The score of player 0 if both play best, by the kernels and without a memory."""
    score = game.kernels.outcome(game.board, numbers)
    if score != RUNNING:
        return score
    mask = np.zeros(game.info.num_actions, np.uint8)
    game.kernels.legal(game.board, numbers, mask)
    sign = 1 - 2 * int(numbers[TURN])
    best = -1.0
    for action in np.flatnonzero(mask):
        best = max(best, sign * _value(game, _after(game, numbers, int(action))))
        if best == 1:
            break
    return sign * best


class _Search:
    """The values of positions by the contract."""

    def __init__(self, game: GridGame) -> None:
        self._game = game
        self._known: dict[Position, float] = {}

    def sign(self, state: Position) -> int:
        return 1 - 2 * self._game.to_move(state)

    def value(self, state: Position) -> float:
        """The score of player 0 if both play best."""
        if state not in self._known:
            outcome = self._game.outcome(state)
            sign = self.sign(state)
            self._known[state] = (
                sign * max(sign * self.value(after) for after in self._next(state).values())
                if outcome is None
                else outcome.scores[0]
            )
        return self._known[state]

    def best(self, state: Position) -> Action | None:
        """The first of the best moves; None once the game is over."""
        after = self._next(state)
        return max(after, key=lambda action: self.sign(state) * self.value(after[action]), default=None)

    def line(self, state: Position, action: Action | None) -> tuple[str, ...]:
        """A move and what follows by best moves, to the end."""
        texts = []
        while action is not None:
            texts.append(self._game.action_text(state, action))
            state = self._game.apply(state, action, Rng(SEED))
            action = self.best(state)
        return tuple(texts)

    def _next(self, state: Position) -> dict[Action, Position]:
        legal = legal_actions(self._game.legal(state))
        return {action: self._game.apply(state, action, Rng(SEED)) for action in legal}
