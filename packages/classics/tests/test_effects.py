"""What moves do in words: planted positions, each with the effects that follow from its rules."""

from typing import Any

import pytest

import ludex
from ludex.core.match import Match
from ludex.core.messages import LANGUAGES
from ludex.core.record import play_line
from ludex.core.registry import resolve, spec


def effects_of(game: str, preset: str, moves: str, text: str) -> dict[str, dict[str, Any]]:
    """By name, the parameters of the effects of a move after others."""
    match: Match[Any, Any] = Match(ludex.make(game, preset), 0)
    play_line(match, moves)
    hook = spec(game).screen.effects
    assert hook is not None
    state = match.state
    view = match.game.view(state, match.game.to_move(state))
    messages = [*resolve(hook)(match.game, view, match.game.parse_action(state, text))]
    assert all(message.text(language) for message in messages for language in LANGUAGES)
    return {message.id.removeprefix(f"{game}.effect_"): dict(message.parameters) for message in messages}


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("a a b b c c", "d", "wins", {}),
        ("a c a c e c", "c", "stops", {"moves": ("c",)}),
        ("a c a c e c", "d", "late", {"moves": ("c",)}),
        ("a b a b", "a", "threatens", {"moves": ("a",)}),
        ("c c d d", "e", "forks", {"moves": ("b", "f")}),
        ("c g d", "e", "prevents", {"columns": ("b", "e")}),
        ("d", "d", "opens", {"count": 9}),
        ("a g b", "g", "gathers", {"count": 2}),
    ],
)
def test_connect_four(moves: str, text: str, name: str, parameters: dict[str, Any]) -> None:
    assert effects_of("connect_four", "7x6", moves, text).get(name) == parameters


@pytest.mark.parametrize(
    ("moves", "text", "name", "parameters"),
    [
        ("e4 e5 d5 e3", "f6", "corner", {"corner": "f6"}),
        ("b3 b2 c2 b4 a1 c1 b1 e2", "d1", "silences", {}),
        ("b3 b2 c2 b4 a1 c1 b1 e2 d1", "pass", "passes", {}),
        ("e4 e3 f2 f5 f4 e5 b3 f3", "f6", "wins", {"own": 13, "other": 0}),
        ("", "c2", "quietly", {"count": 1}),
        ("", "c2", "narrows", {"count": 3}),
    ],
)
def test_othello(moves: str, text: str, name: str, parameters: dict[str, Any]) -> None:
    assert effects_of("othello", "6x6", moves, text).get(name) == parameters
