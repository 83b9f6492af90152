"""Figures of strength, measured again: every row of such a document holds the command that gave it.

    python -m benchmarks.again quoridor-strength [--games N] [--into FOLDER]

The document keeps its shape; what a command tells replaces what stood there, and nets that ship are named by their
digests of now.
"""

import json
import os
import shlex
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.documents import ROOT, measurement_parser, read, write
from ludex.core.bench import machine
from ludex.search.network import shipped_net

OURS = ("ludex", "numpy", "numba")
COUNTS = ("--games", "--states")
"""Options that say how much is played."""


def renewed(document: Any, most: int | None = None) -> Any:
    """The same document with the answers of its commands, each of at most so many games."""
    if isinstance(document, list):
        return [renewed(part, most) for part in document]
    if not isinstance(document, dict):
        return document
    if "command" not in document:
        return {key: renewed(part, most) for key, part in document.items()}
    answered = answer(document["command"], most)
    return {key: answered.get(key, value) for key, value in document.items()}


def answer(command: str, most: int | None = None) -> Any:
    """What a command tells."""
    words = shortened(shlex.split(command), most)
    program, *arguments = words
    if program == "ludex":
        words = [sys.executable, "-m", "ludex", *arguments, *([] if "--json" in arguments else ["--json"])]
    elif program == "python":
        words = [sys.executable, *arguments]
    else:
        raise ValueError(f"expected a command of ludex or python, found {command!r}")
    print(shlex.join(words[1:]), file=sys.stderr, flush=True)
    # Engines of a command are programs that find this Python by its name.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    result = subprocess.run(words, check=True, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "PATH": path})
    return json.loads(result.stdout)


def shortened(words: list[str], most: int | None) -> list[str]:
    """A command that plays no more than so many games.

    >>> shortened(["match", "--games", "400", "--seed", "1"], 2)
    ['match', '--games', '2', '--seed', '1']
    """
    if most is None:
        return words
    return [
        str(min(int(word), most)) if before in COUNTS else word
        for before, word in zip(["", *words], words, strict=False)
    ]


def main() -> None:
    """Run the commands of a document."""
    parser = measurement_parser(__doc__)
    parser.add_argument("name", help="of a document in the results")
    parser.add_argument("--games", type=int, default=None, help="at most so many games a row, to try it out")
    args = parser.parse_args()
    document = read(args.name)
    versions = document.get("machine", {}).get("versions", OURS)
    renewed_document = {**renewed(document, args.games), "machine": machine(tuple(versions))}
    if "files" in renewed_document:
        renewed_document["files"] = {name: sha256(shipped_net(name)).hexdigest() for name in renewed_document["files"]}
    write(args.into, args.name, renewed_document)


if __name__ == "__main__":
    main()
