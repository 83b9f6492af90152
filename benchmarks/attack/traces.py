"""Attacks by what a server writes down: its log, and what it stores of requests that it refuses."""

import http.client
import json
import sys
from typing import Final

import ludex
from benchmarks.attack.registry import Finding, attack
from benchmarks.attack.target import Target
from benchmarks.serving import serving
from ludex.core.record import match_file

PATHS: Final = 1_000
PATH_CHARACTERS: Final = 30_000
LOG_BYTES: Final = 1_000_000
"""Of a log that the attack may cause: a line per request that is answered, and few of those that are not."""
VERBOSE: Final = (sys.executable, "-m", "ludex", "-v")
ESCAPE: Final = "\x1b"
IMPORTED: Final = ("run:", "kept:", "run:x:bad", "Administrator \u202e", "x" * 256)
NICKNAMES: Final = (
    "Administrator",
    "a d m 1 n",
    "\u115fx",
    "e\u0301\u0301\u0301\u0301x",
    "Adm\u0456nistrator",
    "The Administrator",
)


@attack(
    "log flood", "60 kB paths outside `/api/` wrote 102 MB in 12 s with `-v`, escape characters as they came", own=True
)
def log_flood(target: Target) -> Finding:
    """Long paths with escape characters, as fast as one connection takes them, to a server that logs each request."""
    with serving("--workers", "1", program=VERBOSE, LUDEX_LOG="text") as server:
        own = Target.of(server.address, server)
        begun, refused = server.log_bytes(), 0
        connection = http.client.HTTPConnection(own.host, own.port, own.patience)
        for number in range(PATHS):
            connection.request("GET", f"/{number}/%1B[2J{'x' * PATH_CHARACTERS}")
            answer = connection.getresponse()
            answer.read()
            refused += answer.status == http.client.TOO_MANY_REQUESTS
        connection.close()
        written, raw = server.log_bytes() - begun, sum(ESCAPE in line for line in server.log())
    text = (
        f"{PATHS:,} paths of {PATH_CHARACTERS:,} characters write {written:,} bytes; {refused} refused, {raw} lines raw"
    )
    return Finding(written < LOG_BYTES and not raw, text, {"bytes": written, "raw_lines": raw, "refused": refused})


@attack(
    "refused but stored",
    "finished matches with the agents `run:`, `kept:` and `run:x:bad` were refused with 422, stored, and never viewed",
)
def refused_imports(target: Target) -> Finding:
    """Finished matches with names that no agent has, and the list of matches afterwards."""
    match = ludex.Match(ludex.make("tictactoe"), seed=0)
    for text in ("a3", "b3", "a2", "b2", "a1"):
        match.play_text(text)
    cookie, wrong = "", []
    for name in IMPORTED:
        body = json.loads(match_file(match, (name, "you")))
        answer = target.ask(target.attacker, "POST", "/api/matches/import", body, cookie)
        cookie = answer.cookie
        stored = target.ask(target.attacker, "GET", "/api/matches?yours=true", cookie=cookie).document["matches"]
        if answer.status == http.client.CREATED or stored:
            wrong.append(f"{name[:20]!r}: {answer.status}, {len(stored)} stored")
    text = f"{len(IMPORTED) - len(wrong)} of {len(IMPORTED)} refused and not stored"
    return Finding(not wrong, "; ".join([text, *wrong]), {"stored": len(wrong)})


@attack("nicknames", "`Administrator`, invisible letters and towers of marks were accepted as nicknames")
def nicknames(target: Target) -> Finding:
    """Nicknames that pass for the server's own, or show nothing."""
    accepted = [
        name
        for name in NICKNAMES
        if target.ask(target.attacker, "PUT", "/api/me/nickname", {"nickname": name}).status == http.client.OK
    ]
    return Finding(not accepted, f"{len(accepted)} of {len(NICKNAMES)} accepted", {"accepted": len(accepted)})
