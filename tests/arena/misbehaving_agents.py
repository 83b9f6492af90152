"""Players that misbehave, each in a way of its own, for tests that put them in the place of a registered agent."""

import time
from contextlib import suppress
from typing import Any

import pytest

from ludex.core.decision import Decision
from ludex.search import random as random_agent


class Misbehaving:
    """Plays the first legal action once, and then forgets its manners."""

    name = "random"

    def __init__(self, manner: str) -> None:
        self.manner = manner
        self.asked = 0

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> Decision:
        self.asked += 1
        if self.asked == 2:
            self.misbehave()
            return Decision(int((~legal).argmax()))
        return Decision(int(legal.argmax()))

    def misbehave(self) -> None:
        if self.manner == "crash":
            raise ZeroDivisionError("division by zero")
        if self.manner == "exit":
            raise SystemExit(3)
        if self.manner == "stubborn":
            # It catches what it should not; the next interruption finds it outside.
            with suppress(Exception):
                time.sleep(60)
        if self.manner in ("hang", "stubborn"):
            time.sleep(60)
        if self.manner == "late":
            time.sleep(1.3)


def seat_at(monkeypatch: pytest.MonkeyPatch, manner: str) -> list[Misbehaving]:
    """From now on the agent `random` misbehaves; returns those that were made."""
    made: list[Misbehaving] = []

    def make(*_: Any) -> Misbehaving:
        made.append(Misbehaving(manner))
        return made[-1]

    monkeypatch.setattr(random_agent, "random", make)
    return made
