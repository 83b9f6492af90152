"""`check_compiled`: random plays by compiled rules, compared with the contract at every position."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import RUNNING, CompiledRules, Vector
from ludex.core.conformance.report import Check, Report, checks_of, compare, compare_form
from ludex.core.game import Action, AnyGame, Json, Player, legal_actions
from ludex.core.seeding import generator

Evaluation = Callable[[AnyGame, Any, Player], float]
STREAM: Final = 66
"""The actions of the plays are drawn from this stream."""
EXACT: Final = 1e-6
"""The largest error of a linear rule that still counts as one without errors."""


class Pair:
    """A position of the contract and the packed one that was reached by the same actions."""

    def __init__(
        self, game: AnyGame, rules: CompiledRules, evaluation: Evaluation | None = None, seed: int = 0
    ) -> None:
        self.game = game
        self.evaluation = evaluation
        self.rules = rules
        self._seed, self._ply = seed, 0
        dice, other_dice = (generator(seed, 0) for _ in range(2))
        self.position: Any = game.initial(dice)
        self.state = np.full(rules.state_size, -1, np.int64)
        rules.begin(self.state, other_dice)
        self.generators = dice.state, other_dice.state
        """The states in which the contract and the rules left a generator that both drew from."""
        self.images = self._all_images()
        """The packed images of the position, reached by the images of the actions where nothing is drawn."""

    def _all_images(self) -> list[Vector]:
        symmetries = self.rules.symmetries
        return [] if symmetries is None else [self.image(number) for number in range(len(symmetries.actions))]

    def image(self, number: int) -> Vector:
        """The packed image of the position under a symmetry, as the rules declare it; the first position's, if not."""
        assert self.rules.symmetries is not None
        image = self.rules.symmetries.image
        return self.state.copy() if image is None else self.rules.pack(image(self.position, number))

    @property
    def live(self) -> bool:
        return self.game.outcome(self.position) is None

    @property
    def orientation(self) -> Vector:
        """The outputs of the mover's actions."""
        if self.rules.orientation is None:
            return np.arange(self.rules.action_size)
        row: Vector = self.rules.orientation[self.game.to_move(self.position) if self.live else 0]
        return row

    def dump(self, position: Any) -> Json:
        """A position of the contract as data, without what the rules omit."""
        data = self.game.dump(position)
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if key not in self.rules.omitted}

    def legal(self, state: Vector) -> tuple[int, NDArray[np.uint8]]:
        mask = np.full(self.rules.action_size, 7, np.uint8)
        return int(self.rules.legal(self.rules.constants, state, mask)), mask

    def observe(self, state: Vector, fill: float = 0.0) -> NDArray[np.float32]:
        """The flat observation, over what was in the array before."""
        out = np.full(int(np.prod(self.rules.observation_shape)), fill, np.float32)
        self.rules.observe(self.rules.constants, state, out)
        return out

    def ownership(self, state: Vector, player: Player, fill: int = 0) -> NDArray[np.int8]:
        """int8[K, H * W] as a player sees it, over what was in the array before."""
        rules, declared = self.rules, self.rules.ownership
        assert declared is not None
        _, height, width = rules.observation_shape
        out = np.full(declared.planes * height * width, fill, np.int8)
        declared.write(rules.constants, state, player, out)
        return out.reshape(declared.planes, -1)

    def answers(self, state: Vector) -> dict[str, Any]:
        """What the rules say of a packed position."""
        rules = self.rules
        count, mask = self.legal(state)
        outcome, player = rules.outcome(rules.constants, state), rules.player(rules.constants, state)
        mover = player if outcome == RUNNING else None
        return {"count": count, "mask": mask, "outcome": outcome, "player": mover, "observation": self.observe(state)}

    def play(self, action: Action) -> None:
        self._ply += 1
        dice, other_dice = (generator(self._seed, self._ply) for _ in range(2))
        symmetries, orientation = self.rules.symmetries, self.orientation
        for number, image in enumerate([] if self.rules.draws else self.images):
            assert symmetries is not None
            output = symmetries.actions[number, orientation[action]]
            self.rules.move(image, int(np.flatnonzero(orientation == output)[0]), dice)
        self.rules.move(self.state, action, other_dice)
        self.position = self.game.apply(self.position, action, dice)
        self.generators = dice.state, other_dice.state
        if self.rules.draws:
            # The same dice give the image of an action another position than the image of what they gave the action.
            self.images = self._all_images()


