"""The levels of the document, and the walker."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import chdtrc

from benchmarks.quoridor_levels import measured
from ludex.core.decision import Decision
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent, spec
from ludex.core.seeding import Rng, agent_stream, generator
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.options import EvalWeights
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import words

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[5]


def decision_of(game: Quoridor, agent: str, moves: str = "", seed: int = 0) -> Decision:
    match = Match(game, seed)
    for text in moves.split():
        match.play_text(text)
    return decide(match, make_agent(game, agent), Limit())


def scores(decision: Decision) -> tuple[float, ...]:
    values = [candidate.score for candidate in decision.candidates]
    known = tuple(score for score in values if score is not None)
    assert len(known) == len(values)
    return known


@pytest.fixture
def game() -> Quoridor:
    board = make("quoridor")
    assert isinstance(board, Quoridor)
    return board


def test_the_levels_are_the_seeds() -> None:
    agents = spec("quoridor").agents
    levels = {
        name: (agent.defaults["depth"], agent.defaults["noise"]) for name, agent in agents.items() if agent.defaults
    }
    assert levels == {"easy": (1, 40), "normal": (1, 8), "hard": (2, 3), "hell": (4, 0)}


def test_a_decision_shows_every_candidate_with_the_five_terms(game: Quoridor) -> None:
    decision = decision_of(game, "hard", "e2 e8 d3h")
    best = decision.candidates[0]
    assert best.action == decision.action
    assert set(best.terms) == set(EvalWeights._fields)
    assert list(scores(decision)) == sorted(scores(decision), reverse=True)
    assert decision.stats["depth"] == 2
    assert decision.value is not None
    assert -1 < decision.value < 1


def test_at_depth_zero_without_noise_the_score_is_the_sum_of_the_terms(game: Quoridor) -> None:
    for candidate in decision_of(game, "normal:noise=0:depth=0", "e2 e8").candidates:
        assert candidate.score == sum(candidate.terms.values())


def test_at_depth_one_the_answer_is_seen(game: Quoridor) -> None:
    """Black, two steps from its goal, steps to the last row but one if nothing stops it: only walls stop it now."""
    board = make("quoridor", "5x5")
    match = Match(board, seed=0)
    for text in ["b1", "c4", "a1", "c3", "a2", "c2"]:
        match.play_text(text)
    choice = decide(match, make_agent(board, "normal:noise=0"), Limit()).action
    assert choice >= 25
    match.play(choice)
    answer = decide(match, make_agent(board, "normal:noise=0"), Limit())
    assert answer.value != 1.0


def test_hell_never_draws_and_the_others_do(game: Quoridor) -> None:
    moves = "e2 e8 e3 e7"
    assert len({scores(decision_of(game, "hell", moves, seed)) for seed in range(3)}) == 1
    assert len({scores(decision_of(game, "easy", moves, seed)) for seed in range(5)}) == 5


def test_noise_is_the_cores_generator_and_as_even_as_the_documents(game: Quoridor) -> None:
    """`std::mt19937` is NumPy's `RandomState`; every whole number in -8..8 is as likely from either."""
    noise: list[int] = []
    for seed in range(40):
        quiet, loud = (decision_of(game, f"normal:depth=0:noise={n}", seed=seed) for n in (0, 8))
        draws = Rng(Match(game, seed).rng(agent_stream(0)).bits())
        points = {candidate.action: candidate.score or 0.0 for candidate in quiet.candidates}
        added = [int((candidate.score or 0.0) - points[candidate.action]) for candidate in loud.candidates]
        assert sorted(added) == sorted(draws.below(17) - 8 for _ in added)
        noise += added
    document = np.random.RandomState(0).randint(-8, 9, len(noise))
    for values in (np.array(noise), document):
        counts, each = np.bincount(values + 8, minlength=17), len(noise) / 17
        # Pearson's test; `scipy.stats` has it too, but takes a second of every worker that collects the tests.
        assert chdtrc(16, ((counts - each) ** 2 / each).sum()) > 0.001


def test_hell_is_below_master_by_the_published_match() -> None:
    matches = json.loads((ROOT / "benchmarks/results/quoridor-strength.json").read_text(encoding="utf-8"))["matches"]
    match = next(match for match in matches if match["agents"] == ["master", "hell"])
    assert "--movetime 300 " in match["command"]
    words = f"`master`, above it, wins {match['wins'][0]} of {match['games']} games with 0.3 s a move"
    assert words in " ".join((ROOT / "docs/seeds.md").read_text(encoding="utf-8").split())


def test_a_win_in_one_is_taken_at_every_level() -> None:
    board = make("quoridor", "3x3", walls=0)
    for name in ("easy", "normal", "hard", "hell"):
        match = Match(board, seed=1)
        for text in ("a1", "c3", "a2", "c2"):
            match.play_text(text)
        decision = decide(match, make_agent(board, name), Limit())
        assert board.action_text(match.state, decision.action) == "a3"
        assert decision.value == 1.0
        assert decision.note == "a3 wins in 1 plies"


def test_easy_errs_in_37_of_100_moves_and_not_in_one_of_two() -> None:
    share = measured("easy", games=50, seed=1)["departs_from_quiet_choice"]
    assert f"`easy` errs* in {100 * float(share):.0f} % of its moves" in (ROOT / "docs/seeds.md").read_text("utf-8")


@pytest.mark.parametrize("finished", [False, True])
def test_a_stopped_level_answers_at_once(game: Quoridor, finished: bool) -> None:
    import threading
    import time

    limit = Limit()
    if finished:
        threading.Timer(0.3, limit.stop.__setitem__, (0, 1)).start()
    else:
        limit.stop[0] = 1
    begin = time.process_time()
    decision = decide(Match(game, 0), make_agent(game, "hell:depth=7"), limit)
    assert time.process_time() - begin < 4
    assert decision.candidates


def test_it_steps_where_the_way_is_shortest_and_puts_no_wall() -> None:
    game = make("quoridor")
    assert isinstance(game, Quoridor)
    agent = make_agent(game, "walker")
    for seed in range(40):
        match, rng = Match(game, seed), generator(seed, 0)
        for _ in range(12):
            match.play(int(rng.choice(np.flatnonzero(match.legal()).tolist())))
        mover, row = match.to_move, match.state
        best = decide(match, agent, Limit()).action
        assert best < game.squares
        reached = {}
        for action in np.flatnonzero(match.legal()[: game.squares]).tolist():
            after = game.apply(row, action, rng)
            reached[action] = distance(words(after, 9), mover, 9, game.geometry)
        assert reached[best] == min(reached.values())
