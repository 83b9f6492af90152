"""The checker of texts passes every game that ships, and finds each mistake by name."""

from typing import Any

import pytest

from ludex.core.conformance import ConformanceError
from ludex.core.conformance.text import check_text
from ludex.core.registry import make, names, resolve, spec
from ludex.core.text import GenericText, game_text

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
    monkeypatch.setattr("ludex.core.conformance.text.game_text", lambda game, naming: text(game))
    with pytest.raises(ConformanceError) as error:
        check_text(make("tictactoe"), plays=3)
    assert fault in [found.check for found in error.value.faults]


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
    monkeypatch.setattr("ludex.core.conformance.text.game_text", lambda game, naming: Leaking(game))
    with pytest.raises(ConformanceError, match="shows player 0 a secret"):
        check_text(spied, plays=1, vary_secret=vary)
