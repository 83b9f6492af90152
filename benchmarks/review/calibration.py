"""How often positions are won that the analyst rates so, by cross-validation.

Games are played by strong equals from random openings. Each tenth of the games is rated by a curve that is fitted to
the other nine: among the positions rated 65 to 75 %, which share was won, a draw counted as half? The curve that ships
is fitted to all games.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.logistic import Numbers, fit
from benchmarks.review.journal import Journal
from ludex.arena.entrants import make_entrant
from ludex.coach.analyst import Analyst
from ludex.coach.review import positions_of
from ludex.coach.win_probability import NEARLY, Curve, curve_of
from ludex.core.executor import Executor
from ludex.core.game import AnyGame, points
from ludex.core.match import Match, play
from ludex.core.registry import make, names
from ludex.core.seeding import generator

POSITIONS = 8
"""Of each game."""
PER_BIN = 2
"""Of each game and tenth of the value, where every position is rated."""
BINS = 10
FOLDS = 10
"""Of the cross-validation; the positions of one game belong together."""
PRIOR = 20.0
"""Positions that speak for the curve 1, 0: a few games alone must not bend it."""
LEAST_SLOPE = 0.1
SLOPES = (LEAST_SLOPE, 10.0)


class GameClass(NamedTuple):
    """A board, and the agents whose games are rated."""

    game: str
    preset: str
    agents: tuple[str, ...]
    """Each plays itself in equally many games."""
    opening_plies: int = 0
    analyst_plays: bool = False
    """It is the agent, and rates every position as it plays, of which `PER_BIN` of each tenth count: for games that are
    rarely in doubt."""
    times: int = 1
    """Of the games that are wanted, for the same reason."""

    def tasks(self, games: int, seed: int) -> "list[Task]":
        """Its games; how many there are is no part of any."""
        return [Task(self._replace(times=1), number) for number in range(seed, seed + games * self.times)]


CLASSES = (
    GameClass("tictactoe", "3x3x3", ("perfect:ties=random",), 2),
    GameClass("quoridor", "9x9", ("strong", "expert", "champion"), 4),
    GameClass("quoridor", "5x5", ("strong", "expert"), 2),
    GameClass("minesweeper", "beginner_9x9_10", ("expert",), analyst_plays=True, times=20),
    GameClass("minesweeper", "med_16x16_40", ("expert",), analyst_plays=True, times=3),
    GameClass("minesweeper", "expert_16x30_99", ("expert",)),
    GameClass("skirmish", "small", ("normal:temperature=2", "hard")),
    GameClass("connect_four", "7x6", ("mcts:simulations=400",), 4),
    GameClass("skirmish", "default", ("normal:temperature=2", "hard")),
)
"""The slowest is last: it is cut first where time is limited."""


class Task(NamedTuple):
    """One game of a class."""

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
    """The positions of a task's game; none if it has no result."""
    board = make(task.of.game, task.of.preset)
    analyst = Analyst(board)
    match, shares = _self_played(task, analyst) if task.of.analyst_plays else (_played(task, board), {})
    if match.outcome is None:
        return []
    plies = [*positions_of(match)]
    generator(task.seed, 0, 99).shuffle(plies)
    rated_positions = [
        Rated(
            task.seed,
            shares[ply] if shares else analyst.share(analyst.decide(match, ply)),
            points(match.outcome.scores[board.to_move(match.positions[ply])]),
        )
        for ply in (plies if task.of.analyst_plays else plies[:POSITIONS])
    ]
    return balanced(rated_positions) if task.of.analyst_plays else rated_positions


def _played(task: Task, board: AnyGame) -> Match[Any, Any]:
    name = task.of.agents[task.seed % len(task.of.agents)]
    agents = [make_entrant(board, name) for _ in range(board.info.players)]
    return play(board, agents, seed=task.seed, opening_plies=task.of.opening_plies)


def _self_played(task: Task, analyst: Analyst) -> tuple[Match[Any, Any], dict[int, float]]:
    """A game of the analyst, and its analysis of every position on the way."""
    match, shares = Match(analyst.game, task.seed), {}
    while not match.over:
        decision = analyst.decide(match, match.ply)
        shares[match.ply] = analyst.share(decision)
        match.play(decision.action)
    return match, shares


def balanced(samples: Iterable[Rated]) -> list[Rated]:
    """The first `PER_BIN` samples of each tenth of the value, in their order.

    >>> [sample.value for sample in balanced([Rated(1, value, 1.0) for value in (0.95, 0.97, 0.99, 0.7, 1.0)])]
    [0.95, 0.97, 0.7]
    """
    counts: Counter[int] = Counter()
    selection = []
    for sample in samples:
        place = min(BINS - 1, int(sample.value * BINS))
        counts[place] += 1
        if counts[place] <= PER_BIN:
            selection.append(sample)
    return selection


