"""Records, match files and lines: what was played comes back exactly, and anything else is refused by name."""

import json
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.core.documents import digest
from ludex.core.errors import (
    BadRecord,
    GameOver,
    IllegalAction,
    LudexError,
    MalformedAction,
    UnknownGame,
    UnknownPreset,
    Unsupported,
)
from ludex.core.game import Outcome, legal_actions
from ludex.core.match import Match
from ludex.core.record import MatchFile, Record, is_line, line_of, match_file, match_of, play_line, player_names
from ludex.core.registry import make
from ludex.core.seeding import generator

AGENTS = ("perfect", "random")


def played(seed: int = 3) -> Match[Any, Any]:
    game = ludex.make("tictactoe")
    return ludex.play(game, [ludex.make_agent(game, name) for name in AGENTS], seed=seed)


def test_a_match_with_dice_replays_from_its_file_its_line_and_its_record(tmp_path: Path) -> None:
    game = ludex.make("minesweeper", "small_8x8_10")
    match: Match[Any, Any] = Match(game, seed=1 << 100)
    match.play_text("a1")
    path = tmp_path / "match.json"
    path.write_text(match_file(match, ("you",)))
    assert json.loads(path.read_text())["seed"] == str(1 << 100)
    assert MatchFile.read(path).replay(game).state == match.state
    assert match_of(line_of(match)).state == match.state
    assert ludex.replay(game, Record.of(match, ("you",))).state == match.state


def test_records_of_an_earlier_version_replay_where_the_game_says_so() -> None:
    match = played()
    game, record = match.game, replace(Record.of(match, AGENTS), version=0)
    with pytest.raises(BadRecord, match="version 0"):
        ludex.replay(game, record)
    tolerant: Any = copy(game)
    tolerant.info = replace(game.info, replays=(0,))
    assert ludex.replay(tolerant, record).state == match.state


def reread(match: Match[Any, Any], tmp_path: Path) -> Match[Any, Any]:
    """The match of a file that was written."""
    path = tmp_path / "match.json"
    path.write_text(match_file(match, AGENTS))
    return MatchFile.read(path).replay(match.game)


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        # Whichever player is to move: an engine may fail to start on the other's turn.
        (lambda match: match.forfeit(0), Outcome((-1.0, 1.0), "forfeit")),
        (lambda match: match.forfeit(1), Outcome((1.0, -1.0), "forfeit")),
        (lambda match: match.resign(1), Outcome((1.0, -1.0), "resignation")),
        (lambda match: match.agree_draw(), Outcome((0.0, 0.0), "agreement")),
        (lambda match: match.lose_on_time(), Outcome((1.0, -1.0), "time forfeit")),
    ],
)
def test_a_match_that_ends_without_a_move_replays(
    tmp_path: Path, end: Callable[[Match[Any, Any]], None], outcome: Outcome
) -> None:
    match: Match[Any, Any] = Match(ludex.make("tictactoe"), seed=1)
    match.play_text("b2")
    end(match)
    record = Record.of(match, AGENTS)
    assert match.outcome == ludex.replay(match.game, record).outcome == reread(match, tmp_path).outcome == outcome
    match.undo()
    assert not match.over


def test_a_loss_on_time_is_that_of_the_player_to_move() -> None:
    match: Match[Any, Any] = Match(ludex.make("tictactoe"), seed=1)
    match.play_text("b2")
    match.lose_on_time()
    record = replace(Record.of(match, AGENTS), outcome=Outcome((-1.0, 1.0), "time forfeit"))
    with pytest.raises(BadRecord, match=r"the record says .* by 'time forfeit'"):
        ludex.replay(match.game, record)


def test_nobody_agrees_with_themselves_on_a_draw() -> None:
    match: Match[Any, Any] = Match(ludex.make("minesweeper"), seed=1)
    with pytest.raises(Unsupported, match="no opponent agrees on a draw"):
        match.agree_draw()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": 9}, "version 9"),
        ({"game": "chess"}, "of chess"),
        ({"preset": "4x4x4"}, "preset '4x4x4'"),
        ({"actions": (4, 4)}, "ply 1: b2 is already marked X"),
        ({"actions": (4,)}, "the moves lead to no result"),
        ({"actions": (99,)}, "ply 0: cell 99 is not on the board"),
        ({"outcome": Outcome((0.0, 0.0), "board full")}, "the record says [0.0, 0.0] by 'board full'"),
        ({"aborted": "deadlock"}, "the record says 'deadlock'"),
    ],
)
def test_a_record_that_lies_is_refused(change: dict[str, Any], complaint: str) -> None:
    match = played()
    record = replace(Record.of(match, AGENTS), **change)
    with pytest.raises(BadRecord) as error:
        ludex.replay(match.game, record)
    assert complaint in error.value.message


def sealed(body: dict[str, Any]) -> str:
    del body["digest"]
    return json.dumps({**body, "digest": digest(body)})


def resigned(body: dict[str, Any], scores: list[float], reason: str = "resignation") -> dict[str, Any]:
    return {**body, "moves": [], "outcome": {"scores": scores, "reason": reason}}


def moved(body: dict[str, Any], ply: int, move: list[Any]) -> str:
    body["moves"][ply] = move
    return sealed(body)


