"""Dark Hex for people: the rules in words, what can be done now, and a tutorial."""

from typing import Final

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.tutorial import Tutorial
from ludex.kit.game import Position
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn
from ludex_classics.dark_hex.game import COLOURS, DarkHex

SMALL: Final = "3x3"


def rulebook(game: DarkHex) -> Rulebook:
    """The goal, what is hidden, and what happens on a cell that is taken."""
    return grid_rulebook(
        game,
        sizes={"size": game.grid.rows},
        goal=PositionSpec(board=game.info.preset),
        hidden=PositionSpec(board=SMALL, moves=("b1", "b2")),
        seen=PositionSpec(board=SMALL, moves=("b1", "b2", "b2"), cells=(4,)),
        notation=None,
    )


def coach(game: DarkHex, view: Position, legal: Mask) -> Message:
    """How many of the other player's stones are seen, of how many."""
    player = game.to_move(view)
    seen, own = (len(game.layout.members(view, COLOURS[seat])) for seat in (1 - player, player))
    return Message("dark_hex.coach", {"count": own + player, "seen": seen, "cells": int(legal.sum())})


TUTORIAL = Tutorial(
    steps=(
        step("place", SMALL, "", turn("b1"), cells=(1,)),
        step("try", SMALL, "b1 b2", turn("b2"), turn("a2"), cells=(4,)),
        step("win", SMALL, "b1 b2 b2 a2 c2", turn("a3")),
    )
)
