"""The expert's end of a game: no cell wins more, against best play that tries every square."""

import math
import random

import pytest

from ludex.games.minesweeper.agents.expert import ExpertAgent
from ludex.games.minesweeper.agents.options import ExpertOptions
from ludex.games.minesweeper.rules.inference.probabilities import assess_position
from ludex.games.minesweeper.rules.position import View
from tests.games.minesweeper.agents.support import PLAYERS, decision_of
from tests.games.minesweeper.rules.inference.support import field_by_chance, numbers_of, seen_of, view_of
from tests.games.minesweeper.support import game_of
from tests.reference.minesweeper_layouts import BestPlay, layouts, showing


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "mines"), [(3, 4, 4), (4, 4, 6), (2, 7, 5), (1, 12, 4), (4, 5, 8)])
def test_the_expert_loses_nothing_that_could_be_won(rows: int, cols: int, mines: int) -> None:
    game = game_of(rows, cols, mines, "none")
    agent, rng, checked = PLAYERS["expert"](game), random.Random(7), 0
    for _ in range(250):
        field = field_by_chance(rng, rows, cols, mines)
        numbers = seen_of(field)
        probability, log_count = assess_position(numbers, mines)
        if field.won or not field.revealed or log_count > math.log(24) or (probability == 0.0).any():
            continue
        possible = [showing(rows, cols, layout) for layout in layouts(numbers.tolist(), mines)]
        play, decision = BestPlay(), decision_of(agent, view_of(field))
        won = play.won(possible)
        assert play.won_after(possible, decision.action) == won, (numbers, mines, decision)
        assert decision.stats["how"] == "endgame"
        assert decision.value == won / len(possible)
        assert (decision.stats["won"], decision.stats["solutions"]) == (won, len(possible))
        checked += 1
    assert checked >= 10


def test_a_guess_that_nothing_spares_is_taken_before_the_rest_is_solved() -> None:
    """a1 or a3, between walls of mines; every cell beyond the walls is safer."""
    game = game_of(3, 8, 9, "none")
    view = View(3, 8, 9, "none", numbers_of("##4##### 4#6##### ##4#####").tobytes(), bytes(24), 5)
    decision = decision_of(ExpertAgent(game, ExpertOptions(solutions=1)), view)
    assert decision.action in {0, 16}
    assert decision.stats["how"] == "unavoidable"
    assert (decision.stats["won"], decision.stats["solutions"]) == (1, 2)
    assert decision.candidates[0].terms["safety"] == 0.5
