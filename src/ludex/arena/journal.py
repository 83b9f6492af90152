"""The journal of a match or a tournament: one entry per finished pair of games.

How many games are wanted, who meets whom and when to stop are not in it: a pair follows from the terms and its key
alone, so a longer match or another format of the same terms goes on from it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludex.arena.pairs import Fault, Pair, PairKey, PlayedGame
from ludex.arena.terms import Terms
from ludex.core.errors import BadJournal
from ludex.core.game import Json, Outcome
from ludex.core.journal import Header, JournalFile, JournalReader, hold_journal, read_header


class Journal:
    """The pairs that a file holds, and the way to add to them."""

    def __init__(self, file: JournalFile, pairs: Mapping[PairKey, Pair]) -> None:
        self.pairs = pairs
        """Those that were there when the file was opened."""
        self._file = file

    def append(self, pairs: Mapping[PairKey, Pair]) -> None:
        """Add finished pairs and wait until the disk has them."""
        self._file.append(_pair_document(key, pair) for key, pair in pairs.items())


@contextmanager
def open_journal(path: Path, terms: Terms) -> Iterator[Journal]:
    """Hold the journal of these terms; see `hold_journal`."""
    pairs: dict[PairKey, Pair] = {}
    with hold_journal(path, terms.header(), _adder(pairs), work="playing these games") as file:
        yield Journal(file, pairs)


class Reader(JournalReader):
    """Follows the journal of games that another process may be playing."""

    def __init__(self, path: Path, header: Header) -> None:
        self.pairs: dict[PairKey, Pair] = {}
        """Those read so far, in the order in which they were finished."""
        super().__init__(path, header, _adder(self.pairs))


def seed_in(path: Path) -> int | None:
    """The seed that a journal's games follow from; None if there is no whole header yet. Raises `BadJournal`."""
    header = read_header(path)
    try:
        return None if header is None else int(header["seed"])
    except (ValueError, TypeError, KeyError) as error:
        raise BadJournal(f"{path}: line 1: not a journal: {error}") from error


def _adder(pairs: dict[PairKey, Pair]) -> Any:
    """Adds the pair of an entry."""

    def add(body: dict[str, Any]) -> None:
        key, pair = _pair(body)
        if key in pairs:
            raise ValueError(f"pair {key.index} of {list(key.seats)} is there twice")
        pairs[key] = pair

    return add


def _pair_document(key: PairKey, pair: Pair) -> dict[str, Json]:
    games: list[Json] = [_game(game) for game in pair]
    return {"agents": list(key.seats), "pair": key.index, "seed": str(pair[0].seed), "games": games}


def _game(game: PlayedGame) -> dict[str, Json]:
    transcripts: dict[str, Json] = {}
    if any(game.transcripts):
        transcripts["transcripts"] = [list(entries) for entries in game.transcripts]
    return {
        "moves": list(game.actions),
        "scores": list(game.outcome.scores),
        "reason": game.outcome.reason,
        "micros": [list(times) for times in game.micros],
        "fault": None if game.fault is None else [game.fault.code, game.fault.message],
        **transcripts,
    }


def _pair(body: dict[str, Any]) -> tuple[PairKey, Pair]:
    key = PairKey(tuple(body["agents"]), body["pair"])
    games = zip(body["games"], (False, True)[: len(key.seats)], strict=True)
    return key, tuple(_read_game(int(body["seed"]), swapped, game) for game, swapped in games)


def _read_game(seed: int, swapped: bool, game: dict[str, Any]) -> PlayedGame:
    outcome = Outcome(tuple(game["scores"]), game["reason"])
    micros = tuple(tuple(times) for times in game["micros"])
    fault = None if game["fault"] is None else Fault(*game["fault"])
    transcripts = tuple(tuple(entries) for entries in game.get("transcripts", [()] * len(micros)))
    return PlayedGame(seed, swapped, tuple(game["moves"]), outcome, micros, fault, transcripts)
