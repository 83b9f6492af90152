"""Our agents behind UGI: whole conversations, bad lines, and limits as words."""

import dataclasses
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import ludex
from ludex.arena.ugi_engine import UgiEngine
from ludex.arena.ugi_go import BadLine, limit_of, words_of
from ludex.core.clock import Clock
from ludex.core.decision import Decision
from ludex.core.errors import Unsupported
from ludex.core.limit import Limit
from ludex.core.services import Services

CLOCKS = ["go p1time 500 p2time 400", "go p2inc 9 p2time 4 p1time 5 p1inc 0", "go depth 3 p1time 0 p2time 1"]


class Conversation:
    """An engine and what it said."""

    def __init__(self, agent: str = "perfect", game: str = "tictactoe", preset: str | None = None) -> None:
        self.said: list[str] = []
        self.engine = UgiEngine(ludex.make(game, preset), agent, Services(), self.said.append)

    def __call__(self, *lines: str) -> list[str]:
        """Say lines, wait for the search, return the answers."""
        self.said.clear()
        for line in lines:
            self.engine.handle(line)
            if line.startswith("go") and self.engine._search_thread is not None:
                self.engine._search_thread.join()
        return list(self.said)


@pytest.fixture
def say() -> Conversation:
    return Conversation()


def test_it_introduces_itself(say: Conversation) -> None:
    answers = say("ugi")
    assert answers[0].startswith("id name Ludex")
    agents = "var ranking var perfect var tactical var flawless var mcts var minimax var random var zero var newcomer"
    assert any(answer.startswith(f"option name agent type combo default perfect {agents}") for answer in answers)
    assert "option name mistakes type string default 0.0" in answers
    assert "option name ties type string default first" in answers
    assert answers[-1] == "ugiok"
    assert say("isready") == ["readyok"]


def test_the_board_is_an_option(say: Conversation) -> None:
    assert "option name board type string default 3x3x3" in say("ugi")
    assert say("setoption name agent value mcts", "setoption name board value 4x4x4:k=3", "position startpos") == []
    assert say("position startpos moves d4") == []
    assert "option name board type string default 4x4x4:k=3" in say("ugi")
    assert "unknown preset" in say("setoption name board value 9x9")[0]
    assert say("position startpos moves d4") == [], "a board that is refused changes nothing"


def test_the_defaults_of_a_level_are_announced() -> None:
    for agent, depth in (("hard", 2), ("hell", 4), ("hard:depth=3", 3)):
        lines = Conversation(agent, "quoridor")("ugi")
        assert f"option name depth type string default {depth}" in lines
        assert not any("Undefined" in line for line in lines)


def test_it_moves(say: Conversation) -> None:
    answers = say("position startpos moves b2 a1 c3", "go")
    assert answers[-1].startswith("bestmove ")
    assert answers[-2].startswith("info score ")
    assert f"pv {answers[-1].split()[1]}" in answers[-2]


@pytest.mark.parametrize("budget", ["go movetime 50", "go depth 3", "go nodes 100", "go depth 3 nodes 5", *CLOCKS])
def test_it_takes_every_budget(say: Conversation, budget: str) -> None:
    assert say("position startpos", budget)[-1].startswith("bestmove ")


def test_it_knows_how_the_game_stands(say: Conversation) -> None:
    assert say("query p1turn", "query gameover", "query result") == ["response true", "response false", "response none"]
    say("position startpos moves a1")
    assert say("query p1turn") == ["response false"]
    say("position startpos moves a1 a2 b1 b2 c1")
    assert say("query gameover", "query result") == ["response true", "response p1win"]
    say("position startpos moves a1 a2 b1 b2 c3 c2")
    assert say("query result") == ["response p2win"]
    say("position startpos moves b2 a1 a2 c2 b1 b3 c1 a3 c3")
    assert say("query result") == ["response draw"]


