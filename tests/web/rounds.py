"""The puzzles of rounds, which visitors are not told by name, read from the server's database."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from ludex.coach.puzzles.collection import shipped_puzzles
from ludex.core.puzzle import Puzzle


def asked(database: Path, round_id: str | None = None) -> Puzzle:
    """The puzzle that a round asks, the newest one if none is named."""
    query = "SELECT game, puzzles FROM puzzle_rounds WHERE id = coalesce(?, id) ORDER BY begun_utc DESC LIMIT 1"
    with closing(sqlite3.connect(database)) as connection:
        [(game, puzzles)] = connection.execute(query, (round_id,))
    return shipped_puzzles(game)[json.loads(puzzles)[-1]]


def wrong_move(puzzle: Puzzle) -> str:
    return puzzle.proof.reasons[0].moves[0]
