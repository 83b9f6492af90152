"""Every attack on a server that we know, against a server of your own on this machine.

    python -m benchmarks.attack [--only NAME ...] [--into FOLDER]
    python -m benchmarks.attack http://127.0.0.1:8000

Without a URL it starts servers in folders of their own, with a limit of 1,024 open files, and writes attack.json. A URL
must be of a loopback address: nothing else is attacked; attacks that look at the server's process or files are left out
then. The attacker keeps no cookies; during floods another visitor, at another address, asks for /api/health and plays
tic-tac-toe against an agent, and the 95th percentiles of both are measured. Every attack is bounded in number and time.
Exit code 1 if one succeeded.
"""

import resource
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

# Importing them registers their attacks.
from benchmarks.attack import authority, faults, floods, networks, secrets, stored, traces, under_way
from benchmarks.attack.registry import ATTACKS, Attack
from benchmarks.attack.target import Target
from benchmarks.attack.visitor import ready
from benchmarks.documents import measurement_parser, write
from benchmarks.serving import serving
from ludex import __version__
from ludex.core.bench import machine

NAME = "attack"
__all__ = ["authority", "faults", "floods", "main", "networks", "secrets", "stored", "traces", "under_way"]


def attacked(target: Target, attacks: list[Attack]) -> list[dict[str, Any]]:
    """Run attacks one after the other, each from addresses of its own, and print each finding."""
    ready(target, "tictactoe", "quoridor", "minesweeper")
    rows = []
    for number, attack in enumerate(attacks):
        try:
            finding = attack.run(target.seen_from(number))
            row = {"held": finding.held, "now": finding.now, "figures": finding.figures}
        except (OSError, RuntimeError) as error:
            row = {"held": False, "now": f"{type(error).__name__}: {error}", "figures": {}}
        rows.append({"attack": attack.name, "before": attack.before, **row})
        print(f"{attack.name}: {'held' if row['held'] else 'BROKEN'}: {row['now']}", file=sys.stderr, flush=True)
    return rows


def table(rows: list[dict[str, Any]]) -> Table:
    """The findings beside what the same attacks did before the limits existed."""
    rich_table = Table("attack", "before the limits", "now", "", title=f"attacks on Ludex {__version__}")
    for row in rows:
        rich_table.add_row(row["attack"], row["before"], row["now"], "held" if row["held"] else "broken")
    return rich_table


def main() -> int:
    """Attack, print and write."""
    parser = measurement_parser(__doc__)
    parser.add_argument(
        "url", nargs="?", help="a running server, on a loopback address; servers of its own if not given"
    )
    parser.add_argument("--only", nargs="+", choices=[*ATTACKS], default=[*ATTACKS], help="attacks to run")
    options = parser.parse_args()
    # This process holds the other end of every connection.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    attacks = [ATTACKS[name] for name in options.only]
    if options.url is not None:
        try:
            target = Target.of(options.url)
        except ValueError as error:
            parser.error(str(error))
        rows = attacked(target, [attack for attack in attacks if not attack.own])
    else:
        where = machine(("ludex", "fastapi", "uvicorn", "starlette", "websockets"))
        with serving("--workers", "2", program=floods.LIMITED) as server:
            rows = attacked(Target.of(server.address, server), attacks)
        write(
            options.into, NAME, {"what": "attacks on a server", "version": __version__, "machine": where, "rows": rows}
        )
    Console(width=160, emoji=False).print(table(rows))
    return int(not all(row["held"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
