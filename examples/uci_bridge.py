"""An engine that speaks UCI, where Ludex expects UGI: `--agents 'ugi:"python examples/uci_bridge.py ENGINE",easy'`.

python examples/uci_bridge.py ENGINE ARGUMENTS

Its moves must be written as Ludex writes them, such as `e2` and `e3h` in Quoridor.
"""

import argparse
import subprocess
import sys
import threading
from typing import IO

TO_ENGINE = {"ugi": "uci", "uginewgame": "ucinewgame"}
FROM_ENGINE = {"uciok": "ugiok"}


def copy(source: IO[str], target: IO[str], words: dict[str, str]) -> None:
    """Copy lines until the source ends; the first word of a line is the command."""
    for line in source:
        command, *rest = line.split(" ", 1)
        word = command.strip()
        target.write(" ".join([command.replace(word, words.get(word, word)), *rest]))
        target.flush()


def main() -> None:
    """Start the engine, and speak for it until either side ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", help="the program that speaks UCI")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what it is started with")
    given = parser.parse_args()
    command = [given.engine, *given.arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        answers = threading.Thread(target=copy, args=(engine.stdout, sys.stdout, FROM_ENGINE))
        answers.start()
        try:
            copy(sys.stdin, engine.stdin, TO_ENGINE)
        except BrokenPipeError:
            print("info string the engine has ended", flush=True)
        finally:
            engine.stdin.close()


if __name__ == "__main__":
    main()
