"""EinStein würfelt nicht! for people: board and die, the rules in words, what can be done now, and a tutorial."""

from typing import Final

from ludex.core.game import Json, Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.scene import Colour, Panel, Piece, Scene
from ludex.core.tutorial import Tutorial
from ludex.kit.game import Position
from ludex.kit.screen import scene as grid_scene
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn
from ludex_classics.einstein.game import GOALS, GRID, EinStein
from ludex_classics.einstein.rules import DIE, SIDES

BOARD: Final = "5x5"
STONES: Final[tuple[tuple[Colour, str], ...]] = (("p1", "einstein.stone_1"), ("p2", "einstein.stone_2"))
"""The colour of either player's stones, and what they are called."""


def stand(die: int, red: str, blue: str) -> Json:
    """A position with Red to move, as it is dumped: stones as their number and square, such as 3c2."""
    stones: list[Json] = [0] * GRID.sites
    for sign, names in ((1, red), (-1, blue)):
        for name in names.split():
            stones[GRID.names.index(name[1:])] = sign * int(name[0])
    return {"turn": 0, "die": die, "stones": stones}


OPENING: Final = stand(2, "6a1 2b1 1c1 4a2 5b2 3a3", "6e5 2d5 1c5 4e4 5d4 3e3")
MISSING: Final = stand(4, "2c3 6b2 1a4", "3d3 5e2 1b5")
TAKING: Final = stand(3, "3c3 5b2", "2d4 6e2 1b5")
THINNING: Final = stand(6, "2d4 6b2 3c2", "4e3 1b4")
ARRIVAL: Final = stand(1, "4d4 6a3", "2b1 5c2")


def scene(game: EinStein, view: Position, legal: Mask) -> Scene:
    """Numbered stones, either player's goal, the stones that may move, and the roll."""
    grounds: dict[int, Colour] = {GOALS[0]: "p1-soft", GOALS[1]: "p2-soft"}
    own = game.stones(view, view[0])
    grounds |= {own[number]: "warn" for number in game.movable(view) if legal.any()}
    pieces = [
        [
            Piece(symbol="square", colour=colour, text=str(number), label=Message(name, {"number": number}))
            for number in range(1, SIDES + 1)
        ]
        for colour, name in STONES
    ]
    panel = Panel(title=Message("einstein.die"), lines=(Message("einstein.roll", {"die": view[DIE]}),))
    return grid_scene(game, view, legal, pieces=pieces, grounds=grounds, panels=(panel,) if legal.any() else ())


def rulebook(game: EinStein) -> Rulebook:
    """The start, the die, steps, captures and the end."""
    return grid_rulebook(
        game,
        sizes={},
        start=PositionSpec(board=BOARD, position=OPENING),
        die=PositionSpec(board=BOARD, position=MISSING, show_legal=True),
        take=PositionSpec(board=BOARD, position=TAKING, show_legal=True),
        end=PositionSpec(board=BOARD, position=ARRIVAL),
        notation=None,
    )


def coach(game: EinStein, view: Position, legal: Mask) -> Message:
    """Which stones may move, without advice on where to."""
    numbers = game.movable(view)
    stones = {"die": view[DIE], "first": numbers[0], "second": numbers[-1]}
    return Message("einstein.coach_two" if len(numbers) > 1 else "einstein.coach_one", stones)


TUTORIAL = Tutorial(
    steps=(
        step("walk", BOARD, "", turn("b1c2"), position=OPENING),
        step("choose", BOARD, "", turn("c3*"), position=MISSING),
        step("take", BOARD, "", turn("c3d4"), position=TAKING),
        step("thin", BOARD, "", turn("b2c2"), position=THINNING),
        step("arrive", BOARD, "", turn("d4e5"), position=ARRIVAL),
    )
)
