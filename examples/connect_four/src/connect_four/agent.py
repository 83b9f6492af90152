"""An agent of the game's own: it wins and blocks at once, and prefers the middle."""

from connect_four.game import ConnectFour
from connect_four.rules import STONES, has_four, landing
from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.kit.game import Position
from ludex.kit.geometry import signed


class Tactical:
    """Looks one move ahead for each player."""

    def __init__(self, game: ConnectFour, options: NoOptions, services: Services, name: str) -> None:
        self.name = name
        self.game = game

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        scored = sorted(((self.score(view, col), col) for col in legal_actions(legal)), reverse=True)
        best = [col for score, col in scored if score == scored[0][0]]
        candidates = tuple(Candidate(col, score=score) for score, col in scored)
        return Decision(rng.choice(best), value=scored[0][0], candidates=candidates)

    def score(self, view: Position, col: int) -> float:
        """1 if the column wins, a half if it blocks, else the closer to the middle the better."""
        game, turn = self.game, self.game.to_move(view)
        drop = 1 << landing(game.board, view.vector(), col)
        for player, worth in ((turn, 1.0), (1 - turn, 0.5)):
            if has_four(game.board, signed(view[STONES + player] | drop)):
                return worth
        return 0.1 - 0.02 * abs(col - game.grid.cols // 2)
