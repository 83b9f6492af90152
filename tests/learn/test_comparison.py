"""Comparisons: variants by configuration, what differs, bands over seeds, and the exported files."""

import csv
import io
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludex.core.errors import BadOption, BadRun, MissingDependency
from ludex.learn.comparison import compare, draw_picture, export_csv, open_runs
from ludex.learn.experiments import LONGEST_NOTE, read_note, write_note
from ludex.learn.runs import Run


def made(base: Path, seed: int, epsilon: float, lines: list[int], group: str | None = "mine") -> Run:
    config = f"games: 30\nseed: {seed}\nepsilon: {epsilon}\nrule:\n  kind: negamax\n"
    run = Run.create(base, "tictactoe", "negamax", config, group=group, changes={"seed": seed, "epsilon": epsilon})
    for number, lost in enumerate(lines, 1):
        run.log({"games": 10 * number, "losing_lines": lost, "keys": number})
    return run


@pytest.fixture
def runs(tmp_path: Path) -> list[Run]:
    return [
        made(tmp_path, 1, 0.1, [8, 4]),
        made(tmp_path, 2, 0.1, [6, 0]),
        made(tmp_path, 1, 0.5, [2, 2]),
    ]


def test_runs_that_differ_in_the_seed_only_are_one_variant(runs: list[Run]) -> None:
    comparison = compare(runs)
    assert (comparison.game, comparison.metric, comparison.axis, comparison.keys) == (
        "tictactoe",
        "losing_lines",
        "games",
        ["epsilon"],
    )
    assert [(variant.label, variant.values, [run.seed for run in variant.runs]) for variant in comparison.variants] == [
        ("epsilon=0.1", {"epsilon": 0.1}, [1, 2]),
        ("epsilon=0.5", {"epsilon": 0.5}, [1]),
    ]
    first, second = comparison.bands
    assert (first.variant, first.x, first.mean, first.low, first.high) == (0, [10, 20], [7, 2], [6, 0], [8, 4])
    assert (second.variant, second.mean) == (1, [2, 2])


def test_the_same_seed_again_has_a_curve_of_its_own(tmp_path: Path) -> None:
    twice = [made(tmp_path, 1, 0.1, [8, 4]), made(tmp_path, 2, 0.1, [6, 0]), made(tmp_path, 1, 0.1, [4, 2])]
    comparison = compare(twice)
    assert [[run.name for run in variant.runs] for variant in comparison.variants] == [
        [twice[0].name, twice[1].name],
        [twice[2].name],
    ]
    assert [line.mean for line in comparison.bands] == [[7, 2], [4, 2]]


def test_each_run_has_the_command_that_repeats_it(runs: list[Run]) -> None:
    (one,) = compare(runs[:1]).variants[0].runs
    assert one.command == "ludex train tictactoe --config negamax --set seed=1 --set epsilon=0.1"


def test_one_configuration_is_called_by_its_name(runs: list[Run]) -> None:
    comparison = compare(runs[:2])
    assert (comparison.keys, [variant.label for variant in comparison.variants]) == ([], ["negamax"])


def test_a_key_that_one_configuration_lacks_differs(tmp_path: Path) -> None:
    with_key = Run.create(tmp_path, "toy", "a", "lr: 1\nextra: 2\n")
    without = Run.create(tmp_path, "toy", "b", "lr: 1\n")
    comparison = compare([with_key, without])
    assert (comparison.keys, [variant.values for variant in comparison.variants]) == (["extra"], [{"extra": 2}, {}])


def test_runs_without_rows_have_no_curves(tmp_path: Path) -> None:
    comparison = compare([Run.create(tmp_path, "toy", "a", "")])
    assert (comparison.metric, comparison.axis, comparison.metrics, comparison.bands) == ("", "", [], [])


@pytest.mark.parametrize(("metric", "axis"), [("speed", None), (None, "speed")])
def test_what_no_run_logs_is_refused_with_what_they_log(runs: list[Run], metric: str | None, axis: str | None) -> None:
    with pytest.raises(BadOption, match="no run logs 'speed'; known: games, losing_lines, keys"):
        compare(runs, metric, axis)


def test_a_name_is_a_runs_or_an_experiments(tmp_path: Path, runs: list[Run]) -> None:
    alone = made(tmp_path, 9, 0.9, [1], group=None)
    assert open_runs(tmp_path, ["mine"]) == runs
    assert open_runs(tmp_path, [alone.name, runs[0].name, "mine"]) == [alone, *runs]


@pytest.mark.parametrize(("names", "error"), [([], BadOption), (["nothing"], BadRun), (["../x"], BadRun)])
def test_names_of_nothing_are_refused(tmp_path: Path, names: list[str], error: type[Exception]) -> None:
    with pytest.raises(error):
        open_runs(tmp_path, names)


def test_runs_of_two_games_are_refused(tmp_path: Path, runs: list[Run]) -> None:
    other = Run.create(tmp_path, "quoridor", "evaluation", "")
    with pytest.raises(BadOption, match="runs of one game can be compared, found quoridor, tictactoe"):
        open_runs(tmp_path, ["mine", other.name])


def test_the_csv_has_every_point_with_its_run(runs: list[Run]) -> None:
    header, *rows = csv.reader(io.StringIO(export_csv(runs)))
    assert header == ["run", "seed", "epsilon", "part", "games", "losing_lines"]
    assert len(rows) == 6
    assert rows[3] == [runs[1].name, "2", "0.1", "", "20", "0"]


@pytest.mark.slow
def test_the_svg_names_variants_and_metric_and_is_the_same_each_time(runs: list[Run]) -> None:
    picture = draw_picture(compare(runs), "svg")
    assert picture == draw_picture(compare(runs), "svg")
    texts = {element.text for element in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")}
    assert {"epsilon=0.1", "epsilon=0.5", "losing_lines", "games"} <= texts


def test_the_png_is_a_picture(runs: list[Run]) -> None:
    assert draw_picture(compare(runs[:2]), "png").startswith(b"\x89PNG")


def test_without_matplotlib_the_extra_is_named(runs: list[Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependency, match=r"ludex\[train\]"):
        draw_picture(compare(runs), "svg")


def test_notes_of_runs_and_experiments(tmp_path: Path, runs: list[Run]) -> None:
    assert read_note(tmp_path, "mine") == ""
    write_note(tmp_path, "mine", "both\n")
    write_note(tmp_path, runs[0].name, "one")
    assert (read_note(tmp_path, "mine"), read_note(tmp_path, runs[0].name)) == ("both\n", "one")
    write_note(tmp_path, "mine", "")
    assert read_note(tmp_path, "mine") == ""
    with pytest.raises(BadRun):
        write_note(tmp_path, "../mine", "x")
    with pytest.raises(BadOption, match="at most"):
        write_note(tmp_path, "mine", "x" * (LONGEST_NOTE + 1))
