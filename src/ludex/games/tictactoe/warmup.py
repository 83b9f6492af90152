"""Compiling the slice's kernels before anybody waits for them."""

from collections.abc import Callable

from ludex.core.registry import make
from ludex.core.sampling import RandomActions
from ludex.core.seeding import CHANCE
from ludex.games.tictactoe.batch import TicTacToeBatch
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.solver import Solver


def warmup() -> dict[str, Callable[[], object]]:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    game = make("tictactoe")
    assert isinstance(game, TicTacToe)
    batch, sampler = TicTacToeBatch(game, 2), RandomActions(2, 0, CHANCE)
    return {
        "solver": lambda: Solver(game.board),
        "random actions": lambda: sampler.draw(batch.reset(0)[1]["mask"]),
        "batch": lambda: batch.step(sampler.draw(batch.reset(0)[1]["mask"])),
    }
