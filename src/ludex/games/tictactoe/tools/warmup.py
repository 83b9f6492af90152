"""Calls that compile tic-tac-toe's kernels."""

from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.games.tictactoe.agents.solver import Solver
from ludex.games.tictactoe.game import TicTacToe
from ludex.kernels.warmup import Warmup, step_batch
from ludex.search.batched.warmup import compile_search


def warmup() -> Warmup:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    return Warmup(
        player={"solver": _solver},
        agents={"tree search": _tree_search, "search with a network": lambda: compile_search(_game())},
        on_demand={"batch": lambda: step_batch(_game())},
    )


def _game() -> TicTacToe:
    game = make("tictactoe")
    assert isinstance(game, TicTacToe)
    return game


def _solver() -> None:
    Solver(_game().board)


def _tree_search() -> None:
    game = _game()
    decide(Match(game, 0), make_agent(game, "mcts"), Limit(simulations=1))
