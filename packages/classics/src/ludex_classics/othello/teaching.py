"""Othello for people: the rules in words, what can be done now, a tutorial, and the count beside the board."""

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.scene import Panel, Scene
from ludex.core.tutorial import Tutorial
from ludex.kit.game import Position
from ludex.kit.screen import scene as grid_scene
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn
from ludex_classics.othello.game import Othello

SMALL = "6x6"
PASS = "b3 b2 c2 b4 a1 c1 b1 e2"
"""After d1, the other player has no move."""


def scene(game: Othello, view: Position, legal: Mask) -> Scene:
    """The board, and how many discs either player has."""
    counts = {name: len(game.layout.members(view, name)) for name in ("black", "white")}
    panel = Panel(title=Message("othello.discs"), lines=(Message("othello.count", counts),))
    return grid_scene(game, view, legal, panels=(panel,))


def rulebook(game: Othello) -> Rulebook:
    """Turning, passing and the end, in pictures of 6x6."""
    return grid_rulebook(
        game,
        sizes={"size": game.grid.rows},
        start=PositionSpec(board=game.info.preset),
        turn=PositionSpec(board=SMALL, moves=("c2",), cells=(8,)),
        several=PositionSpec(board=SMALL, moves=("e4", "e5", "d5", "e3"), cells=(16, 22, 28)),
        passing=PositionSpec(board=SMALL, moves=(*PASS.split(), "d1")),
        end=None,
        notation=None,
    )


def coach(game: Othello, view: Position, legal: Mask) -> Message:
    """How many squares there are to choose from, without advice on which."""
    return Message("othello.coach_pass" if legal[-1] else "othello.coach_place", {"count": int(legal.sum())})


TUTORIAL = Tutorial(
    steps=(
        step("enclose", SMALL, "", turn("c2"), cells=(14,)),
        step("several", SMALL, "e4 e5 d5 e3", turn("f3 f5", corner="f6"), cells=(16, 22, 28)),
        step("corner", SMALL, "e4 e5 d5 e3", turn("f6"), cells=(35,)),
        step("pass", SMALL, PASS, turn("d1", reply="pass"), turn("[a-f]*")),
        step("win", SMALL, "e4 e3 f2 f5 f4 e5 b3 f3", turn("f6")),
    )
)
