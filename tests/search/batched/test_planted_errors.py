"""Errors planted into the kernels' source: values of the wrong player, wrong signs, leaks between games."""

from typing import Literal

import pytest

import ludex
from ludex.search.batched import SearchOptions
from tests.search.batched.networks import compare
from tests.search.batched.python_kernels import python_kernels

PLANTED = {
    "a sign error on the way up": (
        "tree",
        "weights[edge, at.TOTAL] += value if nodes[node, at.PLAYER] == 0 else -value",
        "weights[edge, at.TOTAL] += value",
    ),
    "the value of the wrong player": (
        "tree",
        "leaf, value if nodes[leaf, at.PLAYER] == 0 else -value)",
        "leaf, value if nodes[leaf, at.PLAYER] == 1 else -value)",
    ),
    "an evaluation of the wrong player": (
        "selection",
        "values[node] if nodes[node, at.PLAYER] == 0 else -values[node]",
        "values[node]",
    ),
    "a leak between games": ("step", "np.float64(network.answers[lane])", "np.float64(network.answers[0])"),
    "a policy of another game": ("step", "network.logits[lane], answer", "network.logits[0], answer"),
    "the noise of another game": ("step", "to_word(plan.key), to_word(lane)", "to_word(plan.key), to_word(0)"),
}
LINES = ["", "b2", "a1 a2 b1 b2 a3"]
Rule = Literal["gumbel", "puct"]


def compare_in_python(rule: Rule, module: str = "", correct: str = "", planted: str = "") -> None:
    """Assert that the kernels in Python, with something planted, find the trees of the reference in every game."""
    game, options = ludex.make("tictactoe"), SearchOptions(simulations=24, rule=rule, considered=5)
    with python_kernels(module, correct, planted) as (batched, plain):
        compare(game, plain.PlainPositions(game, len(LINES)), options, LINES, batched.BatchedSearch)


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_without_an_error_the_kernels_in_python_find_the_trees_of_the_reference(rule: Rule) -> None:
    compare_in_python(rule)


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_error_is_found(planted: str) -> None:
    with pytest.raises(AssertionError):
        compare_in_python("gumbel", *PLANTED[planted])
