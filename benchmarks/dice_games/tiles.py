"""2048 on small boards: slide tiles, equal ones merge; the score is what was merged, and a tile of the goal ends it."""

from collections.abc import Sequence
from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ludex.core.game import Action
from ludex.core.options import Options
from ludex.core.seeding import Rng
from ludex.kit.game import GridGame, Number, Position, Values
from ludex.kit.geometry import square_grid
from ludex.kit.notation import words
from ludex.kit.rules import RUNNING, Mask, Vector, Words, draw_below, kernel
from ludex.kit.spec import grid_spec

SCORE, TILES = 1, 2
"""Behind the turn: what was merged so far, and the tiles as powers of two."""
SIZE, GOAL, SCALE = 0, 1, 2
"""The board: rows and columns, the power that ends the game, and a score that no game exceeds."""
FOUR: Final = 10
"""One of so many new tiles is a 4."""


class BoardOptions(Options):
    """The board, and the power of two that ends the game."""

    size: int = Field(3, ge=2, le=4)
    goal: int = Field(7, ge=3, le=11)


class Tiles(GridGame):
    """Merge tiles."""

    id = "tiles"
    players = 1
    reasons = ("score", "score")
    marks = ("123456789AB", "")
    symmetries = ("Identity",)

    def __init__(self, options: BoardOptions, preset: str) -> None:
        size, goal = options.size, options.goal
        scale = highest_score(size, goal)
        self.kinds = goal  # type: ignore[misc]
        super().__init__(
            preset,
            rules=__name__,
            grid=square_grid(size, size),
            notation=words("left", "right", "down", "up"),
            fields={"score": Number(scale), "tiles": Values(goal)},
            max_plies=size * size << (goal - 1),
            constants=(size, goal, scale),
        )

    def chance_outcomes(self, state: Position, action: Action) -> Sequence[tuple[float, Position]]:
        """A 2 or, seldom, a 4 on every free cell."""
        numbers = state.vector()
        slide(self.board, numbers, action)
        free = np.flatnonzero(numbers[TILES:] == 0)
        outcomes = []
        for power, chance in ((1, 1 - 1 / FOUR), (2, 1 / FOUR)):
            for cell in free.tolist():
                after = numbers.copy()
                after[TILES + cell] = power
                outcomes.append((chance / len(free), Position(after)))
        return outcomes


def highest_score(size: int, goal: int) -> int:
    """More than the merges that end with one tile of the goal and half of it everywhere else."""
    return (goal - 1 << goal) + (size * size - 1) * (goal - 2 << goal - 1)


@kernel
def cell_of(board: Vector, direction: int, line: int, place: int) -> int:
    """The cell of a line, counted from the side that tiles slide to; with its number in the position."""
    size = board[SIZE]
    along = place if direction % 2 == 0 else size - 1 - place
    return int(TILES + (line * size + along if direction < 2 else along * size + line))


@kernel
def can_slide(board: Vector, state: Vector, direction: int) -> bool:
    """Whether a tile moves or merges."""
    size = board[SIZE]
    for line in range(size):
        for place in range(1, size):
            tile = state[cell_of(board, direction, line, place)]
            before = state[cell_of(board, direction, line, place - 1)]
            if tile != 0 and before in (0, tile):
                return True
    return False


@kernel
def slide(board: Vector, state: Vector, direction: int) -> None:
    """Slide and merge every line, and count what was merged."""
    size = board[SIZE]
    for line in range(size):
        free, last = 0, 0
        for place in range(size):
            tile = state[cell_of(board, direction, line, place)]
            if tile == 0:
                continue
            state[cell_of(board, direction, line, place)] = 0
            if tile == last:
                state[cell_of(board, direction, line, free - 1)] = tile + 1
                state[SCORE] += 1 << (tile + 1)
                last = 0
            else:
                state[cell_of(board, direction, line, free)] = tile
                last = tile
                free += 1


@kernel
def add_tile(state: Vector, random: Words) -> None:
    """A 2 or a 4 on a free cell, each equally likely."""
    free = 0
    for cell in range(TILES, len(state)):
        free += state[cell] == 0
    left = draw_below(random, 0, free)
    power = 2 if draw_below(random, 0, FOUR) == 0 else 1
    for cell in range(TILES, len(state)):
        if state[cell] == 0:
            if left == 0:
                state[cell] = power
                return
            left -= 1


