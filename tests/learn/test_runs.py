"""Run folders: written whole, resumed exactly, and clear about damage."""

import errno
import fcntl
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ludex.core.errors import BadRun, FolderUnwritable, RunPaused, StoreFull
from ludex.learn.runs import Row, Run, RunState, RunStatus, list_runs
from tests.faults import full_disk

CONFIG = "games: 3\n"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run.create(tmp_path, "toy", "small", CONFIG)


def damage(run: Run, name: str, text: str) -> None:
    (run.folder / name).write_text(text)


def test_a_new_run_holds_its_game_its_config_and_no_rows(run: Run) -> None:
    assert (run.game, run.config_name, run.config_text) == ("toy", "small", CONFIG)
    assert run.metrics() == []
    assert run.summary() is None
    assert run.resume() is None


def test_a_new_run_is_named_by_game_config_and_time(run: Run) -> None:
    game, config, day, clock, token = run.name.split("-")
    assert (game, config, len(day), len(clock), len(token)) == ("toy", "small", 8, 6, 8)
    assert run.folder.name == run.name


def test_a_folder_that_cannot_be_made_is_named_with_its_variable(tmp_path: Path) -> None:
    (tmp_path / "runs").touch()
    with pytest.raises(FolderUnwritable, match=r"cannot create .*runs.*set LUDEX_RUNS"):
        Run.create(tmp_path / "runs", "toy", "small", CONFIG)


def test_a_run_opens_by_its_name(tmp_path: Path, run: Run) -> None:
    assert Run.open(tmp_path, run.name) == run


def test_an_unknown_run_lists_the_known_ones(tmp_path: Path, run: Run) -> None:
    with pytest.raises(BadRun, match=rf"no run 'other' in .*; known: {run.name}"):
        Run.open(tmp_path, "other")


@pytest.mark.parametrize("name", ["..", "../{run}", "{run}/", "{run}/../{run}", "./{run}"])
def test_a_name_never_leads_out_of_the_folder(run: Run, name: str) -> None:
    inside = run.folder / "checkpoints"
    with pytest.raises(BadRun, match="no run"):
        Run.open(inside, name.format(run=run.name))


@pytest.mark.parametrize("config", ["configs/mine.yaml", "/tmp/mine.yaml", "../mine.yaml"])
def test_a_run_of_a_config_named_by_a_path_is_listed_and_opens(tmp_path: Path, config: str) -> None:
    run = Run.create(tmp_path / "runs", "toy", config, CONFIG)
    assert list_runs(tmp_path / "runs") == [run]
    assert Run.open(tmp_path / "runs", run.name) == run


def test_rows_are_read_as_they_were_logged(run: Run) -> None:
    rows: list[Row] = [{"games": 1, "loss": 0.1 + 0.2}, {"games": 2, "note": "é\n"}]
    for row in rows:
        run.log(row)
    assert run.metrics() == rows


@pytest.mark.parametrize("last", ['{"games": ', '{"games": 2}'])
def test_a_last_line_without_its_end_is_not_a_row(run: Run, last: str) -> None:
    damage(run, "metrics.jsonl", '{"games": 1}\n' + last)
    assert run.metrics() == [{"games": 1}]


def test_a_damaged_line_in_the_middle_is_an_error(run: Run) -> None:
    damage(run, "metrics.jsonl", '{"games": 1}\n{"ga\n{"games": 3}\n')
    with pytest.raises(BadRun, match=r"metrics\.jsonl, row 1: not valid JSON"):
        run.metrics()


def test_a_missing_file_is_an_error_that_names_it(run: Run) -> None:
    (run.folder / "metrics.jsonl").unlink()
    with pytest.raises(BadRun, match=r"cannot read .*metrics\.jsonl"):
        run.metrics()


def test_resuming_gives_the_last_checkpoint_and_drops_later_rows(run: Run) -> None:
    run.log({"games": 1})
    run.checkpoint({"at": 1})
    run.log({"games": 2})
    run.checkpoint({"at": 2, "q": 0.1 + 0.2})
    run.log({"games": 3})
    assert run.resume() == run.resume() == {"at": 2, "q": 0.1 + 0.2}
    assert run.metrics() == [{"games": 1}, {"games": 2}]


def test_resuming_drops_a_line_that_was_cut_off(run: Run) -> None:
    run.log({"games": 1})
    run.checkpoint({"at": 1})
    with (run.folder / "metrics.jsonl").open("a") as file:
        file.write('{"games"')
    run.resume()
    run.log({"games": 2})
    assert run.metrics() == [{"games": 1}, {"games": 2}]


def test_resuming_without_a_checkpoint_begins_anew(run: Run) -> None:
    run.log({"games": 1})
    assert run.resume() is None
    assert run.metrics() == []


def pull_the_plug(*_: object) -> None:
    raise OSError(errno.ENOSPC, "the plug was pulled")


def test_a_full_disk_leaves_a_run_that_goes_on(run: Run) -> None:
    run.log({"games": 1})
    run.checkpoint({"at": 1, "state": "x" * 40})
    run.log({"games": 2, "note": "y" * 40})
    rows = (run.folder / "metrics.jsonl").stat().st_size
    with full_disk(rows + 5):
        with pytest.raises(StoreFull, match=r"metrics\.jsonl.*make room"):
            run.log({"games": 3})
        with pytest.raises(StoreFull, match="make room"):
            run.checkpoint({"at": 2, "state": "x" * 400})
        with pytest.raises(StoreFull, match=r"summary\.json.*make room"):
            run.finish({"note": "z" * 400})
    assert run.summary() is None
    assert run.resume() == {"at": 1, "state": "x" * 40}
    run.log({"games": 2})
    assert run.metrics() == [{"games": 1}, {"games": 2}]


