"""The winner and the number of plies: exact values of every position of a small board.

Repetition and the move limit do not count here: a result that neither player can force is a draw by endless play.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.core.game import Action, Player, legal_actions
from ludex.core.verb import Progress, silent
from ludex.games.quoridor.agents.retrograde import (
    DRAW,
    IMPOSSIBLE,
    KEY_WORDS,
    MOST_PLIES,
    SYMMETRIES,
    add_layer,
    canonical,
    is_less,
    per_configuration,
    place_of,
    solve_range,
    value_of,
    write_image,
)
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.board import Row
from ludex.games.quoridor.rules.movegen import free_slots, legal_mask, play, reached
from ludex.games.quoridor.rules.position import LEFT, STATE_WORDS, TURN, Position, starting, words
from ludex.kernels.jit import kernel


def count_configurations(size: int, free: tuple[int, int], left: tuple[int, int]) -> int:
    """How many sets of walls there are, each with what is then left of the stocks.

    >>> count_configurations(3, (0b11011, 0b11011), (1, 1))
    37
    """
    counts = arrangements(size, free, sum(left))
    return sum(counts[white + black] for white in range(left[0] + 1) for black in range(left[1] + 1))


def arrangements(size: int, free: tuple[int, int], most: int) -> list[int]:
    """In how many ways 0, 1, ... `most` walls fit together on the free slots, whether or not they cut off a path.

    `free` are sets, horizontal and vertical. Counts beyond 2^53 are rounded.

    >>> arrangements(3, (0b11011, 0b11011), 4)
    [1, 8, 20, 16, 2]
    """
    side = size - 1
    # Slot by slot. Axes: the columns in which a vertical wall ends just below, whether a horizontal one ends just to
    # the left, and the number of walls.
    ways = np.zeros((1 << side, 2, most + 1))
    ways[0, 0, 0] = 1
    for row in range(side):
        for col in range(side):
            slot = row * size + col
            before = ways.reshape(-1, 2, 1 << col, 2, most + 1)
            after = np.zeros_like(before)
            after[:, 0, :, 0] = before.sum(axis=(1, 3))
            if free[0] >> slot & 1:
                after[:, 0, :, 1, 1:] = (before if col == 0 else before[:, :, :, :1]).sum(axis=(1, 3))[..., :-1]
            if free[1] >> slot & 1:
                after[:, 1, :, 0, 1:] = before[:, 0].sum(axis=2)[..., :-1]
            ways = after
    return [int(count) for count in ways.reshape(-1, most + 1).sum(axis=0)]


class Configurations(NamedTuple):
    """All configurations of a board, or of what a position can still become."""

    keys: Row
    """uint64[N, KEY_WORDS]"""
    places: NDArray[np.int32]
    """int32[a power of two]: by hash, the number of a configuration plus one, or 0."""


def enumerate_configurations(root: Row, most: int, size: int, geometry: Row) -> Configurations:
    """The configurations that begin with a position's own; `most` is a bound on how many there are."""
    keys = np.empty((most, KEY_WORDS), np.uint64)
    places = np.zeros(1 << most.bit_length(), np.int32)
    canonical(root, size, keys[0], np.empty(KEY_WORDS, np.uint64))
    places[place_of(keys, places, keys[0])] = 1
    begin, end = 0, 1
    while begin < end:
        begin, end = end, add_layer(keys, places, begin, end, size, geometry)
    return Configurations(keys[:end].copy(), places)


@kernel
def count_own(state: Row, size: int) -> int:
    """How many of the four images of a configuration are itself."""
    key, other = np.empty(KEY_WORDS, np.uint64), np.empty(KEY_WORDS, np.uint64)
    canonical(state, size, key, other)
    count = 0
    for symmetry in range(SYMMETRIES):
        write_image(state, symmetry, size, other)
        if not is_less(key, other):
            count += 1
    return count


MOST_POSITIONS = 1 << 31
"""They take a byte each, and all of them some minutes."""
_AT_ONCE = 1 << 22
"""Positions solved between two reports of progress."""


class Verdict(NamedTuple):
    """The truth about a position if both play best: the winner hurries, the loser delays."""

    winner: Player | None
    """None if neither can force a win."""
    plies: int | None
    """To the end; None if there is none."""


