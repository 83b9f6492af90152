"""The players by their names, what each may never do in whole games, and the expert's end of a game."""

import math
import random
from collections import Counter

import numpy as np
import pytest

import ludex
from ludex.core.limit import Limit
from ludex.core.registry import make_agent
from ludex.core.seeding import generator
from ludex.games.minesweeper.agents.expert import ExpertAgent
from ludex.games.minesweeper.options import ExpertOptions
from ludex.games.minesweeper.rules.inference.forced_moves import proofs
from ludex.games.minesweeper.rules.inference.probabilities import assess_position, mine_probabilities
from ludex.games.minesweeper.rules.position import View
from tests.games.minesweeper.agents.support import PLAYERS, decision_of, moments
from tests.games.minesweeper.rules.inference.support import (
    PRESETS,
    field_by_chance,
    numbers_of,
    seen_of,
    showings,
    view_of,
)
from tests.games.minesweeper.support import game_and_position, game_of
from tests.reference.minesweeper_layouts import BestPlay


@pytest.mark.slow
@pytest.mark.parametrize("player", ["exact", "expert", "expert without a tree"])
@pytest.mark.parametrize(("rows", "cols", "mines"), PRESETS)
def test_certain_cells_are_revealed_and_proven_mines_never(player: str, rows: int, cols: int, mines: int) -> None:
    game = game_of(rows, cols, mines, "safe")
    guesses = 0
    for view, _, decision in moments(game, PLAYERS[player](game), seed=60, games=2 if rows == 16 else 10):
        probability = mine_probabilities(view.numbers, mines).reshape(-1)
        assert decision.action < game.cells
        assert view.numbers.flat[decision.action] == -1
        assert probability[decision.action] < 1.0
        if (probability == 0.0).any():
            assert probability[decision.action] == 0.0
        elif player == "exact" and view.plies > 0:
            assert probability[decision.action] == np.nanmin(probability)
        guesses += view.plies > 0 and not (probability == 0.0).any()
    assert guesses > 0


@pytest.mark.slow
@pytest.mark.parametrize("player", ["rules that guesses", "heuristic"])
@pytest.mark.parametrize(("rows", "cols", "mines"), PRESETS)
def test_what_the_rules_prove_is_followed(player: str, rows: int, cols: int, mines: int) -> None:
    game = game_of(rows, cols, mines, "zero")
    for view, _, decision in moments(game, PLAYERS[player](game), seed=80, games=2):
        proven = {proof.cell: proof.kind for proof in proofs(view.numbers, pairs=player == "heuristic")}
        assert proven.get(decision.action) != "flag"
        if "reveal" in proven.values():
            assert proven.get(decision.action) == "reveal"


@pytest.mark.parametrize("options", [{"solutions": 1}, {"nodes": 1}, {"solutions": 1, "nodes": 1}])
@pytest.mark.parametrize(("rows", "cols", "mines"), [(1, 6, 2), (2, 4, 2), (3, 3, 3), (3, 4, 5)])
def test_the_expert_moves_on_however_little_it_may_search(
    rows: int, cols: int, mines: int, options: dict[str, int]
) -> None:
    game = game_of(rows, cols, mines, "none")
    agent, rng = ExpertAgent(game, ExpertOptions(**options)), random.Random(3)
    for _ in range(60):
        field = field_by_chance(rng, rows, cols, mines)
        if not field.won:
            decision = decision_of(agent, view_of(field))
            assert decision.candidates[0].action == decision.action
            assert decision.note


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
def test_flags_change_nothing(player: str) -> None:
    game = game_of(9, 9, 10, "safe")
    rng = random.Random(5)
    for view, state, decision in moments(game, PLAYERS[player](game), seed=90, games=3):
        flags = bytes(bool(number < 0) and rng.random() < 0.3 for number in view.numbers.flat)
        again = decision_of(PLAYERS[player](game), view._replace(flagged=flags), state)
        assert (again.action, again.resigns) == (decision.action, decision.resigns)


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
def test_a_decision_depends_on_its_arguments_alone(player: str) -> None:
    """An agent with other memory contents, in another order, makes the same decision to the last digit."""
    game = game_of(16, 16, 40, "safe")
    positions = moments(game, PLAYERS[player](game), seed=95, games=3)
    agent = PLAYERS[player](game)
    for view, state, decision in random.Random(1).sample(positions, min(60, len(positions))):
        assert decision_of(agent, view, state) == decision


@pytest.mark.slow
def test_the_player_by_rules_gives_up_exactly_where_it_must_guess() -> None:
    game = game_of(9, 9, 10, "safe")
    positions = moments(game, PLAYERS["rules"](game), seed=100, games=30)
    resigned = 0
    for view, _, decision in positions:
        stuck = view.plies > 0 and all(proof.kind != "reveal" for proof in proofs(view.numbers, pairs=False))
        assert decision.resigns == stuck
        resigned += stuck
    assert 0 < resigned < 30


@pytest.mark.slow
def test_guesses_by_chance_are_even_over_the_cells_that_are_no_proven_mines() -> None:
    game = game_of(9, 9, 10, "safe")
    agent = PLAYERS["rules that guesses"](game)
    stuck = [moment for moment in moments(game, agent, seed=110, games=20) if moment.decision.stats["how"] == "guess"]
    view = next(
        moment.view
        for moment in stuck
        if any(proof.kind == "flag" for proof in proofs(moment.view.numbers, pairs=False))
    )
    mines = {proof.cell for proof in proofs(view.numbers, pairs=False)}
    open_cells = set(np.flatnonzero(view.numbers < 0).tolist()) - mines
    decision = decision_of(agent, view)
    assert {candidate.action: candidate.prob for candidate in decision.candidates} == dict.fromkeys(
        open_cells, 1 / len(open_cells)
    )
    chosen = {decision_of(agent, view, state).action for state in range(40 * len(open_cells))}
    assert chosen == open_cells


@pytest.mark.slow
def test_options_reach_the_player() -> None:
    game = game_of(8, 8, 10, "safe")
    plain, guessing = (ludex.make_agent(game, name) for name in ("rules", "rules:guess=uniform"))
    assert any(moment.decision.resigns for moment in moments(game, plain, seed=1, games=10))
    assert not any(moment.decision.resigns for moment in moments(game, guessing, seed=1, games=10))
    far, near = (ludex.make_agent(game, name) for name in ("expert", "expert:solutions=1"))
    assert "endgame" in {moment.decision.stats["how"] for moment in moments(game, far, seed=1, games=10)}
    assert "endgame" not in {moment.decision.stats["how"] for moment in moments(game, near, seed=1, games=10)}


@pytest.mark.slow
def test_it_reveals_every_hidden_cell_equally_often_and_sets_no_flag() -> None:
    game, state = game_and_position("1*. ... ...")
    agent = make_agent(game, "random")
    counts = Counter(
        agent.decide(game.view(state, 0), game.legal(state), rng=generator(seed, 0), limit=Limit()).action
        for seed in range(1600)
    )
    assert set(counts) == set(range(1, 9))
    assert all(150 < count < 250 for count in counts.values())


def test_with_flags_it_toggles_flags_as_well() -> None:
    game = game_of(3, 3, 1)
    agent = make_agent(game, "random:flags=true")
    state = game.initial(generator(0, 0))
    actions = {
        agent.decide(game.view(state, 0), game.legal(state), rng=generator(seed, 0), limit=Limit()).action
        for seed in range(400)
    }
    assert actions == set(range(18))


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
        possible, play, decision = showings(numbers, mines), BestPlay(), decision_of(agent, view_of(field))
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
