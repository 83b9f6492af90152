"""Checks of the rules: declarations, turns, masks, moves and outcomes."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ludex.core.conformance.determinism import out_of_range
from ludex.core.conformance.report import BlockedError, describe_error
from ludex.core.conformance.walk import Play, Trial, Visit, answer_of
from ludex.core.errors import DeclaredAbort, IllegalAction
from ludex.core.game import Action, GameInfo, Outcome


def declarations(trial: Trial) -> Iterator[str]:
    """The declarations are of the declared types and stay the same."""
    info: Any = trial.game.info
    if not isinstance(info, GameInfo):
        yield f"info is {type(info).__name__}, expected GameInfo"
        return
    for name in ("id", "preset"):
        if not _is_token(getattr(info, name)):
            yield f"{name} is {getattr(info, name)!r}, expected an ASCII text without spaces"
    for name, least in (("version", 0), ("num_actions", 1), ("max_plies", 1)):
        value = getattr(info, name)
        if type(value) is not int or value < least:
            yield f"{name} is {value!r}, expected a whole number of at least {least}"
    choices: dict[str, tuple[Any, ...]] = {
        "players": (1, 2),
        "chance": ("none", "sampled"),
        "information": ("perfect", "hidden"),
        "zero_sum": (True, False),
    }
    for name, known in choices.items():
        value = getattr(info, name)
        if not any(type(value) is type(choice) and value == choice for choice in known):
            yield f"{name} is {value!r}, expected one of {', '.join(map(repr, known))}"
    for name in ("phases", "aborts"):
        value = getattr(info, name)
        if not isinstance(value, tuple) or not all(_is_token(text) for text in value) or len({*value}) < len(value):
            yield f"{name} is {value!r}, expected a tuple of different ASCII texts without spaces"
    if not info.phases:
        yield "phases is empty, expected at least one"
    if trial.game.info != info:
        yield f"info changed from {info} to {trial.game.info}"


def _is_token(text: object) -> bool:
    return isinstance(text, str) and text.isascii() and text.isprintable() and bool(text) and " " not in text


def turn(visit: Visit) -> Iterator[str]:
    """The player to move is one of the players."""
    if not visit.live:
        return
    mover = visit.game.to_move(visit.state)
    if type(mover) is bool or not isinstance(mover, int) or mover not in visit.players:
        yield f"to_move is {mover!r}, expected one of {list(visit.players)}"


def first_turn(visit: Visit) -> Iterator[str]:
    """Players are numbered in the order of their first turn."""
    if visit.ply == 0 and visit.live and visit.mover in visit.players and visit.mover != 0:
        yield f"player {visit.mover} moves first, expected player 0"


def phase(visit: Visit) -> Iterator[str]:
    """The phase is one of those declared."""
    current = visit.game.phase(visit.state)
    if current not in visit.info.phases:
        yield f"phase is {current!r}, expected one of {list(visit.info.phases)}"


def mask_form(visit: Visit) -> Iterator[str]:
    """The mask is bool[num_actions]."""
    mask: Any = visit.game.legal(visit.state)
    if not isinstance(mask, np.ndarray):
        yield f"legal gave {type(mask).__name__}, expected an array"
    elif mask.dtype != np.bool_ or mask.shape != (visit.info.num_actions,):
        yield f"legal gave {mask.dtype}{list(mask.shape)}, expected bool[{visit.info.num_actions}]"


def mask_live(visit: Visit) -> Iterator[str]:
    """A live game has a legal action."""
    if visit.live and not visit.mask.any():
        yield "the game is live and no action is legal"


def mask_end(visit: Visit) -> Iterator[str]:
    """A game that is over has none."""
    if not visit.live and visit.mask.any():
        yield f"the game is over ({visit.outcome}) and {int(visit.mask.sum())} actions are legal, expected none"


def mask_private(visit: Visit) -> Iterator[str]:
    """Changing the returned mask changes nothing else."""
    expected, mask = visit.mask, answer_of(visit.game.legal, visit.state)
    if not mask.flags.writeable:
        return
    mask[:] = ~expected
    again = np.array_equal(visit.game.legal(visit.state), expected)
    mask[:] = expected
    if not again:
        yield "a change of the returned mask changed the game's next answer"


def illegal_refused(visit: Visit) -> Iterator[str]:
    """An action outside the mask raises `IllegalAction`."""
    yield from _not_refused(visit, visit.some_illegal)


def range_refused(visit: Visit) -> Iterator[str]:
    """An index that is no action raises `IllegalAction`."""
    yield from _not_refused(visit, out_of_range(visit.info.num_actions))


def legal_accepted(visit: Visit) -> Iterator[str]:
    """An action of the mask is executed, or ends the match by an abort."""
    for action in visit.some_legal:
        try:
            visit.game.apply(visit.state, action, visit.chance())
        except DeclaredAbort:
            continue
        except Exception as error:
            yield f"legal action {action} raised {describe_error(error)}"


def abort_declared(visit: Visit) -> Iterator[str]:
    """Only aborts that the game declares are raised."""
    for action in visit.some_legal:
        try:
            visit.game.apply(visit.state, action, visit.chance())
        except DeclaredAbort as abort:
            if abort.code not in visit.info.aborts:
                yield f"action {action} aborted with code {abort.code!r}, declared are {list(visit.info.aborts)}"
        except Exception:
            # Owned by `legal_accepted`.
            continue


def _not_refused(visit: Visit, actions: Iterable[Action]) -> Iterator[str]:
    for action in actions:
        try:
            visit.game.apply(visit.state, action, visit.chance())
        except IllegalAction:
            continue
        except Exception as error:
            yield f"action {action} raised {describe_error(error)}, expected IllegalAction"
        else:
            yield f"action {action} is illegal and was executed, expected IllegalAction"


def outcome_form(visit: Visit) -> Iterator[str]:
    """An outcome has one score in -1..1 a player, and a reason."""
    outcome: Any = visit.game.outcome(visit.state)
    if outcome is None:
        return
    if not isinstance(outcome, Outcome):
        yield f"outcome is {outcome!r}, expected an Outcome or None"
        return
    if not isinstance(outcome.scores, tuple) or len(outcome.scores) != visit.info.players:
        yield f"scores are {outcome.scores!r}, expected a tuple of {visit.info.players}"
        return
    for player, score in enumerate(outcome.scores):
        if type(score) is bool or not isinstance(score, int | float) or not -1.0 <= score <= 1.0:
            yield f"the score of player {player} is {score!r}, expected a number in -1..1"
    if not isinstance(outcome.reason, str) or not outcome.reason.strip():
        yield f"the reason is {outcome.reason!r}, expected a word or two"


def zero_sum(visit: Visit) -> Iterator[str]:
    """Scores add up to zero where that is declared."""
    if visit.info.zero_sum and visit.outcome is not None:
        total = sum(visit.outcome.scores)
        if not math.isclose(total, 0.0, abs_tol=1e-9):
            yield f"scores {list(visit.outcome.scores)} add up to {total}, declared zero_sum"


def length(play: Play) -> Iterator[str]:
    """No match is longer than `max_plies`."""
    if not play.visits:
        raise BlockedError("there is no first position")
    last = play.visits[-1]
    if last.ply == play.game.info.max_plies and last.live:
        yield f"the match is live after {last.ply} plies, declared max_plies is {play.game.info.max_plies}"
