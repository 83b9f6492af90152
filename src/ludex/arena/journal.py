"""A journal: an append-only file of finished pairs, from which a match or a tournament that was killed goes on.

The first line says what determines the games, each further one is a pair, in the order in which pairs were finished.
Every line is sealed with a digest. How many games are wanted, who meets whom and when to stop are not in it: a pair
follows from the terms and its key alone, so a longer match or another format of the same terms goes on from it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import TypeAdapter

from ludex import __version__
from ludex.arena.pairs import Fault, Pair, PairKey, PlayedGame
from ludex.arena.terms import Terms
from ludex.core.clock import Clock
from ludex.core.documents import append_text, digest, strict_json
from ludex.core.errors import BadJournal, FolderUnwritable
from ludex.core.game import Json, Outcome
from ludex.core.system import try_lock

FORMAT = "ludex-journal"
FORMAT_VERSION = 1
LONGEST_HEADER = 1 << 20


class Journal:
    """The pairs a file holds, and the way to add to them."""

    def __init__(self, path: Path, pairs: Mapping[PairKey, Pair], header: str) -> None:
        """`header` is written with the first pairs; empty if the file has one."""
        self.pairs = pairs
        """Those that were there when the file was opened."""
        self._path = path
        self._header = header

    def append(self, pairs: Mapping[PairKey, Pair]) -> None:
        """Add finished pairs and wait until the disk has them."""
        append_text(
            self._path, self._header + "".join(_sealed(_pair_document(key, pair)) for key, pair in pairs.items())
        )
        self._header = ""


@contextmanager
def open_journal(path: Path, terms: Terms) -> Iterator[Journal]:
    """Hold a journal against every other process and read it. A file that is missing or empty is begun.

    Raises `BadJournal` if the file is of other terms, damaged, or held. A last line cut off by a kill is dropped.
    """
    try:
        if path.exists() and not path.is_file():
            raise BadJournal(f"{path}: not a file")
        file = path.open("a+b")
        # Not the journal itself: others read it meanwhile, which Windows refuses for a locked file.
        guard = lock_file(path).open("ab")
    except OSError as error:
        raise FolderUnwritable(f"cannot write {path}: {error.strerror}") from error
    header = header_of(terms)
    with file, guard:
        if not try_lock(guard):
            raise BadJournal(f"{path}: another process is playing these games")
        file.seek(0)
        _first_line(path, file)
        file.seek(0)
        *lines, torn = file.read().split(b"\n")
        if not lines and not _sealed(header).encode().startswith(torn):
            # Without a single whole line, nothing else distinguishes a journal from another file.
            raise BadJournal(f"{path}: line 1: not a journal")
        pairs: dict[PairKey, Pair] = {}
        _read(path, lines, header, pairs)
        # Only now: a file that is no journal is left as it is.
        file.truncate(sum(len(line) + 1 for line in lines))
        yield Journal(path, pairs, "" if lines else _sealed(header))


def lock_file(path: Path) -> Path:
    """The file whose lock holds a journal."""
    return path.with_name(f"{path.name}.lock")


class Reader:
    """Follows a journal that another process may be writing."""

    def __init__(self, path: Path, header: Mapping[str, Json]) -> None:
        self.pairs: dict[PairKey, Pair] = {}
        """Those read so far, in the order in which they were finished."""
        self._path = path
        self._header = header
        self._lines = 0
        self._bytes = 0

    def read_on(self) -> None:
        """Read what is new; a line that is still being written is not there yet. Raises `BadJournal`."""
        try:
            with self._path.open("rb") as file:
                if file.seek(0, SEEK_END) < self._bytes:
                    raise BadJournal(f"{self._path} is shorter than it was: another journal lies in its place")
                file.seek(0)
                _first_line(self._path, file)
                file.seek(self._bytes)
                *lines, _ = file.read().split(b"\n")
        except OSError as error:
            raise BadJournal(f"cannot read {self._path}: {error.strerror}") from error
        _read(self._path, lines, self._header, self.pairs, after=self._lines)
        self._lines += len(lines)
        self._bytes += sum(len(line) + 1 for line in lines)


def seed_in(path: Path) -> int | None:
    """The seed that a journal's games follow from; None if there is no whole header yet. Raises `BadJournal`."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            first = _first_line(path, file)
    except OSError as error:
        raise BadJournal(f"cannot read {path}: {error.strerror}") from error
    if not first.endswith(b"\n"):
        return None
    try:
        return int(_unsealed(first)["seed"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadJournal(f"{path}: line 1: not a journal: {error}") from error


def _first_line(path: Path, file: BinaryIO) -> bytes:
    """The header with its end of line, which a journal that is cut off may lack.

    A file without a line of that length is refused before the rest, which may be gigabytes, is read.
    """
    first = file.readline(LONGEST_HEADER + 1)
    if len(first) > LONGEST_HEADER:
        raise BadJournal(f"{path}: line 1: not a journal: longer than {LONGEST_HEADER:,} bytes")
    return first


def header_of(terms: Terms) -> dict[str, Json]:
    """The first line of a journal: what determines the games."""
    return {
        "format": FORMAT,
        "formatVersion": FORMAT_VERSION,
        "ludex": __version__,
        "game": terms.game,
        "version": terms.version,
        "preset": terms.preset,
        "agents": list(terms.agents),
        "seed": str(terms.seed),
        "movetime": terms.time_ms,
        "depth": terms.depth,
        "nodes": terms.nodes,
        "clock": None if terms.clock is None else [terms.clock.remaining_ms, terms.clock.increment_ms],
        "opening_plies": terms.opening_plies,
        "forfeits": terms.forfeits,
    }


def terms_of(header: Mapping[str, Any], players: int) -> Terms:
    """The terms in a header, for a game with this number of players; services are not part of it.

    Raises `KeyError`, `TypeError` or `ValueError` for what is missing or ill-typed.
    """
    terms = {
        "game": header["game"],
        "version": header["version"],
        "preset": header["preset"],
        "players": players,
        "agents": header["agents"],
        "seed": int(header["seed"]),
        "time_ms": header["movetime"],
        "depth": header["depth"],
        "nodes": header["nodes"],
        "clock": None if header["clock"] is None else Clock(*header["clock"]),
        "opening_plies": header["opening_plies"],
        "services": None,
        "forfeits": header["forfeits"],
    }
    return TypeAdapter(Terms).validate_python(terms)


def _read(
    path: Path, lines: Sequence[bytes], header: Mapping[str, Json], pairs: dict[PairKey, Pair], after: int = 0
) -> None:
    """Add the pairs of these lines; `after` counts the lines already read."""
    for number, line in enumerate(lines, start=after + 1):
        try:
            body = _unsealed(line)
            if number == 1:
                _compare(path, body, header)
                continue
            key, pair = _pair(body)
            if key in pairs:
                raise ValueError(f"pair {key.index} of {list(key.seats)} is there twice")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise BadJournal(f"{path}: line {number} is damaged: {error}") from error
        pairs[key] = pair


def _compare(path: Path, found: dict[str, Any], expected: Mapping[str, Json]) -> None:
    if found.get("format") != FORMAT:
        raise BadJournal(f"{path}: line 1: not a journal")
    for key, value in expected.items():
        if found.get(key) != value:
            raise BadJournal(f"{path} is of other games: {key} is {found.get(key)!r} there and {value!r} here")


def _sealed(body: dict[str, Json]) -> str:
    return json.dumps({**body, "digest": digest(body)}, separators=(",", ":")) + "\n"


def _unsealed(line: bytes) -> dict[str, Any]:
    body = strict_json(line)
    if not isinstance(body, dict):
        raise TypeError("not an object")
    if body.pop("digest", None) != digest(body):
        raise ValueError("the digest does not fit the content")
    return body


def _pair_document(key: PairKey, pair: Pair) -> dict[str, Json]:
    games: list[Json] = [_game(played) for played in pair]
    return {"agents": list(key.seats), "pair": key.index, "seed": str(pair[0].seed), "games": games}


def _game(played: PlayedGame) -> dict[str, Json]:
    return {
        "moves": list(played.actions),
        "scores": list(played.outcome.scores),
        "reason": played.outcome.reason,
        "micros": [list(times) for times in played.micros],
        "fault": None if played.fault is None else [played.fault.code, played.fault.message],
    }


def _pair(body: dict[str, Any]) -> tuple[PairKey, Pair]:
    key = PairKey(tuple(body["agents"]), body["pair"])
    games = zip(body["games"], (False, True)[: len(key.seats)], strict=True)
    return key, tuple(_played(int(body["seed"]), swapped, game) for game, swapped in games)


def _played(seed: int, swapped: bool, game: dict[str, Any]) -> PlayedGame:
    outcome = Outcome(tuple(game["scores"]), game["reason"])
    micros = tuple(tuple(times) for times in game["micros"])
    fault = None if game["fault"] is None else Fault(*game["fault"])
    return PlayedGame(seed, swapped, tuple(game["moves"]), outcome, micros, fault)
