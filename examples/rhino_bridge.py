"""A program for Othello that has no command for a pass, such as Debian's gtp-rhino, where Ludex expects GTP.

python examples/rhino_bridge.py ENGINE ARGUMENTS

Such a program knows by itself who has to pass: `play black pass` is answered here and goes no further.
"""

import subprocess
import sys


def main(command: list[str]) -> None:
    """Start the engine, and speak for it until either side ends."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        for line in sys.stdin:
            if line.lower().split()[:1] == ["play"] and line.lower().split()[-1] == "pass":
                print("=\n", flush=True)
                continue
            engine.stdin.write(line)
            while answer := engine.stdout.readline().strip():
                print(answer)
            print(flush=True)
            if line.strip() == "quit":
                return


if __name__ == "__main__":
    main(sys.argv[1:])
