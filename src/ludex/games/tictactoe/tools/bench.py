"""Random games per second, beside the libraries that play tic-tac-toe too."""

from collections.abc import Callable

from ludex.core.bench import BenchRow, rates, with_peers
from ludex.core.game import legal_actions
from ludex.core.registry import make
from ludex.core.seeding import CHANCE, generator
from ludex.games.tictactoe.env.batch import TicTacToeBatch
from ludex.games.tictactoe.game import TicTacToe
from ludex.kernels.sampling import RandomActions

LANES = 4096
UNIT = "random games per CPU-second"


def bench(seconds: float) -> list[BenchRow]:
    """Our batch kernel and our plain contract, each beside pyspiel and PettingZoo."""
    ours = {"batch": _batch(), "contract": _contract()}
    peers = {"pyspiel": lambda peers: peers.spiel_games(), "pettingzoo": lambda peers: peers.pettingzoo_games()}
    speeds = rates(with_peers("tictactoe", ours, peers), seconds)
    return [
        BenchRow(f"{ours}, one thread", UNIT, speeds[key], speeds.get(peer), peer_name)
        for ours, key in ((f"batch kernel, {LANES} lanes", "batch"), ("plain contract", "contract"))
        for peer, peer_name in (("pyspiel", "open_spiel pyspiel"), ("pettingzoo", "PettingZoo raw_env"))
    ]


def _batch() -> Callable[[], int]:
    game = make("tictactoe")
    assert isinstance(game, TicTacToe)
    batch = TicTacToeBatch(game, LANES)
    sampler = RandomActions(LANES, 1, CHANCE)
    _, info = batch.reset(1)
    mask = info["mask"]

    def work() -> int:
        games = 0
        for _ in range(10):
            _, _, terminated, _, _ = batch.step(sampler.draw(mask))
            games += int(terminated.sum())
        return games

    return work


def _contract() -> Callable[[], int]:
    game = make("tictactoe")
    rng = generator(1, 0)

    def work() -> int:
        state = game.initial(rng)
        while game.outcome(state) is None:
            state = game.apply(state, rng.choice(legal_actions(game.legal(state))), rng)
        return 1

    return work
