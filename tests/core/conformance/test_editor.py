"""The checker of editors finds each mistake by name."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

import pytest

from ludex.core.conformance import ConformanceError, check_editor
from ludex.core.editing import Draft, Setting, Tool
from ludex.core.errors import BadPosition
from ludex.core.game import AnyGame
from ludex.core.messages import Message
from ludex.core.registry import make, names, spec
from ludex.core.seeding import Rng
from ludex.games.tictactoe.rules.position import Position
from ludex.games.tictactoe.tools.editor import TicTacToeDraft, TicTacToeEditor

SPEC: Final = spec("tictactoe")
OWN: Final = TicTacToeEditor()


class Planted:
    """The editor of tic-tac-toe, with drafts that have a bug."""

    files: Final[Mapping[str, Any]] = {}

    def __init__(self, kind: type[TicTacToeDraft]) -> None:
        self._kind = kind

    def read(self, game: AnyGame, text: str) -> Draft:
        draft = OWN.read(game, text)
        return self._kind(draft.game, draft.key)

    def of(self, game: AnyGame, view: Any) -> Draft:
        draft = OWN.of(game, view)
        return self._kind(draft.game, draft.key)


class Forgets(TicTacToeDraft):
    """Writes every O as X."""

    @property
    def text(self) -> str:
        return super().text.replace("O", "X")


class Turns(TicTacToeDraft):
    """Plays on with another position."""

    def position(self, rng: Rng) -> Position:
        return Position(x=1)


class Names(TicTacToeDraft):
    """Has a tool whose title no catalogue holds."""

    @property
    def tools(self) -> Sequence[Tool]:
        return [*super().tools, Tool(name="z", title=Message("tictactoe.no_such_title"))]


class Idle(TicTacToeDraft):
    """No tool does anything."""

    def put(self, tool: str, place: str) -> TicTacToeDraft:
        super().put(tool, place)
        return self


class Loose(TicTacToeDraft):
    """Takes any number."""

    @property
    def settings(self) -> Sequence[Setting]:
        return [Setting(name="n", title=Message("tictactoe.player_1"), value="1", bounds=(0, 9))]

    def set(self, setting: str, value: str) -> TicTacToeDraft:
        return self


class Silent(TicTacToeDraft):
    """Refuses without a sentence in French."""

    def put(self, tool: str, place: str) -> TicTacToeDraft:
        if place not in self.game.board.cell_of_name:
            raise BadPosition("no such cell")
        return super().put(tool, place)


class Closed(TicTacToeDraft):
    """Nothing can be clicked."""

    @property
    def places(self) -> Any:
        return super().places & False


def check(monkeypatch: pytest.MonkeyPatch, kind: type[TicTacToeDraft]) -> None:
    module = ModuleType("an_editor")
    vars(module)["EDITOR"] = Planted(kind)
    monkeypatch.setitem(sys.modules, "an_editor", module)
    check_editor(replace(SPEC, screen=replace(SPEC.screen, editor="an_editor:EDITOR")), make("tictactoe"))


def test_a_good_editor_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, TicTacToeDraft)


@pytest.mark.parametrize(
    ("kind", "fault", "message"),
    [
        (Forgets, "edit_position", "X has as many marks as O"),
        (Turns, "edit_position", "player 1 is to move, the draft says 0, expected 0"),
        (Names, "edit_tools", "no_such_title"),
        (Idle, "edit_tools", "no tool changes anything at"),
        (Loose, "edit_settings", "n takes '-1'"),
        (Silent, "edit_refusals", "the refusal 'no such cell' is no Message"),
        (Closed, "edit_scene", "no place can be clicked"),
    ],
)
def test_a_mistake_is_named(
    monkeypatch: pytest.MonkeyPatch, kind: type[TicTacToeDraft], fault: str, message: str
) -> None:
    with pytest.raises(ConformanceError) as error:
        check(monkeypatch, kind)
    assert fault in [planted.check for planted in error.value.faults]
    assert message in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", names())
def test_every_registered_game_has_a_good_editor(game_id: str) -> None:
    check_editor(spec(game_id), make(game_id), every=7)
