"""Classes of other people as agents, each in a process of its own."""

import json
import os
import subprocess
import sys
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludex
from ludex.core import outside, registry
from ludex.core.conformance import check_agent
from ludex.core.decision import Decision
from ludex.core.errors import AgentFault, AgentTimeout, BadOption
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.options import NoOptions, split_reference
from ludex.core.outside import OutsideAgent
from ludex.core.outside_process import make_agent_of_class
from ludex.core.spec import AgentSpec
from tests.core import outside_agents

FILE = str(Path(outside_agents.__file__))
GAME = ludex.make("tictactoe")


def agent_of(reference: str) -> OutsideAgent:
    agent = ludex.make_agent(GAME, reference)
    assert isinstance(agent, OutsideAgent)
    return agent


@pytest.mark.parametrize("reference", ["py:", "py:module", "py:module:", "py::Class", "py:module:key=1", "py:a:B:c"])
def test_a_reference_names_module_and_class(reference: str) -> None:
    with pytest.raises(BadOption, match="expected"):
        split_reference(reference)


def test_options_have_the_types_that_the_class_declares() -> None:
    agent = make_agent_of_class(GAME, f"py:{FILE}:First:place=2")
    assert agent.decide(None, np.ones(9, np.bool_), rng=Match(GAME, 1).rng(1), limit=Limit()).action == 2
    assert make_agent_of_class(GAME, "py:tests.core.outside_agents:Waits").name == "waits"


@pytest.mark.parametrize(
    ("reference", "complaint"),
    [
        (f"py:{FILE}:First:places=2", "unknown key 'places'; known keys: place, shout"),
        (f"py:{FILE}:First:place=many", "key 'place': Input should be a valid integer"),
        (f"py:{FILE}:Fails", "missing key 'manner'"),
        (f"py:{FILE}:Nobody", "has no class 'Nobody'"),
        (f"py:{FILE}:NOT_A_CLASS", "has no class 'NOT_A_CLASS' of its own"),
        (f"py:{FILE}:Mute", "Mute is a class without a method `decide`"),
        ("py:./missing.py:Mine", "there is no file ./missing.py"),
    ],
)
def test_what_cannot_be_made_is_refused(reference: str, complaint: str) -> None:
    with pytest.raises(BadOption) as error:
        make_agent_of_class(GAME, reference)
    assert complaint in error.value.message


@pytest.mark.slow
def test_a_class_plays_in_a_process_of_its_own() -> None:
    agent, other = agent_of(f"py:{FILE}:First:place=1:shout=true"), ludex.make_agent(GAME, "random")
    reports: list[Decision] = []
    match = Match(GAME, 1)
    match.play_text("b2")
    decision = decide(match, agent, Limit(depth=3, report=reports.append))
    assert decision.action == 1
    assert decision.stats["pid"] != os.getpid()
    assert (decision.stats["followed"], decision.stats["depth"]) == (1, 3)
    assert [report.stats for report in reports] == [{"soon": True}]
    assert ludex.play(GAME, [agent, other], seed=1).over
    process = agent._process
    agent.close()
    assert process is not None
    assert process.poll() is not None


@pytest.mark.full
def test_it_keeps_the_contract_of_agents() -> None:
    check_agent(GAME, lambda: agent_of(f"py:{FILE}:First"), plays=1)


@pytest.mark.slow
def test_it_is_stopped() -> None:
    waiting = agent_of(f"py:{FILE}:Waits")
    assert decide(Match(GAME, 1), waiting, Limit(time_ms=20)).stats == {"stopped": True}
    waiting.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manner", "complaint"),
    [
        ("raises", "ValueError: no idea"),
        ("leaves", "SystemExit: enough"),
        ("mumbles", "decide gave 'a1', expected a Decision"),
        ("exits", "its process ended with exit code 3"),
    ],
)
def test_a_fault_is_named(manner: str, complaint: str) -> None:
    agent = agent_of(f"py:{FILE}:Fails:manner={manner}")
    with pytest.raises(AgentFault) as fault:
        decide(Match(GAME, 1), agent, Limit())
    assert complaint in fault.value.message
    agent.close()


