"""The batch environment that is derived from compiled rules equals the single game."""

from typing import Any, cast

import numpy as np
import pytest

import ludex
from ludex.core.compiled import CompiledRules, compiled_rules
from ludex.core.conformance import check_batch
from ludex.core.errors import Unsupported
from ludex.core.game import AnyGame, Observation
from ludex.kernels.batch import CompiledBatch, compiled_batch


class Observing:
    """A game with the observations of its compiled rules, which a `CompiledBatch` is compared with."""

    def __init__(self, game: AnyGame, rules: CompiledRules) -> None:
        self._game = game
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def observe(self, view: object) -> Observation:
        """A view is the position where nothing is hidden."""
        out = np.zeros(self._rules.observation_shape, np.float32)
        self._rules.observe(self._rules.constants, self._rules.pack(view), out.reshape(-1))
        return {self._rules.observation_name: out}


@pytest.mark.parametrize(("game", "preset"), [("tictactoe", "3x4x3"), ("quoridor", "3x3")])
def test_every_lane_equals_the_single_game(game: str, preset: str) -> None:
    board = ludex.make(game, preset)
    rules = compiled_rules(board)
    assert rules is not None
    check_batch(CompiledBatch(rules, 4), cast(AnyGame, Observing(board, rules)), steps=60)


def test_actions_of_another_shape_are_refused() -> None:
    batch = compiled_batch(ludex.make("tictactoe"), 2)
    batch.reset(0)
    with pytest.raises(ValueError, match=r"actions must be int64\[2\], one per lane, found shape \[3\]"):
        batch.step(np.zeros(3, np.int64))


def test_a_game_without_compiled_rules_has_no_such_batch() -> None:
    with pytest.raises(Unsupported, match=r"minesweeper .* has no compiled rules"):
        compiled_batch(ludex.make("minesweeper"), 2)
