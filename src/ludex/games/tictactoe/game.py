"""Tic-tac-toe as a `Game` of the contract."""

from operator import index
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadPosition, IllegalAction, MalformedAction
from ludex.core.game import Action, GameInfo, Json, Mask, Observation, Outcome, Player
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.games.tictactoe.options import BoardOptions
from ludex.games.tictactoe.rules.board import MnkBoard, from_state_key, is_free, to_state_key
from ludex.games.tictactoe.rules.position import Position

WINS = (Outcome((1.0, -1.0), "line"), Outcome((-1.0, 1.0), "line"))
DRAW = Outcome((0.0, 0.0), "board full")
PHASE = "play"


class TicTacToe:
    """The game on one (m,n,k) board, with perfect information: the view is the position."""

    def __init__(self, options: BoardOptions, preset: str) -> None:
        self.board = MnkBoard(options.rows, options.cols, options.k)
        self.info = GameInfo(
            id="tictactoe",
            version=1,
            preset=preset,
            players=2,
            num_actions=self.board.cells,
            max_plies=self.board.cells,
            chance="none",
            information="perfect",
            zero_sum=True,
            phases=(PHASE,),
        )

    def initial(self, rng: Rng) -> Position:
        return Position()

    def to_move(self, state: Position) -> Player:
        return state.turn

    def phase(self, state: Position) -> str:
        return PHASE

    def legal(self, state: Position) -> Mask:
        return _as_array(0 if state.won else self.board.full & ~state.taken, self.board.cells).view(np.bool_)

    def apply(self, state: Position, action: Action, rng: Rng) -> Position:
        if not 0 <= action < self.board.cells:
            raise IllegalAction(f"cell {action} is not on the board: expected 0..{self.board.cells - 1}")
        if state.won:
            raise IllegalAction(f"{self.board.names[action]} cannot be marked: the game is over")
        if not is_free(state.taken, action):
            mark = "X" if state.x >> action & 1 else "O"
            parameters = {"cell": self.board.names[action], "mark": mark}
            raise IllegalAction.of(Message("tictactoe.refused_marked", parameters))
        return self.board.after(state, index(action))

    def outcome(self, state: Position) -> Outcome | None:
        if state.won:
            return WINS[1 - state.turn]
        return DRAW if state.taken == self.board.full else None

    def view(self, state: Position, player: Player) -> Position:
        return state

    def observe(self, view: Position) -> Observation:
        """`planes` uint8[2, rows, cols]: the marks of X, the marks of O."""
        planes = np.stack([_as_array(view.x, self.board.cells), _as_array(view.o, self.board.cells)])
        return {"planes": planes.reshape(2, self.board.rows, self.board.cols)}

    def action_text(self, state: Position, action: Action) -> str:
        return self.board.names[action]

    def parse_action(self, state: Position, text: str) -> Action:
        cell = self.board.cell_of_name.get(text)
        if cell is None:
            last = f"{ascii_lowercase[self.board.cols - 1]}{self.board.rows}"
            raise MalformedAction(f"{text!r} names no cell: expected a column letter and a row number, a1 to {last}")
        return cell

    def dump(self, state: Position) -> Json:
        return {"cells": to_state_key(self.board, state)}

    def load(self, data: Json) -> Position:
        if not isinstance(data, dict) or set(data) != {"cells"} or not isinstance(data["cells"], str):
            raise BadPosition(f"expected an object with one text, 'cells', found {data!r}")
        return from_state_key(self.board, data["cells"])


def _as_array(cells: int, count: int) -> NDArray[np.uint8]:
    """A set of cells as uint8[count] of zeros and ones."""
    return np.unpackbits(np.frombuffer(cells.to_bytes(8, "little"), np.uint8), bitorder="little", count=count)
