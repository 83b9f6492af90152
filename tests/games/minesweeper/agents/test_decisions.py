"""What a decision reports beside its move: probabilities, proofs, candidates and their numbers."""

import math
import re

import numpy as np
import pytest

from ludex.core.decision import Decision
from ludex.games.minesweeper.agents.search.guessing import BEST_SHARE
from ludex.games.minesweeper.rules.inference.forced_moves import proofs, smallest_proof
from ludex.games.minesweeper.rules.inference.probabilities import assess_position, mine_probabilities
from ludex.games.minesweeper.rules.layout import InconsistentPosition
from ludex.games.minesweeper.rules.position import View
from tests.games.minesweeper.agents.support import PLAYERS, decision_of, moments
from tests.games.minesweeper.rules.inference.support import PRESETS, numbers_of
from tests.games.minesweeper.support import game_of
from tests.reference.minesweeper_layouts import hidden, near

pytestmark = pytest.mark.slow


def overlay_of(decision: Decision) -> list[float]:
    return [math.nan if one is None else one for one in decision.overlay["mine"]]


@pytest.mark.parametrize("player", ["exact", "expert"])
@pytest.mark.parametrize(("rows", "cols", "mines"), PRESETS)
def test_the_overlay_is_the_mine_probability_and_candidates_carry_their_safety(
    player: str, rows: int, cols: int, mines: int
) -> None:
    game = game_of(rows, cols, mines, "safe")
    for view, _, decision in moments(game, PLAYERS[player](game), seed=120, games=3):
        probability = mine_probabilities(view.numbers, mines).reshape(-1)
        assert np.allclose(overlay_of(decision), probability, rtol=0, atol=1e-15, equal_nan=True)
        assert decision.candidates[0].action == decision.action
        assert decision.note
        assert len({candidate.action for candidate in decision.candidates}) == len(decision.candidates)
        for candidate in decision.candidates:
            if view.plies > 0:
                assert candidate.terms["safety"] == 1.0 - probability[candidate.action]
            else:
                assert candidate.terms["safety"] == 1.0


@pytest.mark.parametrize("player", ["rules", "heuristic", "exact", "expert"])
def test_the_proof_of_a_forced_move_names_every_number_it_needs(player: str) -> None:
    game = game_of(16, 16, 40, "zero")
    proven = 0
    for view, _, decision in moments(game, PLAYERS[player](game), seed=130, games=3):
        if decision.stats["how"] != "rule":
            continue
        proven += 1
        steps = smallest_proof(view.numbers, proofs(view.numbers), decision.action)
        needed = [*dict.fromkeys(number for step in steps for number in step.numbers)]
        state = game.initial(None)  # type: ignore[arg-type]
        named = {game.parse_action(state, text): int(digit) for digit, text in named_numbers(decision.note)}
        assert named == {cell: view.numbers.flat[cell] for cell in needed}
        assert decision.stats["because"] == [game.action_text(state, cell) for cell in needed]
        assert decision.explanation[0].cells == (*needed, decision.action)
        if len(steps) > 1:
            assert [one.cells for one in decision.explanation[1:]] == [(*step.numbers, *step.cells) for step in steps]
        assert decision.note.startswith(f"{game.action_text(state, decision.action)} is safe: ")
        assert all(candidate.terms["safety"] == 1.0 for candidate in decision.candidates)
    assert proven > 50


def named_numbers(note: str) -> list[tuple[str, str]]:
    return re.findall(r"the (\d) at ([a-z]+\d+)", note)


def test_a_cell_that_only_counting_proves_is_reported_so() -> None:
    game = game_of(1, 7, 1, "none")
    view = View(1, 7, 1, "none", numbers_of("#1#####").tobytes(), bytes(7), 1)
    assert proofs(view.numbers) == []
    for player in ("exact", "expert"):
        decision = decision_of(PLAYERS[player](game), view)
        assert decision.action in {3, 4, 5, 6}
        assert decision.stats["how"] == "count"
        assert "every layout" in decision.note
        assert overlay_of(decision)[3:] == [0.0] * 4


def test_secondary_safety_and_progress_are_what_comes_of_each_number() -> None:
    checked = 0
    for rows, cols, mines in ((8, 8, 10), (16, 16, 40)):
        game = game_of(rows, cols, mines, "safe")
        for view, _, decision in moments(game, PLAYERS["expert"](game), seed=140, games=8):
            if decision.stats["how"] == "foresight" and checked < 60:
                for candidate in decision.candidates[:4]:
                    secondary, progress = lookahead(view, candidate.action)
                    assert candidate.terms["secondary"] == pytest.approx(secondary, abs=1e-9)
                    assert candidate.terms["progress"] == pytest.approx(progress, abs=1e-9)
                    checked += 1
    assert checked > 30


def lookahead(view: View, cell: int) -> tuple[float, float]:
    """What follows a reveal that is safe: how safe the next move is on average, and how often one is certain."""
    probability, log_count = assess_position(view.numbers, view.mines)
    numbers = view.numbers.copy()
    expected, certain = 0.0, 0.0
    for number in range(9):
        numbers.flat[cell] = number
        try:
            after, log_after = assess_position(numbers, view.mines)
        except InconsistentPosition:
            continue
        share = math.exp(log_after - log_count)
        best, second = sorted(1.0 - after[numbers < 0])[:-3:-1]
        expected += share * (BEST_SHARE * best + (1 - BEST_SHARE) * second)
        certain += share * (best == 1.0)
    safety = 1.0 - probability.flat[cell]
    return expected / safety, certain / safety


def test_the_heuristic_uses_one_number_at_a_time() -> None:
    game = game_of(9, 9, 10, "safe")
    guesses = [
        moment for moment in moments(game, PLAYERS["heuristic"](game), seed=150, games=60) if guessed(moment.decision)
    ]
    assert len(guesses) > 20
    for view, _, decision in guesses:
        wanted = local_estimate(view)
        assert np.allclose(overlay_of(decision), wanted, rtol=0, atol=1e-12, equal_nan=True)
        assert wanted[decision.action] == np.nanmin(wanted)


def guessed(decision: Decision) -> bool:
    return decision.stats["how"] == "guess"


def local_estimate(view: View) -> list[float]:
    """The worst share of missing mines among the numbers beside a cell; elsewhere the share of the mines left."""
    proven = {divmod(proof.cell, view.cols) for proof in proofs(view.numbers)}
    unknown = set(hidden(view.numbers.tolist())) - proven
    worst: dict[tuple[int, int], float] = {}
    for square, number in np.ndenumerate(view.numbers):
        around = set(near(view.rows, view.cols, square))
        if number >= 0 and around & unknown:
            for other in around & unknown:
                share = (number - len(around & proven)) / len(around & unknown)
                worst[other] = max(worst.get(other, 0.0), share)
    elsewhere = (view.mines - len(proven)) / len(unknown)
    return [
        math.nan if number >= 0 else 1.0 if square in proven else worst.get(square, elsewhere)
        for square, number in np.ndenumerate(view.numbers)
    ]
