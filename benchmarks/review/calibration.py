"""How often positions are won that the analyst rates so: the curves are fitted to one half of the games.

Games are played by strong equals from random openings. The other half measures: among the positions rated 65 to 75 %,
which share was won, a draw counted as half?
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.logistic import fit
from benchmarks.review.journal import Journal
from ludex.arena.entrants import make_entrant
from ludex.coach.analyst import Analyst
from ludex.coach.review import positions_of
from ludex.coach.win_probability import Curve, curve_of
from ludex.core.executor import Executor
from ludex.core.game import points
from ludex.core.match import play
from ludex.core.registry import make, names
from ludex.core.seeding import generator

POSITIONS = 8
"""Of each game."""
BINS = 10
GAMES_PER_TASK = 5
PRIOR = 20.0
"""Positions that speak for the curve 1, 0: a few games alone must not bend it."""
SLOPES = (0.1, 10.0)


class GameClass(NamedTuple):
    """A board, and the agents whose games are rated."""

    game: str
    preset: str
    agents: tuple[str, ...]
    """Each plays itself in equally many games."""
    opening_plies: int = 0


CLASSES = (
    GameClass("tictactoe", "3x3x3", ("perfect:ties=random",), 2),
    GameClass("quoridor", "9x9", ("strong", "expert", "champion"), 4),
    GameClass("quoridor", "5x5", ("strong", "expert"), 2),
    GameClass("minesweeper", "beginner_9x9_10", ("expert",)),
    GameClass("minesweeper", "med_16x16_40", ("expert",)),
    GameClass("minesweeper", "expert_16x30_99", ("expert",)),
    GameClass("skirmish", "small", ("normal", "hard")),
    GameClass("connect_four", "7x6", ("mcts:simulations=400",), 4),
    GameClass("skirmish", "default", ("normal", "hard")),
)
"""The slowest is last: it is cut first where time is limited."""


class Task(NamedTuple):
    """Some games of one class."""

    of: GameClass
    seed: int


class Rated(NamedTuple):
    """A position that was rated, and what became of the game."""

    game: int
    """Its seed."""
    value: float
    """The analyst's, before any curve: the mover's share of points."""
    points: float
    """The mover's, at the end."""


def rated(task: Task) -> list[Rated]:
    """The positions of a task's games."""
    board = make(task.of.game, task.of.preset)
    analyst, found = Analyst(board), []
    for seed in range(task.seed, task.seed + GAMES_PER_TASK):
        name = task.of.agents[seed % len(task.of.agents)]
        agents = [make_entrant(board, name) for _ in range(board.info.players)]
        match = play(board, agents, seed=seed, opening_plies=task.of.opening_plies)
        if match.outcome is None:
            continue
        plies = [*positions_of(match)]
        generator(seed, 0, 99).shuffle(plies)
        for ply in plies[:POSITIONS]:
            mover = board.to_move(match.positions[ply])
            found.append(Rated(seed, analyst.share(match, ply), points(match.outcome.scores[mover])))
    return found


def fitted(samples: Sequence[Rated], *, biased: bool) -> Curve:
    """The curve with the greatest likelihood; without a bias where both sides are alike."""
    open_ended = [one for one in samples if 0.0 < one.value < 1.0]
    if not open_ended:
        return Curve()
    logits = [math.log(one.value / (1.0 - one.value)) for one in open_ended]
    won = np.array([one.points for one in open_ended])
    features = np.array([[logit, 1.0][: 1 + biased] for logit in logits])
    slope, *bias = fit(features, won, np.array([1.0, 0.0][: 1 + biased]), PRIOR)
    return Curve(round(float(np.clip(slope, *SLOPES)), 4), round(float(sum(bias)), 4))


def reliability(samples: Iterable[Rated], curve: Curve) -> list[dict[str, float]]:
    """By tenths of the rated probability: the mean that was rated, the share that was won, and the positions."""
    shares = [(curve.of_value(one.value, players=1), one.points) for one in samples]
    rows = []
    for place in range(BINS):
        low, high = place / BINS, (place + 1) / BINS
        inside = [(share, won) for share, won in shares if low <= share < high or (place == BINS - 1 and share == 1.0)]
        if inside:
            rated_mean, won_mean = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            rows.append({"low": low, "high": high, "rated": rated_mean, "won": won_mean, "positions": len(inside)})
    return rows


def calibrated(
    games: int, seed: int, executor: Executor, journal: Journal, wanted: Sequence[str]
) -> list[dict[str, Any]]:
    """A row per class: the curve, and how the other half of the games fits it."""
    chosen = [one for one in CLASSES if one.game in names() and (not wanted or one.game in wanted)]
    tasks = {one: [Task(one, first) for first in range(seed, seed + games, GAMES_PER_TASK)] for one in chosen}
    journal.run(executor, rated, [task for some in tasks.values() for task in some])
    rows = []
    for one in chosen:
        board = make(one.game, one.preset)
        samples = sorted(Rated(*sample) for part in journal.of(tasks[one]) for sample in part)
        if not samples:
            continue
        curve = fitted([one for one in samples if one.game % 2 == 0], biased=board.info.players == 1)
        others = [one for one in samples if one.game % 2]
        bins = reliability(others, curve)
        used = curve_of(board)
        near = [one for one in others if 0.65 <= curve.of_value(one.value, players=1) < 0.75]
        rows.append(
            {
                "game": one.game,
                "preset": one.preset,
                "agents": [*one.agents],
                "games": len({sample.game for sample in samples}),
                "positions": len(samples),
                "slope": curve.slope,
                "bias": curve.bias,
                "shipped": [used.slope, used.bias],
                "rated_70": len(near),
                "won_70": sum(sample.points for sample in near) / len(near) if near else None,
                "error": sum(abs(row["rated"] - row["won"]) * row["positions"] for row in bins) / max(1, len(others)),
                "bins": bins,
            }
        )
        print(one.game, one.preset, curve, rows[-1]["won_70"], rows[-1]["error"], flush=True)
    return rows
