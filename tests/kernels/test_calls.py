"""Kernels call compiled rules by their addresses."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludex
from ludex.core.compiled import RUNNING, CompiledRules, Vector, compiled_rules
from ludex.kernels.calls import (
    LEGAL,
    OBSERVE,
    OUTCOME,
    PLAYER,
    addresses,
    begin_by,
    legal_at,
    move_by,
    observe_at,
    player_at,
    score_at,
)
from ludex.kernels.jit import kernel


@kernel
def first_moves(
    rules: Vector, constants: Vector, state: Vector, mask: NDArray[np.uint8], seen: NDArray[np.float32], *more: Any
) -> float:
    """Play the first legal action so often, or to the end; returns the outcome and the player to move as one number."""
    plies, random = more
    begin_by(rules, constants, state, random)
    for _ in range(plies):
        if legal_at(rules[LEGAL], constants, state, mask) == 0:
            break
        action = 0
        while mask[action] == 0:
            action += 1
        move_by(rules, constants, state, action, random)
    observe_at(rules[OBSERVE], constants, state, seen)
    return 10 * score_at(rules[OUTCOME], constants, state) + player_at(rules[PLAYER], constants, state)


def tictactoe(preset: str) -> CompiledRules:
    rules = compiled_rules(ludex.make("tictactoe", preset))
    assert rules is not None
    return rules


def played(rules: CompiledRules, plies: int) -> tuple[float, Vector, NDArray[np.float32]]:
    state, mask = np.full(rules.state_size, -1, np.int64), np.zeros(rules.action_size, np.uint8)
    observation = np.zeros(rules.observation_shape, np.float32)
    moves = first_moves(
        addresses(rules), rules.constants, state, mask, observation.reshape(-1), plies, np.zeros(1, np.uint64)
    )
    return moves, state, observation


def test_a_kernel_plays_games_by_address() -> None:
    """X takes 0, 2, 4 and 6: a line, the diagonal from the corner above right."""
    rules = tictactoe("3x3x3")
    outcome, state, _ = played(rules, 9)
    assert outcome == 10 + 1
    assert rules.unpack(state) == (0b1010101, 0b101010, True)
    outcome, _, observation = played(rules, 3)
    assert outcome == 10 * RUNNING + 1
    assert observation[0].ravel().nonzero()[0].tolist() == [1]
    assert observation[1].ravel().nonzero()[0].tolist() == [0, 2]


def test_one_compilation_serves_every_board() -> None:
    assert played(tictactoe("4x4x4"), 4)[1].tolist() == [0b101, 0b1010, 0, 0]
    assert (addresses(tictactoe("4x4x4")) == addresses(tictactoe("3x3x3"))).all()


def test_rules_that_are_no_kernels_are_refused() -> None:
    def plain(constants: Vector, state: Vector) -> int:
        return 0

    rules = tictactoe("3x3x3")
    with pytest.raises(TypeError, match="plain is no kernel"):
        addresses(replace(rules, player=plain))
    with pytest.raises(TypeError, match="reset returns none, expected int64"):
        addresses(replace(rules, player=rules.reset))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="player returns int64, expected float64"):
        addresses(replace(rules, outcome=rules.player))
