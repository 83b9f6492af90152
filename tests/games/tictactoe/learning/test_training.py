"""Training whole rankings: strength, seeds, checkpoints, configurations."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from ludex.core.errors import BadConfig, BadRun, Unsupported, UsageError
from ludex.core.ranking import Entry
from ludex.games.tictactoe.agents.ranking_files import read_rankings
from ludex.games.tictactoe.learning.training import Progress, SelfPlay, losing_lines, train
from ludex.learn.config import config_names
from ludex.learn.runs import Row, Run, int_value
from tests.games.tictactoe.support import (
    CONFIGS,
    config,
    game_of,
    interrupted_after,
    new_run,
    policy_on,
    q_values,
    silent,
)
from tests.json_values import number

ROW = {"games", "losing_lines", "losing_lines_X", "losing_lines_O", "keys", "wins_X", "wins_O", "draws", "promoted"}


def lost(row: Row) -> int:
    return int_value(row, "losing_lines_X", "a row") + int_value(row, "losing_lines_O", "a row")


def without_folder(summary: Row) -> Row:
    """A summary without what names its folder."""
    return {key: value for key, value in summary.items() if key not in {"run", "ranking"}}


def in_bits(values: list[dict[str, Any]]) -> list[tuple[str, int, str]]:
    return [(value["state"], value["moveIndex"], value["q"].hex()) for value in values]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, 10))])
def test_ruling_5_negamax_loses_no_line_after_4000_games(tmp_path: Path, seed: int) -> None:
    summary = train(config(games=4000, seed=seed), new_run(tmp_path), silent)
    assert summary["losing_lines"] == {"X": 0, "O": 0}


@pytest.mark.full
def test_ruling_5_the_documents_update_reaches_zero_losing_lines_for_two_of_five_seeds(tmp_path: Path) -> None:
    summaries = [train(config("v1_01", seed=seed), new_run(tmp_path), silent) for seed in range(5)]
    assert [summary["losing_lines"] == {"X": 0, "O": 0} for summary in summaries] == [False, True, False, True, False]


@pytest.mark.full
def test_ruling_5_the_shipped_ranking_is_negamax_of_20000_games_with_seed_1_bit_for_bit(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    train(config(games=20000, seed=1), run, silent)
    ships = json.loads(files("ludex.games.tictactoe.data").joinpath("ranking_3x3x3.json").read_text())["qValues"]
    assert in_bits(q_values(run)) == in_bits(ships)


@pytest.mark.slow
@pytest.mark.parametrize("stop", [1, 3, 5])
def test_an_interrupted_run_ends_like_one_that_was_not(tmp_path: Path, stop: int) -> None:
    chosen = config(games=350, seed=6)
    whole, broken = new_run(tmp_path), new_run(tmp_path)
    expected = train(chosen, whole, silent)
    with pytest.raises(KeyboardInterrupt):
        train(chosen, broken, interrupted_after(stop))
    assert without_folder(train(chosen, broken, silent)) == without_folder(expected)
    assert _metrics(broken) == _metrics(whole)
    assert q_values(broken) == q_values(whole)


def _metrics(run: Run) -> str:
    return (run.folder / "metrics.jsonl").read_text()


def test_a_damaged_checkpoint_is_an_error_that_a_person_understands(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    run.checkpoint({"stage": "self_play", "audit": 1, "games": "many"})
    with pytest.raises(BadRun, match="games"):
        train(config(games=100), run, silent)


def test_ruling_5_the_metrics_count_losing_lines_exactly(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    train(config(games=100), run, silent)
    policy = policy_on(Entry(value["state"], value["moveIndex"], value["q"]) for value in q_values(run))
    [row] = run.metrics()
    assert [row["losing_lines_X"], row["losing_lines_O"]] == [losing_lines(policy, seat).losing for seat in (0, 1)]


@pytest.mark.slow
def test_ruling_5_a_snapshot_is_promoted_only_if_the_count_does_not_rise(tmp_path: Path) -> None:
    run = new_run(tmp_path, "v1_01")
    summary = train(config("v1_01", games=1000), run, silent)
    rows = run.metrics()
    best = None
    for row in rows:
        assert row["promoted"] == (best is None or lost(row) <= best)
        best = lost(row) if row["promoted"] else best
    assert {row["promoted"] for row in rows} == {True, False}
    lines = summary["losing_lines"]
    assert isinstance(lines, dict)
    assert sum(map(number, lines.values())) == best == min(map(lost, rows))


@pytest.mark.slow
def test_ruling_5_the_ranking_written_is_the_promoted_one_not_the_last(tmp_path: Path) -> None:
    run = new_run(tmp_path, "v1_01")
    summary = train(config("v1_01", games=1000), run, silent)
    entries = read_rankings(game_of(), (run.folder / "ranking.json").read_text(), "ranking.json")
    losing = {mark: losing_lines(policy_on(entries), seat).losing for seat, mark in enumerate("XO")}
    assert number(summary["promoted_at"]) < number(summary["games"])
    assert losing == summary["losing_lines"]


def test_ruling_5_progress_promotes_the_latest_of_equals_and_never_a_worse_one() -> None:
    progress = Progress()
    offers = [{"X": 5, "O": 5}, {"X": 0, "O": 11}, {"X": 10, "O": 0}, {"X": 0, "O": 9}, {"X": 1, "O": 9}]
    assert [progress.offer(lines) for lines in offers] == [True, False, True, True, False]
    assert progress.best_lines == {"X": 0, "O": 9}


@pytest.mark.slow
def test_a_run_on_another_board_trains_its_ranking(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    summary = train(config(games=100, preset="3x4x3"), run, silent)
    assert summary["preset"] == "3x4x3"
    assert {len(value["state"]) for value in q_values(run)} == {12}


def test_a_board_too_large_for_the_audit_is_refused_before_a_game_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SelfPlay, "play", lambda *_: pytest.fail("a game was played"))
    with pytest.raises(Unsupported, match="up to 12 cells, not 16"):
        train(config(preset="4x4x4"), new_run(tmp_path), silent)


def test_an_unknown_board_of_the_config_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="9x9x9"):
        train(config(preset="9x9x9"), new_run(tmp_path), silent)


def test_ruling_5_two_named_configs_ship_and_v1_01_is_the_default() -> None:
    from ludex.games.tictactoe.spec import SPEC

    assert SPEC.learning.training is not None
    assert (SPEC.learning.training.default, SPEC.learning.training.configs) == ("v1_01", CONFIGS)
    assert config_names(CONFIGS) == ["minute", "negamax", "v1_01"]


def test_ruling_5_v1_01_has_the_seeds_values() -> None:
    chosen = config("v1_01").model_dump()
    assert (chosen["epsilon"], chosen["random_ties"], chosen["preset"]) == (0.15, False, "3x3x3")
    assert chosen["rule"] == {"kind": "additive", "alpha": 0.1, "bound": 5.0, "win": 1.0, "loss": -1.0, "draw": 0.2}


def test_ruling_5_negamax_breaks_ties_by_chance_and_explores() -> None:
    chosen = config("negamax").model_dump()
    assert (chosen["epsilon"], chosen["random_ties"], chosen["games"]) == (0.15, True, 3000)
    assert chosen["rule"] == {"kind": "negamax"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gmaes": 3}, "unknown key 'gmaes'; known keys: checkpoint_every, epsilon, games"),
        ({"games": "3000"}, "key 'games'.*found '3000'"),
        ({"games": 0}, "key 'games'.*found 0"),
        ({"seed": 1 << 64}, "key 'seed'.*found 18446744073709551616"),
        ({"epsilon": 1.5}, "key 'epsilon'.*found 1.5"),
        ({"checkpoint_every": 0}, "key 'checkpoint_every'.*found 0"),
        ({"rule": "negamax"}, "key 'rule'"),
        ({"rule.kind": "sarsa"}, "key 'rule'.*sarsa"),
        ({"rule.alpha": -0.1}, r"alpha'.*found -0\.1"),
        ({"rule.beta": 1}, "unknown key 'rule.*beta'; known keys: alpha, bound, draw, kind, loss, win"),
    ],
)
def test_a_bad_change_of_the_config_names_its_key(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BadConfig, match=said):
        config("v1_01", **changes)
