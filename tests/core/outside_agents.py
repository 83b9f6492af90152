"""Agents from outside, good and bad: classes that tests name as `py:FILE:CLASS`."""

import os
import sys
import time
from typing import Any

from ludex.core.decision import Decision
from ludex.core.game import AnyGame, Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.seeding import Rng


class First:
    """Plays the legal action of some place in the list, and says in which process."""

    def __init__(self, game: AnyGame, place: int = 0, *, shout: bool = False) -> None:
        self.name = "first"
        self.moves: list[str] = []
        self._place = place
        if shout:
            print("bestmove nonsense", flush=True)

    def follow(self, moves: list[str]) -> None:
        self.moves = moves

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        action = legal_actions(legal)[min(self._place, int(legal.sum()) - 1)]
        limit.report(Decision(action, stats={"soon": True}))
        return Decision(action, stats={"pid": os.getpid(), "followed": len(self.moves), "depth": limit.depth})


class Stumbles(First):
    """Cannot follow a match that begins with a1."""

    def follow(self, moves: list[str]) -> None:
        if moves[:1] == ["a1"]:
            raise ValueError("not this one")
        super().follow(moves)


class Waits:
    """Searches until it is stopped; without a game."""

    name = "waits"

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        while not limit.stopped:
            time.sleep(0.005)
        return Decision(legal_actions(legal)[0], stats={"stopped": True})


class Sleeps(Waits):
    """Is never ready."""

    name = "sleeps"

    def __init__(self) -> None:
        time.sleep(600)


class Fails:
    """Fails in a way of its own."""

    name = "fails"

    def __init__(self, game: AnyGame, manner: str) -> None:
        self.manner = manner
        self.asked = 0

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        self.asked += 1
        if self.manner == "raises":
            raise ValueError("no idea")
        if self.manner == "exits":
            os._exit(3)
        if self.manner == "sleeps":
            time.sleep(600)
        if self.manner == "leaves":
            sys.exit("enough")
        return "a1"  # type: ignore[return-value]


class Hungry(First):
    """Takes a gibibyte for every move."""

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        bytearray(1 << 30)
        return super().decide(view, legal, rng=rng, limit=limit)


NOT_A_CLASS = 3


class Mute:
    """Cannot decide."""