def test_options_change_the_player_and_stay_through_a_new_game(say: Conversation) -> None:
    assert say("setoption name agent value ranking", "setoption name ranking value empty", "uginewgame") == []
    assert "option name ranking type string default empty" in say("ugi")
    assert say("position startpos", "go")[-1] == "bestmove a3"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("position startpos moves b2 b2", "illegal_action: move 2, 'b2': b2 is already marked X"),
        ("position startpos moves b2 x1", "malformed_action: move 2, 'x1': 'x1' names no cell"),
        ("position startpos moves a1 a2 b1 b2 c1 c2", "game_over"),
        ("position fen xyz", "bad_line: expected: position startpos"),
        ("position startpos b2", "bad_line"),
        ("go fast", "bad_line: expected: go"),
        ("go depth 3 depth 4", "bad_line: expected: go [movetime MS] [depth D] [nodes N] [p1time MS"),
        ("setoption ties random", "bad_line: expected: setoption"),
        ("setoption name ties value sometimes", "bad_option"),
        ("setoption name colour value red", "bad_option: agent 'perfect' of tictactoe: unknown key 'colour'"),
        ("setoption name agent value hell", "unknown_agent"),
        ("setoption name ties value a:b=c", "bad_option"),
        ("query weather", "bad_line: expected: query"),
        ("dance", "bad_line: unknown command 'dance'"),
    ],
)
def test_a_bad_line_is_explained_and_changes_nothing(say: Conversation, line: str, complaint: str) -> None:
    say("position startpos moves b2 a1")
    before = (say.engine._match.actions, say.engine._name, dict(say.engine._options), say.engine._agent)
    (answer,) = say(line)
    assert answer.startswith(f"info string error {complaint}")
    assert (say.engine._match.actions, say.engine._name, dict(say.engine._options), say.engine._agent) == before
    assert say("go")[-1].startswith("bestmove ")


def test_a_finished_game_has_no_best_move(say: Conversation) -> None:
    (answer,) = say("position startpos moves a1 a2 b1 b2 c1", "go")
    assert answer.startswith("info string error game_over")


def test_silence_is_answered_with_silence(say: Conversation) -> None:
    assert say("", "   ") == []


DECISION = Decision(action=4, stats={"depth": 2, "nodes": 10})


class Scripted:
    """Does something with its limit, and always decides the same."""

    name = "scripted"

    def __init__(self, script: Callable[[Limit], object]) -> None:
        self._script = script

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Limit) -> Decision:
        self._script(limit)
        return DECISION


def searching() -> Conversation:
    """An engine that searches until it has to stop, and has reported once."""
    say, begun = Conversation(), threading.Event()

    def search(limit: Limit) -> None:
        limit.report(Decision(action=4, stats={"depth": 1, "nodes": 10}))
        begun.set()
        while not limit.stopped:
            threading.Event().wait(0.001)

    say.engine._agent = Scripted(search)
    say.engine.handle("go")
    assert begun.wait(5)
    return say


def test_stop_ends_a_search_and_gives_the_best_move() -> None:
    say = searching()
    say.engine.handle("isready")
    assert say.said[-1] == "readyok"
    say.engine.handle("stop")
    assert say.engine._search_thread is not None
    say.engine._search_thread.join(5)
    assert say.said[-1] == "bestmove b2"
    assert any(line.startswith("info depth 1 nodes 10 time") for line in say.said)


@pytest.mark.parametrize("line", ["go", "position startpos", "uginewgame", "setoption name agent value random"])
def test_what_would_disturb_a_search_is_refused(line: str) -> None:
    say = searching()
    say.engine.handle(line)
    assert say.said[-1].startswith("info string error bad_line")
    assert "while searching: send stop first" in say.said[-1]
    assert say.engine.handle("quit") is False
    assert say.said[-1] == "bestmove b2"


@pytest.mark.parametrize("declared", [{"chance": "sampled"}, {"information": "hidden"}, {"players": 1}])
def test_games_with_dice_or_secrets_are_refused(declared: dict[str, Any]) -> None:
    game = ludex.make("tictactoe")
    game.info = dataclasses.replace(game.info, **declared)  # type: ignore[misc]
    with pytest.raises(Unsupported, match="need two players, no dice and no secrets"):
        UgiEngine(game, "perfect", Services(), print)


def test_an_answer_to_the_best_move_is_heard_at_once() -> None:
    """A fast opponent sends its next position before the thread of the search has ended."""
    answers: list[str] = []

    def say(line: str) -> None:
        answers.append(line)
        if line.startswith("bestmove") and len(answers) < 40:
            engine.handle("position startpos moves b2")
            engine.handle("go")

    engine = UgiEngine(ludex.make("tictactoe"), "perfect", Services(), say)
    engine.handle("go")
    deadline = time.monotonic() + 10
    while len(answers) < 40 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(answers) >= 40
    assert not [line for line in answers if "error" in line]


def test_options_in_the_agents_name_are_options() -> None:
    say = Conversation("perfect:ties=random")
    answers = say("ugi")
    assert "option name ties type string default random" in answers
    assert answers[-1] == "ugiok"
    assert say("setoption name ties value first") == []


