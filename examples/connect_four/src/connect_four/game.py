"""The rules of Connect Four on two integers: a bit per cell, column by column, with a free bit above each column."""

from typing import NamedTuple

import numpy as np
from pydantic import Field

from ludex.core.errors import BadPosition, IllegalAction, MalformedAction
from ludex.core.game import Action, GameInfo, Json, Mask, Observation, Outcome, Player
from ludex.core.options import Options
from ludex.core.seeding import Rng

LETTERS = "abcdefghi"


class BoardOptions(Options):
    """The size of a board; four in a row win on every one."""

    cols: int = Field(7, ge=4, le=9)
    rows: int = Field(6, ge=4, le=8)


class Position(NamedTuple):
    """The stones on the board."""

    mover: int
    """The stones of the player to move."""
    stones: int
    """The stones of both."""


class ConnectFour:
    """Drop a stone into a column; four in a row win."""

    def __init__(self, options: BoardOptions, preset: str) -> None:
        self.cols, self.rows = options.cols, options.rows
        self.height = self.rows + 1
        self.bottom = [1 << (col * self.height) for col in range(self.cols)]
        self.top = [bottom << (self.rows - 1) for bottom in self.bottom]
        self.full = sum(bottom * ((1 << self.rows) - 1) for bottom in self.bottom)
        self.info = GameInfo(
            id="connect_four",
            version=1,
            preset=preset,
            players=2,
            num_actions=self.cols,
            max_plies=self.cols * self.rows,
            chance="none",
            information="perfect",
            zero_sum=True,
            phases=("play",),
        )

    def initial(self, rng: Rng) -> Position:
        return Position(0, 0)

    def to_move(self, state: Position) -> Player:
        return state.stones.bit_count() % 2

    def phase(self, state: Position) -> str:
        return "play"

    def legal(self, state: Position) -> Mask:
        if self.outcome(state) is not None:
            return np.zeros(self.cols, np.bool_)
        return np.array([not state.stones & top for top in self.top])

    def apply(self, state: Position, action: Action, rng: Rng) -> Position:
        if not 0 <= action < self.cols or state.stones & self.top[action] or self.outcome(state) is not None:
            raise IllegalAction(f"no stone can be dropped into column {action + 1}")
        # The sum carries through the stones of the column to its lowest free cell.
        return Position(state.mover ^ state.stones, state.stones | (state.stones + self.bottom[action]))

    def outcome(self, state: Position) -> Outcome | None:
        if self.fours(state.mover ^ state.stones):
            return Outcome((1.0, -1.0) if self.to_move(state) else (-1.0, 1.0), "four in a row")
        return Outcome((0.0, 0.0), "board full") if state.stones == self.full else None

    def fours(self, stones: int) -> int:
        """The first cell of every four in a row, as bits; 0 if there is none."""
        won = 0
        for step in (1, self.height, self.height - 1, self.height + 1):
            pairs = stones & (stones >> step)
            won |= pairs & (pairs >> (2 * step))
        return won

    def view(self, state: Position, player: Player) -> Position:
        return state

    def observe(self, view: Position) -> Observation:
        planes = [view.mover, view.mover ^ view.stones]
        cells = [
            [[plane >> self.bit(row, col) & 1 for col in range(self.cols)] for row in range(self.rows)]
            for plane in planes
        ]
        return {"board": np.array(cells, np.float32)}

    def bit(self, row: int, col: int) -> int:
        """The bit of a cell; row 0 is the lowest."""
        return col * self.height + row

    def action_text(self, state: Position, action: Action) -> str:
        return LETTERS[action]

    def parse_action(self, state: Position, text: str) -> Action:
        if text not in LETTERS[: self.cols] or len(text) != 1:
            raise MalformedAction(f"{text!r}: expected a column a..{LETTERS[self.cols - 1]}")
        return LETTERS.index(text)

    def dump(self, state: Position) -> Json:
        return {"mover": state.mover, "stones": state.stones}

    def load(self, data: Json) -> Position:
        if isinstance(data, dict) and data.keys() == {"mover", "stones"}:
            mover, stones = data["mover"], data["stones"]
            if isinstance(mover, int) and isinstance(stones, int) and self.holds(mover, stones):
                return Position(mover, stones)
        raise BadPosition(f"expected the bits of mover and stones, found {data!r}")

    def holds(self, mover: int, stones: int) -> bool:
        """Whether these can be stones: on the board, none in the air, and as many of each player as turns allow."""
        if isinstance(mover, bool) or isinstance(stones, bool) or not 0 <= mover <= stones <= self.full:
            return False
        columns = [stones >> (col * self.height) & ((1 << self.height) - 1) for col in range(self.cols)]
        stacked = all(column & (column + 1) == 0 and column < 1 << self.rows for column in columns)
        return stacked and mover & ~stones == 0 and mover.bit_count() == stones.bit_count() // 2
