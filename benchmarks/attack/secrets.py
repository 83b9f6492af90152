"""Attacks on what is another person's or hidden: authority, mines and dice, ratings and matches."""

import json
import secrets
import time
from http.client import FORBIDDEN, OK, TOO_MANY_REQUESTS
from typing import Any, Final

import ludex
from benchmarks.attack.foresight import InvertibleMatch, foresees
from benchmarks.attack.registry import Finding, attack
from benchmarks.attack.target import PATIENCE, Target
from ludex.core.limit import Limit
from ludex.core.match import time_decision
from ludex.core.record import match_file

BOARDS: Final = 50
ANSWERS: Final = 10
MOST_BY_CHANCE: Final = 3
"""Of ten answers that agree with a guess among some sixty moves."""


@attack("administrator", "behind the recommended proxy every visitor replaced rankings and read `/metrics`")
def administrator(target: Target) -> Finding:
    """Calls of an administrator without a login: from this machine, as a proxy forwards them, with a forged token."""
    file = {"game": "tictactoe", "preset": "3x3x3", "title": "mine", "file_name": "ranking.json", "content": "e30="}
    calls = (
        ("GET", "/metrics", None),
        ("POST", "/api/agents/import", file),
        ("GET", "/api/administrator/audit", None),
        ("POST", "/api/jobs", {"kind": "tournament", "game": "tictactoe", "agents": ["perfect", "random"], "games": 2}),
        ("POST", "/api/agents", {"run": "a-run", "step": 1, "title": "mine"}),
        ("DELETE", "/api/agents/mine", None),
        ("PUT", "/api/runs/a-run/note", {"note": "mine"}),
    )
    forged = {"X_Forwarded_For": "127.0.0.1", "Forwarded": "for=127.0.0.1", "Authorization": "Bearer 0123456789abcdef"}
    headers: list[dict[str, str]] = [{}, *({name: value} for name, value in forged.items())]
    statuses = [
        target.ask("127.0.0.1", method, path, body, **header).status
        for method, path, body in calls
        for header in headers
    ]
    # Forged tokens are limited in number.
    allowed = sum(status not in (FORBIDDEN, TOO_MANY_REQUESTS) for status in statuses)
    return Finding(
        not allowed,
        f"{allowed} of {len(statuses)} calls of an administrator allowed to a visitor",
        {"allowed": allowed},
    )


@attack("generator", "an agent that used nothing but its generator won 50 of 50 expert boards of Minesweeper")
def generator(target: Target) -> Finding:
    """An agent computes the mines from the generator that `decide` receives, in this process."""
    board = ludex.make("minesweeper", "expert")
    foreseen, invertible = (
        sum(foresees(kind(board, secrets.randbits(64))) for _ in range(BOARDS))
        for kind in (ludex.Match, InvertibleMatch)
    )
    text = f"mines foreseen on {foreseen} of {BOARDS} boards ({invertible} with generators without a hash)"
    return Finding((foreseen, invertible) == (0, BOARDS), text, {"foreseen": foreseen})


@attack("analysis", "ten answers of `random` in a live rated match of Minesweeper identified its seed among 2^28")
def analysis(target: Target) -> Finding:
    """Answers of an analysis that follow from the seed, which is public when the match is over."""
    match, cookie = target.begin(target.attacker, "minesweeper", "you")
    path, answers = f"/api/matches/{match['id']}", []
    replayed = ludex.make("minesweeper", match["preset"])
    actions: list[int] = []
    for number in range(ANSWERS):
        answer = target.ask(
            target.attacker, "POST", f"{path}/analysis", {"agent": "random", "movetime_ms": 100}, cookie
        )
        if answer.status != OK:
            raise RuntimeError(f"no analysis: {answer.document}")
        answers.append(answer.document["action"])
        # A flag, which ends no match.
        flag = _cells(match["preset"]) + number
        moved = target.ask(
            target.attacker, "POST", f"{path}/moves", {"version": match["version"], "action": flag}, cookie
        )
        if moved.status != OK:
            raise RuntimeError(f"no flag: {moved.document}")
        match = moved.document
        actions.append(flag)
    over = target.ask(target.attacker, "POST", f"{path}/resign", {"version": match["version"]}, cookie).document
    known = ludex.Match(replayed, int(over["seed"]))
    agent, agree = ludex.make_agent(replayed, "random"), 0
    for answer, action in zip(answers, actions, strict=True):
        agree += time_decision(known, agent, Limit())[0].action == answer
        known.play(action)
    text = f"{agree} of {ANSWERS} answers are those that the seed leads to"
    return Finding(agree <= MOST_BY_CHANCE, text, {"agree": agree})


def _cells(preset: str) -> int:
    return ludex.make("minesweeper", preset).info.num_actions // 2


@attack("forged rating", "a forked match counted as won after moves were taken back")
def forged_rating(target: Target) -> Finding:
    """A match that others played to a won position, forked, with moves taken back until the count of versions fits."""
    match = ludex.Match(ludex.make("tictactoe"), seed=0)
    for text in ("a3", "b3", "a2", "c1"):
        match.play_text(text)
    body = json.loads(match_file(match, ("you", "random")))
    brought = target.ask(target.attacker, "POST", "/api/matches/import", body)
    cookie = brought.cookie
    path = f"/api/matches/{brought.document['id']}/fork"
    forked = target.ask(target.attacker, "POST", path, {"ply": 4, "seats": ["you", "random"]}, cookie).document
    path = f"/api/matches/{forked['id']}"
    for _ in range(2):
        _play(target, path, "c3", cookie)
        view = _on_turn(target, path, cookie)
        target.ask(target.attacker, "POST", f"{path}/undo", {"version": view["version"]}, cookie)
    _play(target, path, "a1", cookie)
    verdict = target.ask(target.attacker, "GET", f"/api/me/ratings?match={forked['id']}", cookie=cookie).document[
        "match"
    ]
    return Finding(verdict != "counted", f"the won fork is {verdict!r}, not counted", {"verdict": verdict})


def _on_turn(target: Target, path: str, cookie: str) -> Any:
    """The match when it is the attacker's turn."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        view = target.ask(target.attacker, "GET", path, cookie=cookie).document
        if view["to_move"] == 0 or not view["live"]:
            return view
        time.sleep(0.1)
    raise RuntimeError("the agent did not move")


def _play(target: Target, path: str, text: str, cookie: str) -> None:
    version = _on_turn(target, path, cookie)["version"]
    answer = target.ask(target.attacker, "POST", f"{path}/moves", {"version": version, "text": text}, cookie)
    if answer.status != OK:
        raise RuntimeError(f"{text}: {answer.document}")


@attack("deletion", "a guest deleted the host's live match")
def deletion(target: Target) -> Finding:
    """A guest joins a match and deletes it."""
    match, host = target.begin(target.visitor, "tictactoe", "you", "open")
    path = f"/api/matches/{match['id']}"
    invitation = target.ask(target.visitor, "POST", f"{path}/invitation", cookie=host).document["path"]
    joined = target.ask(target.attacker, "POST", f"{path}/join", {"invitation": invitation.partition("invitation=")[2]})
    status = target.ask(target.attacker, "DELETE", path, cookie=joined.cookie).status
    left = target.ask(target.visitor, "GET", path, cookie=host).status
    return Finding(
        left == OK,
        f"answered with {status}; the host's match is {'still there' if left == OK else 'gone'}",
        {"status": status},
    )
