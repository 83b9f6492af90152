"""The known numbers of tic-tac-toe, counted by the package and again by the reference."""

from collections import Counter
from functools import cache

import pytest

from ludex.core.game import legal_actions
from ludex.core.perft import perft
from ludex.games.tictactoe.agents.solver import solver
from ludex.games.tictactoe.learning.training import losing_lines
from ludex.games.tictactoe.rules.position import Position
from ludex.games.tictactoe.rules.symmetry import Symmetry
from tests.games.support import TRAP
from tests.games.tictactoe.support import THREE, all_grids, game_of, live_grids, policy_on, position_of, shipped
from tests.reference import tictactoe as reference

GAMES = {"X": 131184, "O": 77904, "draw": 46080}
PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


@cache
def positions() -> frozenset[Position]:
    """Every position the contract reaches."""
    game = game_of()
    reached = {game.initial(TRAP)}
    waiting = [*reached]
    while waiting:
        position = waiting.pop()
        after = {game.apply(position, action, TRAP) for action in legal_actions(game.legal(position))} - reached
        reached |= after
        waiting.extend(after)
    return frozenset(reached)


def results(counted: frozenset[Position]) -> Counter[tuple[float, ...]]:
    outcomes = [game_of().outcome(position) for position in counted]
    return Counter(outcome.scores for outcome in outcomes if outcome is not None)


def test_5478_positions_can_be_reached() -> None:
    assert len(positions()) == 5478


def test_the_package_and_the_reference_reach_the_same_positions() -> None:
    assert positions() == {position_of(grid, 3) for grid in all_grids()}


@pytest.mark.slow
def test_765_positions_are_canonical() -> None:
    symmetry = Symmetry(THREE)
    assert len({symmetry.canonical(position).key for position in positions()}) == 765


def test_958_positions_are_terminal_626_won_by_x_316_by_o_and_16_drawn() -> None:
    assert results(positions()) == {(1.0, -1.0): 626, (-1.0, 1.0): 316, (0.0, 0.0): 16}


@pytest.mark.slow
def test_255168_games_131184_won_by_x_77904_by_o_and_46080_drawn() -> None:
    game = game_of()

    @cache
    def games(position: Position) -> Counter[str]:
        outcome = game.outcome(position)
        if outcome is not None:
            return Counter([{1.0: "X", -1.0: "O", 0.0: "draw"}[outcome.scores[0]]])
        after = (game.apply(position, action, TRAP) for action in legal_actions(game.legal(position)))
        return sum(map(games, after), Counter())

    assert games(Position()) == GAMES
    assert sum(GAMES.values()) == 255168


def test_the_game_is_a_draw() -> None:
    assert solver(THREE).position(Position())[:2] == (0, 9)
    assert reference.solve(reference.empty(3, 3), 3) == (0, 9)


@pytest.mark.parametrize("depth", range(7))
def test_perft_counts_the_lines_of_each_depth(depth: int) -> None:
    assert perft(game_of(), Position(), depth) == PERFT[depth]


@pytest.mark.parametrize(("shape", "depth"), [((3, 4, 3), 4), ((2, 5, 2), 5), ((4, 4, 4), 3), ((2, 2, 2), 4)])
def test_perft_of_other_boards_is_the_references(shape: tuple[int, int, int], depth: int) -> None:
    rows, cols, k = shape
    assert perft(game_of(*shape), Position(), depth) == reference.lines(reference.empty(rows, cols), k, depth)


def test_without_a_ranking_x_loses_9_of_126_lines_and_o_106_of_649() -> None:
    assert [losing_lines(policy_on(), seat) for seat in (0, 1)] == [(9, 126), (106, 649)]


def test_the_shipped_ranking_loses_no_line_in_either_seat() -> None:
    assert [losing_lines(policy_on(shipped().entries()), seat).losing for seat in (0, 1)] == [0, 0]


@pytest.mark.slow
def test_the_shipped_rankings_move_keeps_the_exact_value_in_all_4520_live_positions() -> None:
    policy = policy_on(shipped().entries())
    spoiled = [grid for grid in live_grids() if _value_after(policy.move(position_of(grid, 3)), grid) != _value(grid)]
    assert (len(live_grids()), spoiled) == (4520, [])


def _value(grid: reference.Grid) -> int:
    return reference.solve(grid, 3)[0]


def _value_after(cell: int, grid: reference.Grid) -> int:
    return reference.solve_move(grid, 3, cell)[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "k", "value"), [(3, 4, 3, 1), (3, 5, 3, 1), (4, 4, 3, 1), (3, 4, 4, 0), (2, 2, 2, 1), (3, 3, 2, 1)]
)
def test_first_player_values_of_other_boards(rows: int, cols: int, k: int, value: int) -> None:
    assert solver(game_of(rows, cols, k).board).position(Position()).value == value


@pytest.mark.slow
def test_ruling_1_leaves_1186_positions_to_q_173_of_them_canonical() -> None:
    policy = policy_on()
    undecided = [position_of(grid, 3) for grid in live_grids() if policy.forced(position_of(grid, 3)) is None]
    keys = {policy.symmetry.canonical(position).key for position in undecided}
    assert (len(undecided), len(keys)) == (1186, 173)
