"""Cells and actions as texts: columns are letters as in a spreadsheet, rows are numbered from 1 at the top.

`c4` reveals, `c4!` sets a flag or takes it away.
"""

from functools import lru_cache
from string import ascii_lowercase

from ludex.core.errors import MalformedAction
from ludex.games.minesweeper.rules.geometry import BOARDS_KEPT

FLAG_MARK = "!"


def column_name(col: int) -> str:
    """A column's letters.

    >>> column_name(0), column_name(25), column_name(26), column_name(63)
    ('a', 'z', 'aa', 'bl')
    """
    lead, last = divmod(col, 26)
    return (ascii_lowercase[lead - 1] if lead else "") + ascii_lowercase[last]


@lru_cache(maxsize=BOARDS_KEPT)
def action_names(rows: int, cols: int) -> tuple[str, ...]:
    """Every action's text: the reveals of all cells, row by row, then the flags.

    >>> action_names(1, 2)
    ('a1', 'b1', 'a1!', 'b1!')
    """
    cells = [f"{column_name(col)}{row + 1}" for row in range(rows) for col in range(cols)]
    return (*cells, *(cell + FLAG_MARK for cell in cells))


@lru_cache(maxsize=BOARDS_KEPT)
def _actions(rows: int, cols: int) -> dict[str, int]:
    return {name: action for action, name in enumerate(action_names(rows, cols))}


def action_of(text: str, rows: int, cols: int) -> int:
    """The action that a text names. Raises `MalformedAction`."""
    action = _actions(rows, cols).get(text)
    if action is None:
        last = action_names(rows, cols)[rows * cols - 1]
        quoted = repr(text) if len(text) <= 40 else f"a text of {len(text)} characters"
        raise MalformedAction(
            f"{quoted} names no action: expected a cell from a1 to {last} (column letters, then the row from the top), "
            f"with {FLAG_MARK} after it for a flag"
        )
    return action
