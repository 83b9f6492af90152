"""Matches between networks of a run: side-swapped pairs of games at once, judged by the arena's sequential test."""

import numpy as np
from numpy.typing import NDArray

from ludex.arena.sprt import Evidence, Sprt
from ludex.arena.statistics import elo, interval95
from ludex.core.game import AnyGame, legal_actions
from ludex.core.seeding import generator
from ludex.learn.alphazero.config import EvaluationConfig
from ludex.learn.runs import Row
from ludex.search.batched import BatchedSearch, Evaluate, SearchOptions, Submits, positions_of

OPENINGS_STREAM = 82


def know_nothing(
    observations: NDArray[np.float32], masks: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A network that knows nothing: every move is alike, every position even."""
    return np.zeros(masks.shape, np.float32), np.zeros(len(masks), np.float32)


def play_pairs(
    game: AnyGame,
    first: Evaluate | Submits,
    second: Evaluate | Submits,
    config: EvaluationConfig,
    *,
    threads: int,
    seed: int,
) -> list[float]:
    """The points in 0..1 of the first network over each pair: one opening, swapped seats."""
    games = config.games
    options = SearchOptions(simulations=config.simulations, rule="puct", noise_share=0.0, threads=threads)
    # Each network has a tree of its own; both follow the same moves.
    searches = [BatchedSearch(positions_of(game, games), games, options, seed) for _ in range(2)]
    seats = np.arange(games) % 2
    """The first network's player in each game."""
    points = np.full(games, np.nan)
    for ply in range(game.info.max_plies):
        players = searches[0].players.copy()
        if ply < config.opening_plies:
            actions = _by_chance(game, searches[0], seed, ply)
        else:
            choices = [search.run(network).actions for search, network in zip(searches, (first, second), strict=True)]
            actions = np.where(players == seats, *choices)
        for search in searches:
            advanced = search.advance(actions)
        ended = advanced.finished & np.isnan(points)
        scores = np.where(seats == 0, advanced.outcomes, -advanced.outcomes)
        points[ended] = (scores[ended] + 1) / 2
        if not np.isnan(points).any():
            break
    pairs: list[float] = points.reshape(-1, 2).mean(1).tolist()
    return pairs


def _by_chance(game: AnyGame, search: BatchedSearch, seed: int, ply: int) -> NDArray[np.int64]:
    """Random legal moves, the same in both games of a pair."""
    actions = np.zeros(search.games, np.int64)
    for row in range(search.games):
        choices = legal_actions(game.legal(search.position(row)))
        actions[row] = generator(seed, ply, OPENINGS_STREAM, lane=row // 2).choice(choices)
    return actions


def judge_pairs(pairs: list[float], config: EvaluationConfig, opponent: str) -> Row:
    """The row of metrics of a match: the score with its interval, Elo points, and the sequential test's verdict."""
    evidence = Evidence(Sprt(config.elo0, config.elo1))
    for score in pairs:
        if evidence.verdict != "undecided":
            break
        evidence = evidence.after(score)
    score = float(np.mean(pairs))
    low, high = interval95(pairs)
    # A score of all points has no rating: half a point less is the nearest that has one.
    spare = 0.25 / len(pairs)
    return {
        "opponent": opponent,
        "win_rate": score,
        "win_rate_low": low,
        "win_rate_high": high,
        "elo": elo(min(1 - spare, max(spare, score))),
        "verdict": evidence.verdict,
    }
