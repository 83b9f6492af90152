"""The accuracy of every level of every game against the same opponent: stronger levels must be more accurate.

Accuracy depends on the positions that a player meets: two machines that only walk give each other few chances to err.
So every level of a game for two plays the level in the middle of the ladder, in both seats in turn.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.review.journal import Journal
from ludex.arena.entrants import make_entrant
from ludex.arena.statistics import gain95
from ludex.coach.accuracy import Kept, accuracy
from ludex.coach.analyst import Analyst, analyst_version
from ludex.coach.review import compose, positions_of
from ludex.core.executor import Executor
from ludex.core.game import points
from ludex.core.match import play
from ludex.core.registry import levels, make, spec

OPENING_PLIES = 2
"""At random, so that games of agents without chance differ; they count for no accuracy."""
TIMES = {"tictactoe": 10, "minesweeper": 10}
"""More games than are wanted, of games that take hardly any time."""


class Game(NamedTuple):
    """One game of a level."""

    game: str
    preset: str
    level: str
    opponent: str
    analyst: str
    """Its version: what another one found is not used."""
    seed: int


class Played(NamedTuple):
    """What a level did in a game, as accuracy sees it."""

    points: float | None
    """Of the level; None: the game has no result."""
    moves: list[Kept]
    """Those that were a choice."""


def played(task: Game) -> Played:
    """Play the game and assess the moves of the level alone."""
    board = make(task.game, task.preset)
    opening, seat = OPENING_PLIES if board.info.chance == "none" else 0, task.seed % board.info.players
    names = [task.level if player == seat else task.opponent for player in range(board.info.players)]
    match = play(board, [make_entrant(board, name) for name in names], seed=task.seed, opening_plies=opening)
    analyst, assessments = Analyst(board, with_luck=False), {}
    plies = positions_of(match)
    for ply in range(opening, match.ply):
        if board.to_move(match.positions[ply]) == seat:
            assessment = assessments[ply] = analyst.assess(match, ply)
            if assessment.after_best is not None and ply + 1 in plies:
                assessments[ply + 1] = analyst.assess(match, ply + 1)
    analyst.close()
    review = compose(match, assessments)
    moves = [
        Kept(round(move.expected, 5), round(move.loss, 5))
        for move in review.moves
        if move.player == seat and not move.forced
    ]
    return Played(None if match.outcome is None else points(match.outcome.scores[seat]), moves)


def laddered(
    games: int, seed: int, executor: Executor, journal: Journal, wanted: Sequence[str]
) -> list[dict[str, Any]]:
    """A row per level."""
    rungs = []
    for game in wanted:
        preset = spec(game).offered_presets[0]
        board = make(game, preset)
        offered = [*levels(board)]
        version = analyst_version(board)
        rungs += [Game(game, preset, level, offered[len(offered) // 2], version, 0) for level in offered]
    most = {rung: games * TIMES.get(rung.game, 1) for rung in rungs}
    # Level after level for every seed: what is cut off in the end is missing from all alike.
    seeds = range(seed, seed + max(most.values(), default=0))
    tasks = [rung._replace(seed=number) for number in seeds for rung in rungs if number < seed + most[rung]]
    journal.run(executor, played, tasks)
    rows = []
    for rung in rungs:
        entries = journal.of([rung._replace(seed=seed + number) for number in range(most[rung])])
        assessment = [value for _, moves in entries if (value := accuracy(Kept(*move) for move in moves)) is not None]
        if not assessment:
            continue
        mean, low, high = gain95(assessment)
        scores = [points for points, _ in entries if points is not None]
        row = {"game": rung.game, "preset": rung.preset, "level": rung.level, "games": len(assessment)}
        alone = make(rung.game, rung.preset).info.players == 1
        row |= {"opponent": None if alone else rung.opponent, "score": sum(scores) / len(scores) if scores else None}
        rows.append({**row, "accuracy": mean, "ci95": [max(0.0, low), min(100.0, high)]})
        print(rung.game, rung.level, round(mean, 1), rows[-1]["ci95"], flush=True)
    return rows
