"""A journal: what was finished is played once, and a file that is not right is named."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.arena.duel import Duel, duel
from ludex.arena.journal import open_journal
from ludex.arena.pairs import PairKey
from ludex.arena.sprt import Sprt
from ludex.arena.terms import Terms
from ludex.core.clock import Clock
from ludex.core.documents import digest
from ludex.core.errors import BadJournal, FolderUnwritable, StoreFull, UnknownAgent
from ludex.core.executor import Executor, InProcess
from tests.arena.executors import Backwards
from tests.faults import full_disk

GAME = ludex.make("tictactoe")
TERMS = Terms.of(GAME, ("perfect:ties=random", "random"), seed=6)


def played(path: Path, executor: Executor, games: int = 40, sprt: Sprt | None = None, terms: Terms = TERMS) -> Duel:
    with open_journal(path, terms) as journal:
        return duel(terms, games=games, executor=executor, sprt=sprt, journal=journal)


def moves(result: Duel) -> list[Any]:
    return [(game.seed, game.swapped, game.actions, game.outcome) for game in result.played]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def lines(path: Path) -> list[bytes]:
    """The lines of a good journal of twenty pairs."""
    played(path, InProcess())
    return path.read_bytes().splitlines(keepends=True)


def test_what_is_written_is_read(path: Path) -> None:
    result = played(path, InProcess())
    with open_journal(path, TERMS) as journal:
        assert journal.pairs == {PairKey((0, 1), index): pair for index, pair in enumerate(result.pairs)}


@pytest.mark.slow
def test_an_interrupted_match_goes_on_to_the_same_end(path: Path) -> None:
    part = played(path, Backwards(4, after=6))
    assert part.interrupted
    assert len(part.pairs) == 6
    rest = Backwards(4)
    whole = played(path, rest)
    assert rest.calls == 14
    assert moves(whole) == moves(duel(TERMS, games=40, executor=InProcess()))
    assert not whole.interrupted
    again = Backwards(4)
    assert played(path, again).pairs == whole.pairs
    assert again.calls == 0


def test_progress_begins_where_the_match_does(path: Path) -> None:
    played(path, Backwards(4, after=6))
    steps: list[int] = []
    with open_journal(path, TERMS) as journal:
        duel(TERMS, games=40, executor=InProcess(), journal=journal, advance=steps.append)
    assert steps == [12] + [2] * 14


@pytest.mark.slow
def test_a_longer_match_goes_on_and_a_shorter_one_looks_at_the_beginning(path: Path) -> None:
    played(path, InProcess(), games=20)
    longer = Backwards(1)
    assert moves(played(path, longer, games=60)) == moves(duel(TERMS, games=60, executor=InProcess()))
    assert longer.calls == 20
    shorter = Backwards(1)
    assert len(played(path, shorter, games=8).pairs) == 4
    assert shorter.calls == 0


@pytest.mark.parametrize("after", [3, 10, 15])
def test_a_sequential_test_goes_on_to_the_same_verdict(path: Path, after: int) -> None:
    whole = duel(TERMS, games=4000, executor=InProcess(), sprt=Sprt(0, 10))
    played(path, Backwards(8, after=after), games=4000, sprt=Sprt(0, 10))
    rest = played(path, Backwards(8), games=4000, sprt=Sprt(0, 10))
    assert rest.sprt == whole.sprt
    assert moves(rest) == moves(whole)
    decided = Backwards(8)
    assert played(path, decided, games=4000, sprt=Sprt(0, 10)).sprt == whole.sprt
    assert decided.calls == 0


@pytest.mark.slow
def test_a_file_cut_off_anywhere_is_a_shorter_journal(path: Path, lines: list[bytes]) -> None:
    whole = b"".join(lines)
    for size in range(0, len(whole), 53):
        path.write_bytes(whole[:size])
        line_count = whole[:size].count(b"\n")
        with open_journal(path, TERMS) as journal:
            assert sorted(key.index for key in journal.pairs) == list(range(max(0, line_count - 1)))
        assert path.read_bytes() == b"".join(lines[:line_count])
    path.write_bytes(whole[:-5])
    assert moves(played(path, InProcess())) == moves(duel(TERMS, games=40, executor=InProcess()))
    assert len(path.read_bytes().splitlines()) == 21


@pytest.mark.slow
def test_any_other_damage_is_named_with_its_line(path: Path, lines: list[bytes]) -> None:
    whole = b"".join(lines)
    for place in range(0, len(whole), 97):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        number = whole[:place].count(b"\n") + 1
        with pytest.raises(BadJournal, match=rf"journal: line {number} is damaged"), open_journal(path, TERMS):
            pass
        assert path.read_bytes() == damaged


GOOD: dict[str, Any] = {"moves": [], "scores": [1.0, -1.0], "reason": "", "micros": [[], []], "fault": None}


def sealed(body: dict[str, Any]) -> bytes:
    return json.dumps({**body, "digest": digest(body)}).encode() + b"\n"


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"[]\n",
        b"{}\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        b"9" * 5000 + b"\n",
        sealed({"agents": [0, 1], "pair": 1, "seed": 5, "games": []}),
        sealed({"agents": [0, 1], "pair": 1}),
        sealed({"agents": [0], "pair": 1, "seed": 5, "games": [GOOD] * 2}),
        sealed({"agents": [0, 1], "pair": 1, "seed": 5, "games": [{**GOOD, "moves": 3}] * 2}),
    ],
)
def test_a_line_that_is_no_pair_is_named(path: Path, lines: list[bytes], line: bytes) -> None:
    path.write_bytes(b"".join([*lines[:2], line, *lines[3:]]))
    with pytest.raises(BadJournal, match="line 3 is damaged"), open_journal(path, TERMS):
        pass


def test_a_pair_that_is_there_twice_is_named(path: Path, lines: list[bytes]) -> None:
    path.write_bytes(b"".join([*lines, lines[4]]))
    with (
        pytest.raises(BadJournal, match=r"line 22 is damaged: pair 3 of \[0, 1\] is there twice"),
        open_journal(path, TERMS),
    ):
        pass


@pytest.mark.parametrize("text", [b"my diary", b"my diary\n", b"{}\n", b'{"format":"ludex-match"', sealed({"a": 1})])
def test_a_file_of_something_else_is_left_alone(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    with pytest.raises(BadJournal, match="line 1"), open_journal(path, TERMS):
        pass
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"game": "chess"}, "game is 'tictactoe' there and 'chess' here"),
        ({"version": 9}, "version is 1 there and 9 here"),
        ({"preset": "4x4x4"}, "preset is '3x3x3' there and '4x4x4' here"),
        ({"agents": ("random", "random")}, "agents is"),
        ({"seed": 7}, "seed is '6' there and '7' here"),
        ({"time_ms": 100}, "movetime is None there and 100 here"),
        ({"depth": 2}, "depth is None there and 2 here"),
        ({"nodes": 10}, "nodes is None there and 10 here"),
        ({"clock": Clock(3000, 50)}, r"clock is None there and \[3000, 50\] here"),
        ({"opening_plies": 1}, "opening_plies is 0 there and 1 here"),
        ({"forfeits": True}, "forfeits is False there and True here"),
    ],
)
@pytest.mark.usefixtures("lines")
def test_a_journal_of_another_match_is_refused(path: Path, change: dict[str, Any], complaint: str) -> None:
    before = path.read_bytes()
    with (
        pytest.raises(BadJournal, match=f"of other work: {complaint}"),
        open_journal(path, dataclasses.replace(TERMS, **change)),
    ):
        pass
    assert path.read_bytes() == before


@pytest.mark.usefixtures("lines")
def test_a_journal_of_another_ludex_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.core.journal.__version__", "99")
    with pytest.raises(BadJournal, match=r"ludex is '.*' there and '99' here"), open_journal(path, TERMS):
        pass


def test_one_process_at_a_time(path: Path) -> None:
    refusal = pytest.raises(BadJournal, match="another process is playing these games")
    with open_journal(path, TERMS), refusal, open_journal(path, TERMS):
        pass
    with open_journal(path, TERMS) as journal:
        assert journal.pairs == {}


def test_a_match_that_could_not_begin_binds_nobody(path: Path) -> None:
    with pytest.raises(UnknownAgent):
        played(path, InProcess(), terms=dataclasses.replace(TERMS, agents=("prefect", "random")))
    assert len(played(path, InProcess()).pairs) == 20


@pytest.mark.slow
@pytest.mark.parametrize("room", [0, 1, 300])
def test_a_full_disk_loses_nothing_that_was_finished(path: Path, lines: list[bytes], room: int) -> None:
    """Twelve lines fit, and then only a part of the next."""
    size = sum(map(len, lines[:12])) + room
    path.unlink()
    with full_disk(size), pytest.raises(StoreFull, match="make room"):
        played(path, InProcess())
    # Move times have more or fewer digits than before, and with them a line or two more or less may fit.
    line_count = path.read_bytes().count(b"\n") - 1
    assert 8 <= line_count <= 14
    rest = Backwards(1)
    assert moves(played(path, rest)) == moves(duel(TERMS, games=40, executor=InProcess()))
    assert rest.calls == 20 - line_count


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadJournal, match="not a file"), open_journal(tmp_path, TERMS):
        pass
    with pytest.raises(FolderUnwritable, match="cannot write"), open_journal(tmp_path / "no" / "folder", TERMS):
        pass
    with pytest.raises(FolderUnwritable, match="cannot write"), open_journal(tmp_path / ("x" * 300), TERMS):
        pass
