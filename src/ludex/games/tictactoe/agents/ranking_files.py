"""Ranking files of the seed, `{version, createdUtc, qValues: [{state, moveIndex, q}]}`, and the one that ships."""

import json
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from ludex.core.documents import parse_json
from ludex.core.errors import BadOption, BadPosition, BadRankings
from ludex.core.game import Json
from ludex.core.ranking import Entry, MemoryRankings, RankingFile
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import from_state_key, legal_moves
from ludex.games.tictactoe.rules.symmetry import Symmetry

VERSION = 1
LONGEST_TIME = 40
_LARGEST = sys.float_info.max
SHIPPED = ("3x3x3",)
"""Presets whose trained ranking comes with the package."""


class TicTacToeRankings:
    """Writes and checks ranking files of one board."""

    agent = "ranking:ranking=database"

    def __init__(self, game: TicTacToe) -> None:
        self.board = game.board
        self._game = game
        self._symmetry = Symmetry(game.board)

    def shipped(self) -> RankingFile:
        require_shipped(self._game)
        return _read_shipped(self._game.info.preset)

    def export(self, entries: Iterable[Entry], created_utc: str) -> Json:
        values: list[Json] = [{"state": state, "moveIndex": move, "q": q} for state, move, q in entries]
        return {"version": VERSION, "createdUtc": created_utc, "qValues": values}

    def parse(self, data: Json) -> RankingFile:
        if not isinstance(data, dict) or set(data) != {"version", "createdUtc", "qValues"}:
            keys = sorted(data) if isinstance(data, dict) else type(data).__name__
            raise BadRankings(f"expected an object with version, createdUtc and qValues, found {keys}")
        if type(data["version"]) is not int or data["version"] != VERSION:
            raise BadRankings(f"version {data['version']!r} is unknown, expected {VERSION}")
        created_utc = data["createdUtc"]
        if not isinstance(created_utc, str) or not _is_time(created_utc):
            raise BadRankings(f"createdUtc must be a time such as 2026-01-31T12:00:00+00:00, found {created_utc!r}")
        if not isinstance(data["qValues"], list):
            raise BadRankings(f"qValues must be a list, found {type(data['qValues']).__name__}")
        entries: dict[tuple[str, int], Entry] = {}
        for index, value in enumerate(data["qValues"]):
            entry = self._entry(index, value)
            if (entry.state, entry.move) in entries:
                raise BadRankings(f"qValues[{index}]: {entry.state} move {entry.move} is given twice")
            entries[entry.state, entry.move] = entry
        return RankingFile(list(entries.values()), created_utc)

    def _entry(self, index: int, value: Any) -> Entry:
        where = f"qValues[{index}]"
        if not isinstance(value, dict) or set(value) != {"state", "moveIndex", "q"}:
            raise BadRankings(f"{where}: expected an object with state, moveIndex and q, found {value!r}")
        state, move, q = value["state"], value["moveIndex"], value["q"]
        if not isinstance(state, str) or isinstance(move, bool) or not isinstance(move, int):
            raise BadRankings(f"{where}: expected a text and a whole number, found {state!r} and {move!r}")
        if isinstance(q, bool) or not isinstance(q, int | float) or not -_LARGEST <= q <= _LARGEST:
            raise BadRankings(f"{where}: q must be a finite number, found {q!r}")
        try:
            position = from_state_key(self.board, state)
        except BadPosition as error:
            raise BadRankings(f"{where}: {error.message}") from error
        canonical = self._symmetry.canonical(position)
        if canonical.key != state:
            raise BadRankings(f"{where}: {state} is not canonical, expected {canonical.key}")
        moves = legal_moves(self.board, position)
        if not moves:
            raise BadRankings(f"{where}: {state} is terminal, no move can have a value")
        if not 0 <= move < self.board.cells:
            raise BadRankings(f"{where}: move {move} is not on the board, expected 0..{self.board.cells - 1}")
        if move not in moves:
            raise BadRankings(f"{where}: cell {move} of {state} is occupied")
        if canonical.moves[move] != move:
            raise BadRankings(f"{where}: move {move} of {state} is not canonical, expected {canonical.moves[move]}")
        return Entry(state, move, float(q))


def read_rankings(game: TicTacToe, text: str, source: str) -> Sequence[Entry]:
    """The entries of a file's text. Raises `BadRankings` naming the file and the first bad entry."""
    data = parse_json(text, source, BadRankings)
    try:
        return TicTacToeRankings(game).parse(data).entries
    except BadRankings as error:
        raise BadRankings(f"{source}: {error.message}") from error


def _is_time(text: str) -> bool:
    """Whether a text is a time of ISO 8601, short enough for a database.

    >>> _is_time("2026-01-31T12:00:00Z"), _is_time("yesterday")
    (True, False)
    """
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return len(text) <= LONGEST_TIME


def shipped_rankings(game: TicTacToe) -> MemoryRankings:
    """A copy of the ranking that comes with the package."""
    require_shipped(game)
    return MemoryRankings(_read_shipped(game.info.preset).entries)


def require_shipped(game: TicTacToe) -> None:
    """Raise `BadOption` if no ranking comes with the package for this board."""
    if game.info.preset not in SHIPPED:
        raise BadOption(
            f"no ranking ships for tictactoe {game.info.preset}, only for {', '.join(SHIPPED)}: "
            "use ranking=empty, ranking=database or file=PATH"
        )


@cache
def _read_shipped(preset: str) -> RankingFile:
    data = json.loads(files("ludex.games.tictactoe.data").joinpath(f"ranking_{preset}.json").read_text())
    # Our own file, checked by the tests: parsing 2,000 entries again would cost every player 50 ms.
    entries = [Entry(value["state"], value["moveIndex"], value["q"]) for value in data["qValues"]]
    return RankingFile(entries, data["createdUtc"])
