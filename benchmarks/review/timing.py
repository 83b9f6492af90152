"""How long a review takes, with workers that have loaded the game, as the server's have."""

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count, islice
from typing import Any

from ludex.arena.entrants import make_entrant
from ludex.coach.analyst import Analyst
from ludex.coach.parallel import PLIES, AssessTask, assess_task
from ludex.coach.review import positions_of
from ludex.core.match import Match, play
from ludex.core.record import Record
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
WORKERS = 2


def cpu_seconds(task: AssessTask) -> float:
    """Assess positions, and return the processor's time that it took."""
    begin = time.process_time()
    assess_task(task)
    return time.process_time() - begin


def timed() -> list[dict[str, Any]]:
    """A row per game that was played."""
    context = multiprocessing.get_context("spawn")
    rows = []
    with ProcessPoolExecutor(WORKERS, context) as pool:
        for game, preset, level, least, wanted in GAMES:
            for match, agents in islice(_played(game, preset, level, least), wanted):
                record, plies = Record.of(match, agents), [*positions_of(match)]
                # Each worker loads the game first.
                list(pool.map(assess_task, [AssessTask(record, (0,))] * 2 * WORKERS, chunksize=1))
                tasks = [
                    AssessTask(record, tuple(plies[begin : begin + PLIES])) for begin in range(0, len(plies), PLIES)
                ]
                analyst = Analyst(match.game)
                analyst.glance(match, 0)
                begin = time.perf_counter()
                for ply in plies:
                    analyst.glance(match, ply)
                glances = time.perf_counter() - begin
                analyst.close()
                begin = time.perf_counter()
                cpu = sum(pool.map(cpu_seconds, tasks))
                seconds = time.perf_counter() - begin
                row = {"game": game, "preset": preset, "level": level, "plies": match.ply, "workers": WORKERS}
                rows.append({**row, "glances_seconds": glances, "seconds": seconds, "cpu_seconds": cpu})
                print(rows[-1], flush=True)
    return rows


def _played(game: str, preset: str, level: str, least: int) -> Iterator[tuple[Match[Any, Any], tuple[str, ...]]]:
    board = make(game, preset)
    for seed in count():
        agents = [make_entrant(board, level) for _ in range(board.info.players)]
        match = play(board, agents, seed=seed, opening_plies=2 if board.info.chance == "none" else 0)
        if match.ply >= least:
            yield match, (level,) * board.info.players
