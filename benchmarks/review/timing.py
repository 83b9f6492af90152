"""How much processor time a review takes, with an analyst that has loaded the game, as the server's workers have."""

import time
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from ludex.arena.entrants import make_entrant
from ludex.coach.analyst import Analyst
from ludex.coach.review import explained, positions_of
from ludex.core.match import Match, play
from ludex.core.registry import make

GAMES = (
    ("tictactoe", "3x3x3", "skilled", 5, 1),
    ("quoridor", "9x9", "skilled", 55, 4),
    ("quoridor", "9x9", "champion", 55, 4),
    ("quoridor", "9x9", "unbeatable", 55, 2),
    ("minesweeper", "beginner_9x9_10", "skilled", 10, 1),
    ("skirmish", "small", "skilled", 60, 1),
)
"""Games of a level against itself with at least so many plies, and how many games."""


def timed() -> list[dict[str, Any]]:
    """A row per game that was played."""
    rows = []
    for game, preset, level, least, wanted in GAMES:
        for match in islice(_played(game, preset, level, least), wanted):
            analyst, plies = Analyst(match.game), positions_of(match)
            # What is compiled or read once is not counted.
            analyst.assess(match, 0)
            begin = time.process_time()
            glances = {ply: analyst.glance(match, ply) for ply in plies}
            first = time.process_time() - begin
            explained(match, {ply: analyst.assess(match, ply, glances[ply]) for ply in plies})
            whole = time.process_time() - begin
            analyst.close()
            row = {"game": game, "preset": preset, "level": level, "plies": match.ply}
            rows.append({**row, "glances_cpu_seconds": first, "cpu_seconds": whole})
            print(rows[-1], flush=True)
    return rows


def _played(game: str, preset: str, level: str, least: int) -> Iterator[Match[Any, Any]]:
    board = make(game, preset)
    for seed in count():
        agents = [make_entrant(board, level) for _ in range(board.info.players)]
        match = play(board, agents, seed=seed, opening_plies=2 if board.info.chance == "none" else 0)
        if match.ply >= least:
            yield match
