"""Programs that speak GTP, good and bad, for the tests: `python gtp_programs.py KIND [DIARY]`."""

import sys
import time
from pathlib import Path

MOVES = ("B2", "A1", "C3", "A3", "C1", "A2", "B1", "B3", "C2")
COMMANDS = "list_commands\nboardsize\nclear_board\nplay\ngenmove\ntime_settings\nlevel"


def answer(kind: str, line: str, played: list[str]) -> str:
    command, *words = line.split()
    if command == "clear_board":
        played.clear()
    if command == "play" and kind == "confused":
        return "? illegal move"
    if command == "play":
        played.append(words[1].upper())
    if command == "genmove" and kind == "crash":
        sys.exit(3)
    if command == "genmove" and kind == "sleep":
        time.sleep(60)
    if command == "genmove":
        played.append(
            {"resign": "resign", "garbage": "Z99", "pawn": "C2"}.get(kind) or next(m for m in MOVES if m not in played)
        )
        return f"= {played[-1]}"
    if line == "level 99":
        return "? no such level"
    return f"= {COMMANDS}" if command == "list_commands" else "="


def main(kind: str, diary: str | None = None) -> None:
    played: list[str] = []
    for line in sys.stdin:
        if diary is not None:
            with Path(diary).open("a") as file:
                file.write(line)
        if line.strip() == "quit":
            return
        print(answer(kind, line.strip(), played), end="\n\n", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
