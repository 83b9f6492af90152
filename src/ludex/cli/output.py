"""The output of commands: data on standard output, everything else on standard error."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table


PIPED_WIDTH: Final = 10_000
"""How wide a line may be that no person reads in a terminal: nothing is cut there."""
LINE_SECONDS: Final = 10.0
"""How often a long operation prints its progress where there is no terminal."""


def console() -> "Console":
    """Standard output without markup, so that names with brackets are printed unchanged."""
    from rich.console import Console

    output = Console(highlight=False, markup=False)
    if not output.is_terminal and "COLUMNS" not in os.environ:
        output.width = PIPED_WIDTH
    return output


def table_of(*columns: str, rows: "Iterable[Sequence[RenderableType]]" = (), **options: Any) -> "Table":
    """A table without lines, under the names of its columns; what is too wide goes on in the next line, never cut."""
    from rich.table import Column, Table

    table = Table(*(Column(name, overflow="fold") for name in columns), box=None, header_style="bold", **options)
    for row in rows:
        table.add_row(*row)
    return table


def facts_of(rows: Mapping[str, object]) -> "Table":
    """What is known of one thing: names, and values as texts."""
    texts = [(name, str(value)) for name, value in rows.items()]
    table = table_of("", "", rows=texts, show_header=False, padding=(0, 2, 0, 0))
    table.columns[0].style = "bold"
    return table


def note(text: str) -> None:
    """Print a remark on standard error."""
    print(text, file=sys.stderr)


def emit(document: Any, as_json: bool, render: "Callable[[], RenderableType]") -> None:
    """Print the JSON document, or the same as `render` shows it."""
    if as_json:
        print(json.dumps(document))
    else:
        console().print(render())


@contextmanager
def progress(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error; nothing at all without a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    terminal = Console(stderr=True)
    with Progress(*columns, console=terminal, disable=not terminal.is_terminal) as bar:
        task = bar.add_task(label, total=total)
        yield lambda amount: bar.advance(task, amount)


@contextmanager
def progress_lines(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """The bar on a terminal; elsewhere a line on standard error every ten seconds, and one at the end."""
    if sys.stderr.isatty():
        with progress(label, total) as advance:
            yield advance
        return
    begin = last = time.monotonic()
    done = 0

    def print_line() -> None:
        share = "" if total is None else f" of {total:,}, {done / max(1, total):.0%}"
        note(f"{label}: {done:,}{share}, {time.monotonic() - begin:.0f} s")

    def count(amount: int) -> None:
        nonlocal done, last
        done += amount
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            print_line()

    yield count
    print_line()
