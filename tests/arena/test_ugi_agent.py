"""An engine from outside as our opponent, and what happens when it misbehaves."""

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.arena import engine_agent
from ludex.arena.duel import duel
from ludex.arena.engine_agent import EngineLog
from ludex.arena.entrants import make_entrant
from ludex.arena.terms import Terms
from ludex.arena.ugi_agent import UgiAgent
from ludex.cli.match import render_duel
from ludex.core.clock import Clock
from ludex.core.errors import AgentFault, BadOption
from ludex.core.executor import InProcess
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.operations.duel import DuelResult

ENGINES = Path(__file__).parent / "engines.py"


def command(kind: str) -> str:
    return f"{sys.executable} {ENGINES} {kind}"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_agent, "GRACE_SECONDS", 0.3)


def engine(kind: str) -> Iterator[UgiAgent]:
    agent = UgiAgent(ludex.make("tictactoe"), command(kind))
    try:
        yield agent
    finally:
        agent.close()


def test_a_stranger_plays_a_whole_match() -> None:
    game = ludex.make("tictactoe")
    agent = UgiAgent(game, command("good"))
    decisions = []
    match = ludex.play(
        game,
        [agent, ludex.make_agent(game, "random")],
        seed=1,
        limit=Limit(time_ms=500),
        watch=lambda match, decision: decisions.append(decision),
    )
    agent.close()
    assert match.over
    assert match.moves[0].text == "b2"
    assert decisions[0].stats == {"depth": 3, "score": -1.5, "nodes": 42}


@pytest.mark.slow
def test_our_own_engine_is_a_ugi_engine() -> None:
    ours = f'ugi:"{sys.executable} -m ludex engine tictactoe --agent perfect":movetime=2000'
    result = duel(Terms.of(ludex.make("tictactoe"), (ours, "perfect"), seed=1), games=2, executor=InProcess())
    direct = duel(Terms.of(ludex.make("tictactoe"), ("perfect", "perfect"), seed=1), games=2, executor=InProcess())
    assert [played.actions for played in result.played] == [played.actions for played in direct.played]