def test_games_of_one_conversation_differ_in_their_dice() -> None:
    say = Conversation("random")
    moves = {say("uginewgame", "position startpos", "go")[-1] for _ in range(12)}
    assert len(moves) > 3


def test_the_movers_clock_comes_first(say: Conversation) -> None:
    limits: list[Limit] = []
    say.engine._agent = Scripted(limits.append)
    go = "go p1time 5000 p2time 4000 p1inc 50 movetime 70"
    say("position startpos", go, "position startpos moves b2", go)
    first, second = Clock(5000, 50), Clock(4000)
    assert [limit.clocks for limit in limits] == [(first, second), (second, first)]
    assert [limit.time_ms for limit in limits] == [70, 70]


@pytest.mark.slow
def test_an_agents_bug_leaves_nobody_waiting(say: Conversation) -> None:
    def fail(limit: Limit) -> None:
        raise ZeroDivisionError("a bug")

    say.engine._agent = Scripted(fail)
    assert say("go") == ["info string error agent_fault: ZeroDivisionError: a bug"]
    assert say("uginewgame", "go")[-1].startswith("bestmove")


def test_a_number_beyond_all_bounds_is_a_bad_line(say: Conversation) -> None:
    (answer,) = say("go depth " + "9" * 5000)
    assert answer.startswith("info string error bad_line")


def test_a_decision_is_reported_once(say: Conversation) -> None:
    say.engine._agent = Scripted(lambda limit: limit.report(DECISION))
    answers = say("go")
    assert [line.split()[:3] for line in answers[:-1]] == [["info", "depth", "2"]]
    assert answers[-1].startswith("bestmove ")


def test_kernels_are_read_before_anybody_thinks(say: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[tuple[str, str]] = []

    def load(game: str, through: str) -> None:
        loaded.append((game, through))

    monkeypatch.setattr("ludex.arena.ugi_engine.load_kernels", load)
    assert say("isready") == ["readyok"]
    assert loaded == [("tictactoe", "player")]


def test_a_line_is_told_as_far_as_the_game_lasts() -> None:
    """Two plies before the move limit the engine looks three ahead."""
    moves = "b2h a3 c1 a2 c2 a3 b2 a2 b1 a3 c1 a2 c2 a3 b2 b3 a2 c3 a1 b3 a2 a3 a1 b3 a1h c3 b1 b3 c1 a3 c2 b3 b2 c3"
    lines = Conversation("master", "quoridor", "3x3")(f"position startpos moves {moves}", "go depth 8")
    assert lines[-1].startswith("bestmove ")
    assert not any("error" in line for line in lines)
    assert " score 0 " in lines[-2]


def test_several_lines_are_numbered() -> None:
    lines = Conversation("master:multipv=2", "quoridor", "3x3")("go depth 2")
    assert [line.split()[1:5] for line in lines[-3:-1]] == [["depth", "2", "multipv", place] for place in "12"]


LIMITS = [
    Limit(),
    Limit(time_ms=300, depth=6, nodes=1000),
    Limit(clocks=(Clock(5000, 100), Clock(0))),
    Limit(clocks=(Clock(1), Clock(60_000, 500)), time_ms=20),
]


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("limit", LIMITS)
def test_what_is_said_is_understood(limit: Limit, mover: int) -> None:
    limit_read = limit_of(words_of(limit, mover), mover)
    for name in ("time_ms", "depth", "nodes", "clocks"):
        assert getattr(limit_read, name) == getattr(limit, name)


def test_nobody_is_promised_a_part_of_a_millisecond() -> None:
    assert words_of(Limit(clocks=(Clock(1.99), Clock(0.5, 0.5))), 0) == ["p1time", "1", "p2time", "0"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("p1time 5", "no p2time"),
        ("p2time 5 p2inc 5", "no p1time"),
        ("p1inc 5", "no p1time"),
        ("depth", "'depth'"),
        ("depth 3 depth 3", "depth twice"),
        ("p1time 5 p2time 5 p1time 6", "p1time twice"),
        ("nodes 0", "nodes 0"),
        ("depth many", "depth many"),
        ("p1time 5 p2time -1", "p2time -1"),
        ("movestogo 5", "movestogo 5"),
    ],
)
def test_what_is_wrong_is_said(line: str, found: str) -> None:
    with pytest.raises(BadLine, match=rf"expected: go .*, found ({found})$"):
        limit_of(line.split(), 0)
