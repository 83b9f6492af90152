"""A game in the terminal, typed line by line, and once at a real pseudo-terminal."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ludex.core import explanation
from ludex.core.clock import Clock
from ludex.core.decision import Decision
from ludex.core.match import Match
from ludex.core.messages import Message
from ludex.core.record import Record
from ludex.core.registry import make
from ludex.search import random as random_agent
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing
from tests.cli.conftest import Ludex


def test_a_person_beats_the_empty_ranking(ludex: Ludex) -> None:
    played = ludex("play", "tictactoe", "--agent", "ranking:ranking=empty", said="a3\na1\nc1\nb2\n")
    assert "You win: a complete line." in played.stdout, played.stdout
    (match,) = json.loads(ludex("replay", "--json").stdout)
    assert match["outcome"] == [1.0, -1.0]


def test_illegal_and_malformed_input_is_explained_and_costs_nothing(ludex: Ludex) -> None:
    played = ludex("play", "tictactoe", "--seat", "both", said="b2\nb2\nq9\nhello\na1\nq\n")
    assert "b2 is already marked X. Legal: a3 b3 c3 a2 c2 a1 b1 c1." in played.stdout
    assert "'q9' names no cell: expected a column letter and a row number, a1 to c3" in played.stdout
    assert "Unfinished after 2 plies." in played.stdout


@pytest.mark.parametrize(("cell", "ending"), [("a1", "Lost: mine."), ("b1", "Won: cleared.")])
def test_a_game_for_one_is_won_or_lost(ludex: Ludex, cell: str, ending: str) -> None:
    board = ("--rows", "1", "--cols", "2", "--mines", "1", "--start", "none", "--seed", "0")
    assert ending in ludex("play", "minesweeper", *board, said=f"{cell}\n").stdout


def test_undo_takes_back_the_machines_answer_too(ludex: Ludex) -> None:
    played = ludex("play", "tictactoe", said="b2\nu\nu\na1\nq\n")
    assert "you have not moved yet" in played.stdout
    (match,) = json.loads(ludex("replay", "--json").stdout)
    moves = json.loads(ludex("replay", match["id"], "--json").stdout)["moves"]
    assert [move["player"] for move in moves] == [0, 1]
    assert moves[0]["text"] == "a1"


def test_two_people_take_back_one_move_at_a_time(ludex: Ludex) -> None:
    ludex("play", "tictactoe", "--seat", "both", said="b2\na1\nu\nc3\nu\nu\nu\na3\nq\n")
    (match,) = json.loads(ludex("replay", "--json").stdout)
    result = ludex("replay", match["id"])
    assert "1. X plays a3" in result.stdout
    assert "Unfinished after 1 ply." in result.stdout


def test_hint_candidates_help_and_resign(ludex: Ludex) -> None:
    played = ludex("play", "tictactoe", "--agent", "perfect", said="?\nhint\nt\nb2\nresign\n")
    assert "leave; the match is kept" in played.stdout
    assert "hint: a3  With good play the game is a draw, but after this square 7 of the 8" in played.stdout
    assert "distance" in played.stdout
    assert "perfect wins: resignation." in played.stdout


class Quitter:
    """Gives up at its first turn."""

    name = "quitter"

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
        return Decision(int(legal.argmax()), explanation=(Message.plain("nothing to hope for"),), resigns=True)


def test_a_machine_gives_up(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_agent, "random", lambda *given: Quitter())
    played = ludex("play", "tictactoe", "--agent", "random", said="hint\na1\n")
    assert "hint: a3 or give up  nothing to hope for" in played.stdout
    assert "random gives up  nothing to hope for" in played.stdout
    assert "You win: resignation." in played.stdout
    (document,) = json.loads(ludex("replay", "--json").stdout)
    assert (document["plies"], document["outcome"]) == (1, [1.0, -1.0])


class Silent:
    """Values its move and says nothing of it."""

    name = "silent"

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
        return Decision(int(legal.argmax()), value=0.5)


def test_a_hint_without_a_reason_says_the_chances(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_agent, "random", lambda *given: Silent())
    monkeypatch.setattr(explanation, "_own_reason", lambda *given, addressed: None)
    played = ludex("play", "tictactoe", "--agent", "random", said="hint\na1\n").stdout
    assert "hint: a3  Looks best of 9 moves: it expects to win 75 of 100 games.\n" in played
    assert re.search(r"random plays \w\w\n", played), "nothing follows a move without a reason"


def test_the_default_opponent_is_a_level_for_beginners_and_the_hints_are_not_its(ludex: Ludex) -> None:
    assert "beginner wins: resignation." in ludex("play", "tictactoe", said="b2\nresign\n").stdout
    helped = ludex("play", "tictactoe", "--agent", "newcomer", said="hint\nq\n").stdout
    assert "hint: a3  With good play the game is a draw" in helped, "newcomer plays at random"


def test_two_people_and_no_people(ludex: Ludex) -> None:
    played = ludex("play", "tictactoe", "--seat", "both", said="a1\na2\nb1\nb2\nc1\n")
    assert "X > " in played.stdout
    assert "O > " in played.stdout
    assert "X wins: a complete line." in played.stdout
    watched = ludex("play", "tictactoe", "--seat", "none", "--agent", "perfect")
    assert "No winner: the board is full." in watched.stdout


@pytest.mark.slow
def test_a_left_match_goes_on(ludex: Ludex) -> None:
    ludex("play", "tictactoe", "--agent", "perfect", said="b2\nq\n")
    (left,) = json.loads(ludex("replay", "--json").stdout)
    resumed = ludex("play", "tictactoe", "--resume", left["id"], said="q\n")
    assert "Unfinished after 2 plies." in resumed.stdout
    ludex("play", "tictactoe", "--resume", left["id"], said="r\n")
    (ended,) = json.loads(ludex("replay", "--json").stdout)
    assert (ended["id"], ended["outcome"]) == (left["id"], [-1.0, 1.0])
    again = ludex("play", "tictactoe", "--resume", left["id"], "--no-save")
    assert again.returncode == 2


@pytest.mark.slow
def test_a_left_match_goes_on_with_an_adviser_for_its_own_board(ludex: Ludex) -> None:
    left = ludex("play", "tictactoe", "--preset", "4x4x4", "--seat", "both", said="b2\nq\n")
    assert left.returncode == 0, left.stderr
    (match,) = json.loads(ludex("replay", "--json").stdout)
    resumed = ludex("play", "tictactoe", "--resume", match["id"], said="q\n")
    assert resumed.returncode == 0, resumed.stderr
    assert "Unfinished after 1 ply." in resumed.stdout
    assert ludex("play", "quoridor", "--resume", match["id"]).returncode == 2


def test_a_match_with_a_player_that_is_gone_is_kept_and_the_player_named(ludex: Ludex) -> None:
    match = Match(make("tictactoe"), 1)
    match.play(4)
    with Database.open() as database:
        match_id = database.matches.create(Record.of(match, ("you", "gone")))
    result = ludex("play", "tictactoe", "--resume", match_id, said="q\n")
    assert result.returncode == 2
    assert "unknown agent of tictactoe: 'gone'; known: ranking, perfect, tactical, flawless, mcts" in result.stderr
    (document,) = json.loads(ludex("replay", "--json").stdout)
    assert (document["id"], document["plies"]) == (match_id, 1)
    assert ludex("replay", match_id).returncode == 0


def test_a_match_with_clocks_goes_on_in_the_web_app_alone(ludex: Ludex) -> None:
    match = Match(make("tictactoe"), 1)
    with Database.open() as database:
        record = Record.of(match, ("you", "you"))
        match_id = database.hostings.create(record, Hosting("ann", {0: "ann", 1: "ann"}), Timing(Clock(60_000)))
    result = ludex("play", "tictactoe", "--resume", match_id, said="b2\nq\n")
    assert result.returncode == 2
    assert "is played with clocks, which only the web app keeps" in result.stderr


def test_nothing_is_kept_without_save(ludex: Ludex) -> None:
    ludex("play", "tictactoe", "--no-save", said="b2\nq\n")
    assert json.loads(ludex("replay", "--json").stdout) == []


def test_the_menu_of_a_game_for_one_asks_for_an_adviser(ludex: Ludex) -> None:
    played = ludex("play", said="3\n2\n1\nq\n")
    assert "adviser" in played.stdout
    assert "watch the machine" in played.stdout
    assert "two people" not in played.stdout


def test_the_menu_asks_for_game_opponent_and_seat(ludex: Ludex) -> None:
    played = ludex("play", said="1\nunbeatable\n2\nq\n")
    assert "Beginner: Sees a win" in played.stdout
    assert "opponent (2): " in played.stdout, "the default is a level that a beginner beats now and then"
    assert "unbeatable plays a3" in played.stdout
    assert "Unfinished after 1 ply." in played.stdout
    assert ludex("play", said="1\n").returncode == 0


@pytest.mark.slow
def test_a_real_terminal_shows_a_prompt_and_colours(own_folders: Path) -> None:
    parent, child = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "ludex", "play", "tictactoe"]
    process = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment, cwd=own_folders)
    os.close(child)
    shown = b""

    def until(expected: bytes) -> None:
        nonlocal shown
        deadline = time.monotonic() + 60
        while expected not in shown:
            assert time.monotonic() < deadline, shown.decode()
            if select.select([parent], [], [], 0.2)[0]:
                shown += os.read(parent, 4096)

    until(b"you")
    os.write(parent, b"b2\n")
    until(b"plays")
    os.write(parent, b"q\n")
    until(b"Unfinished")
    assert process.wait(30) == 0
    os.close(parent)
    assert b"\x1b[1;36m" in shown


@pytest.mark.slow
def test_every_roll_is_printed_while_playing_and_replaying(ludex: Ludex) -> None:
    watched = ludex("play", "skirmish", "--preset", "small", "--agent", "aggressive", "--seat", "none", "--seed", "3")
    rolls = re.findall(r"hit [1-6] \([2-6]\+\)", watched.stdout)
    assert len(rolls) > 10
    assert "turn 2, player 1: move phase" in watched.stdout
    (match,) = json.loads(ludex("replay", "--json").stdout)
    again = ludex("replay", match["id"]).stdout
    assert re.findall(r"hit [1-6] \([2-6]\+\)", again) == rolls
    assert "turn 2, player 1: move phase" in again


@pytest.mark.slow
def test_a_refused_placement_is_explained(ludex: Ludex) -> None:
    keys = "deploy/01/5.5\ndeploy/01/0.3\nq\n"
    played = ludex("play", "skirmish", "--preset", "small", "--agent", "greedy", said=keys)
    assert "rule 6: the hex is not in the zone of player 1" in " ".join(played.stdout.split())
    assert "01 (Line Guard) is placed on 0.3" in played.stdout
    assert "Unfinished after 2 plies." in played.stdout
