"""Pig: roll a die as often as you dare. A 1 ends the turn, which is then worth one point, whatever it had gained."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from pydantic import Field

from ludex.core.game import Action
from ludex.core.options import Options
from ludex.core.seeding import Rng
from ludex.kit.game import GridGame, Number, Position
from ludex.kit.geometry import square_grid
from ludex.kit.notation import words
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, Words, draw_below, kernel
from ludex.kit.spec import grid_spec

POINTS, GAINED = 1, 3
"""Behind the turn: the points of either player, and what the turn has gained."""
GOAL: Final = 0
"""The board: the points that win."""
ROLL, HOLD = 0, 1
SIDES: Final = 6


class BoardOptions(Options):
    """How long a game is."""

    goal: int = Field(20, ge=2, le=100)


class Pig(GridGame):
    """Roll as often as you dare."""

    id = "pig"
    reasons = ("points", "draw")
    features = 3
    symmetries = ("Identity",)

    def __init__(self, options: BoardOptions, preset: str) -> None:
        goal = options.goal
        most = goal + SIDES
        super().__init__(
            preset,
            rules=__name__,
            # A scale in rows of ten.
            grid=square_grid(-(-goal // 10), min(goal, 10)),
            notation=words("roll", "hold"),
            fields={"points_1": Number(most), "points_2": Number(most), "gained": Number(most)},
            max_plies=2 * goal * (goal // 2 + 1),
            constants=(goal,),
        )

    def chance_outcomes(self, state: Position, action: Action) -> Sequence[tuple[float, Position]]:
        """Six sides, or what is held."""
        turn, numbers = state[TURN], state.vector()
        if action == HOLD:
            _end_turn(numbers, state[GAINED])
            return [(1.0, Position(numbers))]
        numbers = np.tile(numbers, (SIDES, 1))
        _end_turn(numbers[0], 1)
        numbers[1:, GAINED] += np.arange(2, SIDES + 1)
        assert turn == state[TURN]
        return [(1 / SIDES, Position(row)) for row in numbers]


@kernel
def initial(board: Vector, state: Vector, random: Words) -> None:
    """No points."""


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """Roll, or hold what was gained."""
    mask[ROLL], mask[HOLD] = 1, state[GAINED] > 0


@kernel
def _end_turn(state: Vector, points: int) -> None:
    """Write points down, and give the die away."""
    state[POINTS + state[TURN]] += points
    state[GAINED], state[TURN] = 0, 1 - state[TURN]


@kernel
def apply(board: Vector, state: Vector, action: int, random: Words) -> None:
    """Roll, or hold."""
    if action == HOLD:
        _end_turn(state, state[GAINED])
        return
    side = draw_below(random, 0, SIDES) + 1
    if side == 1:
        _end_turn(state, 1)
    else:
        state[GAINED] += side


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """Whose points, with those of the turn, reach the goal."""
    for seat in range(2):
        gained = state[GAINED] if state[TURN] == seat else 0
        if state[POINTS + seat] + gained >= board[GOAL]:
            return 1.0 if seat == 0 else -1.0
    return RUNNING


@kernel
def piece(board: Vector, state: Vector, site: int) -> int:
    """The board is a scale, which the features write on."""
    return 0


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """The mover's points, the other's, and what the mover had after holding, each as a mark on the scale."""
    own, other = state[POINTS + state[TURN]], state[POINTS + 1 - state[TURN]]
    mark = own if plane == 0 else other if plane == 1 else own + state[GAINED]
    return 1.0 if site == mark else 0.0


class Exact:
    """The exact values of every position, by the rules in words alone."""

    unit = 1.0

    def __init__(self, game: Pig) -> None:
        goal = int(game.board[GOAL])
        self.values = np.ones((goal, goal, goal))
        """[own points, the other's, gained]: of the player to move."""
        for total in range(2 * goal - 2, -1, -1):
            for own in range(max(0, total - goal + 1), min(goal, total + 1)):
                for gained in range(goal - own - 1, -1, -1):
                    worth = self._actions(own, total - own, gained)
                    self.values[own, total - own, gained] = max(worth.values())

    def _actions(self, own: int, other: int, gained: int) -> dict[Action, float]:
        """What rolling is worth, and holding where something was gained."""
        goal = len(self.values)

        def given_away(points: int) -> float:
            return 1.0 if points >= goal else -float(self.values[other, points, 0])

        def gained_more(side: int) -> float:
            points = gained + side
            return 1.0 if own + points >= goal else float(self.values[own, other, points])

        roll = (given_away(own + 1) + sum(map(gained_more, range(2, SIDES + 1)))) / SIDES
        return {ROLL: roll, HOLD: given_away(own + gained)} if gained else {ROLL: roll}

    def value(self, state: Position) -> float:
        """The score of the player to move by perfect play."""
        return max(self.actions(state).values())

    def actions(self, state: Position) -> dict[Action, float]:
        """The same after each legal action."""
        turn = state[TURN]
        return self._actions(state[POINTS + turn], state[POINTS + 1 - turn], state[GAINED])

    def positions(self, game: Pig, count: int, rng: Rng) -> list[Position]:
        """Any points and gains that leave the game open."""
        drawn: list[Position] = []
        while len(drawn) < count:
            numbers = np.array([rng.below(2), *(rng.below(len(self.values)) for _ in range(3))])
            if numbers[GAINED] > 1 and game.outcome(Position(numbers)) is None:
                drawn.append(Position(numbers))
        return drawn


SPEC = grid_spec(
    id="pig",
    title="Pig",
    summary="Roll a die as often as you dare.",
    options=BoardOptions,
    presets={"60": {"goal": 60}, "6": {"goal": 6}},
    factory="benchmarks.dice_games.pig:Pig",
)
