"""Calls that compile tic-tac-toe's kernels."""

from ludex.core.registry import make
from ludex.core.seeding import CHANCE
from ludex.games.tictactoe.agents.solver import Solver
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.batch import TicTacToeBatch
from ludex.games.tictactoe.rules.compiled import compiled
from ludex.kernels.calls import addresses
from ludex.kernels.sampling import RandomActions
from ludex.kernels.warmup import Warmup


def warmup() -> Warmup:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    return Warmup(player={"solver": _solver}, on_demand={"batch": _batch, "compiled rules": _compiled})


def _game() -> TicTacToe:
    game = make("tictactoe")
    assert isinstance(game, TicTacToe)
    return game


def _solver() -> None:
    Solver(_game().board)


def _compiled() -> None:
    addresses(compiled(_game()))


def _batch() -> None:
    batch, sampler = TicTacToeBatch(_game(), 2), RandomActions(2, 0, CHANCE)
    batch.step(sampler.draw(batch.reset(0)[1]["mask"]))