@pytest.mark.parametrize(
    ("tamper", "complaint"),
    [
        (lambda body: json.dumps(body)[:-40], "is it truncated?"),
        (lambda body: "", "is it truncated?"),
        (lambda body: "[]", "not a match file"),
        (lambda body: json.dumps({**body, "seed": 4}), "the digest does not fit"),
        (lambda body: json.dumps({**body, "moves": body["moves"][:-1]}), "the digest does not fit"),
        (lambda body: json.dumps({**body, "formatVersion": 2}), "formatVersion 2, expected 1"),
        (lambda body: json.dumps({**body, "extra": 1}), "unknown keys ['extra']"),
        (lambda body: json.dumps({key: body[key] for key in body if key != "seed"}), "missing keys ['seed']"),
        (lambda body: sealed({**body, "seed": "four"}), "decimal digits, found 'four'"),
        (lambda body: sealed({**body, "seed": 4}), "expected a text, found 4"),
        (lambda body: sealed({**body, "seed": "-1"}), "decimal digits, found '-1'"),
        (lambda body: sealed({**body, "seed": str(2**128)}), "seed must be in 0..2**128-1"),
        (lambda body: sealed({**body, "agents": []}), "tictactoe has 2 players, the record names 0"),
        (lambda body: sealed({**body, "agents": ["a", "b", "c"]}), "the record names 3"),
        (lambda body: sealed(resigned(body, [-1.0, 1.0, 1.0])), "a resignation has one loser"),
        (lambda body: sealed(resigned(body, [1.0, 1.0], "forfeit")), "a forfeit has one loser"),
        (lambda body: sealed(resigned(body, [1.0, -1.0], "agreement")), "the moves lead to [0.0, 0.0] by 'agreement'"),
        (lambda body: sealed({**body, "moves": body["moves"][:-1]}), "the moves lead to no result"),
        (lambda body: moved(body, 1, body["moves"][0]), "it is player 1's turn"),
        (lambda body: moved(body, 1, [1, body["moves"][0][1]]), "is already marked X"),
        (lambda body: moved(body, 1, [1, "z9"]), "'z9' names no cell"),
        (lambda body: sealed({**body, "moves": [[0, "a1"]] * 10}), "has 10 moves, a match on this board has at most 9"),
    ],
)
def test_a_truncated_or_tampered_file_is_refused(
    tmp_path: Path, tamper: Callable[[dict[str, Any]], str], complaint: str
) -> None:
    match = played()
    path = tmp_path / "match.json"
    path.write_text(tamper(json.loads(match_file(match, AGENTS))))
    with pytest.raises(BadRecord) as error:
        MatchFile.read(path).replay(match.game)
    assert complaint in error.value.message


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="cannot read"):
        MatchFile.read(tmp_path / "nothing.json")
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadRecord, match="not a text file"):
        MatchFile.read(tmp_path / "noise")


@pytest.mark.parametrize(
    ("game", "preset"), [("tictactoe", "3x3x3"), ("tictactoe", "3x3x3:k=2"), ("quoridor", "9x9"), ("quoridor", "3x3")]
)
def test_random_matches_survive_the_round_trip(game: str, preset: str) -> None:
    for seed in range(5):
        match, rng = Match(make(game, preset), seed=0), generator(seed, 0)
        while not match.over and match.ply < 60:
            match.play(rng.choice(legal_actions(match.legal())))
        line = line_of(match)
        again = match_of(f"  {line}\n")
        assert again.actions == match.actions
        assert again.game.info == match.game.info
        assert line_of(again) == line


def test_a_match_without_moves_is_a_line() -> None:
    assert line_of(match_of("quoridor 5x5:")) == "quoridor 5x5:"


@pytest.mark.parametrize(
    ("line", "fault", "complaint"),
    [
        ("e2 e8", BadRecord, "expected GAME PRESET"),
        ("", BadRecord, "expected GAME PRESET"),
        ("chess 8x8: e4", UnknownGame, "chess"),
        ("quoridor 8x9: e2", UnknownPreset, "8x9"),
        ("quoridor 9x9: e2 e8 e9", IllegalAction, "move 3, 'e9'"),
        ("quoridor 9x9: e2 e8 e3h e3v", IllegalAction, "move 4, 'e3v'"),
        ("quoridor 9x9: e2 z8", MalformedAction, "move 2, 'z8'"),
        ("quoridor 3x3: b2 b1 b3 a1", GameOver, "move 3, 'b3'"),
    ],
)
def test_a_bad_line_is_named(line: str, fault: type[LudexError], complaint: str) -> None:
    with pytest.raises(fault, match=complaint):
        match_of(line)


def test_a_refused_move_leaves_the_match_as_it_was() -> None:
    match = match_of("quoridor 9x9: e2")
    before = match.state
    with pytest.raises(IllegalAction):
        play_line(match, "e8 e3 e2")
    assert (match.ply, match.state) == (1, before)


@pytest.mark.parametrize("text", ["match.json", "runs/a b.json", "0f3a", "quoridor", "C:game"])
def test_names_of_files_and_matches_are_no_lines(text: str) -> None:
    assert not is_line(text)


def test_equal_players_are_named_with_their_sides() -> None:
    assert player_names("tictactoe", ("perfect", "perfect")) == ("perfect (X)", "perfect (O)")
    assert player_names("tictactoe", ("you", "you")) == ("X", "O")
    assert player_names("tictactoe", ("you", "perfect")) == ("you", "perfect")
