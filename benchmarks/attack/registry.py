"""The attacks by name: what each did before the limits existed, and what it does now."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.attack.target import Target
from benchmarks.attack.visitor import visit


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one attack."""

    held: bool
    """Whether the server withstood it."""
    now: str
    """What happened, in words."""
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack."""

    name: str
    before: str
    """What the same attack did before the limits existed."""
    run: Callable[[Target], Finding]
    own: bool
    """Whether it needs a server that this command has started: it looks at its process, its files or its log."""


ATTACKS: Final[dict[str, Attack]] = {}
"""By name, in the order in which they run; a new attack is a function below `@attack` or `@flood`."""

Flood = Callable[[Target], Generator[None, None, str]]
"""Yields once, while the attack is under way; returns what the server let it do."""


def attack(name: str, before: str, *, own: bool = False) -> Callable[[Callable[[Target], Finding]], Attack]:
    """Register a function as an attack."""

    def register(run: Callable[[Target], Finding]) -> Attack:
        ATTACKS[name] = Attack(name, before, run, own)
        return ATTACKS[name]

    return register


def flood(name: str, before: str, *, own: bool = False, health_ms: float = float("inf")) -> Callable[[Flood], Attack]:
    """Register an attack during which another visitor asks for health and plays.

    It holds if none of that fails, and if 95 % of the answers to health come within `health_ms`.
    """

    def register(begin: Flood) -> Attack:
        return attack(name, before, own=own)(lambda target: visited(target, begin, health_ms))

    return register


def visited(target: Target, begin: Flood, health_ms: float) -> Finding:
    """A flood's finding, with what another visitor met before, during and after it."""
    phases = {"before": visit(target)}
    steps = begin(target)
    try:
        next(steps)
        phases["during"] = visit(target)
        effect = _last(steps)
    finally:
        steps.close()
    phases["after"] = visit(target)
    failures = [failure for phase in ("during", "after") for failure in phases[phase].failures]
    during = phases["during"].document()
    noticed = f"another visitor: health {during['health_p95_ms']} ms, move {during['move_p95_ms']} ms"
    failed = f", {len(failures)} failed, the first with {failures[0]}" if failures else ""
    figures = {phase: met.document() for phase, met in phases.items()}
    fast = (during["health_p95_ms"] or 0) <= health_ms
    return Finding(fast and not failures, f"{effect}; {noticed}{failed}", figures)


def _last(steps: Generator[None, None, str]) -> str:
    try:
        next(steps)
    except StopIteration as end:
        return str(end.value)
    raise AssertionError("a flood yields once")
