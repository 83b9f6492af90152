"""Tables of the levels, each against the one below, and the ratings that follow from them."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.documents import RESULTS, read
from benchmarks.tables.formatting import Row, interval, percent, within
from ludex.core.registry import spec

NORMAL95 = 1.96


def ladder(folder: Path, game: str) -> Iterator[Row]:
    """A game's levels: the agent behind each, and its score against the level below."""
    measured, levels = read("levels", folder)[game], spec(game).levels
    if "evaluations" in measured:
        yield from _alone(measured["evaluations"], game)
        return
    yield "level", "agent", "rating", "against the level below", "score", "95 %", "games, seed"
    rated = ratings(folder)[game]
    first, *_ = levels
    yield f"`{first}`", _agent(game, first), f"{rated[first]:+.0f}", "", "", "", ""
    for match in measured["matches"]:
        level, below = match["agents"]
        won, lost = match["wins"]
        record = f"`{below}`: {won} won, {match['draws']} drawn, {lost} lost"
        played = f"{match['games']}, {match['seed']}"
        shares = (percent(match["score"]), interval(match["ci95"]))
        yield f"`{level}`", _agent(game, level), f"{rated[level]:+.0f}", record, *shares, played


def ratings(folder: Path = RESULTS) -> dict[str, dict[str, float]]:
    """By game and level, the Elo points that the scores give, from an anchor on the scale of the leaderboard."""
    measured = {}
    for game, document in read("levels", folder).items():
        if not document.get("matches"):
            continue
        steps = [(match["agents"], match["elo"]) for match in document["matches"]]
        climbed = {steps[0][0][1]: 0.0}
        for (level, below), elo in steps:
            climbed[level] = climbed[below] + elo
        anchor = document["anchor"]
        shift = anchor["rating"] - climbed[anchor["level"]]
        measured[game] = {level: float(round(height + shift)) for level, height in climbed.items()}
    return measured


def _alone(evaluations: list[Any], game: str) -> Iterator[Row]:
    """Levels of a game for one: shares of games won, and the score on the same boards, equal results as draws."""
    yield "level", "agent", "games won", "score against the level below", "games, seed"
    (first, *_), steps = evaluations, pairwise(evaluations)
    scores = [
        "",
        *(f"{percent(score)} {within((score - reach, score + reach))}" for score, reach in map(step_score, steps)),
    ]
    for row, score in zip([first, *evaluations[1:]], scores, strict=True):
        level, shares = row["agent"], f"{percent(row['win_rate'])} {within(row['ci95'])}"
        yield f"`{level}`", _agent(game, level), shares, score, f"{row['games']}, {row['seed']}"


def step_score(step: tuple[Any, Any]) -> tuple[float, float]:
    """The score of the second of two levels, and the reach of its interval to each side."""
    below, level = step
    shares = [(rung["win_rate"], rung["games"]) for rung in (below, level)]
    deviation = sum(share * (1 - share) / games for share, games in shares) ** 0.5 / 2
    return 0.5 + (shares[1][0] - shares[0][0]) / 2, NORMAL95 * deviation


def _agent(game: str, level: str) -> str:
    from ludex.core.options import join_reference

    measured = spec(game).levels[level]
    return f"`{join_reference(measured.agent, measured.options)}`"


tictactoe_levels, quoridor_levels, minesweeper_levels, skirmish_small_levels = (
    partial(ladder, game=game) for game in ("tictactoe", "quoridor", "minesweeper", "skirmish")
)
