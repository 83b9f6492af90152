"""`check_game`: random matches, and every sentence of `core/game.py` tried on each of their positions."""

from collections.abc import Iterator
from typing import Final

from ludex.core.conformance import information, rules, serialization
from ludex.core.conformance.report import BlockedError, Check, Report, checks_of
from ludex.core.conformance.walk import Play, Trial, VarySecret, Visit, answer_of
from ludex.core.game import AnyGame
from ludex.core.seeding import MAX_SEED

_FATAL: Final = ("declarations", "initial_made", "arguments_unchanged", "refusal_unchanged")
"""Where these fail, nothing else can be believed."""
_OF_TRIAL: Final = checks_of(Trial, rules, information)
_OF_PLAY: Final = checks_of(Play, rules, serialization)

BEFORE: Final[tuple[Check, ...]] = (rules.declarations,)
"""Tried once, before any play."""
AT_FIRST: Final = tuple(check for check in _OF_PLAY if check.__name__.startswith("initial_"))
"""Tried on every play before its first position."""
EVERYWHERE: Final[tuple[Check, ...]] = tuple(
    sorted(checks_of(Visit, rules, serialization, information), key=lambda check: check.__name__ not in _FATAL)
)
"""Tried on every position."""
AT_LAST: Final = tuple(check for check in _OF_PLAY if check not in AT_FIRST)
"""Tried on every play after its last position."""
AFTER: Final = tuple(check for check in _OF_TRIAL if check not in BEFORE)
"""Tried once, when all plays are done."""
AT_ENDS: Final[tuple[Check, ...]] = (rules.mask_live, rules.mask_end, rules.outcome_form, rules.zero_sum)
"""Tried where further plays end, since each may end otherwise."""
CHECKS: Final = (*_OF_TRIAL, *_OF_PLAY, *EVERYWHERE)


def check_game(
    game: AnyGame,
    *,
    plays: int = 20,
    positions: int | None = None,
    ends: int = 0,
    seed: int = 0,
    vary_secret: VarySecret | None = None,
) -> None:
    """Play random matches and raise `ConformanceError` for what breaks the contract.

    Every position is checked or, for games that are long and wide, about as many of a play's as `positions`: half of
    them its first, half at even distances, and all at which the phase changes or the play ends. A game with hidden
    information needs `vary_secret(game, state, player, rng) -> state`. Of `ends` more plays, the last position is.
    """
    if positions is not None and positions < 1:
        raise ValueError(f"positions must be at least 1, got {positions}")
    if plays < 1:
        raise ValueError(f"plays must be at least 1, got {plays}")
    report, trial = Report("the game"), Trial(game, vary_secret)
    for check in BEFORE:
        report.run(check, trial)
    if not report.failed(*_FATAL):
        report.subject = f"game {game.info.id} {game.info.preset}"
        for number in range(plays):
            _check_play(report, Play(trial, (seed + number) & MAX_SEED), positions)
            if report.failed(*_FATAL):
                break
        else:
            for check in AFTER:
                report.run(check, trial, f"{plays} plays from seed {seed}")
            for number in range(plays, plays + ends):
                _check_end(report, Play(trial, (seed + number) & MAX_SEED))
    report.conclude()


def _check_play(report: Report, play: Play, positions: int | None) -> None:
    for check in AT_FIRST:
        report.run(check, play, play.where)
    if report.failed(*_FATAL):
        return
    for visit in play.walk() if positions is None else _select_visits(play, positions):
        for check in EVERYWHERE:
            report.run(check, visit, visit.where)
            if report.failed(*_FATAL):
                return
    for check in AT_LAST:
        report.run(check, play, play.where)


def _check_end(report: Report, play: Play) -> None:
    for visit in play.walk():
        last = visit
    for check in AT_ENDS:
        report.run(check, last, last.where)


def _select_visits(play: Play, positions: int) -> Iterator[Visit]:
    """The first visits, since plays may be short, some at even distances, and where a phase begins or the play ends."""
    first = positions // 2
    distance = -(-play.game.info.max_plies // (positions - first))
    before: str | None = None
    for visit in play.walk():
        now = _phase_of(visit)
        if visit.ply < first or visit.ply % distance == 0 or now != before or not visit.live:
            yield visit
        before = now


def _phase_of(visit: Visit) -> str | None:
    try:
        return answer_of(visit.game.phase, visit.state)
    except BlockedError:
        # Owned by `phase`, which runs at the first position in any case.
        return None
