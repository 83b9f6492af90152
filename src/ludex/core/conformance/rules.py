"""Checks of the rules: declarations, turns, masks, moves and outcomes, and that the same words give the same match.

Positions are values, seed and actions replay a match, and chance comes from the argument.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final, TypeAlias

import numpy as np

from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.randomness import AmbientChance, DrawnError, Trap
from ludex.core.conformance.report import BlockedError, attempt, describe_error
from ludex.core.conformance.walk import PROBE, SAMPLE, Play, Question, Trial, Visit, answer_of, overwritten
from ludex.core.errors import DeclaredAbort, IllegalAction
from ludex.core.game import Action, GameInfo, ListsOutcomes, Outcome
from ludex.core.match import Match
from ludex.core.record import MatchFile, Record, match_file, replay
from ludex.core.seeding import Rng, generator

DRAWS: Final = 300
"""As often a move is made to count its outcomes."""
LEAST_EXPECTED: Final = 5.0
"""Outcomes that are expected less often are counted as one."""
MOST_DEVIATION: Final = 6.0
"""Right probabilities deviate by more in one of a hundred million tries."""

Tries: TypeAlias = Iterator[tuple[Action, Exception | None]]


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
        yield "live, but no legal action"


def mask_end(visit: Visit) -> Iterator[str]:
    """A game that is over has none."""
    if not visit.live and visit.mask.any():
        yield f"the game is over ({visit.outcome}) and {int(visit.mask.sum())} actions are legal, expected none"


def mask_private(visit: Visit) -> Iterator[str]:
    """Changing the returned mask changes nothing else."""
    expected, mask = visit.mask, answer_of(visit.game.legal, visit.state)
    with overwritten(mask):
        again = np.array_equal(visit.game.legal(visit.state), expected)
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
    for action, error in _try_actions(visit, visit.some_legal):
        if error is not None and not isinstance(error, DeclaredAbort):
            yield f"legal action {action} raised {describe_error(error)}"


def abort_declared(visit: Visit) -> Iterator[str]:
    """Only aborts that the game declares are raised."""
    for action, error in _try_actions(visit, visit.some_legal):
        if isinstance(error, DeclaredAbort) and error.code not in visit.info.aborts:
            yield f"action {action} aborted with code {error.code!r}, declared are {list(visit.info.aborts)}"


def _try_actions(visit: Visit, actions: Iterable[Action], rng: Callable[[], Rng] | None = None) -> Tries:
    """Try each action, with the generator of the coming ply or another one; what applying it raised, or None."""
    for action in actions:
        after = attempt(visit.game.apply, visit.state, action, (rng or visit.chance)())
        yield action, after if isinstance(after, Exception) else None


def _not_refused(visit: Visit, actions: Iterable[Action]) -> Iterator[str]:
    for action, error in _try_actions(visit, actions):
        if error is None:
            yield f"action {action} is illegal and was executed, expected IllegalAction"
        elif not isinstance(error, IllegalAction):
            yield f"action {action} raised {describe_error(error)}, expected IllegalAction"


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


def arguments_unchanged(visit: Visit) -> Iterator[str]:
    """No function of the game changes the position or the view it is given."""
    before = fingerprint(visit.state)
    texts = ["??", *sorted(visit.earlier_texts)[:SAMPLE]] if visit.live else []
    parsing: list[Question] = [("parse_action", "", partial(visit.game.parse_action, visit.state, t)) for t in texts]
    for name, questions in groupby(chain(visit.questions(), parsing), key=itemgetter(0)):
        for _, _, call in questions:
            # What a call raises is for its own check; here only its traces count.
            attempt(call)
        if fingerprint(visit.state) != before:
            yield f"{name} changed the position it was given"
            return
    for player in visit.players:
        with suppress(Exception):
            view = visit.game.view(visit.state, player)
            print_before = fingerprint(view)
            visit.game.observe(view)
            if fingerprint(view) != print_before:
                yield f"observe changed the view of player {player} that it was given"


def refusal_unchanged(visit: Visit) -> Iterator[str]:
    """A refused action leaves the position as it was."""
    before, dumped = fingerprint(visit.state), fingerprint(visit.dump)
    actions = [*visit.some_illegal, *out_of_range(visit.info.num_actions)]
    for _ in _try_actions(visit, actions):
        # What it raises is for `illegal_refused`.
        pass
    if fingerprint(visit.state) != before or fingerprint(visit.game.dump(visit.state)) != dumped:
        yield f"apply changed the position when it was given illegal actions {actions}"


def out_of_range(num_actions: int) -> list[int]:
    """Indices that are no actions, among them those that Python would count from the end."""
    return [-1, -num_actions, num_actions, num_actions + 7, 1 << 64]


def replay_equal(play: Play) -> Iterator[str]:
    """A record of the match is replayed to the same positions."""
    match = _match(play)
    yield from _differences(play, match, "played again")
    record = Record.of(match, _seats(play))
    yield from _differences(play, replay(play.game, record), "replayed from its record")


def file_equal(play: Play) -> Iterator[str]:
    """A match file is replayed to the same positions."""
    written = match_file(_match(play), _seats(play))
    match = MatchFile.parse(json.loads(written), "the match file").replay(play.game)
    yield from _differences(play, match, "replayed from its file")


def _match(play: Play) -> Match[Any, Any]:
    play.require_finished()
    match: Match[Any, Any] = Match(play.game, play.seed)
    for action in play.actions:
        match.play(action)
    return match


def _differences(play: Play, match: Match[Any, Any], how: str) -> Iterator[str]:
    for visit, state in zip(play.visits, match.positions, strict=False):
        if fingerprint(play.game.dump(state)) != fingerprint(visit.dump):
            yield f"{how}, the match has another position at ply {visit.ply}"
    if match.actions != tuple(play.actions) or not match.over:
        yield f"{how}, the match has actions {list(match.actions)}, expected {play.actions} and its end"


def _seats(play: Play) -> tuple[str, ...]:
    return ("random",) * play.game.info.players


def initial_made(play: Play) -> Iterator[str]:
    """There is a first position."""
    play.game.initial(play.chance())
    yield from ()


def initial_deterministic(play: Play) -> Iterator[str]:
    """The same words give the same first position."""
    dumps = []
    for ambient_seed in (1, 2):
        with AmbientChance(ambient_seed):
            dumps.append(fingerprint(answer_of(play.game.dump, answer_of(play.game.initial, play.chance()))))
    if dumps[0] != dumps[1]:
        yield "initial gave two positions for the same generator"


def initial_undrawn(play: Play) -> Iterator[str]:
    """The first position needs no chance where none is declared."""
    if play.game.info.chance == "none":
        first = attempt(play.game.initial, Trap())
        if isinstance(first, DrawnError):
            yield f"initial: {first}, declared chance is 'none'"
        elif isinstance(first, Exception):
            raise BlockedError("there is no first position") from first


def apply_deterministic(visit: Visit) -> Iterator[str]:
    """The same position, action and generator give the same next position."""
    for name in visit.repetition[0]:
        if name.startswith("apply"):
            yield f"{name} gave two positions for the same generator"


def apply_undrawn(visit: Visit) -> Iterator[str]:
    """A move needs no chance where none is declared."""
    for action, error in _try_actions(visit, visit.some_legal if visit.info.chance == "none" else [], Trap):
        if isinstance(error, DrawnError):
            yield f"apply of action {action}: {error}, declared chance is 'none'"


def answers_deterministic(visit: Visit) -> Iterator[str]:
    """The same question gets the same answer."""
    for name in visit.repetition[0]:
        if not name.startswith("apply"):
            yield f"{name} gave two answers for the same position"


def global_chance(visit: Visit) -> Iterator[str]:
    """Nothing draws from the generators of the process."""
    if drawers := visit.repetition[1]:
        yield f"{', '.join(drawers)} drew from random or numpy.random, expected draws from the argument only"


def outcomes_form(visit: Visit) -> Iterator[str]:
    """The outcomes that a game lists are different positions, with probabilities that sum to 1."""
    if not isinstance(visit.game, ListsOutcomes):
        return
    for action in visit.some_legal:
        outcomes = answer_of(visit.game.chance_outcomes, visit.state, action)
        total = math.fsum(chance for chance, _ in outcomes)
        if not math.isclose(total, 1.0, abs_tol=1e-9) or min(chance for chance, _ in outcomes) <= 0.0:
            yield f"the outcomes of action {action} have probabilities of sum {total}, expected positive ones of sum 1"
        if len({fingerprint(visit.game.dump(state)) for _, state in outcomes}) < len(outcomes):
            yield f"the outcomes of action {action} hold a position twice"


def outcomes_followed(play: Play) -> Iterator[str]:
    """Moves lead to the outcomes that a game lists, as often as it says."""
    visits = [visit for visit in play.visits if visit.legal]
    if not isinstance(play.game, ListsOutcomes) or not visits:
        return
    visit = generator(play.seed, 0, PROBE).choice(visits)
    outcomes = answer_of(play.game.chance_outcomes, visit.state, visit.choice)
    expected: dict[bytes, float] = {}
    for chance, state in outcomes:
        key = fingerprint(play.game.dump(state))
        expected[key] = expected.get(key, 0.0) + chance * DRAWS
    counts: Counter[bytes] = Counter()
    for draw in range(DRAWS):
        after = attempt(play.game.apply, visit.state, visit.choice, generator(play.seed, draw, PROBE))
        if isinstance(after, Exception):
            raise BlockedError("the move cannot be made") from after
        counts[fingerprint(play.game.dump(after))] += 1
    if unlisted := counts.keys() - expected.keys():
        yield f"action {visit.choice} at ply {visit.ply} led {len(unlisted)} times to a position that is not listed"
    elif (deviation := _deviation(expected, counts)) > MOST_DEVIATION:
        yield (
            f"action {visit.choice} at ply {visit.ply} leads to its outcomes with other probabilities than are listed: "
            f"{deviation:.1f} standard deviations in {DRAWS} draws"
        )


def _deviation(expected: Mapping[bytes, float], counts: Mapping[bytes, int]) -> float:
    """Pearson's chi-square of counts in standard deviations (Wilson and Hilferty), rare outcomes taken together."""
    rare = [outcome for outcome, mean in expected.items() if mean < LEAST_EXPECTED]
    means = [(mean, counts.get(outcome, 0)) for outcome, mean in expected.items() if outcome not in rare]
    if rare:
        means.append((sum(expected[outcome] for outcome in rare), sum(counts.get(outcome, 0) for outcome in rare)))
    freedom = len(means) - 1
    if not freedom:
        return 0.0
    square = sum((count - mean) ** 2 / mean for mean, count in means)
    spread = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(spread))


def chance_sampled(trial: Trial) -> Iterator[str]:
    """A game that declares chance uses it."""
    if trial.game.info.chance == "sampled" and not trial.drawn:
        yield "no draw in any play, declared chance is 'sampled'"
