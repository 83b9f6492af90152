"""How a finished game changes the ranking: the original document's additive rule, and a negamax backup."""

from typing import Protocol

from ludex.core.ranking import RankingStore
from ludex.games.tictactoe.agents.policy import RankingPolicy
from ludex.games.tictactoe.rules.position import Position

History = list[tuple[Position, int]]
"""The positions of a game with the move played in each, in order."""


class Learning:
    """Writes to a ranking. Reads and writes go through the canonical image of the position and the move."""

    def __init__(self, policy: RankingPolicy, *, alpha: float, bound: float) -> None:
        self.policy = policy
        self.store: RankingStore = policy.store
        self.alpha = alpha
        self.bound = bound

    def update_q(self, position: Position, move: int, reward: float) -> float:
        """Q <- clamp(Q + alpha * reward, -bound, bound); returns the new Q."""
        key, moves, _ = self.policy.symmetry.canonical(position)
        q = (self.store.get(key, moves[move]) or 0.0) + self.alpha * reward
        q = max(-self.bound, min(self.bound, q))
        self.store.set(key, moves[move], q)
        return q

    def set_q(self, position: Position, move: int, q: float) -> None:
        """Q <- q."""
        key, moves, _ = self.policy.symmetry.canonical(position)
        self.store.set(key, moves[move], q)


class Rule(Protocol):
    """Learns from one finished game."""

    def learn(self, history: History) -> None: ...


class AdditiveRule:
    """The original document's v1.01: every move of the game is rewarded with how the game ended for its mover."""

    def __init__(self, learning: Learning, *, win: float, loss: float, draw: float) -> None:
        self.learning = learning
        self.win = win
        self.loss = loss
        self.draw = draw

    def learn(self, history: History) -> None:
        position, move = history[-1]
        final = self.learning.policy.board.after(position, move)
        for ply, (position, move) in enumerate(history):
            if final.won:
                reward = self.loss if position.turn == final.turn else self.win
            else:
                reward = self.draw_reward(ply // 2 + 1)
            self.learning.update_q(position, move, reward)

    def draw_reward(self, ordinal: int) -> float:
        """A draw is worth less the later the move: `ordinal` counts the player's own moves from 1."""
        half = self.learning.policy.board.cells / 2
        return self.draw * (half - ordinal) / half


class NegamaxRule:
    """Q of a move becomes the value of the position it leads to, read through the tactical rules."""

    def __init__(self, learning: Learning) -> None:
        self.learning = learning
        self.policy = learning.policy

    def learn(self, history: History) -> None:
        # From the end back, so that a result reaches the first move within one game.
        for position, move in reversed(history):
            self.learning.set_q(position, move, -self.value(self.policy.board.after(position, move)))

    def value(self, position: Position) -> float:
        """The worth of a position for its side to move, as far as tactics and the ranking know."""
        if position.won:
            return -1.0
        if position.taken == self.policy.board.full:
            return 0.0
        wins, threats = self.policy.tactics(position)
        if wins:
            return 1.0
        if len(threats) > 1:
            return -1.0
        q = self.policy.q_values(position)
        return q[threats[0]] if threats else max(q.values())
