"""The rules of Hex, with the swap, against OpenSpiel."""

from typing import Any

import pyspiel
import pytest
from ludex_classics.hex.game import Hex

import ludex
from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.record import play_line
from ludex.core.registry import resolve, spec
from ludex.core.seeding import Rng, generator

GAMES = 350


@pytest.mark.parametrize("size", [11, 7, 5])
def test_it_agrees_with_open_spiel(size: int) -> None:
    game = ludex.make("hex", f"{size}x{size}")
    other = pyspiel.load_game(f"hex(board_size={size},swap=True)")
    swaps = 0
    for number in range(GAMES):
        rng, state, spiel = generator(5, number), game.initial(Rng(0)), other.new_initial_state()
        # Swaps are rare among random moves, so every other game has one.
        while (outcome := game.outcome(state)) is None:
            legal = legal_actions(game.legal(state))
            assert legal == spiel.legal_actions()
            assert game.to_move(state) == spiel.current_player()
            swap = legal[-1] == size * size and number % 2 == 0
            swaps += swap
            action = legal[-1] if swap else rng.choice(legal)
            state = game.apply(state, action, rng)
            spiel.apply_action(action)
        assert spiel.is_terminal()
        assert spiel.returns() == [*outcome.scores]
    assert swaps == GAMES // 2


def test_the_end_shows_the_chain_that_won() -> None:
    match: Match[Any, Any] = Match(ludex.make("hex", "5x5"), 0)
    play_line(match, "c1 a1 c2 a2 b3 a3 b4 a4")
    game, hook = match.game, spec("hex").screen.scene
    assert isinstance(game, Hex)
    assert hook is not None
    drawn = resolve(hook)
    assert drawn(game, match.state, match.legal()).board.lines == ()
    match.play_text("a5")
    (line,) = drawn(game, match.state, match.legal()).board.lines
    assert [game.grid.names[cell] for cell in line.cells] == ["c1", "c2", "b3", "b4", "a5"]
