"""The kernels find the trees of a slow reference, in every game of a batch and over the plain contract."""

from dataclasses import replace
from typing import Literal

import pytest

import ludex
from benchmarks.dice_games.pig import BoardOptions, Pig
from ludex.core.compiled import CompiledRules, compiled_rules
from ludex.core.game import AnyGame
from ludex.kit.compiled import compiled
from ludex.search.batched import CompiledPositions, PlainPositions, SearchOptions
from tests.search.batched.networks import compare

Rule = Literal["gumbel", "puct"]
LINES = {
    ("tictactoe", "3x3x3"): ["", "b2", "a1 b2 c3", "a1 b2 a3 a2", "a1 a2 b1 b2", "a1 a2 b1 b2 a3 c3"],
    ("quoridor", "5x5"): ["", "c2", "a1h c4", "c2 a1v c3", "a1h d4h b1 c4 a3v"],
}

PIG = Pig(BoardOptions(goal=20), "20")
ROLLS = ["", "roll", "roll roll", "roll roll roll"]


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


@pytest.mark.parametrize("widening", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_games_with_dice_have_the_trees_of_the_reference(rule: Rule, widening: float) -> None:
    """One draw per action, few, and all: a turn of several rolls, then one of the other player."""
    options = replace(options_of(rule, 120), widening=widening)
    compare(PIG, PlainPositions(PIG, len(ROLLS)), options, ROLLS)
    compare(PIG, CompiledPositions(compiled(PIG), len(ROLLS)), options, ROLLS)


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_the_plain_contract_gives_the_same_trees(rule: Rule) -> None:
    game, lines = ludex.make("tictactoe"), LINES["tictactoe", "3x3x3"]
    compare(game, PlainPositions(game, len(lines)), options_of(rule, 30), lines)