@kernel
def initial(board: Vector, state: Vector, random: Words) -> None:
    """Two tiles."""
    add_tile(state, random)
    add_tile(state, random)


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """What moves a tile."""
    for direction in range(4):
        mask[direction] = can_slide(board, state, direction)


@kernel
def apply(board: Vector, state: Vector, action: int, random: Words) -> None:
    """Slide, and a new tile appears."""
    slide(board, state, action)
    add_tile(state, random)


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """The share of the highest score once nothing slides or the goal is reached."""
    over = True
    for direction in range(4):
        over = over and not can_slide(board, state, direction)
    for cell in range(TILES, len(state)):
        over = over or state[cell] == board[GOAL]
    return float(state[SCORE] / board[SCALE]) if over else RUNNING


@kernel
def piece(board: Vector, state: Vector, site: int) -> int:
    """The power of a tile."""
    return int(state[TILES + site])


@numba.njit(nogil=True)
def slid(cells: NDArray[np.int64], size: int, direction: int) -> tuple[NDArray[np.int64], int]:
    """The board after a slide, and the points of the merges; the same board where nothing moves."""
    out, points = np.zeros(size * size, np.int64), 0
    begin = (0, size - 1, 0, size * (size - 1))[direction]
    along, across = ((1, size), (-1, size), (size, 1), (-size, 1))[direction]
    for line in range(size):
        first = begin + line * across
        place, last = 0, 0
        for index in range(size):
            tile = cells[first + index * along]
            if tile > 0 and tile == last:
                out[first + (place - 1) * along] += 1
                points += 2 << tile
                last = 0
            elif tile > 0:
                out[first + place * along] = last = tile
                place += 1
    return out, points


@numba.njit(nogil=True)
def future(cells: NDArray[np.int64], size: int, goal: int, known: NDArray[np.float32]) -> float:
    """The points that perfect play still makes from a board; `known` has those of boards that were met, by number."""
    number = 0
    for tile in cells:
        if tile >= goal:
            return 0.0
        number = number * goal + tile
    if known[number] >= 0:
        return float(known[number])
    best = 0.0
    for direction in range(4):
        board, points = slid(cells, size, direction)
        if (board == cells).all():
            continue
        free = np.flatnonzero(board == 0)
        total = 0.0
        for cell in free:
            for power in (1, 2):
                board[cell] = power
                total += (0.9 if power == 1 else 0.1) * future(board, size, goal, known)
            board[cell] = 0
        best = max(best, points + total / len(free))
    known[number] = best
    return best


class Exact:
    """The exact values of every position, by the rules in words alone."""

    def __init__(self, game: Tiles) -> None:
        self._size, self._goal, scale = (int(number) for number in game.board[:3])
        self.unit = float(scale)
        self._known = np.full(self._goal ** (self._size**2), -1, np.float32)

    def value(self, state: Position) -> float:
        """The score by perfect play."""
        return max(self.actions(state).values())

    def actions(self, state: Position) -> dict[Action, float]:
        """The same after each legal action."""
        cells, worth = state.vector()[TILES:], {}
        for action in range(4):
            board, points = slid(cells, self._size, action)
            if (board != cells).any():
                worth[action] = (state[SCORE] + points + self._after(board)) / self.unit
        return worth

    def _after(self, board: NDArray[np.int64]) -> float:
        """The points of perfect play after a slide, on average over new tiles."""
        free, total = np.flatnonzero(board == 0), 0.0
        for cell in free:
            for power, chance in ((1, 1 - 1 / FOUR), (2, 1 / FOUR)):
                board[cell] = power
                total += chance * future(board, self._size, self._goal, self._known)
            board[cell] = 0
        return total / len(free)

    def positions(self, game: Tiles, count: int, rng: Rng) -> list[Position]:
        """Positions of play that is perfect half of the time, else random: such games last."""
        drawn: list[Position] = []
        while len(drawn) < count:
            state = game.initial(rng)
            met = []
            while game.outcome(state) is None:
                worth = self.actions(state)
                best = max(worth, key=lambda action: worth[action])
                action = rng.choice([*worth]) if rng.below(2) else best
                met += [state] if len(worth) > 1 else []
                state = game.apply(state, action, rng)
            drawn += [rng.choice(met)] if met else []
        return drawn


SPEC = grid_spec(
    id="tiles",
    title="2048",
    summary="Slide and merge tiles.",
    options=BoardOptions,
    presets={"3x3": {"size": 3, "goal": 7}, "2x2": {"size": 2, "goal": 4}},
    factory="benchmarks.dice_games.tiles:Tiles",
)
