"""The default opponent and analyst of a board."""

import dataclasses
from collections.abc import Callable

import pytest

import ludex
from ludex.core import registry
from ludex.core.errors import Unsupported
from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec


def agent(*presets: str) -> AgentSpec:
    return AgentSpec(summary="", factory="", options=NoOptions, presets=presets or None)


BOARDS = [ludex.make("tictactoe", preset) for preset in ("3x3x3", "3x4x3", "4x4x4", "3x3x3:rows=4")]


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let tic-tac-toe have these agents, and this analyst."""

    def tell(analyst: str | None = None, **agents: AgentSpec) -> None:
        spec = dataclasses.replace(registry.spec("tictactoe"), agents=agents, analyst=analyst)
        monkeypatch.setattr(registry, "spec", lambda _: spec)

    return tell


def test_an_agent_plays_its_presets_or_every_board() -> None:
    assert agent("large").plays("large")
    assert not agent("large").plays("small")
    assert not agent("large").plays("large:rows=4")
    assert agent().plays("large:rows=4")


def test_the_default_opponent_is_the_first_that_plays_the_board(register: Callable[..., None]) -> None:
    register(one=agent("3x3x3"), two=agent("3x3x3", "3x4x3"), any=agent())
    assert [registry.default_agent(board) for board in BOARDS] == ["one", "two", "any", "any"]


def test_who_would_refuse_the_board_is_no_default_opponent(register: Callable[..., None]) -> None:
    register(solver=registry.spec("tictactoe").agents["perfect"], any=agent())
    boards = (ludex.make("tictactoe", rows=4, cols=4), ludex.make("tictactoe", rows=4, cols=5))
    assert [registry.default_agent(board) for board in boards] == ["solver", "any"]


def test_the_default_analyst_is_the_named_one_or_the_default_opponent(register: Callable[..., None]) -> None:
    agents = {"one": agent("3x3x3"), "any": agent()}
    register(**agents)
    assert [registry.default_analyst(board) for board in BOARDS[:2]] == ["one", "any"]
    register("any", **agents)
    assert [registry.default_analyst(board) for board in BOARDS[:2]] == ["any", "any"]


def test_a_board_without_an_agent_for_its_defaults_is_named(register: Callable[..., None]) -> None:
    register(one=agent("3x3x3"))
    with pytest.raises(Unsupported, match="no agent of tictactoe supports 3x4x3 without options; known: one"):
        registry.default_agent(BOARDS[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "options", "expected"),
    [
        ("3x3x3", {}, "ranking"),
        ("4x4x4", {}, "perfect"),
        ("3x3x3", {"rows": 4}, "perfect"),
        ("3x3x3", {"rows": 5, "cols": 5, "k": 4}, "tactical"),
    ],
)
def test_who_is_made_where_nobody_is_named_plays_the_board(preset: str, options: dict[str, int], expected: str) -> None:
    assert ludex.make_agent(ludex.make("tictactoe", preset, **options)).name == expected
