"""Hex for people: the board with its sides, the rules in words, what can be done now, and a tutorial."""

from typing import Final

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.scene import Colour, Edge, Line, Scene, Side
from ludex.core.tutorial import Tutorial
from ludex.kit.game import Position
from ludex.kit.screen import scene as grid_scene
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn
from ludex_classics.hex.effects import chain
from ludex_classics.hex.game import Hex

SMALL: Final = "5x5"
WON: Final = "c1 a1 c2 a2 b3 a3 b4 a4 b5"
SIDES: Final[tuple[tuple[int, int, Side, Colour], ...]] = (
    *((0, 0, side, "p1") for side in ("nw", "ne")),
    *((0, 1, side, "p1") for side in ("sw", "se")),
    *((1, 0, side, "p2") for side in ("w", "sw")),
    *((1, 1, side, "p2") for side in ("ne", "e")),
)
"""Of each side of the board: whether it is a column, whether it is the last one, and the edges that are coloured."""


def scene(game: Hex, view: Position, legal: Mask) -> Scene:
    """The board, whose sides have the colours of those who connect them, and at the end the chain that does."""
    outcome, size = game.outcome(view), game.grid.rows
    won = () if outcome is None else (Line(cells=tuple(chain(game, view, int(outcome.scores[1] > 0))[1])),)
    drawn = grid_scene(game, view, legal, lines=won)
    edges = []
    for is_column, is_last, side, colour in SIDES:
        end = is_last * (size - 1)
        places = [(other, end) if is_column else (end, other) for other in range(size)]
        edges += [Edge(cell=game.grid.cell(place), side=side, colour=colour) for place in places]
    return drawn.model_copy(update={"board": drawn.board.model_copy(update={"edges": tuple(edges)})})


def rulebook(game: Hex) -> Rulebook:
    """The goal, the swap and the bridge."""
    return grid_rulebook(
        game,
        sizes={"size": game.grid.rows},
        goal=PositionSpec(board=game.info.preset),
        win=PositionSpec(board=SMALL, moves=tuple(WON.split())),
        swap=PositionSpec(board=SMALL, moves=("b1", "swap")),
        bridge=PositionSpec(board=SMALL, moves=("c2", "a5", "b4"), cells=(11, 12)),
        notation=None,
    )


def coach(game: Hex, view: Position, legal: Mask) -> Message:
    """Whether the swap is at hand, without advice on taking it."""
    return Message("hex.coach_swap" if legal[-1] else f"hex.coach_{game.to_move(view) + 1}")


TUTORIAL = Tutorial(
    steps=(
        step("place", SMALL, "", turn("c3")),
        step("swap", SMALL, "c3", turn("swap")),
        step("bridge", SMALL, "c2 a5 b4 b3", turn("c3")),
        step("win", SMALL, "c1 a1 c2 a2 b3 a3 b4 a4", turn("a5 b5")),
    )
)
