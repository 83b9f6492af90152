"""The rules of a board in words and pictures, what can be done now, and a tutorial."""

from ludex.core.game import Mask, legal_actions
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.tutorial import Tutorial
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.position import Position
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn

_SMALL = "5x5"
_MOVES_PER_SQUARE = 4
"""A game ends as a draw after so many plies per square."""


def rulebook(game: Quoridor) -> Rulebook:
    """The goal on this board; steps, jumps and walls in pictures of 5x5."""
    size = game.size
    sizes = {"size": size, "count": game.walls, "plies": _MOVES_PER_SQUARE * size * size}
    goal = tuple(range(size * (size - 1), size * size))

    return grid_rulebook(
        game,
        sizes=sizes,
        goal=PositionSpec(board=game.info.preset, cells=goal),
        step=_small("c2 b4v", "c1 b2 d2 c3"),
        wall=_small("c2 c4 b3h"),
        path=_small("c2 b5 d2 b4 d3 b3 a1h b2 c1h a2 d1v", "e2 e1"),
        jump=_small("c2 c4 d3v c3", "c4"),
        aside=_small("c2 c4 a1v c3 c3h a4v", "b3 d3"),
        draw=None,
        notation=_small("b2h d2v"),
    )


def _small(moves: str, marked: str = "") -> PositionSpec:
    """A picture of 5x5 from blue's side, with squares marked."""
    cells = tuple("abcde".index(name[0]) + 5 * (int(name[1]) - 1) for name in marked.split())
    return PositionSpec(board=_SMALL, moves=tuple(moves.split()), cells=cells, viewer=0)


def coach(game: Quoridor, view: Position, legal: Mask) -> Message:
    """Whether the mover may step, jump and put a wall, without advice on which."""
    pawn, left = view.pawns[view.turn], view.left[view.turn]
    reached = [action for action in legal_actions(legal) if action < game.squares]
    jumps = any(abs(square - pawn) not in (1, game.size) for square in reached)
    name = f"coach_{'jump' if jumps else 'step'}"
    return Message(f"quoridor.{name}" if left else f"quoridor.{name}_only", {"count": left})


_WALLS = "*[hv]"
_GOAL = (20, 21, 22, 23, 24)

TUTORIAL = Tutorial(
    steps=(
        step("walk", _SMALL, "", turn("c2", aside="[bd]1"), cells=_GOAL),
        step("jump", _SMALL, "c2 c4 d3v c3", turn("c4", walled=_WALLS)),
        step("aside", _SMALL, "c2 c4 a1v c3 c3h a4v", turn("b3 d3", walled=_WALLS)),
        step("wall", _SMALL, "c2 b5 d2 b4 b2v b3 d3 b2", turn("a1h", short="b1h", elsewhere=_WALLS)),
        step("path", _SMALL, "c2 b5 d2 b4 d3 b3 a1h b2 c1h a2 d1v b2", turn("b2v c2v d3v", elsewhere=_WALLS)),
        step("race", _SMALL, "c2 b5 d2 b4 d3 a4", turn("d4", reply="a3", walled=_WALLS), turn("d5")),
    )
)
