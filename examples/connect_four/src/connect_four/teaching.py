"""Connect Four for people: the board, the rules in words, and what a newcomer plays at `/learn/connect_four`."""

from connect_four.game import ConnectFour
from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.rulebook import Rulebook
from ludex.core.scene import Scene
from ludex.core.tutorial import Tutorial
from ludex.kit.game import Position
from ludex.kit.screen import complete_lines
from ludex.kit.screen import scene as grid_scene
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn

SMALL = "5x4"


def scene(game: ConnectFour, view: Position, legal: Mask) -> Scene:
    """The board, with a line through the winning four."""
    return grid_scene(game, view, legal, lines=complete_lines(game, view, 4))


def rulebook(game: ConnectFour) -> Rulebook:
    """Two sections with their pictures."""
    drop, four = PositionSpec(board=SMALL, moves=("c", "c")), PositionSpec(board=SMALL, moves=tuple("aabbccd"))
    return grid_rulebook(game, sizes={"rows": game.grid.rows, "cols": game.grid.cols}, drop=drop, four=four)


TUTORIAL = Tutorial(
    steps=(
        step("drop", SMALL, "", turn("c")),
        step("win", SMALL, "a a b b c c", turn("d")),
        step("block", SMALL, "a c a c e c", turn("c")),
        step("fork", SMALL, "b b c c", turn("d", reply="a"), turn("e")),
    )
)
