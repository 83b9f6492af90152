"""The original document's four levels, one player with other numbers: easy, normal, hard and hell."""

import math

import numpy as np

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.quoridor.agents.minimax.evaluation import INT_MAX, INT_MIN, evaluate
from ludex.games.quoridor.agents.minimax.search import MOST_CANDIDATES, Setting, search_root
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.options import EvalWeights, LevelOptions
from ludex.games.quoridor.rules.movegen import play
from ludex.games.quoridor.rules.notation import action_name
from ludex.games.quoridor.rules.position import STATE_WORDS, Position, words

CERTAIN = INT_MAX - 1000
"""Scores beyond it are wins and losses that were seen to the end."""
SCALE = 100.0
"""An advantage of this many points has the value tanh(1)."""


class LevelAgent:
    """Minimax with alpha-beta to a fixed depth, under noise."""

    def __init__(self, game: Quoridor, options: LevelOptions, name: str) -> None:
        self.name = name
        self._game = game
        self._depth = options.depth
        self._noise = options.noise
        self._weights = np.array(options.weights, np.int64)

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        game = self._game
        actions, values = np.empty(MOST_CANDIDATES, np.int64), np.empty(MOST_CANDIDATES, np.int64)
        nodes, rng_state = np.zeros(1, np.int64), np.array([rng.bits()], np.uint64)
        setting = Setting(self._noise, self._weights, game.size, game.geometry, rng_state, nodes, limit.stop)
        # The seed makes each move and then calls minimax with the level's depth: the move itself is one ply more.
        count = search_root(words(view, game.size), self._depth + 1, setting, actions, values)
        if count == 0:
            # Stopped before a single move was finished: search one ply without a limit.
            setting = setting._replace(stop=np.zeros(1, np.uint8))
            count = search_root(words(view, game.size), 1, setting, actions, values)
        # Python's sort is stable: of equal values the first considered stays first.
        order = sorted(range(count), key=lambda index: -values[index])
        best, score = int(actions[order[0]]), int(values[order[0]])
        return Decision(
            action=best,
            value=worth(score),
            candidates=tuple(
                Candidate(
                    int(actions[index]),
                    score=float(values[index]),
                    line=(int(actions[index]),),
                    terms=self._terms(view, int(actions[index])),
                )
                for index in order
            ),
            stats={"depth": self._depth, "noise": self._noise, "nodes": int(nodes[0]), "score": score},
            explanation=(_explanation(action_name(best, game.size), score),),
        )

    def _terms(self, view: Position, action: int) -> dict[str, float]:
        """The five terms of the position after a move, for its mover; none where that ends the game."""
        game = self._game
        after = np.empty(STATE_WORDS, np.uint64)
        terms = np.zeros(len(EvalWeights._fields), np.int64)
        play(words(view, game.size), action, game.size, after)
        value = evaluate(after, view.turn, self._weights, game.size, game.geometry, terms)
        return {} if value in (INT_MAX, INT_MIN) else dict(zip(EvalWeights._fields, map(float, terms), strict=True))


def worth(score: int) -> float:
    """A score as a value in -1..1.

    >>> worth(0), worth(2**31 - 3), worth(-(2**31) + 4)
    (0.0, 1.0, -1.0)
    """
    if abs(score) >= CERTAIN:
        return math.copysign(1.0, score)
    return math.tanh(score / SCALE)


def _explanation(move: str, score: int) -> Message:
    if score >= CERTAIN:
        return Message("quoridor.level_wins", {"move": move, "count": INT_MAX - score})
    if score <= -CERTAIN:
        return Message("quoridor.level_loses", {"move": move, "count": score - INT_MIN})
    return Message("quoridor.worth", {"move": move, "score": score})


def level(game: Quoridor, options: LevelOptions, services: Services, name: str) -> LevelAgent:
    """The factory of the four levels."""
    return LevelAgent(game, options, name)
