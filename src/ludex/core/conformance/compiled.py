"""`check_compiled`: random plays by compiled rules, compared with the contract at every position."""

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ludex.core.compiled import RUNNING, CompiledRules, Vector
from ludex.core.conformance.ownership import OWNERSHIP, Sightings, owned, ownership_orientation
from ludex.core.conformance.pair import Evaluation, Pair
from ludex.core.conformance.report import Check, Report
from ludex.core.game import AnyGame, legal_actions
from ludex.core.seeding import generator

STREAM: Final = 66
"""The actions of the plays are drawn from this stream."""


def compiled_declared(pair: Pair) -> Iterator[str]:
    """The rules have the actions of the game, which has two players, no chance and no secrets."""
    info, rules = pair.game.info, pair.rules
    if rules.action_size != info.num_actions:
        yield f"action_size is {rules.action_size}, expected {info.num_actions}"
    if (info.players, info.chance, info.information, info.zero_sum) != (2, "none", "perfect", True):
        yield "compiled rules suit zero-sum games of two players with perfect information and without chance only"
    for name, array in (("constants", rules.constants), ("orientation", rules.orientation)):
        if array is not None and (array.dtype != np.int64 or not array.flags.c_contiguous):
            yield f"{name} is {array.dtype}, expected int64 in C order"
    ownership = rules.ownership
    if ownership is not None and ownership.planes < 1:
        yield f"ownership.planes is {ownership.planes}, expected at least 1"
    if ownership is not None and (ownership.cells is None) != (rules.symmetries is None):
        yield "symmetries and ownership.cells belong together: expected both or neither"


def compiled_permutations(pair: Pair) -> Iterator[str]:
    """Orientation and symmetries are permutations, the first symmetry the identity."""
    rules = pair.rules
    arrays = [] if rules.orientation is None else [("orientation", rules.orientation, (2, rules.action_size))]
    if rules.symmetries is not None:
        _, height, width = rules.observation_shape
        count, cells = len(rules.symmetries.actions), int(np.prod(rules.observation_shape))
        arrays.append(("symmetries.actions", rules.symmetries.actions, (count, rules.action_size)))
        arrays.append(("symmetries.cells", rules.symmetries.cells, (count, cells)))
        if rules.ownership is not None and rules.ownership.cells is not None:
            size = rules.ownership.planes * height * width
            arrays.append(("ownership.cells", rules.ownership.cells, (count, size)))
    for name, array, shape in arrays:
        if array.shape != shape:
            yield f"{name} is {list(array.shape)}, expected {list(shape)}"
        elif (np.sort(array, axis=1) != np.arange(shape[1])).any():
            yield f"{name} is no permutation in every row"
        elif name != "orientation" and (array[0] != np.arange(shape[1])).any():
            yield f"the first row of {name} is not the identity"


def compiled_position(pair: Pair) -> Iterator[str]:
    """`unpack` gives the position of the contract."""
    found, expected = pair.game.dump(pair.rules.unpack(pair.state)), pair.game.dump(pair.position)
    if found != expected:
        yield f"the packed position is {found}, expected {expected}"


def compiled_pack(pair: Pair) -> Iterator[str]:
    """`pack` gives a packed position of the declared size that answers as the one that was reached."""
    packed = pair.rules.pack(pair.position)
    if packed.dtype != np.int64 or packed.shape != (pair.rules.state_size,):
        yield f"pack gave {packed.dtype}{list(packed.shape)}, expected int64[{pair.rules.state_size}]"
        return
    if pair.game.dump(pair.rules.unpack(packed)) != pair.game.dump(pair.position):
        yield f"unpack(pack(position)) differs from {pair.game.dump(pair.position)}"
    if _answers(pair, packed) != _answers(pair, pair.state):
        yield "a packed position answers otherwise than the one that actions led to"


def _answers(pair: Pair, state: Vector) -> tuple[Any, ...]:
    rules = pair.rules
    count, mask = pair.legal(state)
    outcome, player = rules.outcome(rules.constants, state), rules.player(rules.constants, state)
    return count, mask.tobytes(), outcome, player if outcome == RUNNING else None, pair.observed(state).tobytes()


def compiled_legal(pair: Pair) -> Iterator[str]:
    """`legal` writes the mask of the contract and counts it."""
    (count, mask), expected = pair.legal(pair.state), pair.game.legal(pair.position)
    if not np.array_equal(mask, expected):
        yield f"the mask is {mask.tolist()}, expected {expected.astype(int).tolist()}"
    elif count != expected.sum():
        yield f"legal returned {count}, expected {int(expected.sum())}"


