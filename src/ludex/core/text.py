"""What a game says in words to a player that reads: rules, notation, the board of a view, and moves.

A game declares it as `ScreenSpec.text`, `(game, naming) -> GameText`; the generic one serves every other game. A naming
is a seed: it gives cells, pieces and players other names and turns the board by a symmetry of the game, in every text
alike, so that each sentence stays true and no model can play from memory.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from string import ascii_lowercase
from typing import Any, Final, Protocol

import numpy as np

from ludex.core.errors import MalformedAction, Unsupported
from ludex.core.game import AnyGame, Json, Player, sample_state
from ludex.core.registry import resolve, spec
from ludex.core.seeding import Rng, generator

NAMING: Final = 66
"""The stream from which names are drawn."""
_CELL: Final = re.compile(r"([a-z]{1,2})([0-9]{1,2})(.*)", re.DOTALL)


class GameText(Protocol):
    """What a game says under one naming."""

    def rules(self) -> str:
        """The rules in sentences, the notation of moves included."""
        ...

    def player(self, player: Player) -> str:
        """What a player is called."""
        ...

    def board(self, view: Any) -> str:
        """A view as lines of text, in which everything stands that decides which moves are legal."""
        ...

    def document(self, view: Any) -> Json:
        """The same as JSON."""
        ...

    def write(self, move: str) -> str:
        """A move of the game's notation, as this text calls it."""
        ...

    def read(self, text: str) -> str:
        """The move of the game's notation that a text names. Raises `MalformedAction`."""
        ...


def game_text(game: AnyGame, naming: int | None = None) -> GameText:
    """The texts of a game. Raises `Unsupported` for a naming of a game that declares no texts of its own."""
    declared = spec(game.info.id).screen.text
    if declared is not None:
        text: GameText = resolve(declared)(game, naming)
        return text
    if naming is not None:
        raise Unsupported(f"{game.info.id} declares no texts (ScreenSpec.text), so nothing can be renamed in them")
    return GenericText(game)


@dataclass(frozen=True)
class GenericText:
    """The texts of a game that declares none: its rulebook, its picture of a terminal, and its own notation."""

    game: AnyGame

    def rules(self) -> str:
        return rulebook_text(self.game) or spec(self.game.info.id).summary

    def player(self, player: Player) -> str:
        return f"player {player + 1}"

    def board(self, view: Any) -> str:
        from ludex.core.rendering import plain_view

        state = sample_state(self.game, view, Rng(0))
        return f"{plain_view(self.game, view)}\nPhase: {self.game.phase(state)}\nDetails: {json.dumps(as_json(view))}"

    def document(self, view: Any) -> Json:
        return as_json(view)

    def write(self, move: str) -> str:
        return move

    def read(self, text: str) -> str:
        return text


def rulebook_text(game: AnyGame, sections: Sequence[str] = ()) -> str:
    """The rules that people read, without pictures: all sections, or those with these names, `GAME.rules_NAME_text`."""
    rules = spec(game.info.id).screen.rules
    if rules is None:
        return ""
    entries = {f"{game.info.id}.rules_{name}_text" for name in sections}
    book = resolve(rules)(game)
    return "\n".join(part.text.text() for part in book.sections if not entries or part.text.id in entries)


