"""What is measured of a run: strength by steps, positions, the same game at every step."""

import hashlib
import json
from contextlib import closing
from pathlib import Path

import pytest

from ludex.coach.analyst import Analyst
from ludex.core.errors import BadRun
from ludex.core.ranking import Entry
from ludex.core.registry import make, make_agent, resolve, spec
from ludex.learn.learned import (
    MOST_STEPS,
    LearnedPosition,
    StepStrength,
    choices,
    match_at,
    read_learned,
    sample_steps,
    verdict_of,
)
from ludex.learn.run_agents import RunAgent, agents_of, file_of, keep_agent, reference_of
from ludex.learn.runs import Run, example_runs
from ludex.operations.learned import announce_measurement, measure_learning
from ludex.operations.operation import Context


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LUDEX_RUNS", str(tmp_path))
    return Run.create(tmp_path, "tictactoe", "minute", "")


def keep(run: Run, *learned: list[Entry]) -> None:
    codec = resolve(str(spec("tictactoe").learning.rankings))(make("tictactoe"))
    for index, entries in enumerate(learned):
        document = codec.export(entries, "2026-01-31T12:00:00Z")
        keep_agent(run, index, 100 * index, json.dumps(document).encode())


def test_steps_lie_closer_at_first_and_reach_from_the_first_to_the_last() -> None:
    agents = [RunAgent(step=step, index=step, row=step, bytes=1, sha256="") for step in range(11)]
    assert [agent.step for agent in sample_steps(agents)] == [0, 1, 2, 6, 10]
    assert [agent.step for agent in sample_steps(agents[:5])] == [0, 1, 2, 3, 4]
    assert [agent.step for agent in sample_steps(agents[:1])] == [0]
    assert [agent.step for agent in sample_steps(agents[:3])] == [0, 1, 2]


@pytest.mark.parametrize(
    ("first", "last", "verdict"),
    [
        ((0.15, 0.05, 0.36), (0.85, 0.64, 0.95), "better"),
        ((0.85, 0.64, 0.95), (0.15, 0.05, 0.36), "worse"),
        ((0.45, 0.26, 0.66), (0.55, 0.34, 0.74), "same"),
        ((0.0, 0.0, 0.07), (0.0, 0.0, 0.07), "same"),
    ],
)
def test_a_difference_within_chance_is_no_progress(
    first: tuple[float, float, float], last: tuple[float, float, float], verdict: str
) -> None:
    ends = [
        StepStrength(step=step, games=20, win_rate=rate, ci95=(low, high))
        for step, (rate, low, high) in enumerate((first, last))
    ]
    assert verdict_of(ends) == verdict


@pytest.mark.parametrize("game", ["tictactoe", "quoridor", "minesweeper", "skirmish"])
def test_a_training_that_ships_shows_progress_and_is_small(game: str) -> None:
    run = example_runs()[f"example-{game}"]
    learned, trained = read_learned(run), agents_of(run)
    assert learned is not None
    assert trained is not None
    assert (run.game, learned.complete, verdict_of(learned.strength)) == (game, True, "better")
    assert len(learned.strength) == MOST_STEPS == len(learned.games)
    assert learned.positions
    board = make(game, learned.preset)
    ends = [make_agent(board, reference_of(run, trained.agents[end])) for end in (0, -1)]
    with closing(Analyst(board, with_luck=False)) as analyst:
        for position in learned.positions:
            match = match_at(board, position)
            first, last = (analyst.judge(match, match.ply, choice.action) for choice in choices(match, *ends))
            assert last < first
    kept = [agent.step for agent in trained.agents]
    steps = [strength.step for strength in learned.strength]
    assert {steps[0], steps[-1]} <= {*kept} <= {*steps}
    assert run.metrics(), "its curve is not empty"
    assert sum(path.stat().st_size for path in run.folder.rglob("*") if path.is_file()) < 1_000_000
    for agent in trained.agents:
        assert hashlib.sha256(file_of(run, trained, agent.step).read_bytes()).hexdigest() == agent.sha256


def test_positions_in_which_the_choice_changed_are_told_and_no_others(run: Run) -> None:
    keep(run, [], [Entry("EEEEEEEEX", 4, 0.9)])
    learned = measure_learning(run, 2, Context())
    assert read_learned(run) == learned
    assert learned.complete
    assert (learned.opponent, learned.counted) == ("perfect", "not_lost")
    assert [strength.games for strength in learned.strength] == [2, 2]
    assert learned.positions, "the corner is answered in another way"
    assert learned.tried is not None
    assert learned.tried.first < learned.tried.last <= learned.tried.positions
    board = make("tictactoe")
    assert {match_at(board, position).ply for position in learned.positions} == {1}
    for game in learned.games:
        match = match_at(board, learned.positions[0].model_copy(update={"seed": learned.seed, "moves": game.moves}))
        assert match.outcome is not None
        assert [*match.outcome.scores] == game.scores


def test_what_was_not_lost_to_a_perfect_player_counts_and_the_film_shows_where_it_was_gained(run: Run) -> None:
    keep(run, [], [Entry("EEEEEEEEX", 4, 0.9)])
    learned = measure_learning(run, 2, Context())
    assert [strength.win_rate for strength in learned.strength] == [0.5, 1.0]
    assert all(low <= strength.win_rate <= high for strength in learned.strength for low, high in [strength.ci95])
    assert learned.seat == 1, "who begins does not lose, trained or not"
    assert [game.scores for game in learned.games] == [[1.0, -1.0], [0.0, 0.0]]


def test_a_position_in_which_the_last_step_plays_worse_is_not_told_but_counted(run: Run) -> None:
    keep(run, [Entry("EEEEEEEEX", 4, 0.9)], [])
    learned = measure_learning(run, 2, Context())
    assert learned.positions == []
    assert learned.tried is not None
    assert learned.tried.first > learned.tried.last


def test_a_run_that_learned_nothing_has_no_better_position(run: Run) -> None:
    keep(run, [], [])
    assert measure_learning(run, 2, Context()).positions == []


def test_a_run_without_agents_is_refused_and_one_to_be_measured_is_not_complete(run: Run) -> None:
    assert read_learned(run) is None
    announce_measurement(run)
    learned = read_learned(run)
    assert learned is not None
    assert not learned.complete
    with pytest.raises(BadRun, match="keeps no agents"):
        measure_learning(run, 2, Context())
    (run.folder / "learned.json").write_text('{"format": "ludex-learned"}')
    with pytest.raises(BadRun, match="missing key"):
        read_learned(run)


@pytest.mark.parametrize("game", ["tictactoe", "quoridor", "minesweeper", "skirmish"])
def test_every_game_names_positions_of_the_board_that_its_quick_training_learns(game: str) -> None:
    training = spec(game).learning.training
    assert training is not None
    named = resolve(str(training.positions))
    boards = {position.board for position in named}
    assert len(boards) == 1
    board = make(game, boards.pop())
    matches = [match_at(board, LearnedPosition(seed=position.seed, moves=[*position.moves])) for position in named]
    assert len(matches) >= 3
    assert not any(match.over for match in matches)
    # One position per length is shown.
    assert len({match.ply for match in matches}) >= 3