def fitted(samples: Sequence[Rated]) -> Curve:
    """The likeliest curve, with a bend if that rates unseen games better by more than one standard error.

    It has a bias in games of two as well: a search may favour the mover.
    """
    open_ended = [sample for sample in samples if 0.0 < sample.value < 1.0]
    if not open_ended:
        return Curve()
    games, values, won = (np.array(column) for column in zip(*open_ended, strict=True))
    logits = np.log(values / (1.0 - values))
    bent = np.column_stack([logits, np.ones(len(logits)), np.tanh(logits)])
    straight = bent[:, :2]
    gains = _unseen_losses(games, straight, won) - _unseen_losses(games, bent, won)
    weights = _likeliest(bent if gains.sum() > math.sqrt((gains**2).sum()) else straight, won)
    return Curve(*(round(weight, 4) for weight in weights.tolist()))


def _likeliest(features: Numbers, won: Numbers) -> Numbers:
    """Slope, bias, and, with a third feature, bend."""
    weights = fit(features, won, np.eye(1, features.shape[1])[0], PRIOR)
    weights[0] = np.clip(weights[0], *SLOPES)
    weights[2:] = np.maximum(weights[2:], LEAST_SLOPE - weights[0])
    return weights


def _unseen_losses(games: Numbers, features: Numbers, won: Numbers) -> Numbers:
    """By game the logarithmic loss of a curve that was not fitted to it."""
    losses = np.zeros(len(won))
    # Not the folds of the judgement: the games of one of those are missing here.
    folds = games // FOLDS % FOLDS
    for fold in np.unique(folds):
        inside = folds == fold
        weights = _likeliest(features[~inside], won[~inside])
        share = np.clip(1.0 / (1.0 + np.exp(-features[inside] @ weights)), NEARLY, 1.0 - NEARLY)
        losses[inside] = -(won[inside] * np.log(share) + (1.0 - won[inside]) * np.log(1.0 - share))
    by_game = np.zeros(int(games.max()) + 1)
    np.add.at(by_game, games.astype(np.int64), losses)
    return by_game


class Forecast(NamedTuple):
    """A probability that was rated, and what came."""

    game: int
    share: float
    points: float


def forecasts(samples: Iterable[Rated], curve: Curve) -> list[Forecast]:
    """What a curve says of positions."""
    return [Forecast(sample.game, curve.of_value(sample.value, players=1), sample.points) for sample in samples]


def cross_validated(samples: Sequence[Rated]) -> list[Forecast]:
    """Each position by the curve of the games that are in other folds."""
    predictions = []
    for fold in range(FOLDS):
        curve = fitted([sample for sample in samples if sample.game % FOLDS != fold])
        predictions += forecasts([sample for sample in samples if sample.game % FOLDS == fold], curve)
    return predictions


def reliability(rated: Sequence[Forecast]) -> list[dict[str, float]]:
    """By tenths of the rated probability: the mean that was rated, the share that was won, and the positions."""
    shares = [(sample.share, sample.points) for sample in rated]
    rows = []
    for place in range(BINS):
        low, high = place / BINS, (place + 1) / BINS
        inside = [(share, won) for share, won in shares if low <= share < high or (place == BINS - 1 and share == 1.0)]
        if inside:
            rated_mean, won_mean = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            rows.append({"low": low, "high": high, "rated": rated_mean, "won": won_mean, "positions": len(inside)})
    return rows


def near_70(rated: Iterable[Forecast]) -> dict[str, Any]:
    """Of the positions rated 65 to 75 %: their number, how many games they are of, and the share that was won."""
    near = [sample for sample in rated if 0.65 <= sample.share < 0.75]
    return {
        "positions": len(near),
        "games": len({sample.game for sample in near}),
        "won": sum(sample.points for sample in near) / len(near) if near else None,
    }


def calibrated(
    games: int, seed: int, executor: Executor, journal: Journal, wanted: Sequence[str]
) -> list[dict[str, Any]]:
    """A row per class: the curve of all games, and how curves fit the games that they were not fitted to."""
    classes = [group for group in CLASSES if group.game in names() and (not wanted or group.game in wanted)]
    tasks = {group: group.tasks(games, seed) for group in classes}
    journal.run(executor, rated, [task for some in tasks.values() for task in some])
    rows = []
    for group in classes:
        samples = sorted(Rated(*sample) for part in journal.of(tasks[group]) for sample in part)
        if not samples:
            continue
        curve, used = fitted(samples), curve_of(make(group.game, group.preset))
        judged = cross_validated(samples)
        bins = reliability(judged)
        rows.append(
            {
                "game": group.game,
                "preset": group.preset,
                "agents": [*group.agents],
                "games": len({sample.game for sample in samples}),
                "positions": len(samples),
                "slope": curve.slope,
                "bias": curve.bias,
                "bend": curve.bend,
                "shipped": [used.slope, used.bias, used.bend],
                "near_70": near_70(judged),
                "shipped_near_70": near_70(forecasts(samples, used)),
                "error": sum(abs(row["rated"] - row["won"]) * row["positions"] for row in bins) / len(samples),
                "bins": bins,
            }
        )
        print(group.game, group.preset, curve, rows[-1]["near_70"], rows[-1]["error"], flush=True)
    return rows
