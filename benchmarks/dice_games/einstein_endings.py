"""Exact values of endings of EinStein würfelt nicht!, by the rules in words alone: stones walk, dice choose."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ludex.core.game import Action
from ludex.core.seeding import Rng

SIZE: Final = 5
SIDES: Final = 6
MOST: Final = 2
"""Stones of either player."""
Stones = tuple[tuple[int, int, int], ...]
"""(number, row, col) of each stone of a player, who walks to the corner (0, 0)."""


def turned(stones: Stones) -> Stones:
    """The stones as the other player sees them."""
    return tuple((number, SIZE - 1 - row, SIZE - 1 - col) for number, row, col in stones)


def choices(stones: Stones, die: int) -> list[int]:
    """The numbers of the stones that a roll allows to move."""
    numbers = [number for number, _, _ in stones]
    if die in numbers:
        return [die]
    below, above = ([n for n in numbers if n < die], [n for n in numbers if n > die])
    return [*([max(below)] if below else []), *([min(above)] if above else [])]


def steps(own: Stones, other: Stones, number: int) -> Iterator[tuple[tuple[int, int], Stones, Stones]]:
    """The squares that a stone can go to, and both players' stones afterwards."""
    (_, row, col) = next(stone for stone in own if stone[0] == number)
    for down, left in ((1, 0), (0, 1), (1, 1)):
        end = row - down, col - left
        if min(end) >= 0:
            kept = [tuple(stone for stone in part if stone[1:] != end and stone[0] != number) for part in (own, ())]
            foes = tuple(stone for stone in other if stone[1:] != end)
            yield end, tuple(sorted([*kept[0], (number, *end)])), foes


class Exact:
    """Solves endings as they are asked for."""

    unit = 1.0

    def __init__(self, game: Any) -> None:
        self._game = game
        self._known: dict[tuple[Stones, Stones], float] = {}

    def _expected(self, own: Stones, other: Stones) -> float:
        """The value for the player to move before the roll."""
        key = own, other
        if key not in self._known:
            self._known[key] = sum(max(self._worth(own, other, die).values()) for die in range(1, SIDES + 1)) / SIDES
        return self._known[key]

    def _worth(self, own: Stones, other: Stones, die: int) -> dict[tuple[int, tuple[int, int]], float]:
        """By stone and square the value of a move."""
        worth = {}
        for number in choices(own, die):
            for end, mine, foes in steps(own, other, number):
                won = end == (0, 0) or not foes
                worth[number, end] = 1.0 if won else -self._expected(turned(foes), turned(mine))
        return worth

    def _read(self, state: Any) -> tuple[Stones, Stones, int, int]:
        """The stones of the mover and of the other as the mover sees them, the roll, and the mover."""
        mover = self._game.to_move(state)
        stones = [
            (value, number // SIZE, number % SIZE) for number, value in enumerate(self._game.pieces(state)) if value
        ]
        first = tuple(sorted((value, row, col) for value, row, col in stones if value > 0))
        second = tuple(sorted((-value, row, col) for value, row, col in stones if value < 0))
        # The first player walks upwards.
        sides = (turned(first), turned(second)) if mover == 0 else (second, first)
        return tuple(sorted(sides[0])), tuple(sorted(sides[1])), state[1], mover

    def value(self, state: Any) -> float:
        """The score of the player to move by perfect play."""
        return max(self.actions(state).values())

    def actions(self, state: Any) -> dict[Action, float]:
        """The same after each legal action."""
        own, other, die, mover = self._read(state)
        worth, places = self._worth(own, other, die), {number: (row, col) for number, row, col in own}
        moves = {}
        for (number, end), value in worth.items():
            squares = [
                place if mover == 1 else (SIZE - 1 - place[0], SIZE - 1 - place[1]) for place in (places[number], end)
            ]
            names = (f"{'abcde'[col]}{row + 1}" for row, col in squares)
            moves[self._game.parse_action(state, "".join(names))] = value
        return moves

    def positions(self, game: Any, count: int, rng: Rng) -> list[Any]:
        """Endings of random games, with at most two stones each and a choice."""
        drawn: list[Any] = []
        while len(drawn) < count:
            state = game.initial(rng)
            while game.outcome(state) is None:
                values = [*game.pieces(state)]
                few = all(sum(sign * value > 0 for value in values) <= MOST for sign in (1, -1))
                legal = np.flatnonzero(game.legal(state)).tolist()
                if few and len(legal) > 1:
                    drawn.append(state)
                    break
                state = game.apply(state, rng.choice(legal), rng)
        return drawn
