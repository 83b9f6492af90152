"""Random games and counted lines of open_spiel's Quoridor, through its Python API."""

import random
from collections.abc import Callable
from typing import Final

from benchmarks.peers import open_spiel

PACKAGES: Final = ("open_spiel",)
GAME: Final = "quoridor(board_size=9)"


def perft(*, bulk: bool) -> Callable[[], int]:
    """A part of perft(3): the lines after one first move. Its Python API has no faster way to count them."""
    peer = open_spiel(GAME)
    replies = peer.new_initial_state().legal_actions()
    rng = random.Random(1)

    def work() -> int:
        state = peer.new_initial_state()
        state.apply_action(rng.choice(replies))
        total = 0
        for action in state.legal_actions():
            after = state.child(action)
            leaves = after.legal_actions()
            total += len(leaves) if bulk else sum(after.child(leaf) is not None for leaf in leaves)
        return total

    return work


def random_games() -> Callable[[], int]:
    """Random games to their ends."""
    peer, choice = open_spiel(GAME), random.Random(1).choice

    def work() -> int:
        state = peer.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
        return 1

    return work
