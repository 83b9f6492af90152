"""Players as they are written on a command line."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.arena.entrants import check_reference, make_entrant, split_entrants
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.errors import BadOption, LudexError, UnknownAgent
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.options import is_local
from tests.arena import engines
from tests.core import outside_agents

pytestmark = pytest.mark.slow
ENGINE = f'ugi:"{sys.executable} {Path(engines.__file__)} good"'
OUTSIDE = Path(outside_agents.__file__)


def test_mistakes_are_an_option_of_engines_and_classes_too() -> None:
    game = ludex.make("tictactoe")
    for reference in (f"py:{OUTSIDE}:First", ENGINE):
        entrant = make_entrant(game, f"{reference}:mistakes=1")
        try:
            decision = decide(Match(game, seed=1), entrant, Limit())
        finally:
            entrant.close()
        assert decision.note == "a random move: at this level the machine makes mistakes"
    with pytest.raises(BadOption, match="key 'mistakes'"):
        make_entrant(game, f"{ENGINE}:mistakes=2")


def test_commas_inside_quotes_do_not_separate() -> None:
    assert split_entrants('a:depth=3 , ugi:"x y,z":nodes=5') == ["a:depth=3", 'ugi:"x y,z":nodes=5']
    with pytest.raises(BadOption, match="not closed"):
        split_entrants('a,ugi:"x')


def test_a_budget_in_a_reference_wins_over_the_common_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludex.make("tictactoe")
    entrant = make_entrant(game, "random:movetime=300:nodes=7")
    limits: list[Limit] = []

    def searches(view: Any, legal: Any, *, rng: Any, limit: Limit) -> Decision:
        limits.append(limit)
        begin = time.perf_counter()
        while not limit.stopped:
            time.sleep(0.001)
        return Decision(action=0, stats={"seconds": time.perf_counter() - begin})

    monkeypatch.setattr(entrant._agent, "decide", searches)
    decision = decide(Match(game, seed=1), entrant, Limit(time_ms=20, depth=3))
    assert (limits[0].time_ms, limits[0].nodes, limits[0].depth) == (300, 7, 3)
    assert 0.25 < float(str(decision.stats["seconds"])) < 5
    assert entrant.name == "random:movetime=300:nodes=7"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("random:movetime=soon", "movetime must be a positive whole number"),
        ("random:movetime=" + "9" * 5000, "of up to 12 digits"),
        ('ugi:"x"nodes=3', "found 'nodes=3' after the command"),
        ('ugi:"unclosed \'quote"', "is no command: No closing quotation"),
        ("random:depth=0", "depth must be a positive whole number"),
        ("random:speed=3", "unknown key 'speed'"),
        ("py:nowhere", "expected py:package.module:Class"),
        ('ugi:""', "needs a command"),
    ],
)
def test_a_bad_reference_is_named(text: str, complaint: str) -> None:
    with pytest.raises(BadOption) as error:
        make_entrant(ludex.make("tictactoe"), text)
    assert complaint in error.value.message


def test_an_unknown_agent_is_named() -> None:
    with pytest.raises(UnknownAgent, match="'hell'"):
        make_entrant(ludex.make("tictactoe"), "hell:depth=3")


ODD = {"tictactoe": "3x3x3:rows=5:cols=5", "quoridor": "9x9:size=4:walls=3", "minesweeper": "small:rows=3:cols=20"}
"""Boards without a name of their own."""


BOARDS = [(game, preset) for game in registry.names() for preset in registry.spec(game).presets]


@pytest.mark.parametrize(("game", "preset"), [*BOARDS, *ODD.items()])
def test_a_check_refuses_what_the_making_would(game: str, preset: str) -> None:
    board = ludex.make(game, preset)
    for name, agent in registry.spec(game).agents.items():
        free = {key: field for key, field in agent.options.model_fields.items() if not is_local(field)}
        options = [f":{key}={agent.defaults.get(key, field.default)}" for key, field in free.items()]
        for reference in (name + option for option in ("", *options)):
            made = _refusal(lambda text: make_entrant(board, text).close(), reference)
            assert _refusal(lambda text: check_reference(board, text), reference) == made


def _refusal(ask: Callable[[str], None], reference: str) -> str | None:
    try:
        ask(reference)
    except LudexError as error:
        return f"{error.code}: {error.message}"
    return None
