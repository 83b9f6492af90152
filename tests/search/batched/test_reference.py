"""The kernels find the trees of a slow reference, and errors that are planted into their source do not."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import pytest

import ludex
from ludex.core.compiled import CompiledRules, compiled_rules
from ludex.core.game import AnyGame
from ludex.core.seeding import MASK
from ludex.search.batched import CompiledPositions, PlainPositions, SearchOptions
from tests.search.batched.networks import compare

Rule = Literal["gumbel", "puct"]
LINES = {
    ("tictactoe", "3x3x3"): ["", "b2", "a1 b2 c3", "a1 b2 a3 a2", "a1 a2 b1 b2", "a1 a2 b1 b2 a3 c3"],
    ("quoridor", "5x5"): ["", "c2", "a1h c4", "c2 a1v c3", "a1h d4h b1 c4 a3v"],
}


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
POSITIONS = ["", "b2", "a1 a2 b1 b2 a3"]


def compare_in_python(rule: Rule, module: str = "", correct: str = "", planted: str = "") -> None:
    """Assert that the kernels in Python, with something planted, find the trees of the reference in every game."""
    game, options = ludex.make("tictactoe"), SearchOptions(simulations=24, rule=rule, considered=5)
    with python_kernels(module, correct, planted) as (batched, plain):
        compare(game, plain.PlainPositions(game, len(POSITIONS)), options, POSITIONS, batched.BatchedSearch)


@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_without_an_error_the_kernels_in_python_find_the_trees_of_the_reference(rule: Rule) -> None:
    compare_in_python(rule)


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_error_is_found(planted: str) -> None:
    with pytest.raises(AssertionError):
        compare_in_python("gumbel", *PLANTED[planted])


PACKAGE = "ludex.search.batched"
MODULES = ("layout", "selection", "tree", "step", "result", "positions", "plain", "cache", "search")
"""In the order of their imports."""


def _same(function: Any) -> Any:
    return function


def _copy(target: Any, source: Any) -> None:
    target[:] = source


def _stub() -> ModuleType:
    stub = ModuleType("ludex.kernels.jit")
    names = {
        "kernel": _same,
        "bare_kernel": _same,
        "bare_parallel_kernel": _same,
        "share": _same,
        "parallel_range": range,
        "to_index": int,
        "to_word": lambda number: int(number) & MASK,
        "copy_into": _copy,
        "on_threads": None,
    }
    for name, value in names.items():
        setattr(stub, name, value)
    return stub


@contextmanager
def python_kernels(module: str = "", correct: str = "", planted: str = "") -> Iterator[tuple[Any, Any]]:
    """The modules `search` and `plain` over kernels in Python; `planted` replaces `correct` in the source of one."""
    before = {name: sys.modules[name] for name in [*sys.modules] if name.startswith(PACKAGE)}
    jit = sys.modules["ludex.kernels.jit"]
    sys.modules["ludex.kernels.jit"] = _stub()
    try:
        for name in MODULES:
            spec = importlib.util.find_spec(f"{PACKAGE}.{name}")
            assert spec is not None
            path = Path(str(spec.origin))
            source = path.read_text(encoding="utf-8")
            if name == module:
                if source.count(correct) != 1:
                    raise ValueError(f"{correct!r} is in {name} {source.count(correct)} times")
                source = source.replace(correct, planted)
            made = sys.modules[f"{PACKAGE}.{name}"] = importlib.util.module_from_spec(spec)
            exec(compile(source, path, "exec"), made.__dict__)
        yield sys.modules[f"{PACKAGE}.search"], sys.modules[f"{PACKAGE}.plain"]
    finally:
        sys.modules["ludex.kernels.jit"] = jit
        for name in [name for name in sys.modules if name.startswith(PACKAGE)]:
            del sys.modules[name]
        sys.modules.update(before)
