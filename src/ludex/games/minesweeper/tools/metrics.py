"""The counters of every move, over all matches."""

from collections.abc import Mapping
from typing import Any

from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import FLAG, MINE
from ludex.games.minesweeper.rules.position import Position

_HOW = {"opening": "opening", "rule": "proven_by_rule", "count": "proven_by_count", "guess": "guess"}
"""How an agent found its decision, as in its `stats`, and the name of the counter."""


def counters(game: Minesweeper, state: Position, action: int, stats: Mapping[str, Any]) -> dict[str, int]:
    """Reveals, mines hit, flags set and taken away, and how agents found their moves."""
    cell = state.cells[action % game.cells]
    if action >= game.cells:
        return {"unflag" if cell & FLAG else "flag": 1}
    counted = {"reveal": 1}
    if cell & MINE:
        counted["mine_hit"] = 1
    if (how := _HOW.get(stats.get("how", ""))) is not None:
        counted[how] = 1
    return counted
