"""Nine Men's Morris for people: the board, the rules in words, what can be done now, and a tutorial."""

from typing import Final

from ludex.core.game import Json, Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.scene import Line, Panel, Scene
from ludex.core.tutorial import Tutorial
from ludex.kit.game import Position
from ludex.kit.screen import scene as grid_scene
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn
from ludex_classics.morris.game import MILLS, POINTS, Morris
from ludex_classics.morris.rules import HAND, TAKING

BOARD: Final = "classic"
LINES: Final = tuple(Line(cells=mill, colour="muted", below=True) for mill in MILLS)


def stand(white: str, black: str, turn: int = 0) -> Json:
    """A position without men in hand, as it is dumped."""
    men: dict[str, Json] = {
        name: [point for point in POINTS if point in men.split()] for name, men in (("white", white), ("black", black))
    }
    return {"turn": turn, "taking": 0, "quiet": 0, "in_hand_1": 0, "in_hand_2": 0, **men}


MOVING: Final = stand("a1 d1 g4 d6", "b2 f4 d3 c5 a7")
FLYING: Final = stand("a1 d1 e3", "b2 f4 d3 c5")


def scene(game: Morris, view: Position, legal: Mask) -> Scene:
    """The board with its lines, and the men in hand."""
    hands = {"white": view[HAND], "black": view[HAND + 1]}
    panel = Panel(title=Message("morris.in_hand"), lines=(Message("morris.hands", hands),))
    return grid_scene(game, view, legal, lines=LINES, ground="board", panels=(panel,) if sum(hands.values()) else ())


def rulebook(game: Morris) -> Rulebook:
    """Placing, mills, moving, flying and the end."""
    mill = tuple(POINTS.index(name) for name in ("a1", "d1", "g1"))
    return grid_rulebook(
        game,
        sizes={},
        place=PositionSpec(board=BOARD, moves=("d2", "b4", "f4")),
        mill=PositionSpec(board=BOARD, moves=("a1", "b2", "d1", "f4", "g1"), cells=mill),
        move=PositionSpec(board=BOARD, position=MOVING),
        fly=PositionSpec(board=BOARD, position=FLYING),
        end=None,
        notation=None,
    )


def coach(game: Morris, view: Position, legal: Mask) -> Message:
    """What kind of move it is, without advice on which."""
    kind = "take" if view[TAKING] else "place" if view[HAND + game.to_move(view)] else "move"
    return Message(f"morris.coach_{kind}", {"count": view[HAND + game.to_move(view)]})


def expand(game: Morris, view: Position, text: str) -> list[str] | None:
    """`g4g1xb2` stands for the move `g4g1` and, where it closes a mill, `xb2`."""
    move, x, point = text.partition("x")
    return [move, x + point] if move and point else None


TUTORIAL = Tutorial(
    steps=(
        step("place", BOARD, "", turn("d2 b4 f4 d6")),
        step("mill", BOARD, "a1 b2 d1 f4", turn("g1"), turn("x*")),
        step("block", BOARD, "d2 a7 f4 d7", turn("g7")),
        step("move", BOARD, "", turn("g4g1"), turn("x*"), position=MOVING),
        step("fly", BOARD, "", turn("e3g1"), turn("x*"), position=FLYING),
    )
)