class Solution:
    """The values of a position and of all that can follow it. Make it with `solve`."""

    def __init__(self, game: Quoridor, known: Configurations, values: NDArray[np.uint8]) -> None:
        self._game = game
        self._known = known
        self._values = values

    @property
    def configurations(self) -> int:
        """How many sets of walls with stocks there are, up to symmetry."""
        return len(self._known.keys)

    @property
    def positions(self) -> int:
        """Live positions of these configurations."""
        # IMPOSSIBLE is 0. A comparison would make a copy of gigabytes.
        return int(np.count_nonzero(self._values))

    def value(self, position: Position) -> Verdict:
        """The verdict on a position, whether or not play can reach it. Raises `Unsupported` for one outside."""
        return self._verdict(words(position, self._game.size))

    def best(self, position: Position) -> list[Action]:
        """Every move of a live position that keeps its value; none once a goal is reached."""
        size = self._game.size
        row, after = words(position, size), np.empty(STATE_WORDS, np.uint64)
        verdict = self._verdict(row)
        if verdict.plies == 0:
            return []
        mask = np.zeros(self._game.info.num_actions, np.bool_)
        legal_mask(row, size, self._game.geometry, np.empty(STATE_WORDS, np.uint64), mask)
        next_verdict = verdict if verdict.plies is None else verdict._replace(plies=verdict.plies - 1)
        actions = []
        for action in legal_actions(mask):
            play(row, action, size, after)
            if self._verdict(after) == next_verdict:
                actions.append(action)
        return actions

    def _verdict(self, row: Row) -> Verdict:
        size, mover = self._game.size, int(row[TURN])
        for player in range(2):
            if reached(row, player, size):
                return Verdict(player, 0)
        value = int(value_of(row, *self._known, self._values, size))
        if value == IMPOSSIBLE:
            raise Unsupported("this position does not follow from the solved one, or a pawn in it is cut off")
        return Verdict(None, None) if value == DRAW else Verdict(mover if value % 2 else 1 - mover, value)


def solve(
    game: Quoridor, position: Position | None = None, progress: Progress = silent, most: int = MOST_POSITIONS
) -> Solution:
    """Solve a board, or only what can follow a position. Raises `Unsupported` if it has more than `most` positions.

    >>> from ludex.core.registry import make
    >>> board = make("quoridor", "3x3")
    >>> solve(board).value(starting(3, 2))
    Verdict(winner=1, plies=12)
    """
    size = game.size
    root = words(starting(size, game.walls) if position is None else position, size)
    known = enumerate_configurations(root, _bound(game, root, most), size, game.geometry)
    values = np.empty((len(known.keys), per_configuration(size)), np.uint8)
    step = max(1, _AT_ONCE // values.shape[1])
    with progress("solving", len(values)) as advance:
        for end in range(len(values), 0, -step):
            begin = max(0, end - step)
            if not solve_range(*known, values, begin, end, size, game.geometry):
                raise Unsupported(f"some win takes more than {MOST_PLIES} plies")
            advance(end - begin)
    return Solution(game, known, values)


def check_solvable(game: Quoridor, most: int) -> None:
    """Raise `Unsupported` if a board has more than `most` positions, without solving it."""
    _bound(game, words(starting(game.size, game.walls), game.size), most)


def _bound(game: Quoridor, root: Row, most: int) -> int:
    """How many configurations there are at most. Raises `Unsupported` above the limit of positions."""
    sets = (free_slots(root, game.size, game.geometry, vertical) for vertical in (False, True))
    horizontal, vertical = (int(low) | int(high) << 64 for low, high in sets)
    bound = count_configurations(game.size, (horizontal, vertical), (int(root[LEFT]), int(root[LEFT + 1])))
    # Successors share the symmetries of their position, and one image of each is stored.
    positions = bound * per_configuration(game.size) // count_own(root, game.size)
    if positions > most:
        raise Unsupported(
            f"about {positions:.1e} positions are too many to solve, at most {most:.1e}: "
            "take a smaller board, fewer walls, or a position later in the game"
        )
    return bound
