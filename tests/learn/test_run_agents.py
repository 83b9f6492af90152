"""The agents that a run keeps: which of them, under which names, and what is wrong with other names."""

import json
from pathlib import Path

import pytest

from ludex.core.errors import BadRun, UnknownAgent, Unsupported
from ludex.core.registry import choose_agent, make, make_agent
from ludex.learn.run_agents import FOLDER, MOST_BETWEEN, agents_of, find_agent, is_due, keep_agent
from ludex.learn.runs import Run

CONFIG = """
preset: 3x3x3
games: 100
seed: 0
epsilon: 0.1
random_ties: true
checkpoint_every: 10
rule: {kind: negamax}
"""
EMPTY = json.dumps({"version": 1, "createdUtc": "2026-01-31T12:00:00Z", "qValues": []}).encode()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LUDEX_RUNS", str(tmp_path))
    return Run.create(tmp_path, "tictactoe", "mine", CONFIG)


def steps(run: Run) -> list[int]:
    kept = agents_of(run)
    assert kept is not None
    files = {path.name for path in (run.folder / FOLDER).iterdir()}
    assert files == {"index.json", *(f"{agent.step}.json" for agent in kept.agents)}
    return [agent.step for agent in kept.agents]


def train(run: Run, begin: int, end: int) -> None:
    """Keep what a training of `end` checkpoints, all of which may be the last, would."""
    for index in range(begin, end + 1):
        if is_due(index) or index == end:
            keep_agent(run, index, 10 * index, EMPTY)


def test_a_run_keeps_the_first_the_last_and_a_spread(run: Run) -> None:
    train(run, 0, 3)
    assert steps(run) == [0, 10, 20, 30]
    train(run, 4, 43)
    assert steps(run) == [0, 100, 200, 300, 400, 430]
    train(run, 44, 999)
    assert len(steps(run)) <= MOST_BETWEEN + 2
    assert steps(run)[0] == 0
    assert steps(run)[-1] == 9990


def test_an_interrupted_run_keeps_what_an_uninterrupted_one_does(run: Run, tmp_path: Path) -> None:
    other = Run.create(tmp_path / "other", "tictactoe", "other", CONFIG)
    train(run, 0, 37)
    # Its last checkpoint was the thirtieth: it resumes there.
    train(run, 31, 97)
    train(other, 0, 97)
    assert steps(run) == steps(other)


def test_a_checkpoint_plays_wherever_an_agent_is_named(run: Run) -> None:
    run.log({"games": 10})
    train(run, 0, 2)
    assert make_agent("tictactoe", f"run:{run.name}@10:mistakes=0.1").name == f"run:{run.name}@10:mistakes=0.1"
    assert [find_agent(name)[2].step for name in (run.name, f"{run.name}@0")] == [20, 0]
    assert find_agent(run.name)[2].row == 1
    with pytest.raises(Unsupported, match="has learned 3x3x3 only"):
        choose_agent(make("tictactoe", "4x4x4"), f"run:{run.name}")


@pytest.mark.parametrize("name", ["nobody", "../x@1", "{}@11", "{}@-1", "{}@1e1", "{}@", "{}@10@10"])
def test_another_name_is_refused(run: Run, name: str) -> None:
    train(run, 0, 2)
    with pytest.raises(UnknownAgent, match=r"no run is called|no agent of step"):
        choose_agent(make("tictactoe"), f"run:{name.format(run.name)}")


def test_runs_without_agents_and_of_other_games_are_refused(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UnknownAgent, match="keeps no agents"):
        choose_agent(make("tictactoe"), f"run:{run.name}")
    train(run, 0, 0)
    with pytest.raises(UnknownAgent, match="plays tictactoe, not quoridor"):
        choose_agent(make("quoridor"), f"run:{run.name}")
    (run.folder / FOLDER / "index.json").write_text("{}")
    with pytest.raises(BadRun, match="missing key 'agent'"):
        choose_agent(make("tictactoe"), f"run:{run.name}")