def test_a_checkpoint_that_fails_leaves_the_one_before(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.log({"games": 1})
    run.checkpoint({"at": 1})
    run.log({"games": 2})
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", pull_the_plug)
        with pytest.raises(StoreFull, match="the plug was pulled"):
            run.checkpoint({"at": 2})
    assert run.resume() == {"at": 1}
    assert run.metrics() == [{"games": 1}]


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        *(("summary.json", text, Run.summary) for text in ("", "{", "[]", "\x00")),
        *(("run.json", text, lambda run: run.game) for text in ("", "3", "{}")),
        *(
            ("checkpoints/latest.json", text, Run.resume)
            for text in ("{", "[]", '{"rows": 0, "state": 3}', '{"state": {}}')
        ),
    ],
)
def test_a_damaged_file_is_an_error_that_names_it(
    run: Run, name: str, text: str, read: Callable[[Run], object]
) -> None:
    run.log({"games": 1})
    damage(run, name, text)
    with pytest.raises(BadRun, match=rf"{Path(name).name}: "):
        read(run)
    assert run.metrics() == [{"games": 1}]


def test_a_checkpoint_of_more_rows_than_there_are_is_an_error(run: Run) -> None:
    run.log({"games": 1})
    run.log({"games": 2})
    run.checkpoint({"at": 2})
    damage(run, "metrics.jsonl", '{"games": 1}\n')
    with pytest.raises(BadRun, match=r"metrics\.jsonl"):
        run.resume()


def created_in_turn(base: Path, count: int) -> list[Run]:
    runs = []
    for number in range(count):
        # Later numbers sort earlier by name; the pause outlasts a tick of the file system's clock.
        runs.append(Run.create(base, f"toy{9 - number}", "small", CONFIG))
        time.sleep(0.02)
    return runs


def test_runs_are_listed_oldest_first(tmp_path: Path) -> None:
    runs = created_in_turn(tmp_path, 3)
    assert list_runs(tmp_path) == runs
    runs[0].finish({"games": 3})
    assert list_runs(tmp_path) == runs
    assert list_runs(tmp_path / "missing") == []


def test_what_is_no_run_is_not_listed(tmp_path: Path, run: Run) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "readme.txt").touch()
    assert list_runs(tmp_path) == [run]


def test_two_processes_cannot_train_one_run(run: Run) -> None:
    with run.lock(), pytest.raises(BadRun, match="is being trained by another process"), Run(run.folder).lock():
        pass
    with run.lock():
        assert (run.folder / "lock").exists()


def test_a_run_is_queued_then_running_then_finished(run: Run) -> None:
    assert run.status == RunStatus(RunState.QUEUED)
    with run.lock():
        assert Run(run.folder).status == RunStatus(RunState.RUNNING)
        run.finish({"games": 3})
    assert run.status == RunStatus(RunState.FINISHED)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (BadRun("row 3 is damaged"), RunStatus(RunState.FAILED, "row 3 is damaged")),
        (ZeroDivisionError("by nothing"), RunStatus(RunState.FAILED, "ZeroDivisionError: by nothing")),
        (RunPaused("enough"), RunStatus(RunState.PAUSED)),
        (KeyboardInterrupt(), RunStatus(RunState.INTERRUPTED)),
    ],
)
def test_a_run_keeps_how_it_ended(run: Run, error: BaseException, status: RunStatus) -> None:
    with pytest.raises(type(error)), run.lock():
        raise error
    assert Run(run.folder).status == status
    with run.lock():
        assert run.status.state is RunState.RUNNING


def test_a_run_whose_process_died_is_interrupted(run: Run) -> None:
    damage(run, "status.json", '{"state": "running"}')
    assert run.status == RunStatus(RunState.INTERRUPTED)


def test_an_unknown_state_is_named(run: Run) -> None:
    damage(run, "status.json", '{"state": "asleep"}')
    with pytest.raises(BadRun, match=r"status\.json: expected one of queued, running.*found 'asleep'"):
        _ = run.status


def test_a_pause_is_requested_once(run: Run) -> None:
    requested = [run.pause_requested]
    run.request_pause()
    requested.append(run.pause_requested)
    with run.lock():
        requested.append(run.pause_requested)
        run.request_pause()
        run.withdraw_pause()
        requested.append(run.pause_requested)
    assert requested == [False, True, False, False]


def test_who_reads_a_state_does_not_keep_a_run_from_training(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (run.folder / "lock").touch()
    with (run.folder / "lock").open() as reader:
        fcntl.flock(reader, fcntl.LOCK_SH)
        monkeypatch.setattr(time, "sleep", lambda seconds: fcntl.flock(reader, fcntl.LOCK_UN))
        with run.lock():
            assert run.status.state is RunState.RUNNING


def test_a_damaged_run_hides_no_other(tmp_path: Path) -> None:
    runs = created_in_turn(tmp_path, 2)
    damage(runs[0], "run.json", "{}")
    assert {run.name for run in list_runs(tmp_path)} == {run.name for run in runs}
    assert Run.open(tmp_path, runs[1].name).game == runs[1].game


def test_a_folder_is_a_run_only_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(Run, "write", lambda self, name, text: written.append(name))
    Run.create(tmp_path, "toy", "small", CONFIG)
    assert written[-1] == "run.json"