def match_after(*moves: str) -> Match[Any, Any]:
    match = Match(GAME, 1)
    for move in moves:
        match.play_text(move)
    return match


@pytest.mark.slow
def test_one_that_could_not_follow_decides_in_other_matches() -> None:
    agent = agent_of(f"py:{FILE}:Stumbles")
    with pytest.raises(AgentFault, match="ValueError: not this one"):
        decide(match_after("a1"), agent, Limit())
    for moves in (["b2"], ["b2", "c3"]):
        assert decide(match_after(*moves), agent, Limit()).stats["followed"] == len(moves)
    agent.close()


@pytest.mark.slow
def test_a_search_whose_report_failed_has_no_decision_later() -> None:
    def refuse(_: Decision) -> None:
        raise RuntimeError("no reports today")

    agent = agent_of(f"py:{FILE}:First")
    with pytest.raises(RuntimeError, match="no reports today"):
        decide(Match(GAME, 1), agent, Limit(report=refuse))
    first = decide(Match(GAME, 1), agent, Limit()).action
    later = Match(GAME, 1)
    later.play(first)
    assert decide(later, agent, Limit()).action != first
    agent.close()


@pytest.mark.slow
def test_one_that_is_never_ready_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "START_SECONDS", 0.2)
    with pytest.raises(AgentTimeout, match="Sleeps: no answer in time; its process was ended"):
        decide(Match(GAME, 1), agent_of(f"py:{FILE}:Sleeps"), Limit())


@pytest.mark.slow
def test_one_that_is_silent_loses_its_process_and_gets_another(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = agent_of(f"py:{FILE}:Fails:manner=sleeps")
    monkeypatch.setattr(outside, "GRACE_SECONDS", 0.2)
    processes = []
    for _ in range(2):
        agent._start()
        assert agent._process is not None
        processes.append(agent._process)
        with pytest.raises(AgentTimeout, match="no answer in time; its process was ended"):
            decide(Match(GAME, 1), agent, Limit(time_ms=20))
        assert processes[-1].poll() is not None
    assert processes[0].pid != processes[1].pid


@pytest.mark.slow
def test_one_whose_caller_has_gone_ends_without_a_word() -> None:
    """A sequential test that is decided ends its workers while their agents are being made."""
    ours, theirs = Pipe()
    command = [sys.executable, "-m", "ludex.core.outside_process", str(theirs.fileno())]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, pass_fds=[theirs.fileno()])
    theirs.close()
    ours.send(("tictactoe", "3x3x3", f"py:{FILE}:First"))
    ours.close()
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")


@pytest.mark.slow
def test_a_module_that_cannot_be_imported_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise RuntimeError('broken')\n")
    with pytest.raises(BadOption, match=r"broken\.py:Mine: RuntimeError: broken"):
        agent_of(f"py:{tmp_path}/broken.py:Mine")


def make_first(game: object, options: NoOptions, services: object, name: str) -> outside_agents.First:
    return outside_agents.First(GAME)


FOREIGN = AgentSpec(summary="foreign", factory=f"{__name__}:make_first", options=NoOptions, games="*")


def test_agents_of_other_packages_are_outside_and_ours_are_not() -> None:
    assert registry.is_outside(FOREIGN)
    assert not any(registry.is_outside(agent) for agent in registry.spec("tictactoe").agents.values())


@pytest.mark.slow
def test_the_command_line_takes_them() -> None:
    def ludex_of(*arguments: str, said: str = "") -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "ludex", *arguments]
        return subprocess.run(command, input=said, capture_output=True, text=True, check=False, timeout=120)

    mine = f"py:{FILE}:First"
    played = ludex_of("match", "tictactoe", "--agents", f"{mine},random", "--games", "2", "--json")
    assert json.loads(played.stdout)["agents"] == [mine, "random"], played.stderr
    engine = ludex_of("engine", "tictactoe", "--agent", f"{mine}:shout=true", said="ugi\nposition startpos\ngo\nquit\n")
    assert "bestmove a3" in engine.stdout.splitlines()
    assert "nonsense" not in engine.stdout