def compiled_declared(pair: Pair) -> Iterator[str]:
    """The rules have the actions of the game and draw where it does; it has no secrets, and opposite scores."""
    info, rules = pair.game.info, pair.rules
    if rules.action_size != info.num_actions:
        yield f"action_size is {rules.action_size}, expected {info.num_actions}"
    if info.information != "perfect" or (info.players == 2 and not info.zero_sum):
        yield "compiled rules suit games of one player or zero-sum games of two, with perfect information only"
    if rules.draws != (info.chance == "sampled"):
        yield f"draws is {rules.draws}, but the game's chance is {info.chance!r}"
    if rules.draws and rules.symmetries is not None and rules.symmetries.image is None:
        yield "symmetries of rules that draw need Symmetries(image=...): equal dice lead to other positions"
    for name, array in (("constants", rules.constants), ("orientation", rules.orientation)):
        if array is not None and (array.dtype != np.int64 or not array.flags.c_contiguous):
            yield f"{name} is {array.dtype}, expected int64 in C order"
    dumped = pair.game.dump(pair.position)
    for key in rules.omitted:
        if not isinstance(dumped, dict) or key not in dumped:
            yield f"omitted names {key!r}, which no dumped position has"
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
    yield from compare("the packed position", pair.dump(pair.rules.unpack(pair.state)), pair.dump(pair.position))


def compiled_draws(pair: Pair) -> Iterator[str]:
    """The rules draw as often as the contract, and the same."""
    yield from compare("the generator after the draws", pair.generators[1], pair.generators[0])


def compiled_pack(pair: Pair) -> Iterator[str]:
    """`pack` gives a packed position of the declared size that answers as the one that was reached."""
    packed = pair.rules.pack(pair.position)
    yield from compare_form("pack", packed, np.int64, (pair.rules.state_size,))
    yield from compare("unpack(pack(position))", pair.dump(pair.rules.unpack(packed)), pair.dump(pair.position))
    yield from compare("what a packed position answers", pair.answers(packed), pair.answers(pair.state))


def compiled_legal(pair: Pair) -> Iterator[str]:
    """`legal` writes the mask of the contract and counts it."""
    (count, mask), expected = pair.legal(pair.state), pair.game.legal(pair.position)
    yield from compare("the mask", mask, expected)
    if pair.live and not expected.any():
        yield "live, but no legal action"
    yield from compare("the count of legal actions", count, int(expected.sum()))


def compiled_outcome(pair: Pair) -> Iterator[str]:
    """`outcome` is the score of player 0, or RUNNING."""
    outcome = pair.game.outcome(pair.position)
    expected = RUNNING if outcome is None else outcome.scores[0]
    score = pair.rules.outcome(pair.rules.constants, pair.state)
    yield from compare("outcome", score, expected)
    if score != RUNNING and not -1.0 <= score <= 1.0:
        yield f"outcome is {score}, expected RUNNING or a score in -1..1"
    if isinstance(score, int):
        yield f"outcome is the whole number {score}, expected a float: return {float(score)}"


def compiled_player(pair: Pair) -> Iterator[str]:
    """`player` is the player to move."""
    if pair.live:
        player = pair.rules.player(pair.rules.constants, pair.state)
        yield from compare("player", player, pair.game.to_move(pair.position))


