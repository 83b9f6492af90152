"""Random games of tic-tac-toe, ours and those of open_spiel and PettingZoo."""

import random
from collections.abc import Callable
from typing import Final

from benchmarks.peers import module, open_spiel, with_peers
from ludex.core.bench import BenchRow, rates
from ludex.core.game import legal_actions
from ludex.core.registry import make
from ludex.core.seeding import CHANCE, generator
from ludex.games.tictactoe.env.batch import TicTacToeBatch
from ludex.games.tictactoe.game import TicTacToe
from ludex.kernels.sampling import RandomActions

PACKAGES: Final = ("open_spiel", "pettingzoo")
LANES: Final = 4096
UNIT: Final = "random games per CPU-second"


def spiel_games() -> Callable[[], int]:
    """Games of pyspiel, one at a time."""
    game = open_spiel("tic_tac_toe")
    choice = random.Random(1).choice

    def work() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
        return 1

    return work


def pettingzoo_games() -> Callable[[], int]:
    """Games of PettingZoo's `raw_env`, one at a time."""
    env = module("pettingzoo.classic.tictactoe.tictactoe").raw_env()
    choice = random.Random(1).choice

    def work() -> int:
        env.reset()
        while True:
            observation, _, termination, _, _ = env.last()
            if termination:
                return 1
            env.step(choice(legal_actions(observation["action_mask"])))

    return work


def bench(seconds: float) -> list[BenchRow]:
    """Our batch kernel and our plain contract, each beside pyspiel and PettingZoo."""
    ours = {"batch": batch_games(), "contract": _contract()}
    speeds = rates(with_peers(ours, {"pyspiel": spiel_games, "pettingzoo": pettingzoo_games}), seconds)
    return [
        BenchRow(f"{ours}, one thread", UNIT, speeds[key], speeds.get(peer), peer_name)
        for ours, key in ((f"batch kernel, {LANES} lanes", "batch"), ("plain contract", "contract"))
        for peer, peer_name in (("pyspiel", "open_spiel pyspiel"), ("pettingzoo", "PettingZoo raw_env"))
    ]


def batch_games() -> Callable[[], int]:
    """Games of our batch environment."""
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
