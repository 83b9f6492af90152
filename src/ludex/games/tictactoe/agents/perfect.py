"""Perfect play on boards that can be solved."""

from typing import Literal

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.tictactoe.agents.solver import Solver, exact_terms, require_solvable, solver
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.options import PerfectOptions
from ludex.games.tictactoe.rules.position import Position


class PerfectAgent:
    """Plays the exact best move: wins as soon as it can, loses as late as it can."""

    def __init__(self, game: TicTacToe, ties: Literal["first", "random"] = "first", name: str = "perfect") -> None:
        self.name = name
        self._ties = ties
        self._names = game.board.names
        self._solver: Solver = solver(game.board)

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        exact = {move: self._solver.move(view, move) for move in legal_actions(legal)}
        greatest = max(value.score for value in exact.values())
        best = [move for move, value in exact.items() if value.score == greatest]
        action = rng.choice(best) if self._ties == "random" else best[0]
        order = sorted(exact, key=lambda move: (move != action, -exact[move].score, move))
        verdict = {1: "wins", 0: "draws", -1: "loses"}[exact[action].value]
        return Decision(
            action=action,
            value=float(exact[action].value),
            candidates=tuple(
                Candidate(
                    move,
                    score=float(exact[move].score),
                    line=(move,),
                    terms=exact_terms(exact[move]),
                    value=float(exact[move].value),
                )
                for move in order
            ),
            stats={"distance": exact[action].distance, "ties": len(best)},
            explanation=(
                Message(
                    f"tictactoe.{verdict}",
                    {"move": self._names[action], "count": exact[action].distance},
                    (action,),
                ),
            ),
            overlay={"exact": tuple(float(exact[cell].value) if cell in exact else None for cell in range(len(legal)))},
        )


def perfect(game: TicTacToe, options: PerfectOptions, services: Services, name: str) -> PerfectAgent:
    """The factory of `perfect`."""
    return PerfectAgent(game, options.ties, name)


def check_perfect(game: TicTacToe, options: PerfectOptions) -> None:
    """Raise if `perfect` cannot play the board."""
    require_solvable(game.board)