def compiled_observation(pair: Pair) -> Iterator[str]:
    """`observe` writes a finite number into every cell, whatever was there."""
    over_nan, over_zero = pair.observe(pair.state, np.nan), pair.observe(pair.state)
    if not np.isfinite(over_nan).all():
        yield f"{int((~np.isfinite(over_nan)).sum())} of {over_nan.size} cells are not written or not finite"
    yield from compare("the observation over what was in the array before", over_nan, over_zero)


def compiled_estimate(pair: Pair) -> Iterator[str]:
    """`estimate` is the game's evaluation for player 0."""
    rules, evaluation = pair.rules, pair.evaluation
    if (rules.estimate is None) != (evaluation is None):
        yield (
            "the spec names an evaluation (`grid_spec(estimate=True)`), but the rules have no kernel `estimate`"
            if rules.estimate is None
            else "the rules have a kernel `estimate`, but the spec names no evaluation (`grid_spec(estimate=True)`)"
        )
    elif rules.estimate is not None and evaluation is not None and pair.live:
        expected = evaluation(pair.game, pair.position, 0)
        estimate = rules.estimate(rules.constants, pair.state)
        yield from compare("estimate", estimate, expected, tolerance=1e-9)
        if not -1.0 <= estimate <= 1.0:
            yield f"estimate is {estimate}, expected a score in -1..1"


def compiled_unchanged(pair: Pair) -> Iterator[str]:
    """Only `reset` and `apply` change a position; none changes the constants."""
    before, constants = pair.state.copy(), pair.rules.constants.copy()
    pair.answers(pair.state)
    for player in range(0 if pair.rules.ownership is None else 2):
        pair.ownership(pair.state, player)
    if (pair.state != before).any() or (pair.rules.constants != constants).any():
        yield "legal, outcome, player, observe or ownership changed the position or the constants"


def compiled_symmetry(pair: Pair) -> Iterator[str]:
    """The images of the actions lead to the images of the position."""
    symmetries, orientation = pair.rules.symmetries, pair.orientation
    if symmetries is None or not pair.live:
        return
    mask, observation = pair.legal(pair.state)[1], pair.observe(pair.state)
    outputs = np.empty_like(mask)
    outputs[orientation] = mask
    for number, image in enumerate(pair.images):
        image_outputs = pair.legal(image)[1][np.argsort(orientation)]
        cells = pair.observe(image)[symmetries.cells[number]]
        faults = [
            *compare(
                f"symmetry {number}: the image of the legal actions", image_outputs[symmetries.actions[number]], outputs
            ),
            *compare(f"symmetry {number}: the image of the observation", cells, observation),
        ]
        if faults and symmetries.image is None and (image == pair.state).all():
            yield (
                f"symmetry {number} moves the position: expected one that leaves the first position as it is, or "
                f"Symmetries(image=...), a function (position, number) -> position; {faults[0]}"
            )
            continue
        yield from faults
        if symmetries.image is not None:
            reached, expected = (pair.dump(pair.rules.unpack(state)) for state in (image, pair.image(number)))
            yield from compare(f"symmetry {number}: the position that images of actions reach", reached, expected)


def ownership_values(pair: Pair) -> Iterator[str]:
    """Every cell is -1, 0 or 1, whatever was there."""
    if pair.rules.ownership is None:
        return
    for player in (0, 1):
        over_seven, over_zero = pair.ownership(pair.state, player, 7), pair.ownership(pair.state, player)
        if (np.abs(over_seven) > 1).any():
            yield f"player {player} sees {sorted(set(over_seven.ravel().tolist()))}, expected -1, 0 and 1 in every cell"
        yield from compare("the cells over what was in the array before", over_seven, over_zero)


