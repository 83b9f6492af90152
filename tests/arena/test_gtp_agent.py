"""A program that speaks GTP as our opponent, and what happens when it misbehaves."""

import sys
from pathlib import Path

import pytest

import ludex
from ludex.arena import engine_agent
from ludex.arena.duel import duel
from ludex.arena.entrants import make_entrant
from ludex.arena.gtp_agent import GtpAgent
from ludex.arena.terms import Terms
from ludex.core.clock import Clock
from ludex.core.errors import AgentFault, BadOption, Unsupported
from ludex.core.executor import InProcess
from ludex.core.limit import Limit
from ludex.core.match import Match, decide

PROGRAMS = Path(__file__).parent / "gtp_programs.py"


def command(kind: str) -> str:
    return f"{sys.executable} {PROGRAMS} {kind}"


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    return tmp_path / "diary"


def test_a_program_plays_both_seats_and_hears_every_move_once(diary: Path) -> None:
    terms = Terms.of(ludex.make("tictactoe"), (f'gtp:"{command("good")} {diary}":level=3', "random"), seed=1)
    result = duel(terms, games=2, executor=InProcess())
    heard = diary.read_text().splitlines()
    assert heard[:2] == ["list_commands", "level 3"]
    assert heard[-1] == "quit"
    games = "\n".join(heard[2:-1]).split("clear_board\n")[1:]
    for played, lines, colour in zip(result.played, games, ("black", "white"), strict=True):
        own = [line for line in lines.splitlines() if line == f"genmove {colour}"]
        others = [line for line in lines.splitlines() if line.startswith("play ")]
        assert not any(line.startswith(f"play {colour}") for line in others)
        # The last move of a game that the other player ends is nothing to answer.
        assert len(played.actions) - 1 <= len(own) + len(others) <= len(played.actions)


def test_a_program_whose_move_was_not_made_gets_the_board_again(diary: Path) -> None:
    game = ludex.make("tictactoe")
    agent = GtpAgent(game, f"{command('good')} {diary}")
    agent.follow([])
    assert decide(Match(game, seed=1), agent, Limit()).note.startswith("b2 by ")
    agent.follow(["a1", "c3"])
    agent.close()
    assert diary.read_text().splitlines()[-5:-1] == ["genmove black", "clear_board", "play black a1", "play white c3"]


def test_a_program_learns_size_and_time(diary: Path) -> None:
    game = ludex.make("quoridor", "5x5")
    agent = GtpAgent(game, f"{command('pawn')} {diary}")
    match = Match(game, seed=1)
    agent.follow([])
    for limit in (Limit(time_ms=2000), Limit(clocks=(Clock(5900), Clock(9000)))):
        assert decide(match, agent, limit).action == game.parse_action(match.state, "c2")
    agent.close()
    lines = [line for line in diary.read_text().splitlines() if line.startswith(("boardsize", "time_settings"))]
    assert lines == ["boardsize 5", "time_settings 0 2 1", "time_settings 5 0 0"]


def test_a_program_resigns() -> None:
    terms = Terms.of(ludex.make("tictactoe"), (f'gtp:"{command("resign")}"', "random"), seed=1)
    assert duel(terms, games=2, executor=InProcess()).wins == (0, 2)


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [
        ("crash", "ended unexpectedly"),
        ("garbage", "'z99' names no cell"),
        ("confused", r"refused the position; it said: \? illegal move"),
        ("sleep", "no answer in time"),
    ],
)
def test_a_program_that_misbehaves_is_at_fault_by_name(
    kind: str, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_agent, "GRACE_SECONDS", 0.3)
    game = ludex.make("tictactoe")
    agent = GtpAgent(game, command(kind))
    with pytest.raises(AgentFault, match=complaint) as error:
        ludex.play(game, [ludex.make_agent(game, "perfect"), agent], seed=1, limit=Limit(time_ms=1000))
    agent.close()
    assert f"gtp_programs.py {kind}" in error.value.message


@pytest.mark.parametrize(
    ("reference", "complaint"),
    [
        (":depth=3", "GTP has words for time only"),
        (":movetime=100", "GTP counts whole seconds"),
    ],
)
def test_limits_without_words_are_refused(reference: str, complaint: str) -> None:
    terms = Terms.of(ludex.make("tictactoe"), (f'gtp:"{command("good")}"{reference}', "random"), seed=1)
    with pytest.raises(BadOption, match=complaint):
        duel(terms, games=2, executor=InProcess())


def test_options_and_games_that_do_not_fit_are_refused() -> None:
    game = ludex.make("tictactoe")
    with pytest.raises(BadOption, match="unknown option 'lvel'; the engine's options: boardsize, clear_board"):
        make_entrant(game, f'gtp:"{command("good")}":lvel=1')
    with pytest.raises(BadOption, match=r"refused an option; it said: \? no such level"):
        make_entrant(game, f'gtp:"{command("good")}":level=99')
    with pytest.raises(Unsupported, match="no dice and no secrets"):
        make_entrant(ludex.make("minesweeper"), f'gtp:"{command("good")}"')
