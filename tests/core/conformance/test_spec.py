"""A broken spec is one clear error that names every field that is wrong."""

from dataclasses import replace
from typing import Any

import pytest

from ludex.core import registry
from ludex.core.conformance import check_spec
from ludex.core.errors import BrokenGame
from ludex.core.spec import AgentSpec
from ludex.games.tictactoe.spec import SPEC

PLAIN = registry.spec("tictactoe")


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_every_registered_spec_is_whole(name: str) -> None:
    check_spec(registry.spec(name))


def test_levels_of_a_spec_that_is_not_registered_may_name_agents_that_play_every_game() -> None:
    level = replace(next(iter(SPEC.levels.values())), agent="mcts", options={"simulations": 5})
    assert "mcts" not in SPEC.agents
    check_spec(replace(SPEC, levels={"first": level}))
    with pytest.raises(BrokenGame, match=r"levels\['first'\]\.agent: unknown agent 'mtcs'; known: .*mcts"):
        check_spec(replace(SPEC, levels={"first": replace(level, agent="mtcs")}))


def agents(**changes: Any) -> dict[str, AgentSpec]:
    return {**PLAIN.agents, "random": replace(PLAIN.agents["random"], **changes)}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"factory": "ludex.games.tictactoe.game:TicTacTo"}, "has no 'TicTacTo' (did you mean 'TicTacToe'?)"),
        ({"factory": "tictactoe"}, "factory: 'tictactoe' is no reference, expected 'package.module:name'"),
        ({"factory": "nowhere.game:Game"}, "cannot be imported: ModuleNotFoundError: No module named 'nowhere'"),
        (
            {"screen": replace(PLAIN.screen, terminal="ludex.games.tictactoe.screen.terminal:drew")},
            "screen.terminal: 'ludex.games.tictactoe.screen.terminal:drew'",
        ),
        ({"screen": replace(PLAIN.screen, web="web")}, "screen.web: 'web' is no folder of a package, expected"),
        ({"screen": replace(PLAIN.screen, web="nowhere.screen:web")}, "screen.web: No module named 'nowhere'"),
        (
            {"screen": replace(PLAIN.screen, web="ludex.games.tictactoe.screen:wen")},
            "screen.web: ludex.games.tictactoe.screen holds no folder 'wen'",
        ),
        (
            {"screen": replace(PLAIN.screen, web="ludex.web:static/shell")},
            "screen.web: ludex.web:static/shell holds no renderer.css",
        ),
        (
            {"screen": replace(PLAIN.screen, web="ludex.web:static/style")},
            "screen.web: ludex.web:static/style holds none of renderer.js, preview.js, card.fr.json",
        ),
        ({"tools": replace(PLAIN.tools, verbs={"solve": "nowhere:solve"})}, "tools.verbs['solve']: 'nowhere:solve'"),
        ({"tools": replace(PLAIN.tools, leaderboard="ludex.games")}, "ludex.games holds no leaderboard.json"),
        ({"presets": {**PLAIN.presets, "3x3x3": {"rows": 99}}}, "presets['3x3x3'] cannot be built"),
        ({"aliases": {"small": "2x2"}}, "aliases: unknown presets 2x2; known: 3x3x3, 3x4x3, 4x4x4"),
        (
            {"screen": replace(PLAIN.screen, hidden_presets=("2x2",))},
            "screen.hidden_presets: unknown 2x2; known",
        ),
        ({"analyst": "nobody"}, "analyst: unknown agent 'nobody'"),
        ({"agents": agents(defaults={"depth": 3})}, "agents['random'].defaults: "),
        ({"agents": agents(presets=("5x5",))}, "agents['random'].presets: unknown 5x5"),
    ],
)
def test_a_mistake_is_named(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(BrokenGame) as raised:
        check_spec(replace(PLAIN, **changes))
    assert raised.value.message.startswith("game 'tictactoe': ")
    assert problem in raised.value.message


def test_every_mistake_is_in_one_error() -> None:
    with pytest.raises(BrokenGame, match=r"factory: .*; analyst: .*"):
        check_spec(replace(PLAIN, factory="nowhere:Game", analyst="nobody"))
