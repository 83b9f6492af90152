"""The rules of EinStein würfelt nicht!: a die says which stone moves, towards the opposite corner."""

import math
from typing import Final

from ludex.kit.rules import RUNNING, TURN, Mask, Vector, Words, draw_below, kernel

DIE, STONE = 1, 2
"""Behind the turn: the roll, and per cell the number of the stone there, below 0 of the second player."""
STARTS, PAIRS = 0, 12
"""The board: where either player's stones begin, then from and to of every action."""
SIZE, CELLS, SIDES = 5, 25, 6
STEP: Final = 0.3
"""What it is worth to be a step nearer."""


@kernel
def initial(board: Vector, state: Vector, random: Words) -> None:
    """Six stones in either corner in any order, and a roll."""
    for player in range(2):
        for index in range(SIDES):
            cell = STONE + board[STARTS + SIDES * player + index]
            other = STONE + board[STARTS + SIDES * player + draw_below(random, 0, index + 1)]
            state[cell] = state[other]
            state[other] = (index + 1) * (1 - 2 * player)
    state[DIE] = draw_below(random, 0, SIDES) + 1


@kernel
def choices(state: Vector, player: int, die: int) -> tuple[int, int]:
    """The numbers of the stones that a roll allows: its own, or the next lower and the next higher one."""
    lower, higher, sign = 0, SIDES + 1, 1 - 2 * player
    for cell in range(CELLS):
        number = sign * state[STONE + cell]
        if 0 < number <= die:
            lower = max(lower, number)
        if number >= die:
            higher = min(higher, number)
    return (lower, lower) if lower == die else (lower, higher)


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """A step of one of these stones towards the other corner, whatever stands there."""
    turn = state[TURN]
    lower, higher = choices(state, turn, state[DIE])
    for action in range(len(mask)):
        start, end = board[PAIRS + 2 * action], board[PAIRS + 2 * action + 1]
        number = state[STONE + start] * (1 - 2 * turn)
        mask[action] = number > 0 and number in (lower, higher) and (end > start) == (turn == 0)


@kernel
def move(board: Vector, state: Vector, action: int) -> None:
    """Move a stone, and take off what stands there, of either player."""
    start, end = board[PAIRS + 2 * action], board[PAIRS + 2 * action + 1]
    state[STONE + end] = state[STONE + start]
    state[STONE + start] = 0
    state[TURN] = 1 - state[TURN]


@kernel
def apply(board: Vector, state: Vector, action: int, random: Words) -> None:
    """Move a stone, and roll for the other player."""
    move(board, state, action)
    if outcome(board, state) == RUNNING:
        state[DIE] = draw_below(random, 0, SIDES) + 1


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """Who has reached the other corner, or taken every stone of the other player, has won."""
    last = 1 - state[TURN]
    sign, stones = 1 - 2 * last, 0
    for cell in range(CELLS):
        stones += state[STONE + cell] * sign < 0
    won = stones == 0 or state[STONE + (CELLS - 1) * (1 - last)] * sign > 0
    return float(sign) if won else RUNNING


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """Which stones may move, and whether they go upwards."""
    if plane == 1:
        return float(1 - state[TURN])
    number = state[STONE + site] * (1 - 2 * state[TURN])
    return 1.0 if number > 0 and number in choices(state, state[TURN], state[DIE]) else 0.0


@kernel
def distance(state: Vector, player: int) -> float:
    """How far the nearest stone that may move has to go, on average over the rolls."""
    total = 0
    for die in range(1, SIDES + 1):
        lower, higher = choices(state, player, die)
        nearest = SIZE
        for cell in range(CELLS):
            number = state[STONE + cell] * (1 - 2 * player)
            if number > 0 and number in (lower, higher):
                done = min(cell // SIZE, cell % SIZE) if player == 0 else SIZE - 1 - max(cell // SIZE, cell % SIZE)
                nearest = min(nearest, SIZE - 1 - done)
        total += nearest
    return total / SIDES


@kernel
def estimate(board: Vector, state: Vector) -> float:
    """Who is nearer, where the turn is half a step."""
    return math.tanh(STEP * (distance(state, 1) - distance(state, 0) + 0.5 - state[TURN]))
