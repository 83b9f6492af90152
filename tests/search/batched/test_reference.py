"""The batched search equals a slow one for a single game, and planted errors do not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

import ludex
from ludex.core.compiled import CompiledRules, Vector, compiled_rules
from ludex.core.game import AnyGame
from ludex.kernels.jit import kernel
from ludex.search.batched import Answer, BatchedSearch, CompiledPositions, PlainPositions, Positions, SearchOptions
from tests.reference.tree_search import ReferenceSearch
from tests.search.batched.networks import Scattered, network_of, opened

SEED = 5
LINES = {
    ("tictactoe", "3x3x3"): ["", "b2", "a1 b2 c3", "a1 b2 a3 a2", "a1 a2 b1 b2", "a1 a2 b1 b2 a3 c3"],
    ("quoridor", "5x5"): ["", "c2", "a1h c4", "c2 a1v c3", "a1h d4h b1 c4 a3v"],
}
Rule = Literal["gumbel", "puct"]


def compare(
    game: AnyGame, positions: Positions, options: SearchOptions, lines: list[str], network: Scattered | None = None
) -> None:
    """Assert that every game of a batch has the tree of the reference."""
    search = BatchedSearch(positions, len(lines), options, SEED)
    opened(search, game, lines)
    result = search.run(network or Scattered(positions))
    evaluate = network_of(positions, Scattered(positions))
    for lane, line in enumerate(lines):
        ply = len(line.split())
        slow = ReferenceSearch(game, evaluate, options, SEED, lane, 0, ply)
        root = slow.run(search.position(lane))
        visits = [root.visits.get(action, 0) for action in range(positions.action_size)]
        assert result.visits[lane].tolist() == visits, line
        assert result.actions[lane] == slow.action(root)
        policy = slow.policy(root)
        expected = [policy.get(action, 0.0) for action in range(positions.action_size)]
        assert result.policy[lane].tolist() == pytest.approx(expected, abs=1e-9)
        assert result.targets[lane][positions.orientation[root.player]].tolist() == result.policy[lane].tolist()
        assert result.values[lane] == pytest.approx(root.mean, abs=1e-9)
        for action in root.tried:
            assert result.q[lane, action] == pytest.approx(root.q(action), abs=1e-9)


def rules_of(game: AnyGame) -> CompiledRules:
    rules = compiled_rules(game)
    assert rules is not None
    return rules


def options_of(rule: Rule, simulations: int = 60) -> SearchOptions:
    return SearchOptions(simulations=simulations, rule=rule, considered=6, value_scale=0.02, draw_value=0.1)


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
@pytest.mark.parametrize("board", LINES)
def test_every_game_of_a_batch_has_the_tree_of_the_reference(board: tuple[str, str], rule: Rule) -> None:
    game = ludex.make(*board)
    compare(game, CompiledPositions(rules_of(game), len(LINES[board])), options_of(rule), LINES[board])


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_the_plain_contract_gives_the_same_trees(rule: Rule) -> None:
    game, lines = ludex.make("tictactoe"), LINES["tictactoe", "3x3x3"]
    compare(game, PlainPositions(game, len(lines)), options_of(rule, 30), lines)


@kernel
def other_player(constants: Vector, state: Vector) -> int:
    """The wrong player, in tic-tac-toe."""
    return 1 - int(state[2])


class Shifted(Scattered):
    """A leak: every game gets the answer of its neighbour."""

    def __call__(self, observations: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]", masks: object) -> Answer:
        logits, values = super().__call__(observations, masks)  # type: ignore[arg-type]
        return np.roll(logits, 1, axis=0), np.roll(values, 1)


class Opposite(Scattered):
    """A sign error: values of the player who has just moved."""

    def __call__(self, observations: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]", masks: object) -> Answer:
        logits, values = super().__call__(observations, masks)  # type: ignore[arg-type]
        return logits, -values


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
@pytest.mark.parametrize("planted", [Shifted, Opposite])
def test_a_leak_and_a_sign_error_of_the_network_are_seen(planted: Callable[[Positions], Scattered], rule: Rule) -> None:
    game, lines = ludex.make("tictactoe"), LINES["tictactoe", "3x3x3"]
    positions = CompiledPositions(rules_of(game), len(lines))
    with pytest.raises(AssertionError):
        compare(game, positions, options_of(rule), lines, planted(positions))


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_a_wrong_player_is_seen(rule: Rule) -> None:
    game, lines = ludex.make("tictactoe"), LINES["tictactoe", "3x3x3"]
    positions = CompiledPositions(replace(rules_of(game), player=other_player), len(lines))
    with pytest.raises(AssertionError):
        compare(game, positions, options_of(rule), lines)
