"""Attacks on what is stored: how much of the disk a match fills, and what a deletion leaves."""

from http.client import CREATED, OK
from pathlib import Path
from typing import Final

from benchmarks.attack.floods import longest_match
from benchmarks.attack.registry import Finding, attack
from benchmarks.attack.target import Target
from benchmarks.attack.visitor import ready
from benchmarks.serving import serving
from ludex.core.record import match_file
from ludex.store.database import Database

KIBIBYTE: Final = 1 << 10
MOST_KIB: Final = 48
"""Of one imported match."""


def _files(data: Path) -> list[Path]:
    """The database and what SQLite keeps beside it."""
    return [file for file in data.iterdir() if file.name.startswith("ludex.db")]


@attack("disk", "an imported match of 16,383 plies took 109 KiB, and nothing counted them", own=True)
def disk(target: Target) -> Finding:
    """Imports of the longest match until the server refuses them."""
    imports, body = 0, match_file(longest_match(), ("you",)).encode()
    with serving("--person-mb", "1", "--replay-ms", "60000", "--requests-per-minute", "100000") as server:
        own, cookie = Target.of(server.address, server), ""
        ready(own, "minesweeper")
        while (answer := own.ask(own.attacker, "POST", "/api/matches/import", body, cookie)).status == CREATED:
            imports, cookie = imports + 1, answer.cookie
        with Database.open(f"sqlite:///{server.data / 'ludex.db'}") as database:
            size = database.hostings.size_bytes()
    each = size / KIBIBYTE / max(1, imports)
    refused = f"then refused with {answer.status} `{answer.document['code']}`"
    text = f"{imports} imports of {each:.0f} KiB each within a limit of 1 MB per person, {refused}"
    return Finding(answer.document["code"] == "disk_quota" and each < MOST_KIB, text, {"kib": round(each)})


@attack("deleted person", "the id of a deleted person was still in the write-ahead log", own=True)
def deleted_person(target: Target) -> Finding:
    """Everything of a person is deleted, and their id looked for in the files of the database."""
    with serving() as server:
        own = Target.of(server.address, server)
        ready(own, "tictactoe")
        match, cookie = own.begin(own.attacker, "tictactoe", "you", "you")
        with Database.open(f"sqlite:///{server.data / 'ludex.db'}") as database:
            hosting = database.hostings.get(match["id"]).hosting
            assert hosting is not None
            person = hosting.creator.encode()
        before = [file.name for file in _files(server.data) if person in file.read_bytes()]
        body = {"confirm": "delete everything"}
        status = own.ask(own.attacker, "POST", "/api/me/delete", body, cookie).status
        after = [file.name for file in _files(server.data) if person in file.read_bytes()]
    text = f"in {' and '.join(sorted(before))} before, in {' and '.join(sorted(after)) or 'no file'} afterwards"
    return Finding(status == OK and bool(before) and not after, text)
