"""The agent that plays small boards by their solution."""

from functools import lru_cache
from typing import Final

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Action, Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.options import NoOptions
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.quoridor.agents.retrograde import MOST_PLIES
from ludex.games.quoridor.agents.solver import Solution, check_solvable, solve
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.board import action_name
from ludex.games.quoridor.rules.position import Position

MOST_POSITIONS: Final = 1 << 24
"""They take a byte each, and all of them about a second."""
BOARDS_KEPT: Final = 4


class PerfectAgent:
    """Wins as soon as it can force it, otherwise keeps the draw, and loses as late as it can."""

    def __init__(self, game: Quoridor, options: NoOptions, services: Services, name: str) -> None:
        self.name = name
        self._game = game
        self._solution = _solution(game.info.preset)

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        scores = {action: self._score(view, action) for action in legal_actions(legal)}
        order = sorted(scores, key=lambda action: -scores[action])
        best = order[0]
        return Decision(
            action=best,
            value=_value(scores[best]),
            candidates=tuple(
                Candidate(
                    action,
                    score=float(scores[action]),
                    line=self._line(view, action) if action == best else (action,),
                    value=_value(scores[action]),
                )
                for action in order
            ),
            explanation=(_explanation(action_name(best, self._game.size), scores[best]),),
        )

    def _score(self, view: Position, action: Action) -> int:
        """Greater is better for the mover, sooner wins and later losses included; 0 is a draw."""
        after = self._solution.value(self._game.apply(view, action, Rng(0)))
        if after.plies is None:
            return 0
        worth = MOST_PLIES + 1 - after.plies
        return worth if after.winner == view.turn else -worth

    def _line(self, view: Position, action: Action) -> tuple[Action, ...]:
        """How play goes on to the end if both play best; of a draw the move alone."""
        line, state = [action], self._game.apply(view, action, Rng(0))
        while self._game.outcome(state) is None and self._solution.value(state).plies is not None:
            line.append(self._solution.best(state)[0])
            state = self._game.apply(state, line[-1], Rng(0))
        return tuple(line)


def check_perfect(game: Quoridor, options: NoOptions) -> None:
    """Raise `Unsupported` if the board is too large to be solved at once."""
    check_solvable(game, MOST_POSITIONS)


@lru_cache(maxsize=BOARDS_KEPT)
def _solution(preset: str) -> Solution:
    """A board's solution, computed once per process as long as few boards are in use."""
    game = make("quoridor", preset)
    assert isinstance(game, Quoridor)
    return solve(game, most=MOST_POSITIONS)


def _value(score: int) -> float:
    return float((score > 0) - (score < 0))


def _explanation(move: str, score: int) -> Message:
    if score == 0:
        return Message("quoridor.draws", {"move": move})
    verdict = "wins" if score > 0 else "loses"
    # The move itself counts.
    return Message(f"quoridor.{verdict}", {"move": move, "count": MOST_PLIES + 2 - abs(score)})
