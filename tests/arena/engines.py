"""Engines of others, good and bad, for the tests: `python engines.py KIND [DIARY]`, a file for all that it hears."""

import sys
import time
from pathlib import Path

MOVES = ("b2", "a1", "c3", "a3", "c1", "a2", "b1", "b3", "c2")


def answer(kind: str, line: str, played: list[str]) -> list[str]:
    if line == "ugi":
        if kind == "messy":
            sys.stdout.buffer.write(b"id name caf\xe9  \r\n  \r\nugiok \r\n")
            sys.stdout.buffer.flush()
            return []
        options = ["option name Hash type spin default 16", "option name Own Book type check default true"]
        options.append("option name board type string default 3x3x3")
        return [] if kind == "deaf" else ["id name stranger", *(options if kind == "good" else []), "ugiok"]
    if line == "isready":
        return ["readyok  \r" if kind == "messy" else "readyok"]
    if line.startswith("setoption") and line.endswith("-1"):
        return ["info string error Hash is too small"]
    if line.startswith("position"):
        played[:] = line.split()[3:]
        return ["info string error confused"] if kind == "confused" else []
    return best_move(kind, played) if line.startswith("go") else []


def best_move(kind: str, played: list[str]) -> list[str]:
    if kind == "crash":
        sys.exit(3)
    if kind == "sleep":
        time.sleep(60)
    if kind == "late":
        time.sleep(0.2)
    if kind == "later":
        time.sleep(1.0)
    if kind == "garbage":
        return ["bestmove z99"]
    if kind == "illegal":
        return [f"bestmove {played[0] if played else 'b2'}"]
    free = next(move for move in MOVES if move not in played)
    if kind == "messy":
        return [f"bestmove {free} \r"]
    if kind in ("chatty", "shouting"):
        return [*(["info depth 1" if kind == "chatty" else "hello"] * 200), f"bestmove {free}"]
    return [
        "info depth 3 score -1.5 nodes 42 nps --5 pv " + free,
        "info string error nothing serious",
        f"bestmove {free}",
    ]


def main(kind: str, diary: str | None = None) -> None:
    played: list[str] = []
    for line in sys.stdin:
        if kind == "stubborn" and line.strip() == "quit":
            time.sleep(30)
        if diary is not None:
            with Path(diary).open("a") as file:
                file.write(line)
        if line.strip() == "quit":
            return
        for words in answer(kind, line.strip(), played):
            print(words, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
