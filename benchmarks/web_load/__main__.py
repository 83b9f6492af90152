"""The web server under load.

    python -m benchmarks.web_load [moves ...]     two-person games as fast as they go
    python -m benchmarks.web_load whole ...       whole matches, their beginnings included
    python -m benchmarks.web_load crowd ...       people who play, watch, ask for hints and play machines of every level
    python -m benchmarks.web_load pair ...        one server and two on one PostgreSQL behind one proxy; one is killed

`--help` after a word lists its options.
"""

import sys
from collections.abc import Callable

from benchmarks.web_load import crowd, moves, pair, whole

COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "moves": moves.main,
    "whole": whole.main,
    "crowd": crowd.main,
    "pair": pair.main,
}


def main() -> int:
    """Measure what the first word names; the moves of two-person games without one."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    return COMMANDS[word](sys.argv[2:]) if word in COMMANDS else moves.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
