"""Checks of what compiled rules say became of each cell: values, players, symmetries, and how the board is turned."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import Vector
from ludex.core.conformance.pair import Pair
from ludex.core.conformance.report import Check

EXACT: Final = 1e-6
"""The largest error of a linear rule that still counts as one without errors."""


def owned(pair: Pair, state: Vector, player: int, fill: int = 0) -> NDArray[np.int8]:
    """int8[K, H * W] as a player sees it, over what was in the array before."""
    rules, declared = pair.rules, pair.rules.ownership
    assert declared is not None
    _, height, width = rules.observation_shape
    out = np.full(declared.planes * height * width, fill, np.int8)
    declared.write(rules.constants, state, player, out)
    return out.reshape(declared.planes, -1)


def ownership_values(pair: Pair) -> Iterator[str]:
    """Every cell is -1, 0 or 1, whatever was there."""
    if pair.rules.ownership is None:
        return
    for player in (0, 1):
        found, again = owned(pair, pair.state, player, 7), owned(pair, pair.state, player)
        if (np.abs(found) > 1).any():
            yield f"player {player} sees {sorted(set(found.ravel().tolist()))}, expected -1, 0 and 1 in every cell"
        if (found != again).any():
            yield "the cells depend on what was in the array before"


def ownership_players(pair: Pair) -> Iterator[str]:
    """Both players see the same cells, with the same or the opposite sign; elsewhere only where the board is turned."""
    if pair.rules.ownership is None:
        return
    first, second = owned(pair, pair.state, 0), owned(pair, pair.state, 1)
    if pair.rules.orientation is None:
        for number, plane in enumerate(second):
            if not any(np.array_equal(plane, sign * other) for other in first for sign in (1, -1)):
                yield f"plane {number} of player 1 is no plane of player 0, nor the opposite of one"
    elif np.abs(first).sum() != np.abs(second).sum():
        yield f"player 0 sees {np.abs(first).sum()} cells that are not 0, player 1 sees {np.abs(second).sum()}"


def ownership_symmetry(pair: Pair) -> Iterator[str]:
    """What became of the cells of an image is the image of what became of the cells."""
    declared = pair.rules.ownership
    if declared is None or declared.cells is None:
        return
    for number, image in enumerate(pair.images):
        for player in (0, 1):
            seen, found = owned(pair, pair.state, player), owned(pair, image, player)
            if (found.ravel()[declared.cells[number]] != seen.ravel()).any():
                yield f"symmetry {number}: the cells of the image are not the image of the cells, for player {player}"


class Sightings:
    """Cells of live positions, as the player to move observes them and as they are owned."""

    def __init__(self) -> None:
        self._observed: tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]] = ([], [])
        self._owned: tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]] = ([], [])

    def add(self, pair: Pair) -> None:
        """The cells of a position."""
        if pair.rules.ownership is None:
            return
        mover = pair.game.to_move(pair.position)
        seen = pair.observed(pair.state).reshape(pair.rules.observation_shape[0], -1)
        self._observed[mover].append(np.vstack([seen, np.ones_like(seen[:1])]).T.astype(np.float64))
        self._owned[mover].append(owned(pair, pair.state, mover).T.astype(np.float64))

    def of(self, *players: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """[N, C + 1] observed and [N, K] owned, of positions in which one of these players moves."""
        observed = [cells for player in players for cells in self._observed[player]]
        return np.vstack(observed), np.vstack([cells for player in players for cells in self._owned[player]])

    @property
    def of_both(self) -> bool:
        """Whether both players were to move in some position."""
        return all(self._observed)


def ownership_orientation(sightings: Sightings) -> Iterator[str]:
    """Cells are read from the mover's observation alike for both players, where a linear rule reads them at all."""
    if not sightings.of_both:
        return
    alone = [_readable(*sightings.of(player)) for player in (0, 1)]
    together = _readable(*sightings.of(0, 1))
    # A wrong sign leaves each player a rule of their own, and a board that is turned wrongly leaves one player none.
    for plane in np.flatnonzero((alone[0] | alone[1]) & ~together):
        player = 0 if alone[0][plane] else 1
        yield (
            f"plane {plane} follows from what player {player} observes in the same cell, but otherwise for the other "
            "player: for one of them it has the wrong sign, or is not turned as observe turns the board"
        )


def _readable(observed: NDArray[np.float64], cells: NDArray[np.float64]) -> NDArray[np.bool_]:
    """bool[K]: the planes that a linear rule reads from the observation of the same cell."""
    weights = np.linalg.lstsq(observed, cells)[0]
    found: NDArray[np.bool_] = np.abs(observed @ weights - cells).max(0) < EXACT
    return found


OWNERSHIP: Final[tuple[Check, ...]] = (ownership_values, ownership_players, ownership_symmetry)
"""Tried at every position of rules that declare it."""
