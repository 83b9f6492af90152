"""Random games of tic-tac-toe in open_spiel and PettingZoo."""

import random
from collections.abc import Callable
from typing import Final

from benchmarks.peers import module, open_spiel
from ludex.core.game import legal_actions

PACKAGES: Final = ("open_spiel", "pettingzoo")


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
