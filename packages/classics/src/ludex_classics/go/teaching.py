"""Go for people: the board with its lines and areas, the rules in words, what can be done now, and a tutorial."""

from typing import Final

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.scene import Colour, Line, Panel, Scene
from ludex.core.tutorial import Tutorial
from ludex.kit.game import Position
from ludex.kit.screen import scene as grid_scene
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn
from ludex_classics.go.game import Go
from ludex_classics.go.rules import PASSES

SMALL: Final = "7x7"
TAKE: Final = "c4 d4 d5 a1 e4 a7"
EYE: Final = "a3 a2 b3 b2 c2 b1 c1 g7"
EYES: Final = "a2 a3 b2 b3 c2 c3 d2 d3 d1 e2 g7 e1"
KO: Final = "e5 c4 e3 d5 f4 d3 d4 g1 a7 e4"
END: Final = "e1 f1 e2 f2 e3 f3 e4 f4 e5 f5 e6 f6 e7 f7 a1 pass"


def scene(game: Go, view: Position, legal: Mask) -> Scene:
    """The board with its lines, how large the areas are, and which points they have at the end."""
    size = game.grid.rows
    rows = [tuple(game.grid.cell((row, col)) for col in range(size)) for row in range(size)]
    lines = [Line(cells=points, colour="muted", below=True) for points in (*rows, *zip(*rows, strict=True))]
    areas: dict[Colour, set[int]] = dict(zip(("p1-soft", "p2-soft"), game.areas(view), strict=True))
    black, white = map(len, areas.values())
    count = Message("go.count", {"black": black, "white": white, "komi": game.komi})
    return grid_scene(
        game,
        view,
        legal,
        lines=lines,
        panels=(Panel(title=Message("go.areas"), lines=(count,)),),
        ground="board",
        grounds={point: colour for colour, area in areas.items() for point in area} if game.outcome(view) else {},
    )


def rulebook(game: Go) -> Rulebook:
    """Stones, liberties, what is forbidden, and how areas are counted."""
    return grid_rulebook(
        game,
        sizes={"size": game.grid.rows, "komi": game.komi, "plies": game.info.max_plies},
        start=PositionSpec(board=game.info.preset),
        take=PositionSpec(board=SMALL, moves=tuple(TAKE.split()), cells=(17,)),
        suicide=PositionSpec(board=SMALL, moves=tuple(EYES.split()), cells=(1,)),
        ko=PositionSpec(board=SMALL, moves=tuple(KO.split()), cells=(24,)),
        end=PositionSpec(board=SMALL, moves=tuple(END.split())),
        notation=None,
    )


def coach(game: Go, view: Position, legal: Mask) -> Message:
    """Whether the other player has passed or groups can be taken at once, without advice on which move is good."""
    if view[PASSES]:
        return Message("go.coach_passed")
    count = sum(len(game.liberties(view, group)) == 1 for group in game.groups(view, game.to_move(view)))
    return (
        Message("go.coach_atari", {"count": count}) if count else Message("go.coach", {"count": int(legal.sum()) - 1})
    )


TUTORIAL = Tutorial(
    steps=(
        step("take", SMALL, TAKE, turn("d3"), cells=(24,)),
        step("escape", SMALL, "d4 c4 a1 d5 g1 e4", turn("d3"), cells=(24,)),
        step("group", SMALL, "c4 d4 d5 e4 e5 a7 f4 g7 d3 a1", turn("e3"), cells=(24, 25)),
        step("eye", SMALL, EYE, turn("a1")),
        step("eyes", SMALL, EYES, turn("b1", beside="[ac]1"), cells=(0, 1, 2)),
        step("ko", SMALL, KO, turn("g2", reply="f1"), turn("d4"), cells=(24,)),
        step("end", SMALL, END, turn("pass")),
    )
)
