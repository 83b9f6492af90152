"""Move by move beside open_spiel's quoridor.

Its board is a grid of 2n-1 by 2n-1 points, squares at even coordinates and walls' middles between them, and its first
player starts at the top of what it draws: rows are flipped. A pawn's move is named by its direction seen from the
middle of a field of 5 by 5 points, so that a jump straight on has the name of the step.
"""

import random
from typing import Any

import pyspiel
import pytest

from ludex.core.game import legal_actions
from ludex.games.quoridor.rules.position import Position
from tests.games.quoridor.support import game_of
from tests.games.support import TRAP


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def their_action(position: Position, action: int, size: int) -> int:
    points = 2 * size - 1
    if action < size * size:
        row, col = divmod(action, size)
        pawn_row, pawn_col = divmod(position.pawns[position.turn], size)
        return points * (2 - 2 * sign(row - pawn_row)) + 2 + 2 * sign(col - pawn_col)
    kind, slot = divmod(action - size * size, (size - 1) ** 2)
    row, col = divmod(slot, size - 1)
    down = size - 2 - row
    return points * (2 * down + 1) + 2 * col if kind == 0 else points * 2 * down + 2 * col + 1


def flipped(text: str, size: int) -> str:
    """Our name of what open_spiel calls so."""
    if text[-1] in "hv":
        return f"{text[0]}{size - int(text[1:-1])}{text[-1]}"
    return f"{text[0]}{size + 1 - int(text[1:])}"


def compare_game(seed: int, size: int, walls: int, wall_rate: float) -> int:
    """Play one random game on both sides; returns how many positions were compared."""
    rng = random.Random(seed)
    game = game_of(size, walls)
    position: Position = game.initial(TRAP)
    state: Any = pyspiel.load_game(f"quoridor(board_size={size},wall_count={walls})").new_initial_state()
    compared = 0
    while not state.is_terminal():
        assert game.outcome(position) is None
        assert game.to_move(position) == state.current_player()
        actions = legal_actions(game.legal(position))
        theirs = {their_action(position, action, size): action for action in actions}
        assert len(theirs) == len(actions)
        assert sorted(theirs) == state.legal_actions(), state
        compared += 1
        wanted = [action for action in actions if (action >= game.squares) == (rng.random() < wall_rate)]
        action = rng.choice(wanted or actions)
        name = their_action(position, action, size)
        assert flipped(state.action_to_string(name), size) == game.action_text(position, action)
        position = game.apply(position, action, TRAP)
        # Repetition is our own rule: forget what was seen.
        position = position._replace(seen=position.seen[-1:])
        state.apply_action(name)
    outcome = game.outcome(position)
    assert outcome is not None
    assert list(outcome.scores) == state.returns()
    return compared


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls"), [(3, 1), (3, 3), (5, 4), (7, 8), (7, 20), (9, 10), (9, 25), (11, 12)])
def test_random_games_agree_with_open_spiel_in_every_position(size: int, walls: int) -> None:
    compared = sum(compare_game(seed, size, walls, (0.1, 0.5, 0.9)[seed % 3]) for seed in range(18))
    assert compared > 18 * size
