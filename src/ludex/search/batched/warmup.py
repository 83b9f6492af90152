"""The call that compiles a search with a network, for the warm-up of games that have one."""

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import AnyGame
from ludex.search.batched.options import SearchOptions
from ludex.search.batched.plain import positions_of
from ludex.search.batched.search import BatchedSearch, NetAnswer, know_nothing


class _EnoughError(Exception):
    """Breaks a search off."""


def compile_search(game: AnyGame) -> None:
    """Search one move of one game with a network that knows nothing, and break it off before its last simulation."""
    calls = 0

    def break_off(observations: NDArray[np.float32], masks: NDArray[np.uint8]) -> NetAnswer:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise _EnoughError
        return know_nothing(observations, masks)

    search = BatchedSearch(positions_of(game, 1), 1, SearchOptions(simulations=2, rule="puct"))
    with suppress(_EnoughError):
        search.run(break_off)
    search.result()
    search.line(0)
