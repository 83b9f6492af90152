"""The kernels find the trees of a slow reference, in every game of a batch and over the plain contract."""

from dataclasses import replace
from inspect import getsource
from textwrap import dedent
from typing import Any, Literal

import pytest

import ludex
from benchmarks.dice_games import pig, tiles
from ludex.core.compiled import CompiledRules, compiled_rules
from ludex.core.game import AnyGame
from ludex.kit.compiled import compiled
from ludex.search.batched import CompiledPositions, PlainPositions, SearchOptions
from tests.reference import tree_search
from tests.search.batched.networks import compare

Rule = Literal["gumbel", "puct"]
LINES = {
    ("tictactoe", "3x3x3"): ["", "b2", "a1 b2 c3", "a1 b2 a3 a2", "a1 a2 b1 b2", "a1 a2 b1 b2 a3 c3"],
    ("quoridor", "5x5"): ["", "c2", "a1h c4", "c2 a1v c3", "a1h d4h b1 c4 a3v"],
}

PIG = pig.Pig(pig.BoardOptions(goal=20), "20")
TILES = tiles.Tiles(tiles.BoardOptions(size=2, goal=4), "2x2")
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
    """One draw per action, few, and all: a turn of several rolls, one of the other player, and siblings that roll."""
    options = replace(options_of(rule, 120), widening=widening)
    compare(PIG, PlainPositions(PIG, len(ROLLS)), options, ROLLS)
    compare(PIG, CompiledPositions(compiled(PIG), len(ROLLS)), options, ROLLS)
    compare(TILES, CompiledPositions(compiled(TILES), 2), options, ["", ""])


ERRORS = {
    "the dice of another game": ("self.dice,", "self.dice + 1,"),
    "other dice for every action": ("node.number, rolls", "node.number + action, rolls"),
    "the same dice again": ("node.number, rolls", "node.number, 0"),
    "a roll that does not count": ("child.rolls += 1", "child.rolls += 0"),
    "the outcome that is furthest ahead": ("/ rolls - child.reached", "/ rolls + child.reached"),
    "an outcome that is made twice": ("child.position == position", "False"),
    "as many outcomes as there are": (">= self.options.widening * math.sqrt(tries)", "> tries"),
}


@pytest.mark.parametrize("error", ERRORS)
def test_one_error_of_the_dice_gives_another_tree(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted into the reference, which is shorter: it must part with the kernels."""
    right, wrong = ERRORS[error]
    source = dedent(getsource(tree_search.ReferenceSearch.follow))
    assert source.count(right) == 1
    names: dict[str, Any] = {**vars(tree_search)}
    exec(source.replace(right, wrong), names)
    monkeypatch.setattr(tree_search.ReferenceSearch, "follow", names["follow"])
    with pytest.raises(AssertionError):
        compare(TILES, CompiledPositions(compiled(TILES), 2), replace(options_of("puct"), widening=1.0), ["", ""])


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_the_plain_contract_gives_the_same_trees(rule: Rule) -> None:
    game, lines = ludex.make("tictactoe"), LINES["tictactoe", "3x3x3"]
    compare(game, PlainPositions(game, len(lines)), options_of(rule, 30), lines)
