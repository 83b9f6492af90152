"""Errors planted into the kernels' source: values of the wrong player, wrong signs, leaks between games."""

from typing import Literal

import pytest

import ludex
from ludex.search.batched import SearchOptions
from tests.reference.tree_search import ReferenceSearch
from tests.search.batched.networks import Scattered, network_of, opened
from tests.search.batched.python_kernels import python_kernels

PLANTED = {
    "a sign error on the way up": (
        "tree",
        "weights[edge, TOTAL] += value if nodes[node, PLAYER] == 0 else -value",
        "weights[edge, TOTAL] += value",
    ),
    "the value of the wrong player": (
        "tree",
        "leaf, value if nodes[leaf, PLAYER] == 0 else -value)",
        "leaf, value if nodes[leaf, PLAYER] == 1 else -value)",
    ),
    "an evaluation of the wrong player": (
        "selection",
        "values[node] if nodes[node, PLAYER] == 0 else -values[node]",
        "values[node]",
    ),
    "a leak between games": ("step", "answer = np.float64(answers[lane])", "answer = np.float64(answers[0])"),
    "a policy of another game": ("step", "            logits[lane],\n", "            logits[0],\n"),
    "the noise of another game": ("step", "to_word(key), to_word(lane)", "to_word(key), to_word(0)"),
}
LINES = ["", "b2", "a1 a2 b1 b2 a3"]
SIMULATIONS, SEED = 24, 3


def matches(rule: Literal["gumbel", "puct"], module: str = "", correct: str = "", planted: str = "") -> bool:
    """Whether the kernels in Python, with something planted, find the trees of the reference in every game."""
    game, options = ludex.make("tictactoe"), SearchOptions(simulations=SIMULATIONS, rule=rule, considered=5)
    with python_kernels(module, correct, planted) as (batched, plain):
        positions = plain.PlainPositions(game, len(LINES))
        search = batched.BatchedSearch(positions, len(LINES), options, SEED)
        opened(search, game, LINES)
        result = search.run(Scattered(positions))
    network = network_of(positions, Scattered(positions))
    for lane, line in enumerate(LINES):
        slow = ReferenceSearch(game, network, options, SEED, lane, 0, len(line.split()))
        root = slow.run(search.position(lane))
        visits = [root.visits.get(action, 0) for action in range(9)]
        if result.visits[lane].tolist() != visits or abs(result.values[lane] - root.mean) > 1e-9:
            return False
    return True


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_without_an_error_the_kernels_in_python_find_the_trees_of_the_reference(
    rule: Literal["gumbel", "puct"],
) -> None:
    assert matches(rule)


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_error_is_found(planted: str) -> None:
    assert not matches("gumbel", *PLANTED[planted])
