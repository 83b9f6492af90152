"""Dots and Boxes for people: the board and the score, the rules in words, what can be done now, and a tutorial."""

from typing import Final

from ludex.core.game import Json, Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.scene import Colour, Panel, Scene
from ludex.core.tutorial import TurnSpec, Tutorial
from ludex.kit.game import Position
from ludex.kit.screen import scene as grid_scene
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn
from ludex_classics.boxes.game import Boxes

SMALL: Final = "3x3"
THIRD: Final = "b2n b2w b3n a1n"
"""The box in the middle lacks an edge."""
SAFE: Final = TurnSpec(accept=("a*", "?1*", "c2[en]", "b3[sw]", "c3*"), refuse={"b3n": "third", "c2w": "third"})
CHAIN: Final = "a1n a2n b1n b2n c1n c2n a3s a1w"
"""The other player has opened the upper row, a chain of three boxes."""


def stand(free: str, blue: str, orange: str) -> Json:
    """A position with Blue to move, as it is dumped: all edges are drawn but these, and these boxes are owned."""
    names = Boxes.grid_of(3).names
    owners = {name: owner for boxes, owner in ((blue, 1), (orange, -1)) for name in boxes.split()}
    edges = [int(name not in free.split()) for name in names[9:]]
    return {"turn": 0, "sites": [*(owners.get(name, 0) for name in names[:9]), *edges]}


def scene(game: Boxes, view: Position, legal: Mask) -> Scene:
    """The board, whose boxes have the colours of their players, and the score."""
    owners = [*game.pieces(view)][: len(game.grid.places)]
    grounds: dict[int, Colour] = {
        cell: "p1-soft" if owner > 0 else "p2-soft" for cell, owner in enumerate(owners) if owner
    }
    count = Message("boxes.count", {"blue": owners.count(1), "orange": owners.count(-1)})
    panel = Panel(title=Message("boxes.score"), lines=(count,))
    return grid_scene(game, view, legal, grounds=grounds, panels=(panel,))


def rulebook(game: Boxes) -> Rulebook:
    """Edges, boxes, turns and chains."""
    return grid_rulebook(
        game,
        sizes={"size": game.grid.rows, "boxes": len(game.grid.places)},
        start=PositionSpec(board=game.info.preset),
        close=PositionSpec(board=SMALL, moves=("b2n", "b2w", "b3n", "c2w"), cells=(4,)),
        chain=PositionSpec(board=SMALL, moves=tuple(CHAIN.split()), cells=(0, 1, 2)),
        end=None,
        notation=None,
    )


def coach(game: Boxes, view: Position, legal: Mask) -> Message:
    """How many boxes can be closed, without advice on whether to."""
    ready = sum(game.edges_of(view, cell) == 3 for cell in range(len(game.grid.places)))
    return Message("boxes.coach_close" if ready else "boxes.coach", {"count": ready or int(legal.sum())})


TUTORIAL = Tutorial(
    steps=(
        step("draw", SMALL, "", turn("b2n"), cells=(4,)),
        step("close", SMALL, THIRD, turn("c2w"), turn("*"), cells=(4,)),
        step("safe", SMALL, "b2n b2w", SAFE, cells=(4,)),
        step("chain", SMALL, CHAIN, turn("b1w"), turn("c1w"), turn("c1e"), cells=(0, 1, 2)),
        step(
            "short",
            SMALL,
            "",
            turn("c3e c3s"),
            position=stand("a1w b1w c1w c1e c3e c3s", blue="a2 b2", orange="c2 a3 b3"),
            cells=(8,),
        ),
    )
)
