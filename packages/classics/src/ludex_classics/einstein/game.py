"""The board of EinStein würfelt nicht!, and what a position holds."""

from collections.abc import Sequence

from ludex.core.game import Action
from ludex.kit.game import GridGame, Number, Position, Values
from ludex.kit.geometry import square_grid
from ludex.kit.notation import moving
from ludex_classics.einstein.rules import CELLS, DIE, SIDES, SIZE, STONE, choices, move
from ludex_classics.einstein.spec import BoardOptions

GRID = square_grid(SIZE, SIZE)
STARTS = ([0, 1, 2, 5, 6, 10], [24, 23, 22, 19, 18, 14])
"""Where either player's stones begin."""
GOALS = (CELLS - 1, 0)
STEPS = ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))


class EinStein(GridGame):
    """Be the first to reach the opposite corner."""

    id = "einstein"
    reasons = ("corner reached", "all stones taken")
    kinds = SIDES
    features = 2
    colours = ("red", "blue")
    marks = ("123456", "abcdef")
    symmetries = ("Identity", "ReflectMainDiagonal")

    def __init__(self, options: BoardOptions, preset: str) -> None:
        steps = [(GRID.cell(place), GRID.cell(place, step)) for place in GRID.places for step in STEPS]
        pairs = [pair for pair in steps if pair[1] >= 0]
        super().__init__(
            preset,
            grid=GRID,
            notation=moving(GRID, pairs),
            fields={"die": Number(SIDES, least=1), "stones": Values(SIDES, least=-SIDES)},
            max_plies=80,
            constants=(STARTS, pairs),
        )

    def chance_outcomes(self, state: Position, action: Action) -> Sequence[tuple[float, Position]]:
        """Six rolls, or none once the game is over."""
        numbers = state.vector()
        move(self.board, numbers, int(action))
        if self.outcome(Position(numbers)) is not None:
            return [(1.0, Position(numbers))]
        outcomes = []
        for die in range(1, SIDES + 1):
            numbers[DIE] = die
            outcomes.append((1 / SIDES, self.position(numbers)))
        return outcomes

    def reason(self, state: Position, score: float) -> str:
        return self.reasons[(state[STONE + GOALS[score < 0]] > 0) == (score < 0)]

    def stones(self, state: Position, player: int) -> dict[int, int]:
        """The cells of a player's stones, by their numbers."""
        sign = 1 - 2 * player
        return {sign * value: cell for cell, value in enumerate(self.pieces(state)) if sign * value > 0}

    def movable(self, state: Position) -> list[int]:
        """The numbers of the stones that the roll lets move."""
        numbers = choices(state.vector(), state[0], state[DIE])
        return [number for number in sorted({*numbers}) if number in self.stones(state, state[0])]

    def fault(self, state: Position) -> str | None:
        mover, last = (self.stones(state, player) for player in (state[0], 1 - state[0]))
        if len(mover) + len(last) < sum(value != 0 for value in self.pieces(state)):
            return "two stones of a player have one number"
        return None if last and GOALS[state[0]] not in mover.values() else "the player to move has won before"
