"""What is measured of a run: strength by steps, telling positions, the same game at every step."""

import json
from pathlib import Path

import pytest

from ludex.core.errors import BadRun
from ludex.core.ranking import Entry
from ludex.core.registry import make, resolve, spec
from ludex.learn.learned import TellingPosition, match_at, read_learned, telling_steps
from ludex.learn.run_agents import RunAgent, keep_agent
from ludex.learn.runs import Run
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


def test_steps_are_spread_from_the_first_to_the_last() -> None:
    agents = [RunAgent(step=step, index=step, row=step, bytes=1, sha256="") for step in range(11)]
    assert [agent.step for agent in telling_steps(agents)] == [0, 2, 5, 8, 10]
    assert [agent.step for agent in telling_steps(agents[:1])] == [0]
    assert [agent.step for agent in telling_steps(agents[:3])] == [0, 1, 2]


def test_positions_in_which_the_choice_changed_are_told_and_no_others(run: Run) -> None:
    keep(run, [], [Entry("EEEEEEEEX", 4, 0.9)])
    learned = measure_learning(run, 2, Context())
    assert read_learned(run) == learned
    assert learned.complete
    assert (learned.opponent, learned.counted) == ("perfect", "not_lost")
    assert [strength.games for strength in learned.strength] == [2, 2]
    assert learned.positions, "the corner is answered in another way"
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


def test_a_run_that_learned_nothing_has_no_telling_position(run: Run) -> None:
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
    matches = [match_at(board, TellingPosition(seed=position.seed, moves=[*position.moves])) for position in named]
    assert len(matches) >= 3
    assert not any(match.over for match in matches)
    # One position per length is shown.
    assert len({match.ply for match in matches}) >= 3