class Grid:
    """The names of the cells of a grid and how it is turned; cells are row and column, row 0 at the top.

    >>> grid = Grid(2, 3, None, upwards=True)
    >>> grid.name(0, 0), grid.cell("c1"), grid.draw(lambda row, col: ".")
    ('a2', (1, 2), '   a b c\\n2  . . .\\n1  . . .')
    """

    def __init__(self, rows: int, cols: int, naming: int | None, *, upwards: bool, transposes: bool = False) -> None:
        """`upwards`: the game's own names count rows from below; `transposes`: rows may become columns."""
        rng = None if naming is None else generator(naming, 0, NAMING)
        # Bits: rows the other way round, columns the other way round, rows as columns.
        self._turn = 0 if rng is None else 1 + rng.below(7 if transposes and rows == cols else 3)
        self._size = (rows, cols)
        columns = [column_label(col) for col in range(cols)]
        labels = [str(rows - row if upwards else row + 1) for row in range(rows)]
        if rng is not None:
            columns, labels = _draw(rng, cols, _LETTERS), _draw(rng, rows, [str(n) for n in range(10, 100)])
        self.columns, self.rows = columns, labels

    def name(self, row: int, col: int, inner: int = 0) -> str:
        """What a cell is called. Of a grid that has `inner` rows and columns less, as of walls: in the same turn."""
        drawn_row, drawn_col = self._place(row, col, inner)
        return f"{self.columns[drawn_col]}{self.rows[drawn_row + inner]}"

    def row_name(self, row: int) -> str:
        """What a row is called, on a board whose rows stay rows."""
        return self.rows[self._place(row, 0, 0)[0]]

    def cell(self, text: str, inner: int = 0) -> tuple[int, int]:
        """The row and column of a name. Raises `MalformedAction`."""
        match = _CELL.fullmatch(text)
        if match is None or match[3] or match[1] not in self.columns or match[2] not in self.rows:
            raise MalformedAction(
                f"{text!r} names no cell: expected a column of {', '.join(self.columns)}, then a row "
                f"of {', '.join(self.rows)}, such as {self.columns[0]}{self.rows[-1]}"
            )
        row, col = self.rows.index(match[2]) - inner, self.columns.index(match[1])
        if row < 0 or col >= len(self.columns) - inner:
            raise MalformedAction(f"{text!r} lies at the edge: nothing can be placed there")
        return self._back(row, col, inner)

    def draw(self, mark: Callable[[int, int], str]) -> str:
        """The cells with their marks, the columns named above and the rows before."""
        cells = [[mark(*self._back(row, col, 0)) for col in range(len(self.columns))] for row in range(len(self.rows))]
        width = max(len(text) for line in [self.columns, *cells] for text in line)
        side = max(map(len, self.rows))
        lines = [" " * (side + 2) + " ".join(name.rjust(width) for name in self.columns)]
        for label, marks in zip(self.rows, cells, strict=True):
            lines.append(f"{label.rjust(side)}  " + " ".join(text.rjust(width) for text in marks))
        return "\n".join(lines)

    def document(self, mark: Callable[[int, int], str]) -> dict[str, Json]:
        """The marks by the names of their cells."""
        rows, cols = self._size
        return {self.name(row, col): mark(row, col) for row in range(rows) for col in range(cols)}

    def _place(self, row: int, col: int, inner: int) -> tuple[int, int]:
        rows, cols = (length - inner for length in self._size)
        row, col = rows - 1 - row if self._turn & 1 else row, cols - 1 - col if self._turn & 2 else col
        return (col, row) if self._turn & 4 else (row, col)

    def _back(self, row: int, col: int, inner: int) -> tuple[int, int]:
        rows, cols = (length - inner for length in self._size)
        row, col = (col, row) if self._turn & 4 else (row, col)
        return rows - 1 - row if self._turn & 1 else row, cols - 1 - col if self._turn & 2 else col


def split_cell(text: str) -> tuple[str, str]:
    """The cell at the beginning of a move, and what follows it.

    >>> split_cell("e3h"), split_cell("pass")
    (('e3', 'h'), ('pass', ''))
    """
    match = _CELL.fullmatch(text)
    return (text, "") if match is None else (match[1] + match[2], match[3])


def column_label(col: int) -> str:
    """The letters of a column, as in a spreadsheet.

    >>> column_label(0), column_label(26)
    ('a', 'aa')
    """
    lead, last = divmod(col, 26)
    return (ascii_lowercase[lead - 1] if lead else "") + ascii_lowercase[last]


def new_names(names: Sequence[str], naming: int | None, choices: Iterable[str]) -> dict[str, str]:
    """What each name becomes: itself without a naming, else one of the choices."""
    if naming is None:
        return {name: name for name in names}
    return dict(zip(names, _draw(generator(naming, 1, NAMING), len(names), list(choices)), strict=True))


def rename(text: str, names: Mapping[str, str]) -> str:
    """A text in which every name, where it is a word, is another one.

    >>> rename("X before O, not XO", {"X": "O", "O": "X"})
    'O before X, not XO'
    """
    words = re.compile(r"\b(" + "|".join(map(re.escape, names)) + r")\b")
    return words.sub(lambda match: names[match[0]], text)


def as_json(value: Any) -> Json:
    """A view as JSON: named tuples and dataclasses by their fields, bytes and arrays as lists.

    >>> as_json({"cells": b"ab", "left": (1, None)})
    {'cells': [97, 98], 'left': [1, None]}
    """
    if isinstance(value, np.ndarray | np.generic):
        return as_json(value.tolist())
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    elif hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): as_json(entry) for key, entry in value.items()}
    if isinstance(value, bytes | list | tuple):
        return [as_json(entry) for entry in value]
    if isinstance(value, set | frozenset):
        return sorted((as_json(entry) for entry in value), key=repr)
    return value if isinstance(value, bool | int | float | str) or value is None else str(value)


_LETTERS: Final = [letter for letter in ascii_lowercase if letter not in "hilov"]
"""Letters of new columns: none that looks like a digit or names the direction of a wall."""


def _draw(rng: Rng, count: int, choices: list[str]) -> list[str]:
    names = choices[:] if count <= len(choices) else [first + second for first in choices for second in choices]
    rng.shuffle(names)
    return names[:count]
