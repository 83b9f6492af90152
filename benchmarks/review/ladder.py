"""The accuracy of every level of every game against the same opponent: stronger levels must be more accurate.

Accuracy depends on the positions that a player meets: two machines that only walk give each other few chances to err.
So every level of a game for two plays the level in the middle of the ladder, in both seats in turn.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ludex.arena.entrants import make_entrant
from ludex.arena.statistics import gain95
from ludex.coach.analyst import Analyst
from ludex.coach.review import explained, positions_of
from ludex.core.executor import Executor
from ludex.core.match import play
from ludex.core.registry import levels, make, spec

OPENING_PLIES = 2
"""By chance, so that games of agents without chance differ; they count for no accuracy."""


class Game(NamedTuple):
    """One game of a level."""

    game: str
    preset: str
    level: str
    opponent: str
    seed: int


def accuracy_in(task: Game) -> float | None:
    """The accuracy of the level; None if it had no choice."""
    board = make(task.game, task.preset)
    opening, seat = OPENING_PLIES if board.info.chance == "none" else 0, task.seed % board.info.players
    names = [task.level if player == seat else task.opponent for player in range(board.info.players)]
    agents = [make_entrant(board, name) for name in names]
    match = play(board, agents, seed=task.seed, opening_plies=opening)
    analyst = Analyst(board)
    try:
        review = explained(match, {ply: analyst.assess(match, ply) for ply in positions_of(match) if ply >= opening})
    finally:
        analyst.close()
    return review.accuracies[seat]


def laddered(games: int, seed: int, executor: Executor, wanted: Sequence[str]) -> list[dict[str, Any]]:
    """A row per level."""
    rows = []
    for game in wanted:
        preset = spec(game).offered_presets[0]
        offered = [*levels(make(game, preset))]
        middle = offered[len(offered) // 2]
        for level in offered:
            tasks = [Game(game, preset, level, middle, seed + number) for number in range(games)]
            found = [one for _, one in executor.run(accuracy_in, tasks) if one is not None]
            mean, low, high = gain95(found)
            row = {"game": game, "preset": preset, "level": level, "games": games}
            rows.append({**row, "opponent": middle, "accuracy": mean, "ci95": [max(0.0, low), min(100.0, high)]})
            print(game, level, round(mean, 1), rows[-1]["ci95"], flush=True)
    return rows
