"""Training in miniature: end to end, and a killed run ends like one that was not."""

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ludex.core.errors import BadConfig, BadRun
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent, spec
from ludex.games.quoridor.agents.master.network import load_weights
from ludex.games.quoridor.learning import selfplay
from ludex.games.quoridor.learning.config import EvaluationConfig
from ludex.games.quoridor.learning.selfplay import GAMES_PER_TASK, Games, SelfPlayTask, play_games
from ludex.games.quoridor.learning.training import NET, train
from ludex.learn.config import config_names, load_config
from ludex.learn.curves import numbers
from ludex.learn.runs import Row, Run
from tests.cli.conftest import Ludex, document_of, ludex
from tests.waiting import until

__all__ = ["ludex"]

CONFIGS = "ludex.games.quoridor.learning.configs"
SMALL = ("--config", "miniature", "--games", "22", "--nodes", "20", "--json")
"""Two tasks, of 20 games and of 2."""


def config(**changes: Any) -> EvaluationConfig:
    return load_config(EvaluationConfig, CONFIGS, "miniature", {"games": 22, "nodes": 20, **changes})


def new_run(folder: Path) -> Run:
    return Run.create(folder, "quoridor", "miniature", "")


def silent(_: int) -> None:
    """Ignores the progress."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that nothing disturbed."""
    run = new_run(tmp_path_factory.mktemp("whole"))
    run.finish(train(config(), run, silent))
    return run


def reproducible(summary: Row | None) -> Row:
    """A summary without its time and its path."""
    assert summary is not None
    return {key: value for key, value in summary.items() if key not in {"seconds", "net"}}


def net_of(run: Run) -> bytes:
    return (run.folder / NET).read_bytes()


def counted(monkeypatch: pytest.MonkeyPatch, kill_at: int | None = None) -> list[int]:
    """The first games of the tasks that are played from now on; the process dies instead of playing one of them."""
    played: list[int] = []

    def play(task: SelfPlayTask) -> Games:
        if len(played) == kill_at:
            raise KeyboardInterrupt
        played.append(task.first)
        return play_games(task)

    monkeypatch.setattr(selfplay, "play_games", play)
    return played


# Configurations


def test_two_configurations_ship() -> None:
    training = spec("quoridor").learning.training
    assert training is not None
    assert (training.default, config_names(CONFIGS)) == ("evaluation", ["evaluation", "miniature", "minute"])


@pytest.mark.parametrize(
    ("key", "value"),
    [("games", 0), ("nodes", 0), ("epsilon", 1.0), ("search_share", 1.5), ("epochs", 0), ("seed", -1), ("workers", 0)],
)
def test_a_value_that_makes_no_sense_is_named(key: str, value: float) -> None:
    with pytest.raises(BadConfig, match=f"key '{key}'"):
        config(**{key: value})


# End to end


@pytest.mark.slow
def test_a_run_plays_learns_and_leaves_a_net_that_plays(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    steps: list[int] = []
    summary = train(config(), run, steps.append)
    assert sum(steps) == 22
    rows = run.metrics()
    training = spec("quoridor").learning.training
    assert training is not None
    assert set(numbers([rows])) == set(training.metrics)
    assert [row["epoch"] for row in rows] == [1, 2]
    assert all(0 < float(str(row[key])) < 2 for row in rows for key in ("loss", "held_out_loss"))
    assert (summary["games"], summary["device"]) == (22, "cpu")
    assert int(str(summary["positions"])) > 2 * int(str(summary["held_out"])) > 0
    load_weights(net_of(run), "trained")
    game = make("quoridor")
    decision = decide(Match(game, 0), make_agent(game, "master", hash=1, net=str(summary["net"])), Limit(depth=2))
    assert decision.stats["depth"] == 2


@pytest.mark.slow
def test_a_net_learns_to_separate_winners_from_losers(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    train(config(games=30, epochs=6, search_share=0.0), run, silent)
    losses = [float(str(row["loss"])) for row in run.metrics()]
    assert losses[-1] < 0.8 * losses[0]


@pytest.mark.slow
def test_earlier_runs_are_learned_from_as_well(tmp_path: Path) -> None:
    first, second = new_run(tmp_path), new_run(tmp_path)
    alone = train(config(games=3), first, silent)
    both = train(config(games=3, seed=1, earlier=[str(first.folder)]), second, silent)
    assert int(str(both["positions"])) > int(str(alone["positions"]))
    with pytest.raises(BadRun, match="no games there"):
        train(config(games=3, earlier=[str(tmp_path / "nothing")]), new_run(tmp_path), silent)


@pytest.mark.parametrize("games", [1, 2])
def test_games_that_leave_nothing_to_learn_from_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, games: int
) -> None:
    drawn = play_games(SelfPlayTask(0, 0, games, "master:hash=1:net=none", 1, 0, 0.0))
    drawn.results[:] = 0
    monkeypatch.setattr(selfplay, "play_games", lambda task: drawn)
    with pytest.raises(BadRun, match="more games"):
        train(config(games=games), new_run(tmp_path), silent)


# Killed and resumed


@pytest.mark.slow
@pytest.mark.parametrize("kill_at", [0, 1])
def test_a_run_killed_while_it_plays_plays_no_game_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Run, kill_at: int
) -> None:
    broken = new_run(tmp_path)
    counted(monkeypatch, kill_at)
    with pytest.raises(KeyboardInterrupt):
        train(config(), broken, silent)
    played = counted(monkeypatch)
    steps: list[int] = []
    assert reproducible(train(config(), broken, steps.append)) == reproducible(whole.summary())
    assert played == [0, GAMES_PER_TASK][kill_at:]
    assert sum(steps) == 22
    assert net_of(broken) == net_of(whole)
    assert broken.metrics() == whole.metrics()


