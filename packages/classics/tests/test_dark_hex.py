"""The rules of Dark Hex against OpenSpiel, and what players may know."""

from collections import Counter

import pyspiel
import pytest
from ludex_classics.dark_hex.game import DarkHex

import ludex
from ludex.core.game import legal_actions
from ludex.core.seeding import Rng, generator

GAMES = 350
BLACK, WHITE = "xyzX", "opqO"


def pieces_of(text: str) -> list[int]:
    """What OpenSpiel lets a player see, as the kit counts pieces."""
    return [(mark in BLACK) - (mark in WHITE) for mark in text if mark in f"{BLACK}{WHITE}."]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_it_agrees_with_open_spiel(size: int) -> None:
    game = ludex.make("dark_hex", f"{size}x{size}")
    assert isinstance(game, DarkHex)
    other = pyspiel.load_game(f"dark_hex(num_rows={size},num_cols={size})")
    for number in range(GAMES):
        rng, state, spiel = generator(9, number), game.initial(Rng(0)), other.new_initial_state()
        while (outcome := game.outcome(state)) is None:
            legal = legal_actions(game.legal(state))
            assert legal == spiel.legal_actions()
            assert game.to_move(state) == spiel.current_player()
            for player in range(2):
                assert [*game.pieces(game.view(state, player))] == pieces_of(spiel.observation_string(player))
            action = rng.choice(legal)
            state = game.apply(state, action, rng)
            spiel.apply_action(action)
        assert spiel.is_terminal()
        assert spiel.returns() == [*outcome.scores]


def test_positions_are_drawn_as_random_play_leaves_them() -> None:
    """After one stone each and no attempt that failed, the other's stone is anywhere else, equally often."""
    game = ludex.make("dark_hex", "3x3")
    state = game.apply(game.apply(game.initial(Rng(0)), 4, Rng(0)), 0, Rng(0))
    view = game.view(state, 0)
    drawn = [game.sample_state(view, generator(1, number)) for number in range(800)]  # type: ignore[attr-defined]
    where = Counter(game.dump(position)["orange"][0] for position in drawn)  # type: ignore[index,call-overload]
    assert len(where) == 8
    assert all(70 <= times <= 130 for times in where.values())
    # Orange, who chooses among nine cells, hits the stone in the middle once in nine first attempts.
    known = sum(bool(game.dump(position)["seen_by_orange"]) for position in drawn)  # type: ignore[index,call-overload]
    assert 60 <= known <= 120
