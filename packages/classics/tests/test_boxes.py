"""The rules of Dots and Boxes against OpenSpiel."""

import pyspiel
import pytest
from ludex_classics.boxes.game import Boxes
from ludex_classics.boxes.solver import lead, table

import ludex
from ludex.core.game import legal_actions
from ludex.core.seeding import Rng, generator
from ludex.kit.game import Position

GAMES = 500


@pytest.mark.parametrize("size", [5, 3])
def test_it_agrees_with_open_spiel(size: int) -> None:
    game = ludex.make("boxes", f"{size}x{size}")
    other = pyspiel.load_game(f"dots_and_boxes(num_rows={size},num_cols={size})")
    for number in range(GAMES):
        rng, state, spiel = generator(7, number), game.initial(Rng(0)), other.new_initial_state()
        while (outcome := game.outcome(state)) is None:
            player = spiel.current_player()
            assert game.to_move(state) == player
            actions = {
                edge_of(spiel.action_to_string(player, action)[2:], size): action for action in spiel.legal_actions()
            }
            legal = {game.action_text(state, action): action for action in legal_actions(game.legal(state))}
            assert legal.keys() == actions.keys()
            text = rng.choice(sorted(legal))
            state = game.apply(state, legal[text], rng)
            spiel.apply_action(actions[text])
        assert spiel.is_terminal()
        assert spiel.returns() == [*outcome.scores]


def edge_of(text: str, size: int) -> str:
    """The name of an edge that OpenSpiel calls (h,row,col) or (v,row,col)."""
    direction, row, col = text.strip("()").split(",")
    first, last, at = ("n", "s", int(row)) if direction == "h" else ("w", "e", int(col))
    cell = [int(row), int(col)]
    if at == size:
        cell[direction == "v"] -= 1
    return f"{'abcdef'[cell[1]]}{cell[0] + 1}{last if at == size else first}"


def test_the_table_holds_the_published_values() -> None:
    """On 3x3 the second player gets six boxes of nine; a plain search finds what the table says of 2x2."""
    assert table(3)[0] == -3
    game = ludex.make("boxes", size=2)
    assert isinstance(game, Boxes)
    known: dict[Position, int] = {}

    def search(state: Position) -> int:
        if state not in known:
            known[state] = -4 if game.outcome(state) is None else 0
            for action in legal_actions(game.legal(state)):
                after = game.apply(state, action, Rng(0))
                boxes = sum(map(abs, [*game.pieces(after)][:4])) - sum(map(abs, [*game.pieces(state)][:4]))
                known[state] = max(known[state], boxes + search(after) if boxes else -search(after))
        return known[state]

    state = game.initial(Rng(0))
    for action in range(4):
        state = game.apply(state, action, Rng(0))
    assert search(state) == lead(game, state)
    assert all(search(position) == lead(game, position) for position in [*known])