class KilledRun(Run):
    """A run whose process dies just before the checkpoint of an epoch is written."""

    def checkpoint(self, state: Row) -> None:
        if state["epoch"] == 2:
            raise KeyboardInterrupt
        super().checkpoint(state)


@pytest.mark.slow
def test_a_run_killed_while_it_learns_goes_on_with_its_epoch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Run
) -> None:
    broken = new_run(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        train(config(), KilledRun(broken.folder), silent)
    played = counted(monkeypatch)
    assert reproducible(train(config(), broken, silent)) == reproducible(whole.summary())
    assert played == []
    assert net_of(broken) == net_of(whole)
    assert broken.metrics() == whole.metrics()


def test_a_finished_run_trained_again_stays_as_it_is(whole: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    net, rows, played = net_of(whole), whole.metrics(), counted(monkeypatch)
    steps: list[int] = []
    assert reproducible(train(config(), whole, steps.append)) == reproducible(whole.summary())
    assert (net_of(whole), whole.metrics(), played, sum(steps)) == (net, rows, [], 22)


# The command


@pytest.mark.slow
def test_the_command_trains_what_its_configuration_says(ludex: Ludex, whole: Run) -> None:
    summary = document_of(ludex("train", "quoridor", *SMALL))
    assert reproducible(summary) == reproducible(whole.summary())
    assert Path(summary["net"]).read_bytes() == net_of(whole)


@pytest.mark.full
def test_a_killed_command_is_resumed_to_the_same_net(own_folders: Path, ludex: Ludex, whole: Run) -> None:
    # The process is killed when its first games are on disk: others, or the learning, are still to be done.
    process = subprocess.Popen(
        [sys.executable, "-m", "ludex", "train", "quoridor", *SMALL],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=own_folders,
        env=os.environ.copy(),
        start_new_session=True,
    )
    runs = own_folders / "runs"
    until(lambda: any(runs.glob("*/games/*.npz")), "the first games")
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)
    [broken] = runs.iterdir()
    assert not (broken / NET).exists()
    times = {path.name: path.stat().st_mtime_ns for path in broken.glob("games/*.npz")}
    resumed = document_of(ludex("train", "quoridor", "--resume", broken.name, "--json"))
    assert reproducible(resumed) == reproducible(whole.summary())
    assert (broken / NET).read_bytes() == net_of(whole)
    now = {path.name: path.stat().st_mtime_ns for path in broken.glob("games/*.npz")}
    assert times.items() <= now.items()


def test_without_torch_the_command_says_what_to_install(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr("ludex.core.packages.find_spec", lambda name: None if name == "torch" else real(name))
    result = ludex("train", "quoridor", *SMALL)
    assert (result.returncode, result.stdout) == (2, "")
    assert "torch is not installed: pip install 'ludex[train]'" in result.stderr


@pytest.mark.slow
def test_games_played_elsewhere_are_learned_from(tmp_path: Path, whole: Run, ludex: Ludex) -> None:
    """The verb plays what a run of the same configuration plays, file by file, and a run learns from its folder."""
    folder = tmp_path / "elsewhere"
    arguments = ("--config", "miniature", "--set", "games=22", "--set", "nodes=20", "--json")
    played = document_of(ludex("quoridor", "selfplay", str(folder), *arguments))
    assert (played["games"], sum(played["won_by"].values())) == (22, 22)
    for path in sorted((whole.folder / "games").iterdir()):
        assert (folder / "games" / path.name).read_bytes() == path.read_bytes()
    alone, helped = (
        train(config(earlier=earlier, seed=5), new_run(tmp_path), silent)["positions"]
        for earlier in ([], [str(folder)])
    )
    assert int(str(helped)) > int(str(alone))
