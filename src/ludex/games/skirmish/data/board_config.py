"""`config/board_config.json`: the board and its walls."""

from pydantic import Field

from ludex.games.skirmish.data.schema import Coordinates, Schema
from ludex.games.skirmish.hexes.grid import LEAST_ROWS, MOST_COLS, MOST_ROWS


class BoardConfig(Schema):
    """How large the board is and where its walls stand.

    Only a board with an odd number of columns can be the same for both players: another has no half turn.
    """

    cols: int = Field(ge=1, le=MOST_COLS)
    rows: int = Field(ge=LEAST_ROWS, le=MOST_ROWS)
    wall_hexes: tuple[Coordinates, ...]
