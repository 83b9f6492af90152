"""A game of the kit with edges and extra turns keeps the contract, compiled and not."""

from types import ModuleType

import numpy as np
import pytest

from ludex.core.compiled import CompiledRules
from ludex.core.conformance import check_compiled, check_game
from ludex.core.errors import BadPosition, IllegalAction
from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.kit.compiled import compiled
from ludex.kit.game import GridGame, Position, Values, expected_score
from ludex.kit.geometry import square_grid
from ludex.kit.notation import placing_edges
from ludex.kit.rules import kernels_of
from ludex.kit.screen import draw, scene


class Boxes(GridGame):
    """Dots and Boxes on 2x2."""

    id = "boxes"
    reasons = ("more boxes", "equal boxes")
    features = 1

    def __init__(self, rows: int = 2, cols: int = 2) -> None:
        grid = square_grid(rows, cols, edges=True)
        super().__init__(
            f"{rows}x{cols}",
            rules="tests.kit.boxes",
            grid=grid,
            notation=placing_edges(grid),
            fields={"sites": Values(least=-1, most=1)},
            max_plies=len(grid.edges),
            constants=(len(grid.places), grid.borders),
        )


def played(texts: str) -> Match[Position, Position]:
    match = Match(Boxes(), seed=0)
    for text in texts.split():
        match.play_text(text)
    return match


def rules_of(game: GridGame) -> CompiledRules:
    rules = compiled(game)
    assert rules.symmetries is not None
    return rules


@pytest.mark.parametrize(("size", "symmetries"), [((2, 2), 8), ((1, 2), 4)])
def test_it_keeps_the_contract(size: tuple[int, int], symmetries: int) -> None:
    game = Boxes(*size)
    check_game(game, plays=3)
    rules = rules_of(game)
    assert rules.symmetries is not None
    assert len(rules.symmetries.actions) == symmetries
    check_compiled(rules, game, evaluation=expected_score, plays=2)


def test_who_closes_a_box_has_another_turn() -> None:
    match = played("a1s b2n a1w b2e b1w")
    assert match.game.to_move(match.state) == 1
    match.play_text("a2s")
    assert match.game.to_move(match.state) == 1
    assert [*match.game.pieces(match.state)][:4] == [-1, 0, 0, 0]  # type: ignore[attr-defined]


def test_edges_are_drawn_and_chosen() -> None:
    match = played("a1s b1w")
    game = Boxes()
    board = scene(game, match.state, match.legal()).board
    drawn = {edge.name: edge.colour for edge in board.edges if edge.colour is not None}
    assert drawn == {"a1s": "p1", "b1w": "p2"}
    moves = scene(game, match.state, match.legal()).moves
    assert [board.edges[move.edge].name for move in moves if move.edge is not None] == [move.text for move in moves]
    assert draw(game, match.state, None).splitlines()[-1].split() == ["a", "b"]


def test_a_share_of_boxes_is_a_score() -> None:
    match = played("a1s a1w b1w b1s b1e a2n a2w b2w b2n b2e")
    while match.outcome is None:
        match.play(legal_actions(match.legal())[0])
    assert match.outcome.scores[0] == -match.outcome.scores[1]
    assert abs(match.outcome.scores[0]) in (0.0, 0.5, 1.0)
    with pytest.raises(IllegalAction, match="the game is over"):
        Boxes().apply(match.state, 0, match.rng(0))


def test_positions_are_values() -> None:
    one, other = played("a1s").state, played("a1s").state
    assert one == other
    assert hash(one) == hash(other)
    assert one != played("").state
    one.vector()[:] = 9
    assert one == other
    data = Boxes().dump(one)
    assert isinstance(data, dict)
    with pytest.raises(BadPosition, match="'sites' must have 16 numbers, found 1"):
        Boxes().load({**data, "sites": [0]})


def test_the_planes_are_the_movers_then_the_others_then_the_features() -> None:
    match = played("a1s")
    board = Boxes().observe(match.state)["board"]
    assert board.shape == (3, 5, 5)
    assert np.argwhere(board[0]).tolist() == []
    assert np.argwhere(board[1]).tolist() == [[0, 1]]
    assert board[2].sum() == 16


def test_rules_that_lack_a_function_are_named() -> None:
    with pytest.raises(TypeError, match="the rules in empty lack legal, apply, outcome, piece"):
        kernels_of(ModuleType("empty"))
