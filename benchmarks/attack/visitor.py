"""A visitor who asks for health and plays tic-tac-toe against an agent, during an attack."""

import http.client
import time
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.attack.target import PATIENCE, Target
from ludex.arena.statistics import percentile

POLL_SECONDS: Final = 0.1
"""Between two looks for the agent's move: more often would be an attack by the server's limit of requests."""
SAMPLES: Final = 20
"""Requests and moves of a visitor in each phase."""
PHASE_SECONDS: Final = 20.0
"""A phase ends after so long, with the samples it has."""
PREPARING: Final = http.client.SERVICE_UNAVAILABLE


@dataclass
class Experience:
    """What a visitor met in one phase."""

    health_ms: list[float] = field(default_factory=list)
    move_ms: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        return {
            "health_p95_ms": _p95(self.health_ms),
            "move_p95_ms": _p95(self.move_ms),
            "samples": [len(self.health_ms), len(self.move_ms)],
            "failures": len(self.failures),
            "first_failure": self.failures[0] if self.failures else None,
        }


def visit(target: Target) -> Experience:
    """Ask for health and have an agent move, again and again; a request that fails counts as ten seconds."""
    met, end = Experience(), time.monotonic() + PHASE_SECONDS
    for _ in range(SAMPLES):
        if time.monotonic() > end:
            break
        for sample, times in ((_health, met.health_ms), (_move, met.move_ms)):
            begin = time.perf_counter()
            try:
                sample(target)
            except (OSError, RuntimeError, http.client.HTTPException) as error:
                met.failures.append(f"{sample.__name__.strip('_')}: {type(error).__name__}: {error}")
                # A refusal in a millisecond is no fast answer.
                times.append(1000 * PATIENCE)
            else:
                times.append(1000 * (time.perf_counter() - begin))
    return met


def ready(target: Target, *games: str) -> None:
    """Wait until these games are compiled."""
    for game in games:
        seats = ["you"] if game == "minesweeper" else ["you", "open"]
        while target.ask(target.visitor, "POST", "/api/matches", {"game": game, "seats": seats}).status == PREPARING:
            time.sleep(1)


def _health(target: Target) -> None:
    answer = target.ask(target.visitor, "GET", "/api/health")
    if answer.status != http.client.OK:
        raise RuntimeError(f"{answer.status} {answer.document}")


def _move(target: Target) -> None:
    """Begin a match, play one move, and wait for the agent's answer."""
    match, cookie = target.begin(target.visitor, "tictactoe", "you", "perfect")
    path, end = f"/api/matches/{match['id']}", time.monotonic() + PATIENCE
    move = {"version": match["version"], "text": "b2"}
    answer = target.ask(target.visitor, "POST", f"{path}/moves", move, cookie)
    while answer.status == http.client.OK and answer.document["plies"] < 2:
        if time.monotonic() > end:
            raise RuntimeError(f"the agent did not move in {PATIENCE:.0f} s")
        time.sleep(POLL_SECONDS)
        answer = target.ask(target.visitor, "GET", path, cookie=cookie)
    if answer.status != http.client.OK:
        raise RuntimeError(f"{answer.status} {answer.document}")


def _p95(times: list[float]) -> float | None:
    return round(percentile([round(1000 * ms) for ms in times], 95) / 1000, 1) if times else None
