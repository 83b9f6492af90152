"""Who plays and who analyses a board where nobody is named."""

import dataclasses

import pytest

import ludex
from ludex.core import registry
from ludex.core.errors import Unsupported
from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec, GameSpec


def agent(*presets: str) -> AgentSpec:
    return AgentSpec(summary="", factory="", options=NoOptions, presets=presets or None)


def spec_of(analyst: str | None = None, **agents: AgentSpec) -> GameSpec:
    return dataclasses.replace(registry.spec("tictactoe"), agents=agents, analyst=analyst)


def test_an_agent_plays_its_presets_or_every_board() -> None:
    assert agent("large").plays("large")
    assert not agent("large").plays("small")
    assert not agent("large").plays("large:rows=4")
    assert agent().plays("large:rows=4")


def test_the_default_opponent_is_the_first_that_plays_the_board() -> None:
    spec = spec_of(large=agent("large"), both=agent("large", "small"), any=agent())
    boards = ("large", "small", "tiny", "large:rows=4")
    assert [spec.default_agent(board) for board in boards] == ["large", "both", "any", "any"]


def test_the_default_analyst_is_the_named_one_or_the_default_opponent() -> None:
    agents = {"large": agent("large"), "any": agent()}
    assert [spec_of(**agents).default_analyst(board) for board in ("large", "small")] == ["large", "any"]
    assert [spec_of("any", **agents).default_analyst(board) for board in ("large", "small")] == ["any", "any"]


def test_a_board_that_nobody_plays_as_it_comes_is_named() -> None:
    with pytest.raises(Unsupported, match="no agent of tictactoe plays small as it comes; known: large"):
        spec_of(large=agent("large")).default_agent("small")


@pytest.mark.parametrize(
    ("preset", "options", "expected"),
    [("3x3x3", {}, "ranking"), ("4x4x4", {}, "perfect"), ("3x3x3", {"rows": 4}, "perfect")],
)
def test_who_is_made_where_nobody_is_named_plays_the_board(preset: str, options: dict[str, int], expected: str) -> None:
    assert ludex.make_agent(ludex.make("tictactoe", preset, **options)).name == expected
