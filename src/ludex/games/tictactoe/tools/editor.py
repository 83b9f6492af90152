"""Positions of tic-tac-toe as people edit them: a mark or none in every cell; whose turn it is follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ludex.core.editing import Setting, Tool
from ludex.core.errors import BadPosition
from ludex.core.game import AnyGame, Mask, Player
from ludex.core.messages import Message
from ludex.core.record import seat_name
from ludex.core.seeding import Rng
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import from_state_key, to_state_key
from ludex.games.tictactoe.rules.position import Position

FREE: Final = "."
MARKS: Final = {"X": "X", "O": "O", FREE: "E", "-": "E", "_": "E", "#": "E"}
"""What people write for a cell, and the key's character for it."""
ERASE: Final = "erase"


@dataclass(frozen=True, slots=True)
class TicTacToeDraft:
    """The marks of a board, however many of each."""

    game: TicTacToe
    key: str
    """`E`, `X` or `O` per cell, row by row."""

    @property
    def text(self) -> str:
        cols, cells = self.game.board.cols, self.key.replace("E", FREE)
        return "\n".join(" ".join(cells[begin : begin + cols]) for begin in range(0, len(cells), cols))

    @property
    def view(self) -> Position:
        x, o = (sum(1 << cell for cell, mark in enumerate(self.key) if mark == side) for side in "XO")
        return Position(x, o)

    @property
    def places(self) -> Mask:
        return np.ones(len(self.key), np.bool_)

    @property
    def to_move(self) -> Player:
        return int(self.key.count("X") > self.key.count("O"))

    @property
    def tools(self) -> Sequence[Tool]:
        titles = zip("XO", (seat_name("tictactoe", player) for player in (0, 1)), strict=True)
        marks = [Tool(name=mark, title=title, symbol=mark, key=mark.lower()) for mark, title in titles]
        return [*marks, Tool(name=ERASE, title=Message("tictactoe.edit_erase"), symbol="⌫", key="e")]

    @property
    def settings(self) -> Sequence[Setting]:
        return []

    def put(self, tool: str, place: str) -> "TicTacToeDraft":
        """A mark in a cell; the same mark again takes it away."""
        cell = self.game.board.cell_of_name.get(place)
        if cell is None or tool not in ("X", "O", ERASE):
            raise BadPosition.of(Message("tictactoe.position_place", {"place": place[:20], "tool": tool[:20]}))
        mark = "E" if tool in (ERASE, self.key[cell]) else tool
        return replace(self, key=self.key[:cell] + mark + self.key[cell + 1 :])

    def set(self, setting: str, value: str) -> "TicTacToeDraft":
        raise BadPosition.of(Message("tictactoe.position_place", {"place": value[:20], "tool": setting[:20]}))

    def position(self, rng: Rng) -> Position:
        return from_state_key(self.game.board, self.key)


class TicTacToeEditor:
    """Reads rows such as `X . O`, and keys such as `XEEEOEEEE`."""

    files: Final[Mapping[str, Any]] = {}

    def read(self, game: AnyGame, text: str) -> TicTacToeDraft:
        assert isinstance(game, TicTacToe)
        board, marks = game.board, "".join(text.split()).upper()
        key = marks if set(marks) <= set("EXO") else "".join(MARKS.get(mark, "?") for mark in marks)
        strange = next((mark for mark, read in zip(marks, key, strict=True) if read == "?"), None)
        if strange is not None:
            raise BadPosition.of(Message("tictactoe.position_mark", {"mark": strange}))
        if len(key) != board.cells:
            sizes = {"rows": board.rows, "cols": board.cols, "count": len(key)}
            raise BadPosition.of(Message("tictactoe.position_cells", sizes))
        return TicTacToeDraft(game, key)

    def of(self, game: AnyGame, view: Position) -> TicTacToeDraft:
        assert isinstance(game, TicTacToe)
        return TicTacToeDraft(game, to_state_key(game.board, view))


EDITOR: Final = TicTacToeEditor()
