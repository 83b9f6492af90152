"""Tuning by self-play: it finds what wins, repeats itself, and refuses what it cannot tune."""

from pathlib import Path

import pytest

import ludex
from ludex.arena.terms import Terms
from ludex.arena.tuning import Parameter, Schedule, Tuning, parameters_of, tune
from ludex.core.errors import BadJournal, BadOption
from ludex.core.executor import InProcess
from ludex.core.seeding import generator
from ludex.operations.tuning import TuningResult
from tests.arena.executors import Backwards

BLIND = "easy:depth=0:distance_weight=2:noise=20"
"""Its noise drowns the distance to the goal."""


def tuned(seed: int, proof: int = 0, iterations: int = 15) -> Tuning:
    board = ludex.make("quoridor", "5x5")
    parameters = parameters_of(board, BLIND, ["distance_weight"], step=2.0)
    terms = Terms.of(board, (BLIND,), seed=seed, opening_plies=2)
    schedule = Schedule(iterations, pairs=4, rate=0.1)
    return tune(terms, parameters, schedule, proof=proof, executor=InProcess())


@pytest.mark.slow
def test_a_weight_that_is_too_low_rises_and_the_match_shows_it() -> None:
    result = tuned(seed=1, proof=100)
    assert result.values[0] > 2 * 2
    assert result.tuned == f"easy:depth=0:distance_weight={round(result.values[0])}:noise=20"
    assert result.proof is not None
    assert result.proof.terms.agents == (result.tuned, BLIND)
    assert result.proof.ci95[0] > 0.5
    assert (result.iterations, result.games) == (15, 120)


@pytest.mark.slow
def test_one_worker_repeats_a_tuning_exactly() -> None:
    first, second, other = (tuned(seed, iterations=3) for seed in (3, 3, 4))
    assert first.values == second.values != other.values


def test_an_interrupted_tuning_reports_where_it_stands() -> None:
    board = ludex.make("tictactoe")
    parameters = (Parameter("depth", start=2, low=1, high=9, step=1, whole=True),)
    terms = Terms.of(board, ("minimax",), seed=0)
    result = tune(terms, parameters, Schedule(5, 1, 0.1), proof=10, executor=Backwards(1, after=0))
    assert (result.interrupted, result.iterations, result.proof) == (True, 0, None)
    assert result.tuned == "minimax:depth=2"


def test_an_interrupt_before_the_first_pair_of_the_proof_keeps_the_result() -> None:
    parameters = (Parameter("depth", start=2, low=1, high=2, step=1, whole=True),)
    terms = Terms.of(ludex.make("tictactoe"), ("minimax",), seed=0)
    result = tune(terms, parameters, Schedule(1, 1, 0.1), proof=10, executor=Backwards(few=1, after=1))
    document = TuningResult.of(result).model_dump(mode="json")
    assert (document["iterations"], document["interrupted"], document["proof"]) == (1, True, None)
    assert document["tuned"] == result.tuned


def test_a_journal_goes_on_where_an_interruption_ended_it(tmp_path: Path) -> None:
    board = ludex.make("tictactoe")
    terms = Terms.of(board, ("mcts:simulations=8",), seed=5, opening_plies=2)
    parameters = parameters_of(board, terms.agents[0], ["bias"], step=0.5)
    schedule, journal = Schedule(6, 2, 0.3), tmp_path / "journal.jsonl"
    whole = tune(terms, parameters, schedule, proof=4, executor=InProcess())
    cut = tune(terms, parameters, schedule, proof=4, executor=Backwards(1, after=4), journal=journal)
    assert (cut.iterations, cut.interrupted, len(journal.read_text().splitlines())) == (4, True, 5)
    # The next one plays two iterations, and is cut off in the proof.
    steps: list[int] = []
    second = Backwards(few=1, after=3)
    cut = tune(terms, parameters, schedule, proof=4, executor=second, journal=journal, advance=steps.append)
    assert (second.calls, steps[:3], cut.values) == (3, [16, 4, 4], whole.values)
    last = Backwards(few=1)
    resumed = tune(terms, parameters, schedule, proof=4, executor=last, journal=journal)
    assert (last.calls, resumed.values, resumed.tuned) == (1, whole.values, whole.tuned)
    assert whole.proof is not None
    assert resumed.proof is not None
    assert [game.actions for game in resumed.proof.played] == [game.actions for game in whole.proof.played]
    with pytest.raises(BadJournal, match="iterations is 6 there and 7 here"):
        tune(terms, parameters, Schedule(7, 2, 0.3), proof=4, executor=last, journal=journal)


@pytest.mark.parametrize(
    ("agent", "names", "complaint"),
    [
        ("hard", ["speed"], "'speed' is no numeric option of hard; it has: depth, noise, distance_weight"),
        ("hard", ["noise", "noise"], "option 'noise' is named twice"),
        ("hard", [], "no option to tune; hard has: depth"),
        ("random", ["noise"], "it has: none"),
        ("master", ["net"], "'net' is no numeric option of master"),
    ],
)
def test_what_cannot_be_tuned_is_named(agent: str, names: list[str], complaint: str) -> None:
    with pytest.raises(BadOption, match=complaint):
        parameters_of(ludex.make("quoridor"), agent, names, step=0.25)


def test_whole_numbers_are_rounded_at_random_and_stay_within_bounds() -> None:
    one = Parameter("weight", start=2, low=0, high=10, step=1, whole=True)
    drawn = [one.drawn(2.25, generator(seed, 0)) for seed in range(400)]
    assert set(drawn) == {2, 3}
    assert 2.15 < sum(drawn) / len(drawn) < 2.35
    assert one.drawn(99, generator(0, 0)) == 10
    assert one.drawn(-5, generator(0, 0)) == 0
