"""The tables of the README and the docs, made from the results: no figure in them was typed by hand.

In a Markdown file a table stands between `<!-- measured: NAME -->` and `<!-- /measured -->`.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.documents import RESULTS
from benchmarks.soak import table as soak
from benchmarks.tables import machines, minesweeper, quoridor, skirmish, tictactoe, web
from benchmarks.tables.cells import Row

MARKED = re.compile(r"<!-- measured: ([\w-]+) -->\n(.*?)<!-- /measured -->", re.DOTALL)


class UnknownTable(ValueError):
    """A marker that names no table."""


def filled(text: str, folder: Path = RESULTS) -> str:
    """A Markdown text with its marked tables made anew."""

    def table(found: re.Match[str]) -> str:
        name = found[1]
        if name not in TABLES:
            raise UnknownTable(f"no table is called {name!r}; there are {', '.join(TABLES)}")
        return f"<!-- measured: {name} -->\n{markdown(*TABLES[name](folder))}<!-- /measured -->"

    return MARKED.sub(table, text)


def markdown(head: Row, *rows: Row) -> str:
    """A table as text."""
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:], ""])


TABLES: dict[str, Callable[[Path], Iterator[Row]]] = {
    "tictactoe-speed": tictactoe.speed,
    "quoridor-speed": quoridor.speed,
    "minesweeper-speed": minesweeper.speed,
    "minesweeper-alone": minesweeper.alone,
    "skirmish-speed": skirmish.speed,
    "skirmish-gpu": skirmish.gpu,
    "ppo-speed": minesweeper.ppo_speed,
    "quoridor-master": quoridor.master,
    "quoridor-ladder": quoridor.ladder,
    "skirmish-ladder": skirmish.ladder,
    "skirmish-shipped": skirmish.shipped,
    "skirmish-levels": skirmish.levels,
    "skirmish-net": skirmish.net,
    "skirmish-deployment": skirmish.deployment,
    "skirmish-runs": skirmish.runs,
    "skirmish-maskable": skirmish.maskable,
    "minesweeper-strength": minesweeper.strength,
    "minesweeper-solvers": minesweeper.solvers,
    "minesweeper-net": minesweeper.net,
    "minesweeper-gains": minesweeper.gains,
    "minesweeper-net-speed": minesweeper.net_speed,
    "minesweeper-calibration": minesweeper.calibration,
    "tictactoe-strength": tictactoe.strength,
    "web-speed": web.speed,
    "web-soak": soak.findings,
    "web-soak-latencies": soak.latencies,
    "scaling": machines.scaling,
    "clock": machines.clock,
    "sources": machines.sources,
}
