"""The batch environment that is derived from compiled rules equals the single game."""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

import ludex
from ludex.core.compiled import RUNNING, CompiledRules, Vector, compiled_rules
from ludex.core.conformance import check_batch
from ludex.core.errors import Unsupported
from ludex.core.game import AnyGame, Observation
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.games.tictactoe.env.compiled import outcome
from ludex.kernels.batch import CompiledBatch, compiled_batch
from ludex.kernels.jit import kernel
from ludex.search.mcts import MctsAgent
from ludex.search.model import Model
from ludex.search.spec import MctsOptions


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


@kernel
def quarter(constants: Vector, state: Vector) -> float:
    """The score of a game in which a line is worth a quarter of a win."""
    score = outcome(constants, state)
    return RUNNING if score == RUNNING else score / 4


def test_a_score_may_be_any_number_up_to_1() -> None:
    board = ludex.make("tictactoe")
    whole = compiled_rules(board)
    assert whole is not None
    rules = replace(whole, outcome=quarter)
    batch = CompiledBatch(rules, 1)
    batch.reset(0)
    rewards = [float(batch.step(np.array([cell]))[1][0]) for cell in (0, 3, 1, 4, 2)]
    assert rewards == [0.0, 0.0, 0.0, 0.0, 0.25]
    match = Match(board, seed=1)
    for text in ("a1", "a2", "b1", "b2"):
        match.play_text(text)
    agent = MctsAgent(Model.of(board), MctsOptions(), rules=rules)
    decision = decide(match, agent, Limit(simulations=500))
    assert (board.action_text(match.state, decision.action), decision.value) == ("c1", 0.25)


def test_actions_of_another_shape_are_refused() -> None:
    batch = compiled_batch(ludex.make("tictactoe"), 2)
    batch.reset(0)
    with pytest.raises(ValueError, match=r"actions must be int64\[2\], one per lane, found shape \[3\]"):
        batch.step(np.zeros(3, np.int64))


def test_a_game_without_compiled_rules_has_no_such_batch() -> None:
    with pytest.raises(Unsupported, match=r"minesweeper .* has no compiled rules"):
        compiled_batch(ludex.make("minesweeper"), 2)