@pytest.mark.slow
def test_an_engine_learns_the_board() -> None:
    game = ludex.make("tictactoe", "4x4x4:k=3")
    ours = make_entrant(game, f'ugi:"{sys.executable} -m ludex engine tictactoe --agent mcts":nodes=20')
    match = ludex.play(game, [ours, ludex.make_agent(game, "random")], seed=1, limit=Limit(time_ms=2000))
    ours.close()
    assert match.over
    assert match.game.info.preset == "4x4x4:k=3"


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [
        ("crash", "ended unexpectedly"),
        ("garbage", "'z99' names no cell"),
        ("illegal", r"answered '[abc][123]', which is illegal; legal are [abc][123], "),
        ("confused", "refused the position; it said: info string error confused"),
        ("sleep", "no answer in time"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_a_misbehaving_engine_is_at_fault_by_name(kind: str, complaint: str) -> None:
    game = ludex.make("tictactoe")
    for agent in engine(kind):
        with pytest.raises(AgentFault, match=complaint) as error:
            ludex.play(game, [ludex.make_agent(game, "perfect"), agent], seed=1, limit=Limit(time_ms=100))
        assert f"engines.py {kind}" in error.value.message


def test_an_engine_that_is_gone_with_words_unsaid_is_still_closed() -> None:
    agent = UgiAgent(ludex.make("tictactoe"), command("good"))
    agent._engine.process.kill()
    agent._engine.process.wait()
    with pytest.raises(AgentFault, match="ended unexpectedly"):
        agent.follow([])
    agent.close()
    assert agent._engine.process.stdin is not None
    assert agent._engine.process.stdout is not None
    assert agent._engine.process.stdin.closed
    assert agent._engine.process.stdout.closed


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc says what a script started")
@pytest.mark.usefixtures("impatient")
def test_an_engine_behind_a_script_that_does_not_quit_is_ended(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    agent = UgiAgent(ludex.make("tictactoe"), f"sh -c '{command('stubborn')} {diary}; true'")
    agent.close()
    agent._engine.reader.join()
    assert agent._engine.process.stdout is not None
    assert agent._engine.process.stdout.closed
    assert diary.read_text().splitlines() == ["ugi"], "it ended by itself"


def test_an_engine_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_agent, "ANSWER_SECONDS", 0.3)
    with pytest.raises(AgentFault, match="no answer in time"):
        UgiAgent(ludex.make("tictactoe"), command("deaf"))


def test_a_command_that_does_not_exist_is_named() -> None:
    with pytest.raises(AgentFault, match="cannot start: No such file"):
        UgiAgent(ludex.make("tictactoe"), "no-such-engine")


def test_an_engine_needs_a_limit() -> None:
    game = ludex.make("tictactoe")
    for agent in engine("good"):
        with pytest.raises(BadOption, match="needs a limit"):
            ludex.play(game, [agent, agent], seed=1)


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    return tmp_path / "diary"


def play_games(diary: Path, games: int, limit: Limit | None = None, clock: Clock | None = None) -> list[str]:
    """What an engine hears that plays games in turn as first and second player."""
    game = ludex.make("tictactoe")
    agent, other = UgiAgent(game, f"{command('good')} {diary}"), ludex.make_agent(game, "random")
    for number in range(games):
        seats = [other, agent] if number % 2 else [agent, other]
        ludex.play(game, seats, seed=number, limit=limit, clock=clock)
    agent.close()
    return diary.read_text().splitlines()


def test_every_game_is_announced_once_and_before_its_first_position(diary: Path) -> None:
    lines = [line for line in play_games(diary, 6, Limit(depth=1)) if line.startswith(("uginewgame", "position"))]
    assert lines.count("uginewgame") == 6
    first = [line for before, line in pairwise(lines) if before == "uginewgame"]
    assert first[::2] == ["position startpos"] * 3
    assert all(len(line.split()) == 4 for line in first[1::2])


def test_the_same_position_again_is_a_new_game(diary: Path) -> None:
    agent = UgiAgent(ludex.make("tictactoe"), f"{command('good')} {diary}")
    for moves in ([], ["b2", "a1"], ["b2", "a1"], ["b2"], ["a1", "b2"]):
        agent.follow(moves)
    agent.close()
    lines = [line for line in diary.read_text().splitlines() if line.startswith(("uginewgame", "position"))]
    assert [line.removeprefix("position startpos").strip() or "-" for line in lines] == [
        *("uginewgame", "-", "moves b2 a1"),
        *("uginewgame", "moves b2 a1"),
        *("uginewgame", "moves b2"),
        *("uginewgame", "moves a1 b2"),
    ]


def test_an_engine_is_told_both_clocks(diary: Path) -> None:
    commands = [line.split() for line in play_games(diary, 2, Limit(nodes=9), Clock(5000, 40)) if line.startswith("go")]
    for line in commands:
        assert line[1::2] == ["nodes", "p1time", "p2time", "p1inc", "p2inc"]
        assert line[8::2] == ["40", "40"]
        assert all(4000 < int(left) < 5200 for left in line[4:7:2])
    assert commands[0][2:7:2] == ["9", "5000", "5000"]


def test_an_engine_that_answers_late_loses_on_time() -> None:
    late = f'ugi:"{command("later")}"'
    terms = Terms.of(ludex.make("tictactoe"), (late, "random"), seed=1, clock=Clock(500))
    result = duel(terms, games=2, executor=InProcess())
    assert result.time_forfeits == (2, 0)
    assert result.wins == (0, 2)


def test_options_are_set_before_the_first_game(tmp_path: Path) -> None:
    game, diary = ludex.make("tictactoe"), tmp_path / "diary"
    entrant = make_entrant(game, f'ugi:"{command("good")} {diary}":Hash=64:movetime=100')
    entrant.close()
    assert diary.read_text().splitlines()[1:3] == ["setoption name board value 3x3x3", "setoption name Hash value 64"]
    assert entrant.budget(Limit()).time_ms == 100
    with pytest.raises(BadOption, match=r"unknown option 'Hush'; the engine's options: Hash, Own Book, board"):
        make_entrant(game, f'ugi:"{command("good")}":Hush=64')
    with pytest.raises(BadOption, match="refused an option; it said: info string error Hash is too small"):
        make_entrant(game, f'ugi:"{command("good")}":Hash=-1')


def test_line_ends_spaces_and_encodings_of_others_are_understood() -> None:
    game = ludex.make("tictactoe")
    for agent in engine("messy"):
        assert ludex.play(game, [agent, ludex.make_agent(game, "random")], seed=1, limit=Limit(time_ms=500)).over
        lines = agent._engine.log.path.read_text(encoding="utf-8").splitlines()
        assert "> id name caf\\xe9" in lines
        assert "< uginewgame" in lines


def test_info_that_nobody_reads_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_agent, "MOST_LINES", 20)
    for agent in engine("chatty"):
        decision = decide(Match(ludex.make("tictactoe"), seed=1), agent, Limit(time_ms=500))
        assert decision.note.startswith("b2 by ")


@pytest.mark.usefixtures("impatient")
def test_other_lines_that_nobody_reads_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_agent, "MOST_LINES", 20)
    for agent in engine("shouting"):
        agent.follow([])
        agent._engine.send("go movetime 100")
        agent._engine.process.wait(30)
        with pytest.raises(AgentFault, match="wrote more than 20 lines unread"):
            agent._lines_to("readyok")


def test_old_logs_of_engines_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_agent, "MOST_FILES", 3)
    monkeypatch.setattr(engine_agent, "MOST_BYTES", 30)
    logs = [EngineLog("/opt/one engine") for _ in range(5)]
    assert len(list(logs[0].path.parent.glob("one-*.log"))) == 3
    for _ in range(10):
        logs[-1].keep_received("info depth 1")
    assert logs[-1].path.read_text().splitlines()[-1] == "the log ends here: it is full"
    for path in logs:
        path.close()


def test_the_games_before_a_fault_are_reported() -> None:
    class Tired(InProcess):
        """The third pair ends with a fault."""

        def run(self, call: Any, tasks: Any, alone: Any = None) -> Any:
            for number, task in enumerate(tasks):
                if number == 2:
                    raise AgentFault("no more")
                yield number, call(task)

    result = duel(Terms.of(ludex.make("tictactoe"), ("perfect", "random"), seed=1), games=8, executor=Tired())
    assert len(result.played) == 4
    document = DuelResult.of(result)
    assert document.model_dump()["fault"] == {"code": "agent_fault", "message": "no more"}
    assert "ended by a fault" in str(render_duel(document).caption)
