"""`check_game`: random matches, and every sentence of `core/game.py` tried on each of their positions."""

from collections.abc import Iterator
from typing import Final

from ludex.core.conformance.information import (
    observation_finite,
    observation_form,
    observation_private,
    perfect_view,
    sample_deterministic,
    secret_declared,
    secret_hidden,
    secret_varies,
    state_sampled,
)
from ludex.core.conformance.report import BlockedError, Check, Report
from ludex.core.conformance.rules import (
    abort_declared,
    answers_deterministic,
    apply_deterministic,
    apply_undrawn,
    arguments_unchanged,
    chance_sampled,
    declarations,
    file_equal,
    first_turn,
    global_chance,
    illegal_refused,
    initial_deterministic,
    initial_made,
    initial_undrawn,
    legal_accepted,
    length,
    mask_end,
    mask_form,
    mask_live,
    mask_private,
    outcome_form,
    phase,
    range_refused,
    refusal_unchanged,
    replay_equal,
    turn,
    zero_sum,
)
from ludex.core.conformance.serialization import (
    dump_json,
    dump_private,
    garbage_refused,
    legality_unparsed,
    load_plays_on,
    load_refuses,
    load_restores,
    load_total,
    load_unchanged,
    text_form,
    text_parsed,
    text_unique,
)
from ludex.core.conformance.walk import Play, Trial, VarySecret, Visit, answer_of
from ludex.core.game import AnyGame
from ludex.core.seeding import MAX_SEED

BEFORE: Final[tuple[Check, ...]] = (declarations,)
"""Tried once, before any play."""
AT_FIRST: Final[tuple[Check, ...]] = (initial_made, initial_deterministic, initial_undrawn)
"""Tried on every play before its first position."""
EVERYWHERE: Final[tuple[Check, ...]] = (
    arguments_unchanged,
    refusal_unchanged,
    turn,
    first_turn,
    phase,
    mask_form,
    mask_live,
    mask_end,
    mask_private,
    outcome_form,
    zero_sum,
    illegal_refused,
    range_refused,
    legal_accepted,
    abort_declared,
    apply_deterministic,
    apply_undrawn,
    answers_deterministic,
    global_chance,
    text_form,
    text_unique,
    text_parsed,
    garbage_refused,
    legality_unparsed,
    dump_json,
    dump_private,
    load_restores,
    load_refuses,
    load_total,
    load_unchanged,
    observation_form,
    observation_finite,
    observation_private,
    perfect_view,
    secret_hidden,
    state_sampled,
    sample_deterministic,
)
"""Tried on every position."""
AT_LAST: Final[tuple[Check, ...]] = (length, replay_equal, file_equal, load_plays_on)
"""Tried on every play after its last position."""
AFTER: Final[tuple[Check, ...]] = (chance_sampled, secret_declared, secret_varies)
"""Tried once, when all plays are done."""
CHECKS: Final = (*BEFORE, *AT_FIRST, *EVERYWHERE, *AT_LAST, *AFTER)

_FATAL: Final = ("declarations", "initial_made", "arguments_unchanged", "refusal_unchanged")
"""Where these fail, nothing else can be believed."""


def check_game(
    game: AnyGame,
    *,
    plays: int = 20,
    positions: int | None = None,
    seed: int = 0,
    vary_secret: VarySecret | None = None,
) -> None:
    """Play random matches and raise `ConformanceError` for what breaks the contract.

    Every position is checked or, for games that are long and wide, about as many of a play's as `positions`: half of
    them its first, half at even distances, and all at which the phase changes or the play ends. A game with hidden
    information needs `vary_secret(game, state, player, rng) -> state`.
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
    report.conclude()


def _check_play(report: Report, play: Play, positions: int | None) -> None:
    for check in AT_FIRST:
        report.run(check, play, play.where)
    if report.failed(*_FATAL):
        return
    for visit in play.walk() if positions is None else _some(play, positions):
        for check in EVERYWHERE:
            report.run(check, visit, visit.where)
            if report.failed(*_FATAL):
                return
    for check in AT_LAST:
        report.run(check, play, play.where)


def _some(play: Play, positions: int) -> Iterator[Visit]:
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
