"""Attacks on the administrator's authority, and with it: guesses, copied cookies, and what a login may name."""

import json
import secrets
from http.client import CREATED, FORBIDDEN, OK, TOO_MANY_REQUESTS
from typing import Final

from benchmarks.attack.registry import Finding, attack
from benchmarks.attack.target import Target
from benchmarks.serving import ADMIN_TOKEN, serving
from ludex.core.errors import BadOption
from ludex.web.settings import Settings

GUESSES: Final = 20
BEARER: Final = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
LOGIN: Final = "/api/administrator/login"
PROGRAM: Final = "py:subprocess:Popen"
NAMED: Final = (
    "py:ludex.arena.ugi_agent:UgiAgent:command=touch",
    PROGRAM,
    'ugi:"touch /tmp/ludex-was-here"',
    "ranking:file=/etc/passwd",
)
"""Agents that run a program or read a file of the server."""
JOBS: Final[tuple[dict[str, object], ...]] = (
    *({"kind": "tournament", "game": "tictactoe", "agents": ["random", name], "games": 2} for name in NAMED),
    {"kind": "duel", "game": "quoridor", "agents": ["random", "master:net=/etc/passwd"], "games": 2},
    {"kind": "duel", "game": "skirmish", "agents": ["random", "random"], "games": 2, "options": {"scenario": "/etc"}},
    {"kind": "train", "game": "tictactoe", "changes": {"games": 10**400}},
    {"kind": "train", "game": "minesweeper", "config": "miniature", "changes": {"ppo.num_envs": 10**9}},
    {"kind": "duel", "game": "tictactoe", "agents": ["random", "random"], "executor": "ray", "address": "192.0.2.1:1"},
    {"kind": "train", "game": "skirmish", "config": "minute", "changes": {"imitation.teachers": [PROGRAM]}},
    {"kind": "train", "game": "skirmish", "config": "minute", "changes": {"imitation.opponents": [PROGRAM]}},
    {"kind": "train", "game": "skirmish", "config": "minute", "changes": {"opponents.names": [PROGRAM]}},
    {"kind": "train", "game": "skirmish", "config": "minute", "changes": {"evaluation.opponents": [PROGRAM]}},
    {
        "kind": "train",
        "game": "tictactoe",
        "config": "alphazero",
        "changes": {"executor": "ray", "address": "192.0.2.1:1"},
    },
)
WEAK: Final = (
    "0123456789abcdef",
    "correct horse battery staple",
    "PasswordPasswordPassword",
    "x" * 32,
    "MySuperSecretAdminPassword2026!",
)


@attack("guesses", "past the limit wrong tokens got 429, the right one still 200, and nothing was logged", own=True)
def guesses(target: Target) -> Finding:
    """Wrong tokens until the address is locked, then the right one, on `/metrics` and at the login."""
    assert target.serving is not None
    for number in range(GUESSES):
        target.ask(target.attacker, "GET", "/metrics", Authorization=f"Bearer guess {number}")
    right = [
        target.ask(target.attacker, "GET", "/metrics", **BEARER).status,
        target.ask(target.attacker, "POST", LOGIN, {"token": ADMIN_TOKEN}).status,
    ]
    other = target.ask(target.visitor, "GET", "/metrics", **BEARER).status
    logged = sum('"login failed"' in line for line in target.serving.log())
    holds = right == [TOO_MANY_REQUESTS] * 2 and other == OK and logged > 0
    text = f"after {GUESSES} wrong tokens the right one gets {right[0]} and {right[1]}, from elsewhere {other}"
    return Finding(holds, f"{text}; {logged} failures logged", {"right": right, "logged": logged})


@attack("weak tokens", "`LUDEX_ADMIN_TOKEN=0123456789abcdef` was accepted: 16 characters of any kind", own=True)
def weak_tokens(target: Target) -> Finding:
    """Tokens that people choose, for a server that would start with them, and drawn ones, which must be accepted."""
    accepted = sum(_starts_with(token) for token in WEAK)
    drawn = [secrets.token_urlsafe(32), secrets.token_hex(32)]
    refused = sum(not _starts_with(token) for token in drawn)
    text = f"{accepted} of {len(WEAK)} accepted, {len(drawn) - refused} of {len(drawn)} drawn ones"
    return Finding(not accepted and not refused, text, {"accepted": accepted})


def _starts_with(token: str) -> bool:
    try:
        Settings.read({}, {"LUDEX_ADMIN_TOKEN": token})
    except BadOption:
        return False
    return True


@attack("copied cookie", "the administrator's cookie worked after the logout, and on other ports of the host", own=True)
def copied_cookie(target: Target) -> Finding:
    """A copy of the cookie is used on a second server with the same data and secret, and after the logout."""
    assert target.serving is not None
    cookie = target.ask(target.visitor, "POST", LOGIN, {"token": ADMIN_TOKEN}).cookie
    used = target.ask(target.visitor, "GET", "/metrics", cookie=cookie).status
    with serving("--workers", "1", LUDEX_DATA=str(target.serving.data)) as second:
        other = Target.of(second.address, second)
        renamed = f"ludex_administrator_{other.port}={cookie.partition('=')[2]}"
        elsewhere = [other.ask(other.visitor, "GET", "/metrics", cookie=copy).status for copy in (cookie, renamed)]
    target.ask(target.visitor, "POST", "/api/administrator/logout", cookie=cookie)
    after = target.ask(target.attacker, "GET", "/metrics", cookie=cookie).status
    holds = used == OK and elsewhere == [FORBIDDEN] * 2 and after == FORBIDDEN
    name = cookie.partition("=")[0]
    text = f"`{name}` is answered with {used}, on another port with {elsewhere[0]}, after the logout with {after}"
    return Finding(holds, text, {"elsewhere": elsewhere, "after": after})


@attack(
    "the administrator's shell",
    "`py:ludex.arena.ugi_agent:UgiAgent:command=...` as a seat ran any program, `py:subprocess:Popen` too, "
    "and jobs took `master:net=/etc/passwd`, scenario paths and `games: 10**400`, trainings also `py:` opponents",
    own=True,
)
def shell(target: Target) -> Finding:
    """Programs, files, addresses and absurd numbers in matches and jobs, with the administrator's token."""
    matches: list[dict[str, object]] = [{"game": "tictactoe", "seats": ["you", name]} for name in NAMED]
    requests = [("/api/matches", body) for body in matches] + [("/api/jobs", body) for body in JOBS]
    accepted = [
        json.dumps(body)[:80]
        for path, body in requests
        if target.ask(target.visitor, "POST", path, body, **BEARER).status == CREATED
    ]
    text = f"{len(accepted)} of {len(requests)} accepted"
    return Finding(not accepted, f"{text}: {', '.join(accepted)}" if accepted else text, {"accepted": accepted})


@attack("origin of another kind", "`Origin: evil://HOST` passed as the server's own")
def origin_scheme(target: Target) -> Finding:
    """A match begun from a page of the same name under another scheme, and from the server's own page."""
    body = {"game": "tictactoe", "seats": ["you", "open"]}
    host = f"{target.host}:{target.port}"
    strange, own = (
        target.ask(target.attacker, "POST", "/api/matches", body, Origin=f"{scheme}://{host}").status
        for scheme in ("evil", "http")
    )
    return Finding((strange, own) == (FORBIDDEN, CREATED), f"evil:// is answered with {strange}, http:// with {own}")