def compiled_outcome(pair: Pair) -> Iterator[str]:
    """`outcome` is the score of player 0, or RUNNING."""
    outcome, found = pair.game.outcome(pair.position), pair.rules.outcome(pair.rules.constants, pair.state)
    expected = RUNNING if outcome is None else outcome.scores[0]
    if found != expected:
        yield f"outcome is {found}, expected {expected}"


def compiled_player(pair: Pair) -> Iterator[str]:
    """`player` is the player to move."""
    found = pair.rules.player(pair.rules.constants, pair.state)
    if pair.live and found != pair.game.to_move(pair.position):
        yield f"player is {found}, expected {pair.game.to_move(pair.position)}"


def compiled_observation(pair: Pair) -> Iterator[str]:
    """`observe` writes a finite number into every cell, whatever was there."""
    over_nan, over_zero = pair.observed(pair.state, np.nan), pair.observed(pair.state)
    if not np.isfinite(over_nan).all():
        yield f"{int((~np.isfinite(over_nan)).sum())} of {over_nan.size} cells are not written or not finite"
    elif (over_nan != over_zero).any():
        yield "the observation depends on what was in the array before"


def compiled_estimate(pair: Pair) -> Iterator[str]:
    """`estimate` is the game's evaluation for player 0."""
    rules, evaluation = pair.rules, pair.evaluation
    if (rules.estimate is None) != (evaluation is None):
        yield f"estimate is {rules.estimate}, but the game's evaluation is {evaluation}"
    elif rules.estimate is not None and evaluation is not None and pair.live:
        found, expected = rules.estimate(rules.constants, pair.state), evaluation(pair.game, pair.position, 0)
        if not math.isclose(found, expected, abs_tol=1e-9):
            yield f"estimate is {found}, expected {expected}"


def compiled_unchanged(pair: Pair) -> Iterator[str]:
    """Only `reset` and `apply` change a position; none changes the constants."""
    before, constants = pair.state.copy(), pair.rules.constants.copy()
    _answers(pair, pair.state)
    for player in range(0 if pair.rules.ownership is None else 2):
        owned(pair, pair.state, player)
    if (pair.state != before).any() or (pair.rules.constants != constants).any():
        yield "legal, outcome, player, observe or ownership changed the position or the constants"


def compiled_symmetry(pair: Pair) -> Iterator[str]:
    """The images of the actions lead to the images of the position."""
    symmetries, orientation = pair.rules.symmetries, pair.orientation
    if symmetries is None or not pair.live:
        return
    mask, seen = pair.legal(pair.state)[1], pair.observed(pair.state)
    outputs = np.empty_like(mask)
    outputs[orientation] = mask
    for number, image in enumerate(pair.images):
        found_mask, found = pair.legal(image)[1], pair.observed(image)
        if (found_mask[np.argsort(orientation)][symmetries.actions[number]] != outputs).any():
            yield f"symmetry {number}: the legal actions of the image are not the images of the legal actions"
        if (found[symmetries.cells[number]] != seen).any():
            yield f"symmetry {number}: the observation of the image is not the image of the observation"


BEFORE: Final[tuple[Check, ...]] = (compiled_declared, compiled_permutations)
"""Tried once: where these fail, nothing else can be tried."""
EVERYWHERE: Final[tuple[Check, ...]] = (
    compiled_position,
    compiled_pack,
    compiled_legal,
    compiled_outcome,
    compiled_player,
    compiled_observation,
    compiled_estimate,
    compiled_symmetry,
    *OWNERSHIP,
)
"""Tried at every position."""
CHECKS: Final[tuple[Check, ...]] = (*BEFORE, compiled_unchanged, *EVERYWHERE, ownership_orientation)


def check_compiled(
    rules: CompiledRules, game: AnyGame, *, evaluation: Evaluation | None = None, plays: int = 5, seed: int = 0
) -> None:
    """Play random games and raise `ConformanceError` unless the compiled rules equal the contract of the game.

    The game must have passed `check_game`; `evaluation` is that of its spec.
    """
    report = Report(f"the compiled rules of {game.info.id} {game.info.preset}")
    for check in BEFORE:
        report.run(check, Pair(game, rules, evaluation))
    sightings = Sightings()
    for number in range(0 if report.faults else plays):
        rng = generator(seed, number, STREAM)
        pair = Pair(game, rules, evaluation)
        for ply in range(game.info.max_plies + 1):
            where = f"play {number} ply {ply}"
            # Where a position is changed by an answer, no other answer can be believed.
            if report.run(compiled_unchanged, pair, where):
                for check in EVERYWHERE:
                    report.run(check, pair, where)
            if report.faults or not pair.live:
                break
            sightings.add(pair)
            pair.play(rng.choice(legal_actions(game.legal(pair.position))))
    if not report.faults:
        report.run(ownership_orientation, sightings)
    report.conclude()
