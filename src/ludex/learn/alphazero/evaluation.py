"""Matches between networks of a run: pairs of games that the batched search plays, and what they prove."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ludex.arena.sprt import Evidence, Sprt
from ludex.arena.statistics import elo, interval95
from ludex.core.game import AnyGame, legal_actions
from ludex.core.seeding import generator
from ludex.learn.alphazero.config import EvaluationConfig, require_value
from ludex.learn.alphazero.selfplay import SCORES, Scale
from ludex.learn.runs import Row
from ludex.search.batched import BatchedSearch, Evaluate, SearchOptions, Submits, positions_of

OPENINGS_STREAM = 82


def play_pairs(
    game: AnyGame,
    first: Evaluate | Submits,
    second: Evaluate | Submits,
    config: EvaluationConfig,
    *,
    threads: int,
    seed: int,
    scale: Scale = SCORES,
    is_late: Callable[[], bool] = lambda: False,
) -> list[float]:
    """The points in 0..1 of the first network over each pair: one opening, swapped seats.

    Of one player, each network plays a game of the pair, and the higher score has the point. A game that ends without a
    score counts as drawn. None at all if it gets late before every game has ended: games that end early are not like
    the others.
    """
    games = require_value(config.games)
    options = SearchOptions(simulations=config.simulations, rule="puct", noise_share=0.0, threads=threads)
    # Each network has a tree of its own; both follow the same moves.
    searches = [BatchedSearch(positions_of(game, games), games, options, seed) for _ in range(2)]
    for search in searches:
        search.rescale(*scale)
    seats = np.arange(games) % 2
    """The first network's player in each game."""
    scores = np.full(games, np.nan)
    """Of the first player."""
    for ply in range(game.info.max_plies):
        if is_late():
            return []
        players = searches[0].players.copy()
        if ply < config.opening_plies:
            actions = _by_chance(game, searches[0], seed, ply)
        else:
            choices = [search.run(network).actions for search, network in zip(searches, (first, second), strict=True)]
            actions = np.where(players == seats, *choices)
        for search in searches:
            advanced = search.advance(actions)
        ended = advanced.finished & np.isnan(scores)
        scores[ended] = advanced.outcomes[ended]
        if not np.isnan(scores).any():
            break
    own, others = scores.reshape(-1, 2).T
    gains = np.sign(own - others) if game.info.players == 1 else (own - others) / 2
    pairs: list[float] = ((gains + 1) / 2).tolist()
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
