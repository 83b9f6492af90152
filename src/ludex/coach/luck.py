"""Skill and luck apart: what a move was worth before the dice, and what chance then made of it.

The worth of a move is the average over draws of the position behind the view and of the dice. The draws are not those
of the match, so the difference to what came is zero in expectation, whichever evaluation is used.
"""

from collections.abc import Callable
from typing import Any

from ludex.core.errors import DeclaredAbort
from ludex.core.game import Action, AnyGame, Player, points, sample_state
from ludex.core.seeding import Rng

Evaluate = Callable[[Any, Player], float]
"""The probability that a player wins from a position."""
ABORTED = 0.5
"""Of a match that ended without a score."""


def ended(game: AnyGame, state: Any, player: Player) -> float | None:
    """The points of a player in 0..1 where the game is over, or None."""
    outcome = game.outcome(state)
    return None if outcome is None else points(outcome.scores[player])


def draws(game: AnyGame, state: Any, action: Action, rng: Rng) -> bool:
    """Whether chance or a secret has a part in what follows an action."""
    if game.info.information == "hidden":
        return True
    if game.info.chance == "none":
        return False
    dice = Rng(rng.bits())
    begin = dice.state
    try:
        game.apply(state, action, dice)
    except DeclaredAbort:
        return False
    return dice.state != begin


def worth(game: AnyGame, state: Any, action: Action, evaluate: Evaluate, samples: int, rng: Rng) -> float:
    """The mover's win probability that an action gives on average, by draws that say nothing about the match."""
    player = game.to_move(state)
    view = game.view(state, player)
    if not draws(game, state, action, rng):
        return _draw_value(game, view, action, player, evaluate, rng)
    return sum(_draw_value(game, view, action, player, evaluate, rng) for _ in range(samples)) / samples


def luck(game: AnyGame, before: Any, action: Action, after: Any, evaluate: Evaluate, samples: int, rng: Rng) -> float:
    """What chance gave the mover, in win probability: zero in expectation."""
    player = game.to_move(before)
    came = ended(game, after, player)
    if came is None:
        came = evaluate(after, player)
    return came - worth(game, before, action, evaluate, samples, rng)


def _draw_value(game: AnyGame, view: Any, action: Action, player: Player, evaluate: Evaluate, rng: Rng) -> float:
    state = sample_state(game, view, rng)
    try:
        after = game.apply(state, action, Rng(rng.bits()))
    except DeclaredAbort:
        return ABORTED
    result = ended(game, after, player)
    return evaluate(after, player) if result is None else result
