"""The agent that plays random moves."""

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.position import Position


class RandomAgent:
    """Plays any legal move, each equally likely."""

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        moves = legal_actions(legal)
        share = 1.0 / len(moves)
        return Decision(
            action=rng.choice(moves),
            candidates=tuple(Candidate(move, prob=share, line=(move,)) for move in moves),
            note="a legal move by chance",
        )


def random(game: TicTacToe, options: NoOptions, services: Services, name: str) -> RandomAgent:
    """The factory of `random`."""
    return RandomAgent(name)
