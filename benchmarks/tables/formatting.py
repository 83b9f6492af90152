"""How figures, shares and intervals of results read in a table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

Row = Sequence[str]


def markdown(head: Row, *rows: Row) -> str:
    """A table as text."""
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:], ""])


def columns(rows: Iterable[Any], cells: Mapping[str, Callable[[Any], str]]) -> Iterator[Row]:
    """The names of columns, then each row as their functions write it."""
    yield tuple(cells)
    for row in rows:
        yield tuple(cell(row) for cell in cells.values())


def figure(value: float) -> str:
    """A rate or a ratio as a person reads it.

    >>> figure(2142885.4), figure(35.098), figure(0.2107), figure(413.8)
    ('2,142,885', '35.1', '0.211', '414')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def percent(value: float) -> str:
    """A share, with one digit."""
    return f"{100 * value:.1f} %"


def interval(ends: Sequence[float]) -> str:
    """A 95 % interval of a share.

    >>> interval([0.963, 1.0])
    '96.3 % - 100 %'
    """
    return " - ".join("100 %" if end == 1 else percent(end) for end in ends)


def within(ends: Sequence[float]) -> str:
    """An interval behind the share itself, which has the unit."""
    return "({:.1f} - {:.1f})".format(*(100 * end for end in ends))


def win_rate(row: Any) -> str:
    """The share of games won, with its interval."""
    return f"{percent(row['win_rate'])} {within(row['ci95'])}"


def rows_beside_peer(document: Any) -> Iterator[Row]:
    """A row per measurement: ours, and a peer's with the ratio where there is one."""
    for row in document["rows"]:
        peer = ("", "") if row["peer"] is None else (figure(row["peer"]), figure(row["ratio"]))
        yield row["name"], row["unit"], figure(row["ours"]), *peer