def ownership_players(pair: Pair) -> Iterator[str]:
    """Both players see the same cells, with the same or the opposite sign; elsewhere only where the board is turned."""
    if pair.rules.ownership is None:
        return
    first, second = pair.ownership(pair.state, 0), pair.ownership(pair.state, 1)
    if pair.rules.orientation is None:
        for number, plane in enumerate(second):
            if not any(np.array_equal(plane, sign * other) for other in first for sign in (1, -1)):
                yield f"plane {number} of player 1 is no plane of player 0, nor the opposite of one"
    else:
        yield from compare("the number of cells that player 1 sees owned", np.abs(second).sum(), np.abs(first).sum())


def ownership_symmetry(pair: Pair) -> Iterator[str]:
    """What became of the cells of an image is the image of what became of the cells."""
    declared = pair.rules.ownership
    if declared is None or declared.cells is None:
        return
    for number, image in enumerate(pair.images):
        for player in (0, 1):
            image_cells = pair.ownership(image, player).ravel()[declared.cells[number]]
            expected = pair.ownership(pair.state, player).ravel()
            yield from compare(f"symmetry {number}: the image of the cells of player {player}", image_cells, expected)


@dataclass(frozen=True, slots=True)
class Sighting:
    """The cells of a live position as the player to move observes them, [H * W, C + 1], and as owned, [H * W, K]."""

    mover: Player
    observed: NDArray[np.float64]
    owned: NDArray[np.float64]

    @classmethod
    def of(cls, pair: Pair) -> "Sighting":
        mover = pair.game.to_move(pair.position)
        cells = pair.observe(pair.state).reshape(pair.rules.observation_shape[0], -1)
        observed = np.vstack([cells, np.ones_like(cells[:1])]).T.astype(np.float64)
        return cls(mover, observed, pair.ownership(pair.state, mover).T.astype(np.float64))


def ownership_orientation(sightings: Sequence[Sighting]) -> Iterator[str]:
    """Cells are read from the mover's observation alike for both players, where a linear rule reads them at all."""
    if {sighting.mover for sighting in sightings} != {0, 1}:
        return
    alone = [_readable([sighting for sighting in sightings if sighting.mover == player]) for player in (0, 1)]
    together = _readable(sightings)
    # A wrong sign leaves each player a rule of their own, and a board that is turned wrongly leaves one player none.
    for plane in np.flatnonzero((alone[0] | alone[1]) & ~together):
        player = 0 if alone[0][plane] else 1
        yield (
            f"plane {plane} follows from what player {player} observes in the same cell, but otherwise for the other "
            "player: for one of them it has the wrong sign, or is not turned as observe turns the board"
        )


def _readable(sightings: Sequence[Sighting]) -> NDArray[np.bool_]:
    """bool[K]: the planes that a linear rule reads from the observation of the same cell."""
    observed = np.vstack([sighting.observed for sighting in sightings])
    owned = np.vstack([sighting.owned for sighting in sightings])
    weights = np.linalg.lstsq(observed, owned)[0]
    readable: NDArray[np.bool_] = np.abs(observed @ weights - owned).max(0) < EXACT
    return readable


BEFORE: Final[tuple[Check, ...]] = (compiled_declared, compiled_permutations)
"""Tried once: where these fail, nothing else can be tried."""
EVERYWHERE: Final = tuple(
    check for check in checks_of(Pair, sys.modules[__name__]) if check not in (*BEFORE, compiled_unchanged)
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
    sightings: list[Sighting] = []
    for number in range(0 if report.faults else plays):
        rng = generator(seed, number, STREAM)
        pair = Pair(game, rules, evaluation, rng.seed())
        for ply in range(game.info.max_plies + 1):
            where = f"play {number} ply {ply}"
            # Where a position is changed by an answer, no other answer can be believed.
            if report.run(compiled_unchanged, pair, where):
                for check in EVERYWHERE:
                    report.run(check, pair, where)
            if report.faults or not pair.live:
                break
            if rules.ownership is not None:
                sightings.append(Sighting.of(pair))
            pair.play(rng.choice(legal_actions(game.legal(pair.position))))
    if not report.faults:
        report.run(ownership_orientation, sightings)
    report.conclude()
