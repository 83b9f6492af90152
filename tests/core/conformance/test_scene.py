"""The checker of scenes finds each mistake by name."""

import sys
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from ludex.core.conformance import ConformanceError, check_scene
from ludex.core.conformance.scene import check_text
from ludex.core.game import AnyGame, Mask, legal_actions
from ludex.core.registry import make, names, resolve, spec
from ludex.core.scene import Board, Cell, Move, Scene
from ludex.core.text import GenericText, game_text
from ludex.core.web_files import renderer_of

SPEC = replace(spec("tictactoe"), screen=replace(spec("tictactoe").screen, web=None))


def good(game: AnyGame, view: Any, legal: Mask) -> Scene:
    cells = tuple(Cell(row=cell // 3, col=cell % 3, name=str(cell)) for cell in range(9))
    moves = tuple(Move(text=game.action_text(view, cell), cells=(cell,)) for cell in legal_actions(legal))
    return Scene(board=Board(label="board", cells=cells), moves=moves)


def one_missing(game: AnyGame, view: Any, legal: Mask) -> Scene:
    scene = good(game, view, legal)
    return scene.model_copy(update={"moves": scene.moves[1:]})


def one_too_many(game: AnyGame, view: Any, legal: Mask) -> Scene:
    scene = good(game, view, legal)
    return scene.model_copy(update={"moves": (*scene.moves, Move(text="z9", cells=(0,)))}) if legal.any() else scene


def never_ends(game: AnyGame, view: Any, legal: Mask) -> Scene:
    scene = good(game, view, legal)
    return scene if legal.any() else scene.model_copy(update={"moves": (Move(text="a1", cells=(0,)),)})


def untyped(game: AnyGame, view: Any, legal: Mask) -> Any:
    return {"cells": []}


def raises(game: AnyGame, view: Any, legal: Mask) -> Scene:
    raise RuntimeError("no paint")


def check(monkeypatch: pytest.MonkeyPatch, scene: Callable[..., Any]) -> None:
    module = ModuleType("a_scene")
    vars(module)["scene"] = scene
    monkeypatch.setitem(sys.modules, "a_scene", module)
    check_scene(replace(SPEC, screen=replace(SPEC.screen, scene="a_scene:scene")), make("tictactoe"))


def test_a_good_scene_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, good)


@pytest.mark.parametrize(
    ("scene", "fault", "message"),
    [
        (one_missing, "scene_moves", "the scene offers no way to play a3"),
        (one_too_many, "scene_moves", "the scene offers moves that are not legal: z9"),
        (never_ends, "scene_end", "offers moves, and its mask has none"),
        (untyped, "scene_typed", "the scene of player 0 is dict, expected ludex.core.scene.Scene"),
        (raises, "scene_typed", "no paint"),
    ],
)
def test_a_mistake_is_named(
    monkeypatch: pytest.MonkeyPatch, scene: Callable[..., Any], fault: str, message: str
) -> None:
    with pytest.raises(ConformanceError) as error:
        check(monkeypatch, scene)
    assert [problem.check for problem in error.value.faults] == [fault]
    assert message in str(error.value)


def test_a_renderer_of_its_own_is_given_json() -> None:
    game = spec("quoridor")
    assert renderer_of(game) is not None
    assert game.screen.scene is not None
    wrong = replace(game, screen=replace(game.screen, scene="tests.core.conformance.test_scene:listed"))
    with pytest.raises(ConformanceError, match=r"scene_json: .* is list, expected a dict"):
        check_scene(wrong, make("quoridor", "5x5"), plays=1)


def listed(game: AnyGame, view: Any, legal: Mask) -> Any:
    return []


@pytest.mark.slow
@pytest.mark.parametrize("game_id", names())
def test_every_registered_game_has_a_good_scene(game_id: str) -> None:
    check_scene(spec(game_id), make(game_id), plays=1)


BOARDS = {"tictactoe": ("3x3x3", "3x4x3"), "quoridor": ("5x5", "9x9"), "minesweeper": ("small", "expert")}


@pytest.mark.parametrize("game", names())
def test_every_game_passes(game: str) -> None:
    secret = spec(game).vary_secret
    for preset in BOARDS.get(game, (spec(game).default_preset,)):
        long = preset not in ("3x3x3", "3x4x3", "5x5")
        check_text(
            make(game, preset), plays=1, every=40 if long else 1, vary_secret=resolve(secret) if secret else None
        )


def test_games_of_their_own_texts_can_be_renamed() -> None:
    for game in BOARDS:
        board = make(game)
        own, other, again = (game_text(board, naming) for naming in (None, 3, 3))
        assert own.rules() != other.rules() == again.rules()


class Broken(GenericText):
    calls = 0

    def board(self, view: Any) -> str:
        Broken.calls += 1
        return f"{super().board(view)} {Broken.calls}"


class Silent(GenericText):
    def board(self, view: Any) -> str:
        return "a board"


class OneName(GenericText):
    def write(self, move: str) -> str:
        return move[:1]


class WrongName(GenericText):
    def read(self, text: str) -> str:
        return "a1"


@pytest.mark.parametrize(
    ("text", "fault"),
    [(Broken, "text_of_view"), (Silent, "text_decides"), (OneName, "text_moves"), (WrongName, "text_moves")],
)
def test_a_planted_mistake_is_found(text: type, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.core.conformance.scene.game_text", lambda game, naming: text(game))
    with pytest.raises(ConformanceError) as error:
        check_text(make("tictactoe"), plays=3)
    assert fault in [problem.check for problem in error.value.faults]


class Leaking(GenericText):
    def board(self, view: Any) -> str:
        return str(LEAKED[0])


LEAKED: list[Any] = [0]


def test_a_secret_in_a_text_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = make("minesweeper", "small")
    vary = resolve(spec("minesweeper").vary_secret or "")

    class Spied(type(game)):  # type: ignore[misc]
        def view(self, state: Any, player: int) -> Any:
            LEAKED[0] = state.cells
            return super().view(state, player)

    spied = Spied(game.options, game.info.preset)
    monkeypatch.setattr("ludex.core.conformance.scene.game_text", lambda game, naming: Leaking(game))
    with pytest.raises(ConformanceError, match="shows player 0 a secret"):
        check_text(spied, plays=1, vary_secret=vary)
