"""Compiling the slice's kernels before anybody waits for them."""

from collections.abc import Iterator

from ludex.core.registry import make
from ludex.core.sampling import RandomActions
from ludex.core.seeding import CHANCE
from ludex.games.tictactoe.batch import TicTacToeBatch
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.solver import solver


def warmup() -> Iterator[str]:
    """Run each kernel once on the types it is used with."""
    game = make("tictactoe")
    assert isinstance(game, TicTacToe)
    yield "solver"
    solver(game.board)
    yield "batch"
    batch = TicTacToeBatch(game, 2)
    _, info = batch.reset(0)
    batch.step(RandomActions(2, 0, CHANCE).draw(info["mask"]))
