"""Breakthrough for people: the rules in words, what can be done now, and a tutorial."""

from typing import Final

from ludex.core.game import Json, Mask, legal_actions
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.tutorial import Tutorial
from ludex.kit.game import Position
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn
from ludex_classics.breakthrough.game import Breakthrough

SMALL: Final = "6x6"


def stand(white: str, black: str) -> Json:
    """A position with White to move, as it is dumped."""
    return {"turn": 0, "white": [*white.split()], "black": [*black.split()]}


CAPTURE: Final = stand("a1 b1 c3", "c4 d4 e6 f6")
DEFENCE: Final = stand("b1 d4 f1", "c2 a6 f6")
ARRIVAL: Final = stand("a1 f1 d5", "c2 a6 f6")


def rulebook(game: Breakthrough) -> Rulebook:
    """The start, steps, captures and the end."""
    return grid_rulebook(
        game,
        sizes={"size": game.grid.rows},
        start=PositionSpec(board=game.info.preset),
        step=PositionSpec(board=SMALL, position=CAPTURE, show_legal=True),
        end=PositionSpec(board=SMALL, position=ARRIVAL),
        notation=None,
    )


def coach(game: Breakthrough, view: Position, legal: Mask) -> Message:
    """The goal and how men move, and how many captures there are, without advice on which move is good."""
    values = [*game.pieces(view)]
    captures = sum(values[game.notation.choices[action].sites[1]] != 0 for action in legal_actions(legal))
    return Message("breakthrough.coach_capture", {"count": captures}) if captures else Message("breakthrough.coach")


TUTORIAL = Tutorial(
    steps=(
        step("forward", SMALL, "", turn("c2c3")),
        step("capture", SMALL, "", turn("c3d4"), position=CAPTURE),
        step("defend", SMALL, "", turn("b1c2"), position=DEFENCE),
        step("arrive", SMALL, "", turn("d5*"), position=ARRIVAL),
    )
)
